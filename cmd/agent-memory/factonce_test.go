package main

import (
	"testing"

	"agentmemory/internal/memory"
)

// Under profile para a note and the fact that was taken from it are one answer,
// and the fact warms up when it is asked for.
func TestAFactAndItsNoteAreOneAnswer(t *testing.T) {
	t.Parallel()
	l := newLife(t, "para")
	for _, said := range []string{"Project Apollo: the build takes 9 minutes", "阿波罗项目：负责人是李雷"} {
		l.call("remember", map[string]any{"content": said, "type": "knowledge"})
	}
	l.call("reflect", map[string]any{"phase": "extract"})
	for _, question := range []string{"how long does the build take", "阿波罗的负责人是谁"} {
		got := l.call("recall", map[string]any{"query": question})
		if n := got["count"]; n != float64(1) {
			t.Errorf("%s: %v hits: %v", question, n, got["memories"])
		}
	}
	if _, err := l.engine.fold(t.Context()); err != nil {
		t.Fatal(err)
	}
	facts, err := l.engine.store.List(t.Context(), memory.Filter{Namespace: memory.DefaultNamespace, Forms: []memory.Form{memory.Fact}})
	if err != nil || len(facts) != 2 {
		t.Fatal(err, facts)
	}
	for _, f := range facts {
		if f.AccessCount != 1 {
			t.Errorf("%s was used %d times", f.Content, f.AccessCount)
		}
	}
}
