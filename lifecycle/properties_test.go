package lifecycle

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
)

func TestDecayIsMonotoneAndBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		m := drawMemory(t, 0)
		first := today().Add(time.Duration(rapid.IntRange(0, 5000).Draw(t, "hours")) * time.Hour)
		later := first.Add(time.Duration(rapid.IntRange(0, 50000).Draw(t, "more hours")) * time.Hour)
		if v, w := Vitality(m, first), Vitality(m, later); w > v || w < Floor(m.Priority()) || v > 1 {
			t.Fatalf("vitality went from %f to %f", v, w)
		}
		if i, j := Importance(m, first), Importance(m, later); j > i || j < 0 || i > maxImportance {
			t.Fatalf("importance went from %f to %f", i, j)
		}
		if d, e := EffectiveDays(m, first), EffectiveDays(m, later); e < d || d < 0 {
			t.Fatalf("effective days went from %f to %f", d, e)
		}
		for _, k := range []Measure{ByVitality, ByImportance, ByTemperature, ByConfidence, ByRecency} {
			if a, b := k.Score(m, first), k.Score(m, later); b > a || b < 0 || a > 1 {
				t.Fatalf("%s went from %f to %f", k, a, b)
			}
		}
	})
}

func TestDecayDoesNotDependOnHowOftenJobsRun(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, p := drawStore(t), drawProfile(t)
		worked := store
		now := today()
		for range rapid.IntRange(0, 5).Draw(t, "runs") {
			now = now.Add(time.Duration(rapid.IntRange(0, 400).Draw(t, "hours")) * time.Hour)
			plan, _ := All(worked, now, time.Time{}, p)
			worked = After(worked, plan.Changes)
		}
		for i, m := range worked {
			if a, b := Vitality(m, now), Vitality(store[i], now); a != b {
				t.Fatalf("%s has vitality %f with jobs and %f without", m.ID, a, b)
			}
			if a, b := Importance(m, now), Importance(store[i], now); a != b {
				t.Fatalf("%s has importance %f with jobs and %f without", m.ID, a, b)
			}
		}
	})
}

func TestReflectionChangesStatusOnlyAndLosesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, p := drawStore(t), drawProfile(t)
		plan, _ := All(store, today(), time.Time{}, p)
		for _, c := range plan.Changes {
			if c.Op != memory.OpStatus || c.Reason == "" || c.Revision == 0 {
				t.Fatalf("planned %s of %s at revision %d because %q", c.Op, c.Memory.ID, c.Revision, c.Reason)
			}
		}
		after := After(store, plan.Changes)
		if len(after) != len(store) {
			t.Fatalf("%d memories became %d", len(store), len(after))
		}
		for i, m := range after {
			m.Status, m.Supersedes, m.SupersededBy, m.Revision = store[i].Status, store[i].Supersedes, store[i].SupersededBy, store[i].Revision
			if d := cmp.Diff(store[i], m); d != "" {
				t.Fatalf("more than status and supersession changed:\n%s", d)
			}
		}
	})
}

func TestReflectionTwiceInARowChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, p := drawStore(t), drawProfile(t)
		plan, _ := All(store, today(), time.Time{}, p)
		after := After(store, plan.Changes)
		again, found := All(after, today(), today(), p)
		if len(again.Changes) > 0 || found.Decay.Updated > 0 {
			t.Fatalf("the second run plans %d changes, first %s of %s because %q; updated %d", len(again.Changes),
				again.Changes[0].Op, again.Changes[0].Memory.ID, again.Changes[0].Reason, found.Decay.Updated)
		}
	})
}

func TestForgettingSurvivesEveryPhase(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, p := drawStore(t), drawProfile(t)
		gone := map[string]bool{}
		for _, m := range store {
			gone[m.ID] = m.Status == memory.Forgotten
		}
		now := today()
		for range rapid.IntRange(1, 6).Draw(t, "phases") {
			now = now.Add(time.Duration(rapid.IntRange(0, 900).Draw(t, "hours")) * time.Hour)
			store = After(store, drawPlan(t, store, now, p).Changes)
		}
		for _, m := range store {
			if gone[m.ID] != (m.Status == memory.Forgotten) {
				t.Fatalf("%s is %s now", m.ID, m.Status)
			}
			for _, l := range m.Links {
				if l.Relation == DerivedFrom && gone[l.Target] {
					t.Fatalf("%s was made from the forgotten %s", m.ID, l.Target)
				}
			}
		}
		for _, projection := range []memory.Projection{Surface(store, now, p, nil), Compound(memory.Outline{}, store, now, p, nil).Projection, Wrapup(store, now), Weekly(store, WeekOf(now), now, p)} {
			for _, l := range linesOf(projection) {
				if gone[l.MemoryID] {
					t.Fatalf("the forgotten %s is shown", l.MemoryID)
				}
			}
		}
	})
}

func drawPlan(t *rapid.T, store []memory.Memory, now time.Time, p Profile) memory.Plan {
	var plan memory.Plan
	switch rapid.SampledFrom([]string{"decay", "tidy", "govern", "gc", "decisions", "extract", "divide"}).Draw(t, "phase") {
	case "decay":
		plan, _ = Decay(store, now, time.Time{})
	case "tidy":
		plan, _ = Tidy(store, now, p)
	case "govern":
		plan, _ = Govern(store, now, p)
	case "gc":
		plan = GC(store, now, p)
	case "decisions":
		plan = Decisions(store, now, p)
	case "extract":
		plan = Extract(store, []Entity{{Kind: "projects", Slug: "ledger", Names: []string{"账本"}}}, now, time.Time{}, p)
	case "divide":
		p.JournalDecisions = 3
		plan = Divide(store, p)
	}
	return plan
}

func linesOf(p memory.Projection) []memory.ProjectedLine {
	var lines []memory.ProjectedLine
	for _, s := range p.Sections {
		lines = append(lines, s.Entries...)
	}
	return lines
}

func TestEveryPhaseTwiceInARowChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, p := drawStore(t), drawProfile(t)
		entities := []Entity{{Kind: "projects", Slug: "ledger", Names: []string{"账本"}}}
		for name, phase := range map[string]func([]memory.Memory) memory.Plan{
			"gc":        func(s []memory.Memory) memory.Plan { return GC(s, today(), p) },
			"decisions": func(s []memory.Memory) memory.Plan { return Decisions(s, today(), p) },
			"extract":   func(s []memory.Memory) memory.Plan { return Extract(s, entities, today(), time.Time{}, p) },
		} {
			after := After(store, phase(store).Changes)
			if again := phase(after); len(again.Changes) > 0 {
				t.Fatalf("%s plans %s of %s the second time because %q", name, again.Changes[0].Op, again.Changes[0].Memory.ID, again.Changes[0].Reason)
			}
		}
	})
}

func TestCollectionIsBounded(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, p := drawStore(t), drawProfile(t)
		plan := GC(store, today(), p)
		after := After(store, plan.Changes)
		removed := map[string]int{}
		for _, c := range plan.Changes {
			m := c.Memory
			removed[m.Namespace]++
			if c.Op != memory.OpRemove || NeverDecays(m) || m.Trust == memory.TrustUser || p.GC.Never {
				t.Fatalf("%s of %s: %s", c.Op, m.ID, c.Reason)
			}
		}
		left := map[string]int{}
		for _, m := range after {
			left[m.Namespace]++
		}
		for namespace, n := range removed {
			if n > 0 && left[namespace] < p.GC.Keep {
				t.Fatalf("%d memories of %s are left, at least %d must be", left[namespace], namespace, p.GC.Keep)
			}
		}
	})
}

func TestSurfaceKeepsItsLimits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, p := drawStore(t), drawProfile(t)
		byID := map[string]memory.Memory{}
		for _, m := range store {
			byID[m.ID] = m
		}
		shown := Surface(store, today(), p, map[string]bool{"m001": true})
		limits := map[string]int{SectionEmotion: 8, SectionKnowledge: 15, SectionEvent: 15}
		if len(shown.Sections) != len(limits) || len(linesOf(shown)) > 40 {
			t.Fatalf("%d sections, %d entries", len(shown.Sections), len(linesOf(shown)))
		}
		for _, s := range shown.Sections {
			if len(s.Entries) > limits[s.Name] {
				t.Fatalf("section %s has %d entries", s.Name, len(s.Entries))
			}
		}
		for _, l := range linesOf(shown) {
			m := byID[l.MemoryID]
			if m.Status != memory.Active || m.Trust == memory.TrustExternal || m.ID == "m001" || today().Sub(m.CreatedAt) >= 7*day {
				t.Fatalf("%s, %s, %s, is shown", m.ID, m.Status, m.Trust)
			}
			if utf8.RuneCountInString("- "+l.Text) > 200 || strings.ContainsAny(l.Text, "\n\r") {
				t.Fatalf("line %q", l.Text)
			}
		}
	})
}
