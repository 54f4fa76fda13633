package lifecycle

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// A correction of what was said on another day, in another conversation, may mean
// something else than it seems. It replaces nothing then: both stay, linked, and
// who reads the earlier one is told of the later one.

// disputingNote links a note that is about to be stored with the one earlier note
// that it seems to set right.
func (g guard) disputingNote(v Verdict) Verdict {
	if g.imported || v.Action != Added || !mayDispute(v.Changes[0].Memory) {
		return v
	}
	if len(g.found.doubts) == 1 && mayDispute(g.found.doubts[0].memory) && !changes(v, g.found.doubts[0].memory.ID) {
		return besides(v, g.found.doubts[0])
	}
	told := g.changesTold()
	if c, corrects := g.read.correction(g.in); len(told) == 0 && (!corrects || !c.Announced || c.bare()) {
		return v // nearly always
	}
	var found []doubt
	for _, s := range g.near {
		if mayDispute(s.Memory) && !changes(v, s.Memory.ID) {
			if why := g.setsRight(told, s.Memory); why != "" {
				found = append(found, doubt{s.Memory, why})
			}
		}
	}
	if len(found) != 1 {
		return v // nothing, or no telling which was meant
	}
	return besides(v, found[0])
}

// besides links a new note with the earlier one beside which it stays.
func besides(v Verdict, d doubt) Verdict {
	note, old := &v.Changes[0].Memory, d.memory
	note.Links = joinLinks(note.Links, []memory.Link{{Target: old.ID, Relation: Contradicts}})
	old.Links = joinLinks(old.Links, []memory.Link{{Target: note.ID, Relation: ContradictedBy}})
	v.Reason = fmt.Sprintf("%s; it contradicts %s, which stays beside it: %s", v.Reason, old.URI, d.why)
	v.Changes = append(v.Changes, memory.Change{Op: memory.OpUpdate, Memory: old, Revision: old.Revision, Reason: fmt.Sprintf("contradicted by a note: %s", d.why)})
	return v
}

// setsRight tells why the new memory seems to set an earlier note right; empty
// when it does not. It must say what it is about.
func (g guard) setsRight(told []string, old memory.Memory) string {
	said, _ := cutCarried(old.Content)
	before := g.read.statement(said)
	if before.asks {
		return ""
	}
	c, corrects := g.read.correction(g.in)
	if corrects && (!c.Announced || c.bare() || g.together(old)) {
		return ""
	}
	if corrects {
		return either(c.ofEarlier(before), g.opposed(g.in.Content, said))
	}
	for _, clause := range told {
		if why := g.tellsChange(clause, said); why != "" {
			return why
		}
	}
	return ""
}

// ofEarlier tells why a correction that names its subject replaces a statement of
// whatever time.
func (c Correction) ofEarlier(old statement) string {
	how, values := unclear, c.values
	if values.namesSubject() {
		how = bySubject
	}
	values.about = slices.DeleteFunc(slices.Clone(values.about), func(term string) bool {
		return slices.Contains([]string{"send", "sent", "goe", "go", "due", "held", "take", "place", "happen"}, term) // of a day or an hour they tell nothing
	})
	if why := values.replaces(old, how); why != "" || len(c.rejected) == 0 {
		return why
	}
	return c.replaces(old, false)
}

// opposed tells why a clause of a correction denies one of an earlier text.
func (g guard) opposed(correction, earlier string) string {
	rest, _ := withoutLead(correction)
	for _, clause := range saidIn(rest) {
		for _, said := range saidIn(earlier) {
			if why := conflict(g.read.statement(clause), g.read.statement(said), g.policy.Topic); why != "" {
				return why
			}
		}
	}
	return ""
}

// changesTold are the clauses of the new memory that announce a change.
func (g guard) changesTold() []string {
	folded := g.read.statement(g.in.Content).folded()
	if !announcesChange(folded) && !moves(folded) && !strings.Contains(folded, " now") {
		return nil
	}
	return slices.DeleteFunc(saidIn(g.in.Content), func(clause string) bool { return !announcesChange(text.Fold(clause)) && !moves(clause) })
}

// tellsChange tells why a clause that announces a change says something else than
// one of an earlier text: "the report goes out on Thursday now" after "every Friday".
func (g guard) tellsChange(clause, earlier string) string {
	newer := g.read.statement(clause)
	if newer.asks {
		return ""
	}
	c, is := g.read.declared(g.in, clause)
	for _, said := range saidIn(earlier) {
		older := g.read.statement(said)
		why := ""
		if is && !c.bare() {
			why = c.ofEarlier(older)
		}
		if why = either(why, either(conflict(newer, older, g.policy.Topic), changedChoice(newer, older))); why != "" {
			return why
		}
	}
	return ""
}

// moves reports whether a clause says that something is so since now, or at
// another time than before.
func moves(clause string) bool {
	folded := strings.TrimRight(strings.ToLower(clause), " .!。！了")
	return strings.HasSuffix(folded, " now") || mentionsAny(folded, []string{
		"is now", "are now", "now is", "now goes", "rescheduled to", "postponed to", "brought forward to",
		"改到", "调到", "挪到", "推迟到", "提前到", "调整为", "调整到", "变成", "现在是", "现在改",
	}) != ""
}

// saidIn are the clauses of a text that may stand for themselves; what begins a
// sentence ("final decision:") does not belong to it.
func saidIn(s string) []string {
	var clauses []string
	from := 0
	for i := 0; i < len(s); {
		n := betweenClauses(s[i:])
		if n == 0 {
			i++
			continue
		}
		clauses = appendClause(clauses, s[from:i])
		i += n
		from = i
	}
	return appendClause(clauses, s[from:])
}

func appendClause(clauses []string, clause string) []string {
	if len(strings.TrimSpace(clause)) < 4 {
		return clauses
	}
	return append(clauses, clause)
}

// betweenClauses returns the size of what keeps clauses apart, 0 if s begins with
// something else.
func betweenClauses(s string) int {
	switch s[0] {
	case '\n':
		return 1
	case ',', ';', '.', ':', '!':
		if len(s) > 1 && s[1] == ' ' {
			return 2
		}
	case ' ':
		if prefixed(s, " and I ", " and we ", " and they ") > 0 { // who does it belongs to the clause
			return len(" and ")
		}
		return prefixed(s, " with ", " because ")
	}
	if s[0] >= utf8.RuneSelf {
		return prefixed(s, "，", "。", "；", "：", "！", "因为")
	}
	return 0
}

// prefixed returns the size of the first of some texts that s begins with.
func prefixed(s string, with ...string) int {
	for _, w := range with {
		if strings.HasPrefix(s, w) {
			return len(w)
		}
	}
	return 0
}
