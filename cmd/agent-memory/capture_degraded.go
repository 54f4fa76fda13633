package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// noFiles stands for the files that cannot be synced without a database.
type noFiles struct{ reason error }

func (f noFiles) Sync(context.Context, memory.SyncOptions) (memory.SyncReport, error) {
	return memory.SyncReport{}, f.reason
}

// captureOnly runs the half of sync that needs no database: what was said goes
// to the journal, and is indexed later under the same id.
func (a *app) captureOnly(ctx context.Context, reason error, args json.RawMessage) (_ any, err error) {
	e, err := a.journalEngine(reason)
	if err != nil {
		return nil, errors.Join(reason, err)
	}
	defer func() { err = errors.Join(err, e.close()) }()
	if err := e.openTranscripts(ctx, a); err != nil || e.transcripts == nil {
		return nil, errors.Join(reason, err)
	}
	run := func(ctx context.Context, given tools.SyncArgs) (tools.SyncResult, error) {
		if given.What == "files" {
			return tools.SyncResult{}, reason
		}
		given.What = "sessions"
		sync := &tools.Sync{Files: noFiles{reason}, Sessions: &tools.Capture{
			Transcripts: e.transcripts, Store: closedDatabase{reason: reason}, Remember: e.journalRemember(reason),
			Profile: e.profile, Now: e.now,
		}}
		result, err := sync.Run(ctx, given)
		if err == nil {
			result.Warnings = append(result.Warnings, fmt.Sprintf("the files were not synced: %s", shortReason(reason)))
		}
		return result, err
	}
	return tools.Bind(tools.SyncSpec(), run).Call(ctx, args)
}

// shortReason is an error without its causes.
func shortReason(err error) string {
	var e *memory.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}
