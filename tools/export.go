package tools

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"slices"

	"agentmemory/internal/memory"
)

// exportPage is the number of memories read at once.
const exportPage = 500

// historyBytes bounds the earlier contents of one memory, so that its line,
// however much of it is escaped, stays below what an import reads.
const historyBytes = 2 << 20

// ExportStore is what an export needs of the store.
type ExportStore interface {
	List(ctx context.Context, f memory.Filter) ([]memory.Memory, error)
	History(ctx context.Context, id string) ([]memory.Revision, error)
}

// ExportArgs choose what is exported.
type ExportArgs struct {
	All      bool // also earlier versions, and what was forgotten, archived, superseded or quarantined
	Passages bool // also the prose of people's files
}

// ExportResult counts what was written.
type ExportResult struct {
	Memories int // one a line, or one entry of the document
	Versions int // earlier versions beside them
	Omitted  int // earlier versions for which a line has no room: the oldest
}

// Export writes every memory to a stream that other programs can read.
type Export struct {
	Store     ExportStore
	Namespace string
	// Say puts headings and notes of the Markdown into the reader's language; nil: English.
	Say func(english string) string
}

// Lines writes one memory a line as JSON (see Record), in the order of their
// addresses.
func (e *Export) Lines(ctx context.Context, a ExportArgs, w io.Writer) (ExportResult, error) {
	out := bufio.NewWriter(w)
	var result ExportResult
	err := e.each(ctx, a, func(m memory.Memory) error {
		record := RecordOf(m)
		if a.All && m.Revision > 1 {
			history, err := e.Store.History(ctx, m.ID)
			if err != nil {
				return fmt.Errorf("reading its history: %w", err)
			}
			record.History = oldestFirst(history)
			result.Versions += len(record.History)
			result.Omitted += len(history) - len(record.History)
		}
		line, err := record.MarshalLine()
		if err != nil {
			return err
		}
		result.Memories++
		_, err = out.Write(append(line, '\n'))
		return err
	})
	if err != nil {
		return result, err
	}
	if err := out.Flush(); err != nil {
		return result, fmt.Errorf("writing the export: %w", err)
	}
	return result, nil
}

// oldestFirst turns a history round, without the oldest versions for which a
// line has no room.
func oldestFirst(newest []memory.Revision) []Version {
	var versions []Version
	size := 0
	for _, h := range newest {
		if size += len(h.Content); size > historyBytes {
			break
		}
		versions = append(versions, Version{Content: h.Content, Status: string(h.Status), Change: string(h.Op), Reason: h.Reason, ChangedAt: exact(h.At)})
	}
	slices.Reverse(versions)
	return versions
}

// exportRounds is how often the pages are read again for what has slipped from
// one to another because others removed memories meanwhile.
const exportRounds = 5

// each calls f once for every memory.
func (e *Export) each(ctx context.Context, a ExportArgs, f func(memory.Memory) error) error {
	seen := map[string]bool{}
	for range exportRounds {
		slipped, err := e.pages(ctx, a, seen, f)
		if err != nil || !slipped {
			return err
		}
	}
	return memory.Errorf(memory.Unavailable, "memories keep being removed while they are exported").WithHint("try again later")
}

// pages calls f for the memories that were not seen before. Each page begins with
// the last memory of the one before: if another one stands there, some have slipped through.
func (e *Export) pages(ctx context.Context, a ExportArgs, seen map[string]bool, f func(memory.Memory) error) (slipped bool, err error) {
	filter := memory.Filter{Namespace: e.Namespace, Order: memory.ByURI, Limit: exportPage, Layer: memory.LayerAll}
	if a.All {
		filter.Statuses = memory.Statuses()
	}
	for {
		page, err := e.Store.List(ctx, filter)
		if err != nil {
			return false, fmt.Errorf("listing memories: %w", err)
		}
		if filter.Offset > 0 && (len(page) == 0 || !seen[page[0].ID]) {
			slipped = true
		}
		for _, m := range page {
			if seen[m.ID] {
				continue
			}
			if seen[m.ID] = true; m.Form == memory.Passage && !a.Passages {
				continue
			}
			if err := f(m); err != nil {
				return false, fmt.Errorf("exporting %s: %w", m.ID, err)
			}
		}
		if len(page) < filter.Limit {
			return slipped, nil
		}
		filter.Offset += len(page) - 1
	}
}
