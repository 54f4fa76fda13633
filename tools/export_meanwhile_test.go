package tools_test

import (
	"bytes"
	"context"
	"fmt"
	"strings"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/tools"
)

// shrinking is a store in which somebody removes the first memories while it is
// listed page by page.
type shrinking struct {
	*store.Store
	t     *testing.T
	calls int
}

func (r *shrinking) List(ctx context.Context, f memory.Filter) ([]memory.Memory, error) {
	if r.calls++; r.calls == 2 {
		for _, uri := range []string{"knowledge://lines/0000", "knowledge://lines/0001", "knowledge://lines/0002"} {
			m, err := r.ByURI(ctx, memory.DefaultNamespace, uri)
			if err != nil {
				r.t.Fatal(err)
			}
			if _, err := r.Apply(ctx, []memory.Change{{Op: memory.OpRemove, Memory: m}}); err != nil {
				r.t.Fatal(err)
			}
		}
	}
	return r.Store.List(ctx, f)
}

// An export misses nothing and repeats nothing because somebody removes memories
// while it is being written.
func TestAnExportIsWholeWhileMemoriesAreRemoved(t *testing.T) {
	k := newKit(t)
	var changes []memory.Change
	for i := range 1100 {
		m := memory.Memory{Namespace: memory.DefaultNamespace, Type: memory.Knowledge, Form: memory.Note, Status: memory.Active, Trust: memory.TrustAgent}
		m.URI, m.Content = fmt.Sprintf("knowledge://lines/%04d", i), fmt.Sprintf("line %04d", i)
		changes = append(changes, memory.Change{Op: memory.OpAdd, Memory: m})
	}
	if _, err := k.store.Apply(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	e := tools.Export{Store: &shrinking{Store: k.store, t: t}, Namespace: memory.DefaultNamespace}
	got, err := e.Lines(t.Context(), tools.ExportArgs{}, &out)
	if err != nil || got.Memories != strings.Count(out.String(), "\n") {
		t.Fatalf("%+v, %v", got, err)
	}
	for i := range 1100 {
		if n := strings.Count(out.String(), fmt.Sprintf(`"line %04d"`, i)); n != 1 {
			t.Errorf("line %04d is exported %d times", i, n)
		}
	}
}
