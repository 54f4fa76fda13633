package lifecycle

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
)

// Whoever has taken the new memory apart already gets the verdict that the guard
// reaches by itself.
func TestAnAnalysisHandedDownChangesNoVerdict(t *testing.T) {
	p, err := ProfileByName("openclaw")
	if err != nil {
		t.Fatal(err)
	}
	rapid.Check(t, func(t *rapid.T) {
		in := drawMemory(t, 0)
		if rapid.IntRange(0, 2).Draw(t, "corrects") == 0 {
			in.Content = rapid.SampledFrom([]string{"No, use Postgres, not SQLite", "不对，用 Postgres，不用 SQLite", "Actually 9090"}).Draw(t, "correction")
			in.ContentHash = memory.Hash(in.Content)
		}
		var similar []Similar
		for i := range rapid.IntRange(0, 6).Draw(t, "candidates") {
			similar = append(similar, Similar{Memory: drawMemory(t, i+1)})
		}
		alone := Guard(Arrival{Memory: in, Now: today()}, similar, p.Guard)
		handed := Guard(Arrival{Memory: in, Now: today(), Analysis: AnalysisOf(in, nil)}, similar, p.Guard)
		if diff := cmp.Diff(alone, handed); diff != "" {
			t.Errorf("%q among %d (-alone +handed down):\n%s", in.Content, len(similar), diff)
		}
	})
}

// A candidate that is looked at again and again is taken apart once, and what is
// not compared with it not at all.
func TestTheGuardTakesATextApartOnce(t *testing.T) {
	in := incoming("不对，账本用 Postgres，不用 SQLite")
	old, other := stored("a", "账本用 SQLite", learned(0)), stored("b", "Zoe keeps a goldfish", learned(0))
	g := guard{in: in, now: today(), policy: openclawGuard(t), found: &kinship{}, near: []Similar{{Memory: old}, {Memory: other}}}
	g.read = newReading(Arrival{Memory: in, Analysis: AnalysisOf(in, nil)})
	first := g.read.statement(old.Content)
	g.closest()
	if again := g.read.statement(old.Content); again.late != first.late || len(g.read.statements) != 2 {
		t.Errorf("%d texts taken apart, want the new one and its candidate, once", len(g.read.statements))
	}
	if _, found := g.read.statements[other.Content]; found {
		t.Errorf("%q shares nothing with %q and was taken apart", other.Content, in.Content)
	}
}
