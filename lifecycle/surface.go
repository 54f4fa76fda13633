package lifecycle

import (
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Names of the sections of RECENT.md; headings are the writer's.
const (
	SectionEmotion   = "emotion"
	SectionKnowledge = "knowledge"
	SectionEvent     = "event"
)

// Surface chooses what RECENT.md shows: what was learned or changed in the last
// days, each section by the profile's measure and then the newest first, one
// line each, without near-repetitions. hidden holds the ids of memories whose
// line a person took out. All three sections are always there. On one day the
// same memories give the same projection: measured at each moment, fresh ones that
// fade at different paces would overtake each other, and every run would write.
func Surface(memories []memory.Memory, now time.Time, p Profile, hidden map[string]bool) memory.Projection {
	now = startOfDay(now)
	recent := make([]memory.Memory, 0, 256)
	for _, m := range memories {
		if presentable(m) && !hidden[m.ID] && withinDays(m, now, p.Surface.Days) && says(m) {
			recent = append(recent, m)
		}
	}
	p.Measure.Sort(recent, now)
	page := page{policy: p.Surface, counts: map[string]int{}, entries: map[string][]memory.ProjectedLine{}}
	for _, m := range recent {
		page.offer(m, now)
	}
	return page.projection()
}

// presentable reports whether a memory may stand in a file that hosts load by
// themselves: recalled by default, vouched for, and not a passage of prose.
func presentable(m memory.Memory) bool {
	return m.Status == memory.Active && m.Trust.Rank() >= memory.TrustAgent.Rank() &&
		m.Form != memory.Passage && m.Form != memory.State && strings.TrimSpace(m.Content+m.Title) != ""
}

// says reports whether a memory says enough to be shown by itself; a "yes" in
// the middle of an imported conversation does not.
func says(m memory.Memory) bool { return m.Form != memory.Note || Noise(m) == "" }

// withinDays reports whether a memory is of the last days of the calendar, today
// included: when it was true if that is known, else when it was learned or last
// rewritten. What lies ahead of now counts as recent.
func withinDays(m memory.Memory, now time.Time, days int) bool {
	at := m.ObservedAt
	if at.IsZero() {
		at = latest(m.CreatedAt, m.UpdatedAt)
	}
	return !at.IsZero() && civilDay(now)-civilDay(at.In(now.Location())) < days
}

func startOfDay(t time.Time) time.Time {
	y, m, d := t.Date()
	return memory.StartOfDay(y, m, d, t.Location())
}

func latest(a, b time.Time) time.Time {
	if a.After(b) {
		return a
	}
	return b
}

// page collects the entries of a projection within its limits.
type page struct {
	policy  SurfacePolicy
	total   int
	counts  map[string]int
	entries map[string][]memory.ProjectedLine
	shown   [][]string // terms of the entries taken
}

func (g *page) offer(m memory.Memory, now time.Time) {
	section := sectionOf(m)
	if g.total >= g.policy.Total || g.counts[section] >= g.limit(section) {
		return
	}
	terms := text.Index(m.Title + "\n" + m.Content)
	said := text.SharedWith(terms)
	for _, other := range g.shown {
		if said.Resembles(other, g.policy.Overlap) {
			return
		}
	}
	g.shown = append(g.shown, terms)
	g.total++
	g.counts[section]++
	g.entries[section] = append(g.entries[section], memory.ProjectedLine{
		MemoryID: m.ID, Text: OneLine(m, g.policy.LineChars-len("- ")), Link: linkTo(m), Importance: min(1, Importance(m, now)),
	})
}

func (g *page) limit(section string) int {
	switch section {
	case SectionEmotion:
		return g.policy.Emotions
	case SectionKnowledge:
		return g.policy.Knowledge
	}
	return g.policy.Events
}

func (g *page) projection() memory.Projection {
	var p memory.Projection
	for _, name := range []string{SectionEmotion, SectionKnowledge, SectionEvent} {
		p.Sections = append(p.Sections, memory.Section{Name: name, Entries: g.entries[name]})
	}
	return p
}

// sectionOf sorts a memory into one of RECENT.md's sections: decisions, facts
// and identity stand with knowledge.
func sectionOf(m memory.Memory) string {
	switch {
	case m.Form == memory.Decision || m.Form == memory.Fact || m.Type == memory.Knowledge || m.Type == memory.Identity:
		return SectionKnowledge
	case m.Type == memory.Emotion:
		return SectionEmotion
	}
	return SectionEvent
}

// OneLine returns a memory as one line of at most limit characters: the title of
// a decision with its conclusion, else its text, without line ends and control
// characters, cut with an ellipsis.
func OneLine(m memory.Memory, limit int) string {
	line := flat(unlisted(headline(m)))
	return clip(strings.TrimSpace(strings.ReplaceAll(line, RememberMark, "")), max(1, limit))
}

// unlisted makes one sentence of a text in list items: their marks say nothing
// within a line, so semicolons stand between them.
func unlisted(text string) string {
	if !strings.Contains(text, "\n") {
		return text
	}
	var b strings.Builder
	for line := range strings.Lines(text) {
		item, is := strings.CutPrefix(strings.TrimLeft(line, " \t"), "- ")
		switch {
		case !is:
			b.WriteString(line)
			continue
		case b.Len() > 0:
			before := strings.TrimRight(b.String(), " \t\r\n。.；;")
			b.Reset()
			b.WriteString(before + semicolon(before, item))
		}
		b.WriteString(item)
	}
	return b.String()
}

// semicolon is that of the language that a text is in, and none after a colon or
// where the sentence has its mark.
func semicolon(before, after string) string {
	last, _ := utf8.DecodeLastRuneInString(before)
	first, _ := utf8.DecodeRuneInString(after)
	switch {
	case strings.ContainsRune("！？", last):
		return ""
	case strings.ContainsRune(":：!?", last):
		return " "
	case unicode.Is(unicode.Han, last) || unicode.Is(unicode.Han, first):
		return "；"
	}
	return "; "
}

func headline(m memory.Memory) string {
	if m.Form == memory.Decision && m.Title != "" {
		return titled(m.Title, either(m.Field("conclusion"), either(m.Content, either(m.Field("finding"), m.Field("why")))))
	}
	if m.Form == memory.Task {
		if status := m.Field("final_status"); status != "" {
			return either(m.Title, m.Content) + ": " + status
		}
	}
	if m.Content == "" {
		return m.Title
	}
	return m.Content
}

// titled puts a title before a text, unless it was taken from it and says
// nothing more.
func titled(title, text string) string {
	switch bare := strings.TrimSpace(strings.TrimRight(title, "…。. ")); {
	case text == "" || text == title:
		return title
	case strings.HasPrefix(text, bare):
		return text
	}
	return title + ": " + text
}

// linkTo returns where the whole of a memory stands: its file, and its address
// as anchor when it has a name; "" when it stands in no file.
func linkTo(m memory.Memory) string { return m.Home.File }
