package lifecycle

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
)

// writeOutline writes MEMORY.md the way its owner does, with everything that costs room.
func writeOutline(c Compounded) (string, memory.Outline) {
	b := &strings.Builder{}
	o := memory.Outline{Exists: true}
	number := 0
	put := func(id, heading, line string) {
		number++
		b.WriteString(line + "\n")
		o.Lines = append(o.Lines, memory.OutlineLine{Number: number, Text: line, Heading: heading, MemoryID: id})
	}
	put("", "(title)", "# MEMORY.md")
	put("", "(title)", "")
	put("", "(title)", "_auto-updated: 2026-02-21 22:00_")
	for _, l := range c.Kept {
		put("", l.Heading, l.Text)
	}
	for _, s := range c.Projection.Sections {
		put("", s.Name, "")
		put("", s.Name, "## "+s.Name)
		put("", s.Name, "")
		for _, l := range s.Entries {
			put(l.MemoryID, s.Name, fmt.Sprintf("- %s ([→](%s)) <!-- importance: %d -->", l.Text, l.Link, int(l.Importance*10)))
		}
	}
	return b.String(), o
}

func drawGrouped(t *rapid.T, store []memory.Memory) memory.Outline {
	o := drawOutline(t, store)
	var grouped memory.Outline
	for _, heading := range []string{"", "Rules", "身份"} {
		for _, l := range o.Lines {
			if l.Heading == heading {
				l.Number = len(grouped.Lines) + 1
				grouped.Lines = append(grouped.Lines, l)
			}
		}
	}
	return grouped
}

func TestCompoundKeepsItsCap(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, p := drawStore(t), drawProfile(t)
		p.Outline = OutlinePolicy{Write: true, LineChars: 120, Golden: p.Outline.Golden, Cap: Cap{
			Lines: rapid.SampledFrom([]int{0, 12, 40, 80}).Draw(t, "lines"), Chars: rapid.SampledFrom([]int{0, 600, 4000}).Draw(t, "chars"),
			Bytes: rapid.SampledFrom([]int{0, 1200, 5120}).Draw(t, "bytes"),
		}}
		c := Compound(drawGrouped(t, store), store, today(), p, nil)
		text, _ := writeOutline(c)
		lines, chars := strings.Count(text, "\n"), utf8.RuneCountInString(text)
		limit := p.Outline.Cap
		if limit.Lines > 0 && lines > limit.Lines || limit.Chars > 0 && chars > limit.Chars || chars > HostCap || limit.Bytes > 0 && len(text) > limit.Bytes {
			t.Fatalf("%d lines, %d characters, %d bytes; the cap is %+v\n%s", lines, chars, len(text), limit, text)
		}
	})
}

func TestCompoundKeepsPeoplesLinesVerbatim(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, p := drawStore(t), drawProfile(t)
		p.Outline.Write, p.Outline.Cap = true, Cap{Lines: rapid.IntRange(10, 60).Draw(t, "lines")}
		before := drawGrouped(t, store)
		c := Compound(before, store, today(), p, nil)
		var theirs, found []string
		for _, l := range before.Lines {
			if l.MemoryID == "" && !structural(l.Text) {
				theirs = append(theirs, l.Text)
			}
		}
		for _, l := range c.Kept {
			if !structural(l.Text) {
				found = append(found, l.Text)
			}
		}
		moved := 0
		for _, d := range c.Demotions {
			if d.Line.MemoryID == "" && !structural(d.Line.Text) {
				found = append(found, d.Line.Text)
				moved++
			}
		}
		if d := cmp.Diff(theirs, found); d != "" {
			t.Fatalf("people's lines changed:\n%s", d)
		}
		if moved != 0 && len(c.Notes) < moved {
			t.Fatalf("%d lines moved, %d reported", moved, len(c.Notes))
		}
	})
}

func TestCompoundTwiceChangesNothing(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, p := drawStore(t), drawProfile(t)
		p.Outline.Write = true
		first := Compound(drawGrouped(t, store), store, today(), p, nil)
		text, outline := writeOutline(first)
		second := Compound(outline, store, today(), p, nil)
		again, _ := writeOutline(second)
		if d := cmp.Diff(text, again); d != "" || len(second.Log) > 0 || len(second.Demotions) > 0 {
			t.Fatalf("the second run changes the file or the log %v:\n%s", second.Log, d)
		}
	})
}

func TestCompoundNeverShowsWhatStrangersWrote(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		store, p := drawStore(t), drawProfile(t)
		byID := map[string]memory.Memory{}
		for _, m := range store {
			byID[m.ID] = m
		}
		for _, l := range linesOf(Compound(memory.Outline{}, store, today(), p, nil).Projection) {
			if m := byID[l.MemoryID]; m.Trust == memory.TrustExternal || m.Status != memory.Active || m.Form == memory.Passage {
				t.Fatalf("%s %s %s is in MEMORY.md", m.Trust, m.Status, m.Form)
			}
		}
	})
}

func TestWhatSpeaksOfTheDayIsNoRule(t *testing.T) {
	p, err := ProfileByName("")
	if err != nil {
		t.Fatal(err)
	}
	for content, want := range map[string]bool{
		"Ann must leave at five today": false, "今天必须先交报表": false, "小林明天必须早到": false, "Bob must call the bank tomorrow": false,
		"Ann must never work tonight's shift alone": true, "每天下午必须先交报表": true, "必须先跑测试": true, "You must sign every commit": true,
		"Always read today's journal first": true,
	} {
		m := memory.Memory{
			ID: "m", Namespace: "main", Type: memory.Knowledge, Form: memory.Note, Status: memory.Active, Trust: memory.TrustAgent,
			Content: content, Confidence: .8, InitialImportance: .5, Importance: .5, CreatedAt: today(), UpdatedAt: today(), ImportanceSet: today(),
		}
		got := len(Compound(memory.Outline{}, []memory.Memory{m}, today(), p, nil).Projection.Sections) > 0
		if got != want {
			t.Errorf("%q stands in MEMORY.md: %v, want %v", content, got, want)
		}
	}
}
