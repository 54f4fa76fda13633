package tools

import (
	"bufio"
	"context"
	"fmt"
	"io"

	"agentmemory/internal/memory"
)

// exportPage is the number of memories read at once.
const exportPage = 500

// ExportStore is what an export needs of the store.
type ExportStore interface {
	List(ctx context.Context, f memory.Filter) ([]memory.Memory, error)
}

// ExportArgs choose what is exported.
type ExportArgs struct {
	All      bool // also what was forgotten, archived, superseded or quarantined
	Passages bool // also the prose of people's files
}

// Export writes every memory to a stream that other programs can read.
type Export struct {
	Store     ExportStore
	Namespace string
}

// Lines writes one memory a line as JSON (see Record), by file and line, and
// returns how many.
func (e *Export) Lines(ctx context.Context, a ExportArgs, w io.Writer) (int, error) {
	out := bufio.NewWriter(w)
	n := 0
	err := e.each(ctx, a, func(m memory.Memory) error {
		line, err := RecordOf(m).MarshalLine()
		if err != nil {
			return err
		}
		n++
		_, err = out.Write(append(line, '\n'))
		return err
	})
	if err != nil {
		return n, err
	}
	if err := out.Flush(); err != nil {
		return n, fmt.Errorf("writing the export: %w", err)
	}
	return n, nil
}

func (e *Export) each(ctx context.Context, a ExportArgs, f func(memory.Memory) error) error {
	filter := memory.Filter{Namespace: e.Namespace, Order: memory.ByURI, Limit: exportPage, Layer: memory.LayerAll}
	if a.All {
		filter.Statuses = memory.Statuses()
	}
	for {
		page, err := e.Store.List(ctx, filter)
		if err != nil {
			return fmt.Errorf("listing memories: %w", err)
		}
		for _, m := range page {
			if m.Form == memory.Passage && !a.Passages {
				continue
			}
			if err := f(m); err != nil {
				return fmt.Errorf("exporting %s: %w", m.ID, err)
			}
		}
		if len(page) < filter.Limit {
			return nil
		}
		filter.Offset += len(page)
	}
}
