package main

import (
	"context"
	"encoding/json"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// indexPatience is how long a call waits for the files to be indexed when a
// server has just started without a database. It leaves the answer most of its
// own deadline.
const indexPatience = 2 * time.Second

// indexingNotice is said by answers that were given before all files were indexed.
const indexingNotice = "indexing"

// firstIndex is the first reading of a workspace whose database is new.
type firstIndex struct{ done chan struct{} }

// run reads the files of a workspace without a database. Until it is
// through, a question may find nothing although the files hold the answer.
func (f *firstIndex) run(ctx context.Context, e *engine) error {
	defer close(f.done)
	_, err := e.mirror.Sync(ctx, memory.SyncOptions{})
	return err //nolint:wrapcheck // the caller says what failed
}

// guard makes a tool wait for the first index, within bounds: a question would
// miss what the files say, a write what it repeats.
func (f *firstIndex) guard(tool tools.Tool) tools.Tool {
	if tool.Name == "status" {
		return tool
	}
	call := tool.Call
	tool.Call = func(ctx context.Context, args json.RawMessage) (any, error) {
		whole := f.wait(ctx)
		result, err := call(ctx, args)
		if recalled, ok := result.(tools.RecallResult); ok && !whole {
			recalled.Degraded = append(recalled.Degraded, indexingNotice)
			result = recalled
		}
		return result, err
	}
	return tool
}

// wait reports whether everything is indexed, after waiting for it a little.
func (f *firstIndex) wait(ctx context.Context) bool {
	select {
	case <-f.done:
		return true
	default:
	}
	patience := time.NewTimer(indexPatience)
	defer patience.Stop()
	select {
	case <-f.done:
		return true
	case <-patience.C:
	case <-ctx.Done():
	}
	return false
}
