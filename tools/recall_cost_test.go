package tools_test

import (
	"fmt"
	"testing"

	"agentmemory/internal/embed/lsa"
	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
	"agentmemory/lifecycle"
	"agentmemory/tools"
)

// What one recall may cost once what is kept in memory has been read.
const (
	recallStatements = 7   // at most
	recallMore       = 1.3 // allocations in the larger store, times those in the smaller one
)

// asking returns what asks about the memories of fill, by number, with words
// and vectors.
func asking(t *testing.T, memories int) (*kit, func(i int)) {
	t.Helper()
	k := newKit(t)
	fill(t, k, memories)
	profile, err := lifecycle.ProfileByName("")
	if err != nil {
		t.Fatal(err)
	}
	keeper := &lsa.Keeper{Generations: k.store, Contents: k.store, Hold: nobodyElse, Namespace: memory.DefaultNamespace}
	if err := keeper.Update(t.Context()); err != nil {
		t.Fatal(err)
	}
	r := &tools.Recall{Store: k.store, Meaning: &lsa.Meaning{Keeper: keeper, Vectors: k.store}, Accesses: nobody{},
		Profile: profile, Parameters: rank.Defaults(), Now: k.clock.Now, Namespace: memory.DefaultNamespace}
	return k, func(i int) {
		question := fmt.Sprintf("数据库 of service %d since the gateway moved, ticket OPS-%d", i%97, i)
		if result, err := r.Run(t.Context(), tools.RecallArgs{Query: question}); err != nil || result.Count == 0 {
			t.Fatalf("%d hits, %v", result.Count, err)
		}
	}
}

// recallCost returns the most statements of one of several recalls, and the
// allocations of one.
func recallCost(t *testing.T, memories int) (most int64, allocations float64) {
	t.Helper()
	k, ask := asking(t, memories)
	for i := range 100 {
		ask(i)
	}
	i := 100
	for range 20 {
		before := k.store.Work()
		ask(i)
		most = max(most, k.store.Work().Statements-before.Statements)
		i++
	}
	return most, testing.AllocsPerRun(20, func() { ask(i); i++ })
}

// A question must cost the same in any store: as many statements, and about as
// many allocations, which grow with every row that is read.
func TestRecallCostsTheSameInAnyStore(t *testing.T) {
	few, light := recallCost(t, 500)
	many, heavy := recallCost(t, 2_500)
	t.Logf("at 500 memories %d statements and %.0f allocations, at 2,500 %d and %.0f", few, light, many, heavy)
	if few > recallStatements || many > recallStatements {
		t.Errorf("a recall runs %d statements at 500 memories and %d at 2,500, want %d at most", few, many, recallStatements)
	}
	if heavy > light*recallMore {
		t.Errorf("a recall makes %.0f allocations at 500 memories and %.0f at 2,500", light, heavy)
	}
}
