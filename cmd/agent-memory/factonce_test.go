package main

import (
	"strings"
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

// The summary of a project of which nothing was heard for a season shows no facts;
// who asks for its context gets the latest ones all the same.
func TestTheContextOfAColdProjectIsNotEmpty(t *testing.T) {
	t.Parallel()
	l := newLife(t, "para")
	l.call("remember", map[string]any{"content": "阿波罗项目：负责人是李雷", "type": "knowledge"})
	l.call("reflect", map[string]any{"phase": "extract"})
	l.at = l.at.AddDate(0, 3, 0)
	l.call("reflect", map[string]any{"phase": "extract"})
	got := l.call("recall", map[string]any{"query": "加载阿波罗项目的上下文"})
	if content := got["memories"].([]any)[0].(map[string]any)["content"].(string); !strings.Contains(content, "- 阿波罗项目：负责人是李雷") {
		t.Errorf("the context is %q", content)
	}
}
