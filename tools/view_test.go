package tools

import (
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

func TestAViewShowsTheStabilityBehindItsVitality(t *testing.T) {
	now := time.Date(2026, 11, 22, 8, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		what   string
		memory memory.Memory
		want   float64
	}{
		{"identity never fades", memory.Memory{Type: memory.Identity}, neverFades},
		{"an unused emotion: of its priority", memory.Memory{Type: memory.Emotion}, 365},
		{"unused knowledge", memory.Memory{Type: memory.Knowledge}, 90},
		{"use has made it longer", memory.Memory{Type: memory.Knowledge, Stability: 120.5}, 120.5},
	} {
		if got := viewOf(c.memory, lifecycle.Profile{}, now).Stability; got != c.want {
			t.Errorf("%s: %v days, want %v", c.what, got, c.want)
		}
	}
}
