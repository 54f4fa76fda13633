package lifecycle

import (
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// ExtractSource is the source of extracted facts.
const ExtractSource = "memory-extract"

// DerivedFrom is the relation of a memory to the one that it was made from.
const DerivedFrom = "derived"

// maxFacts bounds the facts that one note yields.
const maxFacts = 8

// Extract turns what notes say for good into facts of the entities that they
// belong to: by link, by target, by the longest name found in the text, else the
// inbox. A fact that an entity's newer one contradicts is superseded by it, never
// deleted. A fact claims no more trust than its note. memories must be those of
// the whole store: what was extracted before, also if it was forgotten since, is
// not extracted again. since bounds the notes by when they were learned or
// changed (zero: all).
func Extract(memories []memory.Memory, entities []Entity, now, since time.Time, p Profile) memory.Plan {
	x := extractor{now: now, policy: p.Guard, entities: entities, known: map[string]bool{}, facts: map[string][]memory.Memory{},
		plan: memory.Plan{Phase: "extract", Changes: []memory.Change{}}}
	var notes []memory.Memory
	for _, m := range memories {
		x.known[m.ID] = true
		if e, isFact := EntityOf(m); isFact && m.Status == memory.Active {
			x.add(e, m)
		}
		if extractable(m) && !latest(m.CreatedAt, m.UpdatedAt).Before(since) {
			notes = append(notes, m)
		}
	}
	sortByTime(notes)
	for _, n := range notes {
		x.note(n)
	}
	return x.plan
}

// extractable reports whether a memory may hold facts: a note or decision in
// force that somebody vouches for.
func extractable(m memory.Memory) bool {
	return m.Status == memory.Active && m.Trust.Rank() >= memory.TrustAgent.Rank() && len(m.Content) <= comparedBytes &&
		(m.Form == memory.Note || m.Form == "" || m.Form == memory.Decision) && m.Type != memory.Emotion && !toDo(m)
}

type extractor struct {
	plan     memory.Plan
	now      time.Time
	policy   GuardPolicy
	entities []Entity
	known    map[string]bool            // ids in the store
	facts    map[string][]memory.Memory // active ones of each entity
}

func (x *extractor) add(e Entity, fact memory.Memory) {
	key := fact.Namespace + "/" + e.Kind + "/" + e.Slug
	x.facts[key] = append(x.facts[key], fact)
}

func (x *extractor) note(n memory.Memory) {
	taken := 0
	for _, s := range durableSentences(n) {
		if taken == maxFacts {
			x.plan.Notes = append(x.plan.Notes, fmt.Sprintf("%s holds more than %d facts; the rest stays in the note", n.URI, maxFacts))
			return
		}
		if x.fact(n, s) {
			taken++
		}
	}
}

// durableSentences returns what a note says for good: all of a decision or of
// knowledge, and the rule-like sentences of an event.
func durableSentences(n memory.Memory) []string {
	if n.Form == memory.Decision {
		return []string{OneLine(n, memory.MaxContent)}
	}
	list := []string{}
	for _, s := range sentences(n.Content) {
		s = strings.TrimSpace(s)
		if letters(s) >= minLetters && (n.Type != memory.Event || ruleLike(s) || factLike(s)) {
			list = append(list, s)
		}
	}
	return list
}

// factLike reports a sentence that states how something is.
func factLike(s string) bool {
	return mentionsAny(text.Fold(s), []string{
		"deadline", "due on", "uses", "is located", "belongs to", "is responsible for", "owner", "chose", "the status",
		"截止", "使用", "负责", "位于", "属于", "状态", "版本", "选定",
	}) != ""
}

func (x *extractor) fact(n memory.Memory, content string) bool {
	id := memory.DerivedID("fact/"+n.ID, content, 1)
	if x.known[id] {
		return false
	}
	e := x.entityOf(n, content)
	f := factOf(n, e, id, content, x.now)
	mine := analyse(content)
	var old *memory.Memory
	var why string
	key := f.Namespace + "/" + e.Kind + "/" + e.Slug
	for i, have := range x.facts[key] {
		theirs := analyse(have.Content)
		if theirs.says(mine) {
			return false
		}
		if w := conflict(mine, theirs, x.policy.Topic); w != "" && f.Trust.Rank() >= have.Trust.Rank() && !NeverDecays(have) {
			old, why = &x.facts[key][i], w
		}
	}
	x.known[id] = true
	x.write(f, e, old, why, n.URI)
	return true
}

func (x *extractor) write(f memory.Memory, e Entity, old *memory.Memory, why, source string) {
	reason := fmt.Sprintf("stated for good in %s; belongs to %s/%s", source, e.Kind, e.Slug)
	if old != nil {
		f.Supersedes = old.ID
	}
	x.plan.Changes = append(x.plan.Changes, memory.Change{Op: memory.OpAdd, Memory: f, Reason: reason, Import: true})
	if old != nil {
		x.plan.Changes = append(x.plan.Changes, replaced(*old, f.ID, "the fact changed: "+why))
		*old = f
		return
	}
	x.add(e, f)
}

func factOf(n memory.Memory, e Entity, id, content string, now time.Time) memory.Memory {
	return memory.Memory{
		ID: id, URI: e.FactURI(id), Namespace: n.Namespace, Type: memory.Knowledge, Form: memory.Fact, Content: content,
		Status: memory.Active, Links: []memory.Link{{Target: n.ID, Relation: DerivedFrom}}, Confidence: n.Confidence,
		InitialImportance: initialImportance(n), Importance: initialImportance(n), ImportanceSet: now, Density: densityOf(memory.Memory{}),
		Actor: n.Actor, Target: n.Target, Domain: n.Domain, Source: ExtractSource, SessionID: n.SessionID, SessionPath: n.SessionPath,
		MessageRange: n.MessageRange, Trust: n.Trust, ObservedAt: n.Observed(), CreatedAt: now, UpdatedAt: now,
		ContentHash: memory.Hash(content), Home: memory.Place{File: e.File()},
	}
}

// entityOf finds where a sentence of a note belongs.
func (x *extractor) entityOf(n memory.Memory, content string) Entity {
	for _, l := range n.Links {
		if e, found := entityAt(l.Target); found {
			return e
		}
	}
	best, size := Inbox(), 0
	folded := text.Fold(content)
	title := text.Fold(n.Title + "\n" + n.Target)
	for _, e := range x.entities {
		for _, name := range e.allNames() {
			if len(name) > size && (mentions(folded, name) || mentions(title, name)) {
				best, size = e, len(name)
			}
		}
	}
	return best
}

func (e Entity) allNames() []string {
	names := []string{text.Fold(e.Slug), text.Fold(strings.ReplaceAll(e.Slug, "-", " "))}
	for _, n := range e.Names {
		if folded := strings.TrimSpace(text.Fold(n)); folded != "" {
			names = append(names, folded)
		}
	}
	return names
}
