package lifecycle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode"

	"agentmemory/internal/memory"
)

// weeklyLimit bounds each section of a weekly summary.
const weeklyLimit = 20

// Week is a calendar week of the workspace's time zone.
type Week struct {
	Monday time.Time // its first midnight
}

// WeekOf returns the week that a time falls into.
func WeekOf(t time.Time) Week {
	back := (int(t.Weekday()) + 6) % 7
	y, m, d := t.Date()
	return Week{Monday: memory.StartOfDay(y, m, d-back, t.Location())}
}

// Key returns the date of the Monday, which names the weekly summary.
func (w Week) Key() string { return w.Monday.Format(time.DateOnly) }

// Weekly chooses what the summary of a week shows: its decisions, knowledge,
// events and feelings, the most valuable first, at most twenty each.
func Weekly(memories []memory.Memory, w Week, now time.Time, p Profile) memory.Projection {
	first, last := civilDay(w.Monday), civilDay(w.Monday)+6
	var week []memory.Memory
	for _, m := range memories {
		if m.Observed().IsZero() {
			continue
		}
		if d := civilDay(m.Observed().In(w.Monday.Location())); d >= first && d <= last && presentable(m) && says(m) {
			week = append(week, m)
		}
	}
	week = withoutDerived(week)
	p.Measure.Sort(week, now)
	sections := map[string][]memory.ProjectedLine{}
	for _, m := range week {
		name := outlineSection(m)
		if len(sections[name]) < weeklyLimit {
			sections[name] = append(sections[name], memory.ProjectedLine{
				MemoryID: m.ID, Text: OneLine(m, WrapupLineChars), Link: linkTo(m), Importance: min(1, Importance(m, now)),
			})
		}
	}
	var out memory.Projection
	for _, name := range []string{SectionDecision, SectionKnowledge, SectionEvent, SectionEmotion, SectionIdentity} {
		if len(sections[name]) > 0 {
			out.Sections = append(out.Sections, memory.Section{Name: name, Entries: sections[name]})
		}
	}
	return out
}

// withoutDerived leaves out what was made from another one of the memories,
// which says it already.
func withoutDerived(memories []memory.Memory) []memory.Memory {
	there := map[string]bool{}
	for _, m := range memories {
		there[m.ID] = true
	}
	return slices.DeleteFunc(memories, func(m memory.Memory) bool {
		return slices.ContainsFunc(m.Links, func(l memory.Link) bool { return l.Relation == DerivedFrom && there[l.Target] })
	})
}

// WeeksDue returns the weeks of which a compound writes the summary: this one
// and the last, which may still have changed, and every earlier one that has a
// journal but no summary. The oldest comes first.
func WeeksDue(dates, summaries []string, now time.Time) []Week {
	this := WeekOf(now)
	last := WeekOf(this.Monday.AddDate(0, 0, -1))
	weeks := map[string]Week{this.Key(): this, last.Key(): last}
	for _, date := range dates {
		d, err := memory.ParseDay(date, now.Location())
		if w := WeekOf(d); err == nil && !d.After(now) && !slices.Contains(summaries, w.Key()) {
			weeks[w.Key()] = w
		}
	}
	due := []Week{}
	for _, key := range slices.Sorted(maps.Keys(weeks)) {
		due = append(due, weeks[key])
	}
	return due
}

// Sections of the log of a compound; headings are the writer's.
const (
	LogPromoted   = "promoted"
	LogDemoted    = "demoted"
	LogSuperseded = "superseded"
	LogConflict   = "conflict"
)

// MoveLog lays the moves of a compound out for its log, each with its reason
// and where the whole of it is.
func MoveLog(moves []Move, memories []memory.Memory) memory.Projection {
	homes := map[string]string{}
	for _, m := range memories {
		homes[m.ID] = linkTo(m)
	}
	var p memory.Projection
	for _, kind := range []struct{ move, section string }{{Promote, LogPromoted}, {Demote, LogDemoted}, {Override, LogSuperseded}, {Conflict, LogConflict}} {
		s := memory.Section{Name: kind.section}
		for _, m := range moves {
			if m.Kind == kind.move && strings.TrimSpace(m.Text) != "" {
				s.Entries = append(s.Entries, memory.ProjectedLine{MemoryID: m.MemoryID, Text: m.Text, Link: homes[m.MemoryID], Reason: m.Reason})
			}
		}
		p.Sections = append(p.Sections, s)
	}
	return p
}

// JournalsToArchive returns those of the dates whose journals are older than
// the profile's days and covered by a weekly summary (given by their Mondays).
func JournalsToArchive(dates, summaries []string, now time.Time, p Profile) []string {
	due := []string{}
	if p.ArchiveJournalsAfter <= 0 {
		return due
	}
	for _, date := range dates {
		d, err := memory.ParseDay(date, now.Location())
		if err != nil || civilDay(now)-civilDay(d) <= p.ArchiveJournalsAfter {
			continue
		}
		if slices.Contains(summaries, WeekOf(d).Key()) {
			due = append(due, date)
		}
	}
	slices.Sort(due)
	return due
}

// DivideAll plans the division of every journal that holds too many decisions.
func DivideAll(memories []memory.Memory, p Profile) memory.Plan {
	journals := map[string][]memory.Memory{}
	for _, m := range memories {
		if m.Form == memory.Decision && journalFile(m.Home.File) {
			journals[m.Home.File] = append(journals[m.Home.File], m)
		}
	}
	plan := memory.Plan{Phase: "divide", Changes: []memory.Change{}}
	for _, file := range slices.Sorted(maps.Keys(journals)) {
		plan.Changes = append(plan.Changes, Divide(journals[file], p).Changes...)
	}
	return plan
}

// journalFile reports whether a path is a daily journal, or a part of one.
func journalFile(file string) bool {
	_, name := treeOf(file)
	name, in := strings.CutPrefix(name, "memory/")
	if !in || len(name) < len(time.DateOnly) {
		return false
	}
	_, err := time.Parse(time.DateOnly, name[:len(time.DateOnly)])
	return err == nil
}

// treeOf splits the path of a file into the beginning that all files of an
// agent share, "" for the main one, and the rest.
func treeOf(file string) (tree, name string) {
	rest, other := strings.CutPrefix(file, "agents/")
	if folder, name, deep := strings.Cut(rest, "/"); other && deep {
		return "agents/" + folder + "/", name
	}
	return "", file
}

// Divide plans the move of the oldest decisions of one journal to topic files
// when it holds more than the profile allows; the others stay.
func Divide(journal []memory.Memory, p Profile) memory.Plan {
	plan := memory.Plan{Phase: "divide", Changes: []memory.Change{}}
	var decisions []memory.Memory
	for _, m := range journal {
		if m.Form == memory.Decision && m.Status != memory.Forgotten {
			decisions = append(decisions, m)
		}
	}
	over := len(decisions) - p.JournalDecisions
	if p.JournalDecisions <= 0 || over <= 0 {
		return plan
	}
	sortByTime(decisions)
	for _, m := range decisions[:over] {
		revision := m.Revision
		from := m.Home.File
		tree, _ := treeOf(from)
		m.Home = memory.Place{File: tree + "memory/recent/" + Topic(m) + ".md"}
		plan.Changes = append(plan.Changes, memory.Change{
			Op: memory.OpMove, Memory: m, Revision: revision,
			Reason: fmt.Sprintf("%s holds %d decisions, more than %d", from, len(decisions), p.JournalDecisions),
		})
	}
	return plan
}

func sortByTime(memories []memory.Memory) {
	slices.SortFunc(memories, func(a, b memory.Memory) int {
		inFile := 0
		if a.Home.File == b.Home.File {
			inFile = cmp.Compare(a.Home.Line, b.Home.Line)
		}
		return cmp.Or(a.Observed().Compare(b.Observed()), a.CreatedAt.Compare(b.CreatedAt), inFile, cmp.Compare(a.Home.File, b.Home.File), cmp.Compare(a.ID, b.ID))
	})
}

// flat brings a text onto one line.
func flat(s string) string {
	return strings.Join(strings.FieldsFunc(s, func(r rune) bool { return unicode.IsSpace(r) || unicode.IsControl(r) }), " ")
}
