package mirror_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

func shownAs(name string, memories ...memory.Memory) memory.Projection {
	s := memory.Section{Name: name}
	for _, m := range memories {
		s.Entries = append(s.Entries, memory.ProjectedLine{MemoryID: m.ID, Text: m.Content, Link: m.Home.File})
	}
	return memory.Projection{Sections: []memory.Section{s}}
}

func (b *bench) recent(p memory.Projection) bool {
	b.t.Helper()
	b.clock.pass(3 * time.Second)
	changed, err := b.WriteRecent(context.Background(), p)
	if err != nil {
		b.t.Fatal(err)
	}
	return changed
}

func (b *bench) index(p memory.Projection, demoted ...memory.Demotion) bool {
	b.t.Helper()
	b.clock.pass(3 * time.Second)
	changed, err := b.WriteIndex(context.Background(), p, demoted)
	if err != nil {
		b.t.Fatal(err)
	}
	return changed
}

func TestRecentIsWrittenOnlyWhenItsBodyChanges(t *testing.T) {
	b := newBench(t)
	m := b.remember("shipped the release")
	if !b.recent(shownAs("event", m)) {
		t.Fatal("nothing was written")
	}
	b.stands("RECENT.md", "- shipped the release\n", 1)
	b.clock.pass(time.Hour)
	if b.recent(shownAs("event", m)) {
		t.Error("an unchanged body was written again")
	}
}

func TestLineTakenOutOfRecentStaysOutForAWeek(t *testing.T) {
	b := newBench(t)
	m, n := b.remember("do not show this"), b.remember("show this")
	b.recent(shownAs("event", m, n))
	b.edit("RECENT.md", "- do not show this\n", "")
	b.recent(shownAs("event", m, n))
	b.stands("RECENT.md", "do not show this", 0)
	if got := b.get(m.ID).Status; got != memory.Active {
		t.Errorf("hiding a line must not forget its memory: %s", got)
	}
	hidden, err := b.Hidden(context.Background(), "RECENT.md")
	if err != nil || !hidden[m.ID] || hidden[n.ID] {
		t.Errorf("hidden: %v, %v", hidden, err)
	}
	b.clock.pass(8 * 24 * time.Hour)
	b.recent(shownAs("event", m, n))
	b.stands("RECENT.md", "do not show this", 1)
}

func TestForeignLineOfRecentMovesToTodaysJournal(t *testing.T) {
	b := newBench(t)
	m := b.remember("ours")
	b.recent(shownAs("event", m))
	b.save("RECENT.md", b.read("RECENT.md")+"- call Ann tomorrow\n")
	b.recent(shownAs("event", m))
	b.stands("RECENT.md", "call Ann", 0)
	b.stands(today, "call Ann tomorrow", 1)
	if got := b.byContent("call Ann tomorrow"); got.Trust != memory.TrustUser || got.Home.File != today {
		t.Errorf("got %+v", got)
	}
}

func TestDeletedProjectionIsMadeAgain(t *testing.T) {
	b := newBench(t)
	m := b.remember("still true")
	b.recent(shownAs("event", m))
	b.index(shownAs("knowledge", m))
	b.remove("RECENT.md")
	b.remove("MEMORY.md")
	if r := b.sync(); r.Hidden+r.Missing+r.Deleted != 0 {
		t.Fatalf("report %+v", r)
	}
	b.recent(shownAs("event", m))
	b.index(shownAs("knowledge", m))
	b.stands("RECENT.md", "still true", 1)
	b.stands("MEMORY.md", "still true", 1)
}

func TestIndexKeepsPeoplesLinesAndDemotesVerbatim(t *testing.T) {
	b := newBench(t)
	b.save("MEMORY.md", "# Memory\n\n- Ann is my sister <!-- importance: 9 -->\n\nA paragraph.\n")
	b.sync()
	m, n := b.remember("prefers tabs"), b.remember("lives in Kyoto")
	b.index(shownAs("knowledge", m, n))
	b.stands("MEMORY.md", "- Ann is my sister <!-- importance: 9 -->\n", 1)
	b.stands("MEMORY.md", "prefers tabs", 1)
	b.stands("MEMORY.md", "lives in Kyoto", 1)
	b.stands(".agent-memory/backup/MEMORY.md", "Ann is my sister", 1)
	outline, err := b.ReadOutline(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	ids := map[string]bool{}
	var sister memory.OutlineLine
	for _, l := range outline.Lines {
		ids[l.MemoryID] = true
		if strings.Contains(l.Text, "sister") {
			sister = l
		}
	}
	if !ids[m.ID] || !ids[n.ID] || sister.MemoryID != "" {
		t.Errorf("outline %+v", outline)
	}
	b.index(shownAs("knowledge", m), memory.Demotion{Line: sister, Reason: "old"})
	b.stands("MEMORY.md", "sister", 0)
	b.stands("MEMORY.md", "Kyoto", 0)
	b.stands("memory/archive/demoted-2026-02.md", "- Ann is my sister <!-- importance: 9 -->\n", 1)
}

// Who writes a line of ours anew makes it a line of their own, which no compound
// takes away: not when its memory is shown no more, and not after it was forgotten.
func TestARewordedLineOfTheIndexIsThePersons(t *testing.T) {
	b := newBench(t)
	m, n := b.remember("Marta wants semicolons"), b.remember("lives in Kyoto")
	b.index(shownAs("knowledge", m, n))
	b.edit("MEMORY.md", "Marta wants semicolons", "Marta wants tabs")
	for range 2 {
		b.sync()
		outline, err := b.ReadOutline(context.Background())
		if err != nil {
			t.Fatal(err)
		}
		for _, l := range outline.Lines {
			if strings.Contains(l.Text, "tabs") && l.MemoryID != "" || strings.Contains(l.Text, "Kyoto") && l.MemoryID != n.ID {
				t.Errorf("%q is taken for %q", l.Text, l.MemoryID)
			}
		}
		b.index(shownAs("knowledge", n))
		b.stands("MEMORY.md", "Marta wants tabs", 1)
		b.stands("MEMORY.md", "semicolons", 0)
		b.stands("MEMORY.md", "Kyoto", 1)
	}
}

func TestLineTakenOutOfIndexStaysOut(t *testing.T) {
	b := newBench(t)
	m, n := b.remember("first"), b.remember("second")
	b.index(shownAs("knowledge", m, n))
	line := lineWith(b.read("MEMORY.md"), "first")
	b.edit("MEMORY.md", line, "")
	if r := b.sync(); r.Hidden != 1 {
		t.Fatalf("report %+v", r)
	}
	b.clock.pass(365 * 24 * time.Hour)
	b.index(shownAs("knowledge", m, n))
	b.stands("MEMORY.md", "first", 0)
	b.stands("MEMORY.md", "second", 1)
}

func TestIndexStaysWithinItsLimits(t *testing.T) {
	b := newBench(t)
	var people strings.Builder
	for i := range 150 {
		fmt.Fprintf(&people, "- a line of mine, number %d, %s\n", i, strings.Repeat("x", 150))
	}
	b.save("MEMORY.md", "# Memory\n\n"+people.String())
	b.sync()
	m := b.remember("ours")
	b.index(shownAs("knowledge", m))
	text := b.read("MEMORY.md")
	if len([]rune(text)) > 20_000 || strings.Count(text, "\n") > 200 {
		t.Errorf("%d characters, %d lines", len([]rune(text)), strings.Count(text, "\n"))
	}
	moved := b.read("memory/archive/demoted-2026-02.md")
	for i := range 150 {
		line := fmt.Sprintf("- a line of mine, number %d,", i)
		if strings.Count(text, line)+strings.Count(moved, line) != 1 {
			t.Errorf("%q stands %d times in MEMORY.md, %d in the archive", line, strings.Count(text, line), strings.Count(moved, line))
		}
	}
}

// A host saves the MEMORY.md that it had loaded before we wrote ours: that
// says nothing about the lines which it did not know.
func TestStaleSaveOfIndexHidesNothing(t *testing.T) {
	b := newBench(t)
	b.save("MEMORY.md", "# Memory\n\n- Ann is my sister\n")
	b.sync()
	m := b.remember("first")
	b.index(shownAs("knowledge", m))
	loaded := b.read("MEMORY.md")
	n := b.remember("second")
	b.index(shownAs("knowledge", m, n))
	b.clock.pass(time.Minute)
	b.save("MEMORY.md", loaded+"- promoted by the host\n")
	if r := b.sync(); r.Hidden != 0 {
		t.Fatalf("report %+v", r)
	}
	b.index(shownAs("knowledge", m, n))
	for _, want := range []string{"first", "second", "promoted by the host", "Ann is my sister"} {
		b.stands("MEMORY.md", want, 1)
	}
	b.byContent("promoted by the host")
	b.byContent("Ann is my sister")
}

// A line that a person wrote where we would have written it is ours from then on:
// taking it out hides its memory.
func TestCollectedLineInItsPlaceIsAdopted(t *testing.T) {
	b := newBench(t)
	m := b.remember("ours")
	b.recent(shownAs("event", m))
	b.save("RECENT.md", b.read("RECENT.md")+"- call Ann tomorrow\n")
	b.clock.pass(3 * time.Second)
	if err := b.Collect(context.Background()); err != nil {
		t.Fatal(err)
	}
	ann := b.byContent("call Ann tomorrow")
	if b.recent(shownAs("event", m, ann)) {
		t.Error("the page says it already, and was written again")
	}
	b.edit("RECENT.md", "- call Ann tomorrow\n", "")
	if r := b.sync(); r.Hidden != 1 {
		t.Errorf("report %+v", r)
	}
	if b.recent(shownAs("event", m, ann)); strings.Contains(b.read("RECENT.md"), "Ann") {
		t.Error("what was taken out is back")
	}
	for _, one := range b.all() {
		if one.Form == memory.Passage && strings.Contains(one.Content, "Ann") && one.Status != memory.Forgotten {
			t.Errorf("the line is also indexed as prose: %+v", one)
		}
	}
}

// A line that a person wrote into RECENT.md moves once, also when RECENT.md
// could not be written after it: somebody was saving, or only collected.
// Who saves a copy of RECENT.md that was read before we wrote it anew brings
// lines of ours back, which are nobody's wish to remember something again.
func TestAStaleCopyOfRecentBringsNothingIntoTheJournal(t *testing.T) {
	b := newBench(t)
	old, recent := b.remember("the old one"), b.remember("the recent one")
	b.recent(shownAs("event", old))
	loaded := b.read("RECENT.md")
	b.recent(shownAs("event", recent))
	b.save("RECENT.md", loaded+"- call Ann tomorrow\n")
	b.clock.pass(3 * time.Second)
	b.recent(shownAs("event", recent))
	b.stands(today, "the old one", 1)
	b.stands(today, "call Ann tomorrow", 1)
	b.stands("RECENT.md", "the old one", 0)
}

func TestALineOfRecentMovesOnce(t *testing.T) {
	b := newBench(t)
	m := b.remember("ours")
	b.recent(shownAs("event", m))
	b.save("RECENT.md", b.read("RECENT.md")+"- call Ann tomorrow\n")
	b.clock.pass(3 * time.Second)
	b.save(today, b.read(today)+"- half a li") // the journal is being saved
	for range 3 {
		_ = b.Collect(context.Background())
	}
	b.clock.pass(3 * time.Second)
	for range 2 {
		if err := b.Collect(context.Background()); err != nil {
			t.Fatal(err)
		}
	}
	b.recent(shownAs("event", m))
	b.stands("RECENT.md", "call Ann", 0)
	b.stands(today, "call Ann tomorrow", 1)
}
