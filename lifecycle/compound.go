package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Names of further sections of MEMORY.md; headings are the writer's.
const (
	SectionIdentity = "identity"
	SectionDecision = "decision"
)

// paragraphLines is the length from which a paragraph does not belong into a
// file that is read in every conversation.
const paragraphLines = 5

// Compounded is what a compound makes of MEMORY.md.
type Compounded struct {
	// Projection holds our lines, new and kept, best first in each section.
	Projection memory.Projection
	// Kept are the lines of the sections in which people wrote that stay, in
	// their order, blank lines and headings included.
	Kept []memory.OutlineLine
	// Demotions are the lines that leave the file: ours (they stay in their own
	// files) and, when people's lines alone exceed the cap, the last of those,
	// to be moved verbatim.
	Demotions []memory.Demotion
	// Log tells each promotion, demotion and override with its reason.
	Log []Move
	// Notes are for the person who owns the file.
	Notes []string
}

// Move is one line of the log of a compound.
type Move struct {
	Kind     string // promote, demote, override
	MemoryID string
	Text     string
	Reason   string
}

// The kinds of moves.
const (
	Promote  = "promote"
	Demote   = "demote"
	Override = "override"
	Conflict = "conflict" // both stay, until a person or a decision settles it
)

// Compound chooses what MEMORY.md holds under the profile's cap. People's lines
// come first and stay as they are; the rest goes to what is worth reading in
// every conversation, ordered by the profile's measure. No text is cut to fit:
// a line that does not fit is left out, with its link to be found by. hidden
// holds the ids of memories whose line a person took out. A second run on what
// the first one wrote changes nothing. A profile without MEMORY.md leaves it alone.
func Compound(outline memory.Outline, memories []memory.Memory, now time.Time, p Profile, hidden map[string]bool) Compounded {
	if !p.Outline.Write {
		return Compounded{Kept: outline.Lines, Notes: []string{"profile " + p.Name + " keeps summaries of entities instead of MEMORY.md"}}
	}
	c := compounder{now: now, policy: p.Outline, disputed: map[string]Dispute{}, room: room{cap: effectiveCap(p.Outline.Cap)}}
	c.room.spend(fixedCost())
	c.keepPeople(outline)
	for _, d := range Disputes(memories) {
		c.disputed[d.Card.ID] = d
	}
	for _, m := range ranked(memories, now, p, hidden) {
		c.offer(m)
	}
	c.compare(outline)
	c.out.Projection = c.projection()
	return c.out
}

// effectiveCap bounds every profile by what hosts load.
func effectiveCap(c Cap) Cap {
	if c.Chars == 0 || c.Chars > HostCap {
		c.Chars = HostCap
	}
	return c
}

type compounder struct {
	now    time.Time
	policy OutlinePolicy
	room   room
	out    Compounded
	shown  [][]string // terms of the lines taken, people's first
	taken  []chosen
	// disputed are the open disputes by the ids of their decisions.
	disputed map[string]Dispute
}

// chosen is a memory that gets a line.
type chosen struct {
	section string
	line    memory.ProjectedLine
}

// keepPeople reserves room for the sections in which people wrote, as they
// stand, blank lines and headings included. When that alone is too much, their
// last lines are moved, whole and verbatim.
func (c *compounder) keepPeople(o memory.Outline) {
	theirs := peoplesSections(o.Lines)
	fitting := c.room
	full := false
	for _, l := range o.Lines {
		if l.MemoryID != "" || !theirs[l.Heading] || stamp(l.Text) {
			continue
		}
		if full = full || !fitting.fits(costOf(l.Text)); full {
			c.movePeoples(l)
			continue
		}
		fitting.spend(costOf(l.Text))
		c.out.Kept = append(c.out.Kept, l)
	}
	c.dropEmptySections()
	for _, l := range c.out.Kept {
		c.room.spend(costOf(l.Text))
		if !structural(l.Text) {
			c.shown = append(c.shown, text.Index(l.Text))
		}
	}
	c.longParagraphs()
}

// dropEmptySections drops the headings and blank lines of sections from which
// every line was moved.
func (c *compounder) dropEmptySections() {
	theirs := peoplesSections(c.out.Kept)
	c.out.Kept = slices.DeleteFunc(c.out.Kept, func(l memory.OutlineLine) bool { return !theirs[l.Heading] })
}

func (c *compounder) movePeoples(l memory.OutlineLine) {
	c.demote(l, "the file is over its cap with people's lines alone; moved verbatim")
	if !structural(l.Text) {
		c.out.Notes = append(c.out.Notes, fmt.Sprintf("line %d was moved to the archive: %s", l.Number, clip(strings.TrimSpace(l.Text), 80)))
	}
}

// peoplesSections returns the headings under which somebody else than us wrote.
func peoplesSections(lines []memory.OutlineLine) map[string]bool {
	theirs := map[string]bool{}
	for _, l := range lines {
		if l.MemoryID == "" && !structural(l.Text) {
			theirs[l.Heading] = true
		}
	}
	return theirs
}

// stamp reports the line in which we say when the file was written.
func stamp(s string) bool { return strings.HasPrefix(strings.TrimSpace(s), "_auto-updated") }

// longParagraphs reports, and leaves, paragraphs that are too long for the file.
func (c *compounder) longParagraphs() {
	run := 0
	for i, l := range c.out.Kept {
		switch {
		case structural(l.Text):
			run = 0
		case i > 0 && l.Number == c.out.Kept[i-1].Number+1 && !listItem(l.Text):
			run++
		default:
			run = 1
		}
		if run == paragraphLines+1 {
			c.out.Notes = append(c.out.Notes, fmt.Sprintf("a paragraph of more than %d lines ends after line %d; a summary with a link would serve better", paragraphLines, l.Number))
		}
	}
}

func listItem(s string) bool {
	t := strings.TrimLeft(s, " \t")
	return strings.HasPrefix(t, "- ") || strings.HasPrefix(t, "* ") || strings.HasPrefix(t, "+ ")
}

// structural reports lines that carry no statement: blanks, headings, our stamp.
func structural(s string) bool {
	t := strings.TrimSpace(s)
	return t == "" || strings.HasPrefix(t, "#") || stamp(t) || strings.HasPrefix(t, "<!--") && strings.HasSuffix(t, "-->")
}

// offer takes a memory if it fits and says something that is not said yet.
func (c *compounder) offer(m memory.Memory) {
	mark := ""
	if d, open := c.disputed[m.ID]; open {
		mark = d.mark()
	}
	line := memory.ProjectedLine{
		MemoryID: m.ID, Text: OneLine(m, c.policy.LineChars-utf8.RuneCountInString(mark)) + mark, Link: linkTo(m),
		Importance: min(1, Importance(m, c.now)), Reason: either(whyWorth(m), "fresh knowledge, while there is room"),
	}
	section := outlineSection(m)
	cost := lineCost(line)
	if !c.has(section) {
		cost = cost.plus(headingCost(section))
	}
	if !c.room.fits(cost) {
		return
	}
	terms := text.Index(line.Text)
	said, same := text.SharedWith(terms), careful().Same
	for _, other := range c.shown {
		if said.Resembles(other, same) {
			return
		}
	}
	c.room.spend(cost)
	c.shown = append(c.shown, terms)
	c.taken = append(c.taken, chosen{section: section, line: line})
}

func (c *compounder) has(section string) bool {
	for _, t := range c.taken {
		if t.section == section {
			return true
		}
	}
	return false
}

// compare tells what changes against the lines that stand in the file now.
func (c *compounder) compare(o memory.Outline) {
	before, after := map[string]bool{}, map[string]bool{}
	for _, t := range c.taken {
		after[t.line.MemoryID] = true
	}
	for _, l := range o.Lines {
		if l.MemoryID == "" {
			continue
		}
		before[l.MemoryID] = true
		if !after[l.MemoryID] {
			c.demote(l, "others are worth more under the cap, or it is no longer valid; it stays in its own file")
		}
	}
	for _, t := range c.taken {
		if !before[t.line.MemoryID] {
			c.out.Log = append(c.out.Log, Move{Kind: Promote, MemoryID: t.line.MemoryID, Text: t.line.Text, Reason: t.line.Reason})
		}
	}
}

func (c *compounder) demote(l memory.OutlineLine, reason string) {
	c.out.Demotions = append(c.out.Demotions, memory.Demotion{Line: l, Reason: reason})
	c.out.Log = append(c.out.Log, Move{Kind: Demote, MemoryID: l.MemoryID, Text: strings.TrimSpace(l.Text), Reason: reason})
}

func (c *compounder) projection() memory.Projection {
	p := memory.Projection{Sections: []memory.Section{}}
	for _, name := range []string{SectionIdentity, SectionDecision, SectionKnowledge, SectionEmotion, SectionEvent} {
		s := memory.Section{Name: name}
		for _, t := range c.taken {
			if t.section == name {
				s.Entries = append(s.Entries, t.line)
			}
		}
		if len(s.Entries) > 0 {
			p.Sections = append(p.Sections, s)
		}
	}
	return p
}

func outlineSection(m memory.Memory) string {
	switch {
	case m.Form == memory.Decision:
		return SectionDecision
	case m.Type == memory.Identity:
		return SectionIdentity
	}
	return sectionOf(m)
}

// room is what is left under a cap.
type room struct {
	cap  Cap
	used Cap
}

func (r *room) spend(c Cap) { r.used = r.used.plus(c) }

func (r *room) fits(c Cap) bool {
	after := r.used.plus(c)
	within := func(used, limit int) bool { return limit == 0 || used <= limit }
	return within(after.Lines, r.cap.Lines) && within(after.Chars, r.cap.Chars) && within(after.Bytes, r.cap.Bytes)
}

func (c Cap) plus(d Cap) Cap { return Cap{c.Lines + d.Lines, c.Chars + d.Chars, c.Bytes + d.Bytes} }

// Costs are upper bounds of what the writer of the file needs, so that the file
// as written never exceeds the cap.
const (
	stampLines, stampChars     = 6, 160 // title, stamp, blanks
	markupLines, markupChars   = 0, 36  // bullet, link syntax and importance of one line
	headingLines, headingChars = 3, 60
)

func fixedCost() Cap { return Cap{Lines: stampLines, Chars: stampChars, Bytes: stampChars * 2} }

func costOf(line string) Cap {
	return Cap{Lines: 1, Chars: utf8.RuneCountInString(line) + 1, Bytes: len(line) + 1}
}

func lineCost(l memory.ProjectedLine) Cap {
	c := costOf(l.Text + l.Link + "#" + l.MemoryID)
	return c.plus(Cap{Lines: markupLines, Chars: markupChars, Bytes: markupChars})
}

func headingCost(name string) Cap {
	return Cap{Lines: headingLines, Chars: headingChars + utf8.RuneCountInString(name), Bytes: headingChars*2 + len(name)}
}
