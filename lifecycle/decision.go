package lifecycle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Decisions settles decisions that exclude each other. Of an alternative that
// waits beside a decision and that decision, the more certain one stays, else
// the newer. Of two active ones on one subject, the newer stays unless its
// confidence is lower: then both stay, and the plan notes it. What a person
// vouches for gives way to nothing that is trusted less. Every change carries
// the reason and the date.
func Decisions(memories []memory.Memory, now time.Time, p Profile) memory.Plan {
	s := settlement{plan: memory.Plan{Phase: "decisions", Changes: []memory.Change{}}, now: now, policy: p.Guard, done: map[string]bool{}}
	byID := map[string]memory.Memory{}
	for _, m := range memories {
		if m.Form == memory.Decision && (m.Status == memory.Active || m.Status == memory.Proposed) {
			byID[m.ID] = m
			s.open = append(s.open, m)
		}
	}
	slices.SortFunc(s.open, func(a, b memory.Memory) int {
		return cmp.Or(b.Observed().Compare(a.Observed()), b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	for _, m := range s.open {
		s.alternative(m, byID)
	}
	s.exclusive()
	return s.plan
}

type settlement struct {
	plan   memory.Plan
	now    time.Time
	policy GuardPolicy
	open   []memory.Memory // newest first
	done   map[string]bool
}

// alternative decides between a proposed decision and the one it contradicts.
func (s *settlement) alternative(m memory.Memory, byID map[string]memory.Memory) {
	for _, l := range m.Links {
		other, open := byID[l.Target]
		if m.Status != memory.Proposed || l.Relation != Contradicts || !open || s.done[m.ID] || s.done[other.ID] {
			continue
		}
		if cmp.Or(cmp.Compare(m.Trust.Rank(), other.Trust.Rank()), cmp.Compare(m.Confidence, other.Confidence), m.Observed().Compare(other.Observed())) <= 0 {
			s.override(m, other, fmt.Sprintf("confidence %.2f against %.2f", other.Confidence, m.Confidence))
			continue
		}
		s.override(other, m, fmt.Sprintf("confidence %.2f against %.2f", m.Confidence, other.Confidence))
		m.Supersedes = other.ID
		s.plan.Changes = append(s.plan.Changes, toStatus(m, memory.Active, "the more certain of two decisions"))
	}
}

func (s *settlement) override(loser, winner memory.Memory, why string) {
	s.done[loser.ID] = true
	reason := fmt.Sprintf("overridden on %s by %s: %s", s.now.Format(time.DateOnly), winner.URI, why)
	c := replaced(loser, winner.ID, reason)
	c.Revision = loser.Revision
	s.plan.Changes = append(s.plan.Changes, c)
}

// exclusive compares active decisions that share rare words, newest first.
func (s *settlement) exclusive() {
	statements := map[string]statement{}
	holders := map[string][]memory.Memory{}
	for _, m := range s.open {
		if m.Status != memory.Active || s.done[m.ID] || len(m.Content) > comparedBytes {
			continue
		}
		mine := analyse(decisionText(m))
		statements[m.ID] = mine
		seen := map[string]bool{m.ID: true}
		terms := slices.Sorted(maps.Keys(mine.stances().topic))
		for _, term := range terms {
			for _, newer := range holders[prefixOf(m, term)] {
				if !seen[newer.ID] && !s.done[m.ID] {
					seen[newer.ID] = true
					s.decide(newer, m, conflict(statements[newer.ID], mine, s.policy.Topic))
				}
			}
		}
		for _, term := range terms {
			if key := prefixOf(m, term); len(holders[key]) < maxPostings {
				holders[key] = append(holders[key], m)
			}
		}
	}
}

func prefixOf(m memory.Memory, term string) string { return m.Namespace + "\x00" + term }

func decisionText(m memory.Memory) string {
	return either(m.Field("conclusion"), either(m.Content, m.Title))
}

func (s *settlement) decide(newer, older memory.Memory, why string) {
	switch {
	case why == "":
	case newer.Trust.Rank() < older.Trust.Rank() || newer.Confidence < older.Confidence:
		s.plan.Notes = append(s.plan.Notes, fmt.Sprintf("%s and %s exclude each other (%s); both stay, because the newer is less certain", newer.URI, older.URI, why))
	default:
		s.override(older, newer, why)
	}
}

// Overrides lists what a plan of Decisions overrides, for the log of a compound.
func Overrides(plan memory.Plan) []Move {
	moves := []Move{}
	for _, c := range plan.Changes {
		if c.Memory.Status == memory.Superseded {
			moves = append(moves, Move{Kind: Override, MemoryID: c.Memory.ID, Text: OneLine(c.Memory, WrapupLineChars), Reason: c.Reason})
		}
	}
	return moves
}

// Topic names what a decision is about in one word for a file name: its topic
// field, else the word of its title that gives the first term.
func Topic(m memory.Memory) string {
	if t := m.Field("topic"); t != "" {
		return memory.Slug(t)
	}
	title := either(m.Title, m.Content)
	for _, term := range text.Index(title) {
		if !singleCharacter(term) {
			return memory.Slug(asSaid(term, title))
		}
	}
	return "general"
}

// asSaid returns the word of a text that a term is the stem of: "release", not "releas".
func asSaid(term, in string) string {
	for _, word := range strings.FieldsFunc(in, func(r rune) bool { return !latin(r) }) {
		if slices.Contains(text.Index(word), term) {
			return strings.ToLower(word)
		}
	}
	return term
}
