package tools_test

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// countingPaths counts the memories that a store hands out.
type countingPaths struct {
	tools.PathStore
	listed int
}

func (c *countingPaths) List(ctx context.Context, f memory.Filter) ([]memory.Memory, error) {
	found, err := c.PathStore.List(ctx, f)
	c.listed += len(found)
	return found, err
}

// A listing bounded in depth reads no more memories than it shows, however many
// lie below the prefix.
func TestAListingOfSomeLevelsReadsWhatItShows(t *testing.T) {
	k := newKit(t)
	var changes []memory.Change
	for i := range 300 {
		m := memory.Memory{
			Type: memory.Knowledge, Form: memory.Note, Content: fmt.Sprintf("wine %d lies in the cellar", i), Status: memory.Active, Trust: memory.TrustUser,
			URI: fmt.Sprintf("knowledge://cellar/shelf%03d/bottle", i), Home: memory.Place{File: "memory/2026-02-21.md"},
		}
		switch i % 100 {
		case 3:
			m.URI = fmt.Sprintf("knowledge://cellar/w%03d", i)
		case 4:
			m.URI = fmt.Sprintf("knowledge://cellar/shelf%03d/box/bottle", i)
		}
		changes = append(changes, memory.Change{Op: memory.OpAdd, Memory: m})
	}
	if _, err := k.store.Apply(t.Context(), changes); err != nil {
		t.Fatal(err)
	}
	store := &countingPaths{PathStore: k.store}
	list := tools.Bind(tools.RecallPathSpec(), (&tools.RecallPath{Store: store, Accesses: nobody{}, Now: k.clock.Now, Namespace: memory.DefaultNamespace}).Run)
	for _, tt := range []struct {
		args  string
		count int
		first string
	}{
		{`{"uri": "knowledge://cellar", "depth": 1}`, 3, "knowledge://cellar/w003"},
		{`{"uri": "knowledge://cellar/", "depth": 1}`, 3, "knowledge://cellar/w003"},
		{`{"uri": "knowledge://", "depth": 2}`, 3, "knowledge://cellar/w003"},
		{`{"uri": "knowledge://cellar", "depth": 2, "limit": 7}`, 7, "knowledge://cellar/shelf000/bottle"},
		{`{"uri": "knowledge://cellar", "depth": 3, "limit": 5}`, 5, "knowledge://cellar/shelf000/bottle"},
		{`{"uri": "knowledge://cellar/shelf1", "depth": 2, "limit": 200}`, 98, "knowledge://cellar/shelf100/bottle"},
		{`{"uri": "knowledge://cellar", "limit": 9}`, 9, "knowledge://cellar/shelf000/bottle"},
	} {
		store.listed = 0
		answer, err := list.Call(t.Context(), json.RawMessage(tt.args))
		if err != nil {
			t.Fatalf("%s: %v", tt.args, err)
		}
		got, ok := answer.(tools.RecallPathResult)
		if !ok || got.Count != tt.count || got.Memories[0].URI != tt.first {
			t.Errorf("%s: %d listed, %+v", tt.args, got.Count, got.Memories[:min(1, len(got.Memories))])
		}
		if store.listed > got.Count {
			t.Errorf("%s: %d memories were read for %d", tt.args, store.listed, got.Count)
		}
		if !slices.IsSortedFunc(got.Memories, func(a, b tools.MemoryView) int {
			if a.URI < b.URI {
				return -1
			}
			return 1
		}) {
			t.Errorf("%s: not in order", tt.args)
		}
	}
}

// A depth outside of its range is refused, and says what it may be.
func TestADepthOutOfRangeIsRefused(t *testing.T) {
	k := newKit(t)
	for _, depth := range []string{"17", "-1", "1000000000"} {
		if e := k.refused("recall_path", `{"uri": "knowledge://cellar", "depth": `+depth+`}`); e.Code != memory.InvalidArgument || e.Hint == "" {
			t.Errorf("depth %s: %+v", depth, e)
		}
	}
}
