package mirror_test

import (
	"context"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// What the program took out itself is no save of a person: nobody has to wait
// until it has rested, neither the next one who forgets something nor the next
// who writes the page.
func TestForgettingOneAfterTheOtherWaitsForNobody(t *testing.T) {
	for _, name := range []string{"RECENT.md", "MEMORY.md"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t)
			crane, lisbon, tea := b.remember("the crane in the harbour is green"), b.remember("Mei moves to Lisbon in May"), b.remember("绿茶放在第三层")
			write := func(m ...memory.Memory) bool {
				if name == "RECENT.md" {
					return b.recent(shownAs("event", m...))
				}
				return b.index(shownAs("knowledge", m...))
			}
			write(crane, lisbon, tea)
			b.clock.pass(time.Hour)
			begun := time.Now()
			b.unlist(crane)
			b.unlist(lisbon)
			b.stands(name, "Lisbon", 0)
			b.stands(name, "绿茶", 1)
			if write(tea) {
				t.Error("the page was written again, although it says what it should")
			}
			if took := time.Since(begun); took > time.Second {
				t.Errorf("it took %s", took)
			}
		})
	}
}

// A line that a person wrote into the page before is still one of theirs.
func TestForgettingAdoptsNoLineOfAPerson(t *testing.T) {
	b := newBench(t)
	crane, lisbon := b.remember("the crane in the harbour is green"), b.remember("Mei moves to Lisbon in May")
	b.recent(shownAs("event", crane, lisbon))
	b.save("RECENT.md", b.read("RECENT.md")+"- call Ann tomorrow\n")
	b.clock.pass(time.Minute)
	b.unlist(crane)
	b.stands("RECENT.md", "crane", 0)
	b.save("RECENT.md", b.read("RECENT.md")) // dated by the clock of the test
	b.recent(shownAs("event", lisbon))
	b.stands("RECENT.md", "call Ann", 0)
	b.stands(today, "call Ann tomorrow", 1)
}

func (b *bench) unlist(m memory.Memory) {
	b.t.Helper()
	if err := b.Unlist(context.Background(), m.ID); err != nil {
		b.t.Fatal(err)
	}
}
