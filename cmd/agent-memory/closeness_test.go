package main

import (
	"context"
	"fmt"
	"testing"
)

// taught is a workspace whose embedder has learned from sixty notes.
func taught(t *testing.T, profile string) *life {
	l := newLife(t, profile)
	subjects := []string{"harbour office", "invoice printer", "garden shed", "night train", "staging server", "coffee machine"}
	said := []string{"the %s opens early on weekdays and closes in the evening", "Marta repaired the %s with parts from the old workshop", "somebody asked about the price of the %s again"}
	for i := range 60 {
		l.ago(60-i, map[string]any{"content": fmt.Sprintf("Day %d: "+said[i%3], i, subjects[i%6]), "type": "event"})
	}
	if l.vectors == nil {
		t.Fatal("no embedder")
	}
	if err := l.vectors.update(context.Background()); err != nil {
		t.Fatal(err)
	}
	return l
}

func TestAParaphraseReinforcesWhereTheProfileAsksForMeaning(t *testing.T) {
	t.Parallel()
	for profile, want := range map[string]string{"yue": "reinforced", "openclaw": "merged"} {
		l := taught(t, profile)
		first := l.call("remember", map[string]any{"content": "the harbour office opens early on weekdays", "type": "knowledge"})
		got := l.call("remember", map[string]any{"content": "on weekdays the harbour office door opens quite early", "type": "knowledge"})
		if got["action"] != want || want == "reinforced" && got["memoryId"] != first["memoryId"] {
			t.Errorf("%s: %v, wanted %s", profile, got, want)
		}
		other := l.call("remember", map[string]any{"content": "the coffee machine opens the harbour gate on weekdays", "type": "knowledge"})
		if other["action"] != "added" {
			t.Errorf("%s: another statement was %v: %v", profile, other["action"], other["reason"])
		}
	}
}
