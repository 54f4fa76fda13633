package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// A decision is a card that somebody filled in; a note that says otherwise is
// too loose to replace it. Both stay, linked to each other, and readers of the
// card are told until a person or another decision settles it.

// ContradictedBy is the relation of a decision to a note that says otherwise.
const ContradictedBy = "contradicted-by"

// Dispute is a decision in force and a later note that contradicts it.
type Dispute struct {
	Card, Note memory.Memory
}

// Disputed reports whether a note still speaks against a card that links to it:
// both are in force, and the card was not changed since the note was said.
func Disputed(card, note memory.Memory) bool {
	return card.Status == memory.Active && note.Status.Recallable() && note.Trust != memory.TrustExternal &&
		!card.UpdatedAt.After(latest(note.CreatedAt, note.UpdatedAt))
}

// Opponents returns the ids of the notes that a card links to as speaking against it.
func Opponents(card memory.Memory) []string {
	var ids []string
	for _, l := range card.Links {
		if l.Relation == ContradictedBy {
			ids = append(ids, l.Target)
		}
	}
	return ids
}

// Opposed returns the ids of what a note speaks against.
func Opposed(note memory.Memory) []string {
	var ids []string
	for _, l := range note.Links {
		if l.Relation == Contradicts {
			ids = append(ids, l.Target)
		}
	}
	return ids
}

// Disputes lists the open ones among memories, the latest note first.
func Disputes(memories []memory.Memory) []Dispute {
	against := map[string][]int{} // cards by the notes that they link to
	for i := range memories {
		for _, id := range Opponents(memories[i]) {
			against[id] = append(against[id], i)
		}
	}
	var open []Dispute
	for i := range memories {
		for _, card := range against[memories[i].ID] {
			if Disputed(memories[card], memories[i]) {
				open = append(open, Dispute{memories[card], memories[i]})
			}
		}
	}
	slices.SortFunc(open, func(a, b Dispute) int {
		return cmp.Or(b.Note.CreatedAt.Compare(a.Note.CreatedAt), cmp.Compare(a.Note.ID, b.Note.ID), cmp.Compare(a.Card.ID, b.Card.ID))
	})
	return open
}

// mark is what a line of MEMORY.md adds about a decision that a note contradicts.
func (d Dispute) mark() string {
	return " ⚠️ " + d.Note.Observed().Format(time.DateOnly) + ": " + OneLine(d.Note, markChars)
}

const markChars = 60

// Conflicts lists the open disputes for the log of a compound.
func Conflicts(memories []memory.Memory) []Move {
	var moves []Move
	for _, d := range Disputes(memories) {
		moves = append(moves, Move{Kind: Conflict, MemoryID: d.Card.ID, Text: OneLine(d.Card, WrapupLineChars), Reason: d.reason()})
	}
	return moves
}

func (d Dispute) reason() string {
	return fmt.Sprintf("contradicted on %s by %s: %s", d.Note.Observed().Format(time.DateOnly), d.Note.ID, OneLine(d.Note, WrapupLineChars))
}

// disputing links a note that is about to be stored with the decisions that it
// contradicts.
func (g guard) disputing(v Verdict) Verdict {
	i := slices.IndexFunc(v.Changes, func(c memory.Change) bool {
		return c.Memory.ID == v.MemoryID && (c.Op == memory.OpAdd || c.Op == memory.OpUpdate)
	})
	if g.imported || i < 0 || !mayDispute(v.Changes[i].Memory) {
		return v
	}
	for _, s := range g.near {
		card := s.Memory
		if card.Form != memory.Decision || card.Status != memory.Active || card.Trust == memory.TrustExternal || changes(v, card.ID) {
			continue
		}
		why := g.denies(v.Changes[i].Memory, card)
		if why == "" {
			continue
		}
		note := &v.Changes[i].Memory
		note.Links = joinLinks(note.Links, []memory.Link{{Target: card.ID, Relation: Contradicts}})
		card.Links = joinLinks(card.Links, []memory.Link{{Target: note.ID, Relation: ContradictedBy}})
		v.Reason = fmt.Sprintf("%s; it contradicts the decision %s, which stays until another one supersedes it: %s", v.Reason, card.URI, why)
		v.Changes = append(v.Changes, memory.Change{Op: memory.OpUpdate, Memory: card, Revision: card.Revision, Reason: fmt.Sprintf("contradicted by a note: %s", why)})
	}
	return v
}

// mayDispute reports whether a memory is a note that can speak against a decision.
func mayDispute(m memory.Memory) bool {
	return (m.Form == memory.Note || m.Form == "") && (m.Type == memory.Knowledge || m.Type == memory.Event) &&
		m.Status == memory.Active && m.Trust != memory.TrustExternal && len(m.Content) <= comparedBytes
}

func changes(v Verdict, id string) bool {
	return slices.ContainsFunc(v.Changes, func(c memory.Change) bool { return c.Memory.ID == id })
}

// denies tells why a note contradicts a decision; empty when it does not. That
// something is done or under way contradicts no decision.
func (g guard) denies(note, card memory.Memory) string {
	said, _ := cutCarried(note.Content)
	mine := g.read.statement(said)
	c, corrects := g.read.correction(g.in)
	for _, settled := range settledBy(card) {
		old := g.read.statement(settled)
		if mine.status().kind == "work" && changedStatus(mine, old) != "" {
			continue
		}
		why := either(conflict(mine, old, g.policy.Topic), changedChoice(mine, old))
		if why == "" && corrects {
			why = c.replaces(old, g.sameSession(card))
		}
		if why != "" {
			return why
		}
	}
	return ""
}

// settledBy are the statements that a decision makes.
func settledBy(card memory.Memory) []string {
	var texts []string
	conclusion := strings.TrimSpace(card.Field("conclusion"))
	for _, s := range []string{card.Content, conclusion, strings.TrimSpace(card.Title + " " + conclusion)} {
		if s != "" && len(s) <= comparedBytes && !slices.Contains(texts, s) {
			texts = append(texts, s)
		}
	}
	return texts
}

// changedChoice tells why a statement that announces a change chooses something
// else than an earlier one: "we switched to MySQL for the ledger" after "use
// PostgreSQL for the ledger". All that it says besides must stand there, too.
func changedChoice(newer, older statement) string {
	if newer.asks || older.asks || !newer.changes() {
		return ""
	}
	c, about := newer.choice()
	if len(c.chosen) == 0 || len(about) == 0 || !allIn(older, about) {
		return ""
	}
	before := c.slotIn(older.tokens)
	if len(before) == 0 {
		return ""
	}
	return fmt.Sprintf("it chooses %q instead of %q", asWritten(c.chosen, newer.text), asWritten(before, older.text))
}

// choice is what a statement chooses, and the terms of what it is about.
func (st statement) choice() (Correction, []string) {
	if st.late.chosen == nil {
		c := Correction{}
		c.read(clausesOf(st.tokens))
		subject := slices.DeleteFunc(slices.Clone(c.subject), func(t token) bool { return moving(t.text) })
		st.late.chosen, st.late.about = &c, topicTerms(subject, st.indexer)
	}
	return *st.late.chosen, st.late.about
}

// moving reports a word that only tells that something went from one to another, or when.
func moving(w string) bool {
	switch w {
	case "migrated", "moved", "changed", "last", "week", "month", "today", "yesterday", "recently", "finally",
		"从", "迁", "移", "切", "换", "到":
		return true
	}
	return false
}
