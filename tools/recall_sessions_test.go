package tools_test

import (
	"context"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
	"agentmemory/tools"
)

// countedMeaning notes how many vectors it is asked for.
type countedMeaning struct{ asked int }

func (m *countedMeaning) Nearest(_ context.Context, _ string, _ memory.Filter, limit int) ([]memory.Neighbour, error) {
	m.asked = limit
	return nil, nil
}

// A session is found by the sum of what it holds, so that the vectors of a
// service, which tell weak likeness as well, speak for many of its entries.
func TestMoreVectorsOfAServiceSpeakForSessions(t *testing.T) {
	for _, tt := range []struct {
		name       string
		parameters rank.Parameters
		group      string
		want       int
	}{
		{"memories by the built-in embedder", rank.Defaults(), "", 50},
		{"sessions by the built-in embedder", rank.Defaults(), tools.UnitSession, 50},
		{"memories by a service", rank.ForService(), "", 50},
		{"sessions by a service", rank.ForService(), tools.UnitSession, 300},
	} {
		s := newShelf(t)
		meaning := &countedMeaning{}
		s.Meaning, s.Parameters = meaning, tt.parameters
		if _, err := s.Run(t.Context(), tools.RecallArgs{Query: "tabs spaces", GroupBy: tt.group}); err != nil {
			t.Fatal(err)
		}
		if meaning.asked != tt.want {
			t.Errorf("%s: %d vectors, want %d", tt.name, meaning.asked, tt.want)
		}
	}
}
