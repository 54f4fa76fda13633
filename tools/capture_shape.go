package tools

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// maxTitle bounds the title of a captured decision, in characters.
const maxTitle = 80

// shaped returns facts in the shape of the profile: each for itself, one
// digest of a conversation, or decisions as the cards of their schema.
func (c *Capture) shaped(h Heard, facts []Fact) []Fact {
	policy := c.Profile.Capture
	switch {
	case len(facts) == 0:
		return nil
	case slices.Contains(policy.Classes, lifecycle.ClassDigest):
		return c.digest(h, facts)
	case policy.Cards:
		for i, f := range facts {
			if f.Class == lifecycle.ClassDecision && f.Memory.Status == memory.Active {
				facts[i].Memory = c.card(f.Memory)
			}
		}
	}
	return facts
}

// digest joins what was found in a conversation; what is too much for one memory
// goes on in another. What has to be reviewed stays by itself.
func (c *Capture) digest(h Heard, facts []Fact) []Fact {
	var digests, kept []Fact
	part, size, most := 0, 0, memory.MaxContent-len(firstLine(h.Title))-len(digestMark)
	for _, f := range facts {
		if f.Memory.Status == memory.Quarantined {
			digests = append(digests, f)
			continue
		}
		if size += len(f.Memory.Content) + len(digestMark); size > most && len(kept) > 0 {
			digests = append(digests, digestOf(h, kept, part))
			kept, size, part = nil, len(f.Memory.Content)+len(digestMark), part+1
		}
		kept = append(kept, f)
	}
	if len(kept) > 0 {
		digests = append(digests, digestOf(h, kept, part))
	}
	return digests
}

// digestMark stands between two things of a digest.
const digestMark = "\n- "

// digestOf is one digest. Its id follows from the last thing that the user said:
// the same state of a conversation gives the same digests.
func digestOf(h Heard, kept []Fact, part int) Fact {
	first, last := kept[0].Memory, kept[len(kept)-1].Memory
	d := Fact{Class: lifecycle.ClassDigest, Memory: last}
	m := &d.Memory
	m.ID = memory.DerivedID("digest of conversation "+h.SessionID, h.Fingerprint+" "+last.MessageRange, part)
	m.Type = memory.Event
	m.MessageRange = joinRanges(first.MessageRange, last.MessageRange)
	lines := []string{}
	if title := firstLine(h.Title); !repeats(title, first.Content) {
		lines = append(lines, title)
	}
	for _, f := range kept {
		lines = append(lines, strings.ReplaceAll(f.Memory.Content, "\n", " "))
		m.Trust = m.Trust.Lowest(f.Memory.Trust)
		m.Confidence = min(m.Confidence, f.Memory.Confidence)
		m.InitialImportance = max(m.InitialImportance, f.Memory.InitialImportance)
		if f.Memory.Type != memory.Event {
			m.Type = memory.Knowledge
		}
	}
	m.Importance = m.InitialImportance
	m.Content = strings.Join(lines, digestMark) // what has no title is headed by what was said first
	return d
}

// repeats reports whether the title of a conversation, which may be cut, says
// no more than what was found first in it.
func repeats(title, found string) bool {
	return strings.Contains(title, found) || strings.HasPrefix(found, strings.TrimRight(title, "… "))
}

func firstLine(s string) string {
	line, _, _ := strings.Cut(strings.TrimSpace(s), "\n")
	return line
}

// joinRanges returns "4-9" for "4-5" and "8-9".
func joinRanges(first, last string) string {
	from, _, _ := strings.Cut(first, "-")
	_, to, several := strings.Cut(last, "-")
	if !several {
		to = last
	}
	if from == to {
		return from
	}
	return fmt.Sprintf("%s-%s", from, to)
}

// card makes a decision a card: its title, what was concluded and, where it was
// said, why. The other parts are left open for whoever knows them.
func (c *Capture) card(m memory.Memory) memory.Memory {
	m.Form, m.Type, m.Title = memory.Decision, memory.Knowledge, clipTitle(m.Content)
	m.Fields = []memory.Field{}
	if why := reasonIn(m.Content); why != "" {
		m.Fields = append(m.Fields, memory.Field{Name: "why", Value: why})
	}
	m.Fields = append(m.Fields, memory.Field{Name: "conclusion", Value: m.Content})
	m.URI = formURI(m, m.CreatedAt)
	return m
}

func clipTitle(s string) string {
	s = strings.TrimRight(firstLine(s), "。.！!；; ")
	if utf8.RuneCountInString(s) <= maxTitle {
		return s
	}
	return string([]rune(s)[:maxTitle-1]) + "…"
}

// reasonIn returns the part of a sentence that gives the reason.
func reasonIn(s string) string {
	found := regexp.MustCompile(`(?i)(?:因为|由于|\bbecause\b|\bsince it\b|\bdue to\b)[ :：]?(.{4,})$`).FindStringSubmatch(s)
	if found == nil {
		return ""
	}
	return strings.TrimRight(strings.TrimSpace(found[1]), "。. ")
}
