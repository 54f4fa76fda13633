package lifecycle

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

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
// belong to: by link, by what the text names on purpose ([[Maria]], "Project
// Apollo: …"; this makes the entity if there is none), by target, by the longest
// name found in the text, else the inbox. A fact that an entity's newer one contradicts is superseded by it, never
// deleted. A fact claims no more trust than its note. memories must be those of
// the whole store: what was extracted before, also if it was forgotten since, is
// not extracted again. since bounds the notes by when they were learned or
// changed (zero: all).
func Extract(memories []memory.Memory, entities []Entity, now, since time.Time, p Profile) memory.Plan {
	x := extractor{now: now, policy: p.Guard, entities: entities, known: map[string]bool{}, facts: map[string]*entityFacts{},
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
	if len(x.news) > 0 {
		x.plan.Notes = append(x.plan.Notes, fmt.Sprintf("entities that notes name and that were not known: %s", strings.Join(x.news, ", ")))
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
	known    map[string]bool         // ids in the store
	facts    map[string]*entityFacts // active ones of each entity
	news     []string                // entities that texts named and nobody knew
}

func (x *extractor) factsOf(namespace string, e Entity) *entityFacts {
	key := namespace + "/" + e.Kind + "/" + e.Slug
	if x.facts[key] == nil {
		x.facts[key] = &entityFacts{postings: map[string][]int{}}
	}
	return x.facts[key]
}

func (x *extractor) add(e Entity, fact memory.Memory) {
	f := x.factsOf(fact.Namespace, e)
	f.list = append(f.list, fact)
}

// entityFacts are the facts in force of one entity, found by their words: a new
// one is compared with the few that are about the same, however many there are.
type entityFacts struct {
	list     []memory.Memory
	said     []statement // of the first ones of list, as far as they were needed
	postings map[string][]int
}

// Bounds of a comparison with the facts of an entity.
const (
	nearFacts    = 32  // facts that one is compared with
	commonInFact = 256 // facts from which a term tells nothing any more
)

// near returns the facts that share most terms with a statement.
func (f *entityFacts) near(st statement) []int {
	for i := len(f.said); i < len(f.list); i++ {
		f.said = append(f.said, analyse(f.list[i].Content))
		f.post(i)
	}
	shared := map[int]int{}
	for term := range st.stances().topic {
		if where := f.postings[term]; len(where) <= commonInFact {
			for _, i := range where {
				shared[i]++
			}
		}
	}
	found := slices.SortedFunc(maps.Keys(shared), func(a, b int) int { return cmp.Or(shared[b]-shared[a], a-b) })
	return found[:min(nearFacts, len(found))]
}

func (f *entityFacts) post(i int) {
	for term := range f.said[i].stances().topic {
		f.postings[term] = append(f.postings[term], i)
	}
}

// replace puts a fact in the place of the one that it supersedes.
func (f *entityFacts) replace(i int, by memory.Memory) {
	f.list[i], f.said[i] = by, analyse(by.Content)
	f.post(i)
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
		s = withoutRequest(strings.TrimSpace(s))
		if strings.HasPrefix(s, "|") { // a row of a table says nothing without its head
			continue
		}
		if letters(s) >= minLetters && (n.Type != memory.Event || ruleLike(s) || factLike(s)) {
			list = append(list, s)
		}
	}
	return list
}

// withoutRequest drops the words that only ask for something to be written
// down: "Record this decision: …".
func withoutRequest(s string) string {
	head, rest, found := strings.Cut(s, "：")
	if latin, after, cut := strings.Cut(s, ":"); cut && (!found || len(latin) < len(head)) {
		head, rest, found = latin, after, true
	}
	if rest = strings.TrimSpace(rest); !found || rest == "" || utf8.RuneCountInString(head) > requestRunes {
		return s
	}
	folded := strings.TrimSpace(text.Fold(head))
	for _, verb := range []string{"记录", "记住", "记下", "请记", "帮我记", "record", "remember", "note", "please record", "please remember", "please note"} {
		if strings.HasPrefix(folded, verb) {
			return rest
		}
	}
	return s
}

const requestRunes = 30

// factLike reports a sentence that states how something is.
func factLike(s string) bool {
	return mentionsAny(text.Fold(s), []string{
		"deadline", "due on", "uses", "is located", "belongs to", "is responsible for", "owner", "chose", "the status",
		"switched to", "moved to", "runs on", "lives in", "works at", "decided",
		"截止", "使用", "改用", "采用", "负责", "位于", "属于", "状态", "版本", "选定", "选择了", "选了", "决定",
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
	old, why := -1, ""
	have := x.factsOf(f.Namespace, e)
	for _, i := range have.near(mine) {
		if have.said[i].says(mine) {
			return false
		}
		w := either(conflict(mine, have.said[i], x.policy.Topic), changedFact(mine, have.said[i]))
		if w != "" && old < 0 && f.Trust.Rank() >= have.list[i].Trust.Rank() && !NeverDecays(have.list[i]) {
			old, why = i, w
		}
	}
	x.known[id] = true
	reason := fmt.Sprintf("stated for good in %s; belongs to %s/%s", n.URI, e.Kind, e.Slug)
	if old < 0 {
		x.plan.Changes = append(x.plan.Changes, memory.Change{Op: memory.OpAdd, Memory: f, Reason: reason, Import: true})
		x.add(e, f)
		return true
	}
	f.Supersedes = have.list[old].ID
	x.plan.Changes = append(x.plan.Changes,
		memory.Change{Op: memory.OpAdd, Memory: f, Reason: reason, Import: true}, replaced(have.list[old], f.ID, "the fact changed: "+why))
	have.replace(old, f)
	return true
}

// sameSubject is the share of the shorter one's terms that two facts of one
// entity must hold to speak of the same, where the newer announces a change.
const sameSubject = 0.5

// changedFact tells why a fact that announces a change replaces another one of
// the same entity: there it takes less to know that they speak of the same.
func changedFact(newer, older statement) string {
	if !newer.changes() || newer.asks || older.asks || contained(newer.stances().topic, older.stances().topic) < sameSubject {
		return ""
	}
	return "it says that this is different now"
}

func factOf(n memory.Memory, e Entity, id, content string, now time.Time) memory.Memory {
	return memory.Memory{
		ID: id, URI: e.FactURI(id), Namespace: n.Namespace, Type: memory.Knowledge, Form: memory.Fact, Content: content,
		Status: memory.Active, Links: []memory.Link{{Target: n.ID, Relation: DerivedFrom}}, Confidence: n.Confidence,
		InitialImportance: initialImportance(n), Importance: initialImportance(n), ImportanceSet: now, Density: densityOf(memory.Memory{}),
		Actor: n.Actor, Target: n.Target, Domain: n.Domain, Source: ExtractSource, SessionID: n.SessionID, SessionPath: n.SessionPath,
		MessageRange: n.MessageRange, Trust: n.Trust, ObservedAt: n.Observed(), CreatedAt: now, UpdatedAt: now,
		ContentHash: memory.Hash(content),
	}
}

// EntityFor finds what a fact without an address belongs to: by its links, its
// target or the names in it, else the inbox.
func EntityFor(m memory.Memory, entities []Entity) Entity {
	return (&extractor{entities: entities}).entityOf(m, m.Content)
}

// entityOf finds where a sentence of a note belongs.
func (x *extractor) entityOf(n memory.Memory, content string) Entity {
	for _, l := range n.Links {
		if e, found := entityAt(l.Target); found {
			return e
		}
	}
	if e, found := x.explicit(n, content); found {
		return e
	}
	if e, found := Named(x.entities, content, n.Title+"\n"+n.Target); found {
		return e
	}
	if e, found := x.explicit(n, n.Content); found {
		return e
	}
	return Inbox()
}
