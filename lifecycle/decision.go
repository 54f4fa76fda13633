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

// CanMove reports whether a memory may go from one status to another by a
// policy: proposed → active → superseded | archived, and back into use from the
// archive. Forgetting is always possible, and only a person takes it back.
func CanMove(from, to memory.Status) bool {
	switch from {
	case memory.Proposed:
		return oneOf(to, []memory.Status{memory.Active, memory.Superseded, memory.Archived, memory.Forgotten})
	case memory.Active, memory.Missing:
		return oneOf(to, []memory.Status{memory.Active, memory.Superseded, memory.Archived, memory.Forgotten, memory.Missing})
	case memory.Superseded:
		return oneOf(to, []memory.Status{memory.Archived, memory.Active, memory.Forgotten})
	case memory.Archived:
		return oneOf(to, []memory.Status{memory.Active, memory.Forgotten})
	case memory.Quarantined:
		return oneOf(to, []memory.Status{memory.Forgotten})
	}
	return false
}

// MissingFields lists what a decision, task card or state must say and does
// not: under the names of the files they are written to. Other forms have no
// required parts.
func MissingFields(m memory.Memory) []string {
	missing := []string{}
	for _, name := range requiredFields(m.Form) {
		if strings.TrimSpace(fieldOf(m, name)) == "" {
			missing = append(missing, name)
		}
	}
	return missing
}

func requiredFields(f memory.Form) []string {
	switch f {
	case memory.Decision:
		return []string{
			"title", "id", "date", "session_id", "session_path", "message_range",
			"why", "finding", "conclusion", "impact", "confidence", "status",
		}
	case memory.Task:
		return []string{"goal", "boundary", "acceptance", "key_actions", "artifacts", "final_status", "next_step"}
	case memory.State:
		return []string{"goals", "in_progress", "blockers", "next"}
	}
	return nil
}

// fieldOf returns a named part of a memory, wherever it is kept.
func fieldOf(m memory.Memory, name string) string {
	own := ""
	switch name {
	case "title":
		own = m.Title
	case "id":
		own = DecisionID(m)
	case "date":
		if !m.Observed().IsZero() {
			own = m.Observed().Format(time.DateOnly)
		}
	case "session_id":
		own = m.SessionID
	case "session_path":
		own = m.SessionPath
	case "message_range":
		own = m.MessageRange
	case "confidence":
		if m.Confidence > 0 {
			own = fmt.Sprintf("%.2f", m.Confidence)
		}
	case "status":
		own = string(m.Status)
	case "conclusion":
		own = m.Field("conclusion")
		if own == "" {
			own = m.Content
		}
	}
	return either(own, m.Field(name))
}

// DecisionID returns DECISION-YYYYMMDD-slug, the key by which the same decision
// is found again, from the address of a decision; else its id field.
func DecisionID(m memory.Memory) string {
	u, err := memory.ParseURI(m.URI)
	if err != nil || u.Scheme != "decision" {
		return m.Field("id")
	}
	return "DECISION-" + u.Path
}

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
		terms := slices.Sorted(maps.Keys(mine.topic))
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
// field, else the first term of its title.
func Topic(m memory.Memory) string {
	if t := m.Field("topic"); t != "" {
		return memory.Slug(t)
	}
	for _, term := range text.Index(either(m.Title, m.Content)) {
		if !singleCharacter(term) {
			return memory.Slug(term)
		}
	}
	return "general"
}
