package tools_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// What one remember may cost. The bounds are what it takes, with a little
// room: whoever needs more says so here.
const (
	statementsAtMost  = 11
	allocationsAtMost = 680
	allocationsMore   = 1.2 // in the larger store, times those in the smaller one
)

// fill imports memories of everyday work, as bench/speed does.
func fill(tb testing.TB, k *kit, n int) {
	tb.Helper()
	for from := 0; from < n; from += 600 {
		var changes []memory.Change
		for i := from; i < min(n, from+600); i++ {
			changes = append(changes, memory.Change{Op: memory.OpAdd, Import: true, Memory: memory.Memory{
				Namespace: memory.DefaultNamespace, Type: memory.Knowledge, Form: memory.Note, Status: memory.Active, Trust: memory.TrustAgent,
				URI: memory.JournalURI(memory.Knowledge, k.clock.Now()), Home: memory.Place{File: "memory/2026-02-21.md"},
				Content: fmt.Sprintf("第%d号机器 runs service %d since the gateway moved, ticket OPS-%d, 数据库 %d", i, i%97, i, i%13),
			}})
		}
		if _, err := k.store.Apply(tb.Context(), changes); err != nil {
			tb.Fatal(err)
		}
	}
}

// measured remembers something new, by number.
func measured(tb testing.TB, k *kit, i int) {
	tb.Helper()
	args := fmt.Sprintf(`{"content":"measured %d: the gateway was delayed by 数据库 in rack %d (Lisbon office, ticket OPS-%d) — 支付服务 needs a retry budget"}`, i, i*31, 50_000+i)
	if _, err := k.tools["remember"].Call(tb.Context(), json.RawMessage(args)); err != nil {
		tb.Fatal(err)
	}
}

// cost returns the most that one of several calls costs, and what they allocate.
func cost(t *testing.T, memories int) (most sqlite.Work, allocations float64) {
	t.Helper()
	k := newKit(t)
	fill(t, k, memories)
	for i := range 100 { // until what is kept in memory has been read
		measured(t, k, i)
	}
	keepCandidates(t, k, memories+100)
	i := 100
	for range 20 {
		before := k.store.Work()
		measured(t, k, i)
		after := k.store.Work()
		most.Statements = max(most.Statements, after.Statements-before.Statements)
		most.Commits = max(most.Commits, after.Commits-before.Commits)
		i++
	}
	return most, testing.AllocsPerRun(20, func() { measured(t, k, i); i++ })
}

// keepCandidates has all candidates in memory, which the background may or may not
// have managed to read between the writes.
func keepCandidates(t *testing.T, k *kit, memories int) {
	t.Helper()
	keys := make([]int64, memories)
	for i := range keys {
		keys[i] = int64(i + 1)
	}
	if found, err := k.store.Candidates(t.Context(), keys); err != nil || len(found) < memories {
		t.Fatalf("%d of %d candidates, %v", len(found), memories, err)
	}
}

// A write must cost the same in any store: as many statements, one commit, and
// about as many allocations, which grow with every row that is read.
func TestRememberCostsTheSameInAnyStore(t *testing.T) {
	small, few := cost(t, 1_200)
	large, many := cost(t, 6_000)
	t.Logf("at 1,200 memories %+v and %.0f allocations, at 6,000 %+v and %.0f", small, few, large, many)
	if small.Commits != 1 || large.Commits != 1 {
		t.Errorf("a remember commits %d and %d times, want once: each waits for the disk", small.Commits, large.Commits)
	}
	if large.Statements > small.Statements || small.Statements > statementsAtMost {
		t.Errorf("a remember runs %d statements at 1,200 memories and %d at 6,000, want as many, %d at most", small.Statements, large.Statements, statementsAtMost)
	}
	if few > allocationsAtMost {
		t.Errorf("a remember makes %.0f allocations, want %d at most", few, allocationsAtMost)
	}
	if many > few*allocationsMore {
		t.Errorf("a remember makes %.0f allocations at 1,200 memories and %.0f at 6,000", few, many)
	}
}
