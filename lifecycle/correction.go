package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// A correction often names its subject in other words, or leaves it out: "no,
// use Valkey, not Redis". What it replaces is then found by the value that it
// rejects, or by what was said last in the same conversation.

const (
	correctionRunes = 200       // longer texts say of themselves what they are about
	quotedRunes     = 160       // of the statement that a correction carries along
	sameTalk        = time.Hour // in which two statements without a conversation belong together
)

// Correction is what a text says that sets something right.
type Correction struct {
	Announced bool // it begins by saying that something was wrong
	declared  bool // in words that mean nothing else
	rejected  [][]token
	chosen    []token // the value that it puts instead; none when it cannot be told
	subject   []token // what else it says, negligible words left out
	topic     map[string]bool
	affirmed  [][]token // clauses, as far as they deny nothing
	values    values    // what it gives and rejects of values with parts
}

// CorrectionOf takes a correction apart; false when the text is none.
func CorrectionOf(m memory.Memory) (Correction, bool) {
	return correctionOf(m, nil, nil)
}

// correctionOf is CorrectionOf for a memory of which the tokens may be known.
func correctionOf(m memory.Memory, known []token, indexer *text.Indexer) (Correction, bool) {
	if m.Form != memory.Note && m.Form != "" || utf8.RuneCountInString(m.Content) > correctionRunes || questions(m.Content) {
		return Correction{}, false
	}
	rest, announced := withoutLead(m.Content)
	c := Correction{Announced: announced, declared: announced && declares(m.Content)}
	if known == nil || len(rest) != len(m.Content) {
		known = tokens(rest)
	}
	clauses := clausesOf(known)
	if !announced && !slices.ContainsFunc(clauses, func(clause []token) bool { return denial(clause) < len(clause) }) {
		return Correction{}, false
	}
	c.read(clauses)
	is := len(c.rejected) > 0 && (announced || len(c.chosen) > 0) || announced && len(c.chosen) > 0 || c.givesParts()
	if is { // most texts are none, and cost no analysis
		c.setTopic(clauses, cmp.Or(indexer, text.NewIndexer()))
	}
	return c, is
}

// givesParts reports whether it rejects a value with parts, or announces that it
// sets something right, and gives another.
func (c Correction) givesParts() bool {
	return len(c.values.now) > 0 && (c.Announced || len(c.values.was) > 0)
}

// bare reports whether it does not say what it is about.
func (c Correction) bare() bool {
	return len(c.subject) == 0 || len(c.values.now) > 0 && len(c.values.about) == 0
}

// Terms are those by which the store finds statements that hold what is rejected
// or, where nothing is, speak of the same subject.
func (c Correction) Terms() []string {
	var terms []string
	for _, value := range c.rejected {
		terms = append(terms, text.Index(join(value))...)
	}
	if len(terms) == 0 {
		terms = c.values.terms()
	}
	if len(terms) == 0 && c.refers(false) == bySubject {
		return c.values.heads
	}
	return terms
}

// withoutLead drops the words that only announce a correction.
func withoutLead(s string) (rest string, announced bool) {
	for rest = trimMarks(s); ; announced = true {
		n := leadAt(rest)
		if n == 0 {
			return rest, announced
		}
		rest = trimMarks(rest[n:])
	}
}

func trimMarks(s string) string { return strings.TrimLeft(s, " \t\n,.;:!，。；：！、—-…") }

// leadAt returns the size of an announcement that s begins with.
func leadAt(s string) int {
	for _, lead := range []string{
		"不对不对", "不对", "不對", "说错了", "說錯了", "搞错了", "搞錯了", "弄错了", "弄錯了", "我说错了", "我說錯了", "错了", "錯了", "更正一下", "更正",
		"纠正一下", "糾正一下", "纠正", "糾正", "其实", "其實", "准确地说", "準確地說", "抱歉", "等一下", "等等",
		"actually", "correction", "sorry", "oops", "wait", "scratch that", "in fact", "my mistake",
	} {
		if begins(s, lead) {
			return len(lead)
		}
	}
	for _, lead := range []string{"不是的", "不是", "不", "not quite", "that's wrong", "that is wrong", "wrong", "nope", "no"} {
		if begins(s, lead) && trimMarks(s[len(lead):]) != strings.TrimLeft(s[len(lead):], " ") {
			return len(lead) // alone, these begin what is denied
		}
	}
	return 0
}

func begins(s, lead string) bool {
	if len(s) < len(lead) || !strings.EqualFold(s[:len(lead)], lead) {
		return false
	}
	next, _ := utf8.DecodeRuneInString(s[len(lead):])
	last, _ := utf8.DecodeLastRuneInString(lead)
	return len(s) == len(lead) || !latin(last) || !latin(next)
}

// read goes through the clauses: what follows a negation is rejected, what
// follows a word of choice is chosen, the rest is the subject.
func (c *Correction) read(clauses [][]token) {
	for _, clause := range clauses {
		at := denial(clause)
		if at < len(clause) {
			value, rest := valueOf(clause[at:])
			if len(value) > 0 {
				c.rejected = append(c.rejected, value)
			}
			c.subject = append(c.subject, meaningful(rest)...)
		}
		c.affirm(clause[:at])
		c.affirmed = append(c.affirmed, clause[:at])
	}
	c.values = valuesOf(clauses)
}

// setTopic collects the terms of the clauses but for those of the values.
func (c *Correction) setTopic(clauses [][]token, indexer *text.Indexer) {
	c.topic = map[string]bool{}
	for _, clause := range clauses {
		for _, term := range topicTerms(clause, indexer) {
			c.topic[term] = true
		}
	}
	for _, value := range append(slices.Clone(c.rejected), c.chosen) {
		for _, term := range topicTerms(value, indexer) {
			delete(c.topic, term)
		}
	}
	c.values.setAbout(clauses, indexer)
	c.values.given = topicTerms(c.chosen, indexer)
}

func (c *Correction) affirm(clause []token) {
	if len(meaningful(clause)) == 0 {
		return
	}
	start := lastChoice(clause)
	value, rest := valueOf(clause[start:])
	if len(c.chosen) > 0 || len(value) == 0 {
		c.subject = append(c.subject, meaningful(clause)...)
		return
	}
	c.chosen = value
	c.subject = append(append(c.subject, meaningful(clause[:start])...), meaningful(rest)...)
}

// clausesOf splits a text at its marks and at words that turn it around.
func clausesOf(list []token) [][]token {
	var all [][]token
	for len(list) > 0 {
		end := slices.IndexFunc(list, func(t token) bool { return t.kind == breaks || t.text == "but" || t.text == "而" })
		if end < 0 {
			return append(all, list)
		}
		if end > 0 {
			all = append(all, list[:end])
		}
		list = list[end+1:]
	}
	return all
}

// denial returns where a clause begins to reject, its length when it does not.
func denial(clause []token) int {
	for i, t := range clause {
		next := ""
		if i+1 < len(clause) {
			next = clause[i+1].text
		}
		if t.kind == negator && !idle(clause[i+1:]) || t.text == "instead" && next == "of" || t.text == "rather" && next == "than" {
			return i
		}
	}
	return len(clause)
}

// lastChoice returns what comes after the last word of choice in a clause.
func lastChoice(clause []token) int {
	for i := len(clause) - 1; i > 0; i-- {
		if chooses(clause[:i]) {
			return i
		}
	}
	return 0
}

// chooses reports whether one value is to follow these tokens.
func chooses(head []token) bool {
	if len(head) == 0 {
		return false
	}
	if singleValued(head) {
		return true
	}
	if last := head[len(head)-1]; last.kind != character {
		switch last.text {
		case "with":
			return len(head) > 1 && slices.Contains([]string{"go", "going", "went", "gone", "stick", "stay"}, head[len(head)-2].text)
		case "pick", "picked", "choose", "adopt", "adopted", "be", "it's", "to":
			return last.text != "to" || slices.ContainsFunc(head[max(0, len(head)-relocated):len(head)-1], func(t token) bool {
				return slices.Contains([]string{"switch", "switched", "change", "changed", "moved", "migrated"}, t.text)
			})
		}
		return false
	}
	return hasSuffixOf(tail(head, 2), "选", "采用", "换成", "改成", "改为", "定在", "定为")
}

func tail(list []token, n int) string { return join(list[max(0, len(list)-n):]) }

// valueOf returns the value that a run begins with, negligible words before it
// left out, and what follows the value.
func valueOf(run []token) (value, rest []token) {
	start := 0
	for start < len(run) {
		n := negligibleAt(run[start:])
		if n == 0 {
			break
		}
		start += n
	}
	end := start
	for end < len(run) && !endsValue(run[end]) {
		end++
	}
	if value = run[start:end]; !shortValue(value) {
		return nil, run
	}
	return value, run[end:]
}

func endsValue(t token) bool {
	switch t.text {
	case "做", "作", "当", "来", "了", "吧", "哦", "啊", "呀", "for", "as", "in", "on", "at", "please", "anymore", "now", "instead", "there", "here", "and":
		return true
	}
	return t.kind == negator
}

// meaningful drops the words that say nothing of a subject.
func meaningful(run []token) []token {
	var kept []token
	for i := 0; i < len(run); {
		n := negligibleAt(run[i:])
		if n == 0 {
			kept = append(kept, run[i])
			n = 1
		}
		i += n
	}
	return kept
}

// correction supersedes the earlier statement that the new memory sets right.
func (g guard) correction() (Verdict, bool) {
	if g.imported || named(g.in) {
		return Verdict{}, false
	}
	c, is := g.read.correction(g.in)
	if !is {
		return Verdict{}, false
	}
	if same, found := g.saidAlready(); found {
		return skip(same, "%s set this right already", same.URI), true
	}
	if best := g.closest(); best.relation == opposes || best.relation == repeats {
		if best.relation == opposes && c.values.ofAnother(g.read.statement(best.memory.Content)) {
			return g.add(Added, g.in, "new: nothing like it is stored"), true
		}
		return Verdict{}, false
	}
	old, why := g.corrected(c)
	if why == "" {
		return Verdict{}, false
	}
	if old.Form == memory.Decision { // stays, and is disputed: its link says what it is about
		return g.add(Added, g.in, "new: nothing like it is stored"), true
	}
	if c.bare() { // else it says itself what it is about, and keeps its own words
		g.in.Content = carrying(g.in.Content, old.Content)
		g.in.ContentHash = memory.Hash(g.in.Content)
	}
	return g.oppose(old, why), true
}

// saidAlready finds the same correction, which carries a statement along since.
func (g guard) saidAlready() (memory.Memory, bool) {
	for _, s := range g.near {
		if said, carried := cutCarried(s.Memory.Content); carried != "" && s.Memory.Status.Recallable() && said == bareEnd(g.in.Content) {
			return s.Memory, true
		}
	}
	return memory.Memory{}, false
}

// bareEnd takes off what would stand between a correction and what it carries along.
func bareEnd(s string) string { return strings.TrimRight(s, ".。 \n") }

// corrected returns the one statement that a correction replaces, and why.
func (g guard) corrected(c Correction) (memory.Memory, string) {
	var found []memory.Memory
	why := ""
	for _, s := range g.earlier() {
		said, _ := cutCarried(s.Content)
		reason := c.replaces(g.read.statement(said), g.sameSession(s))
		if reason == "" {
			continue
		}
		if g.sameSession(s) {
			return s, reason // the nearest one
		}
		found, why = append(found, s), reason
	}
	if len(found) != 1 {
		return memory.Memory{}, "" // nothing, or no telling which was meant
	}
	return found[0], why
}

// earlier returns the statements that a correction may mean: those of its
// conversation first, the latest before the others.
func (g guard) earlier() []memory.Memory {
	all := make([]memory.Memory, 0, len(g.near))
	for _, s := range g.near {
		m := s.Memory
		if m.Status.Recallable() && (m.Type == memory.Knowledge || m.Type == memory.Event) && (m.Form == memory.Note || m.Form == "" || m.Form == memory.Decision) &&
			(m.Trust == memory.TrustExternal) == (g.in.Trust == memory.TrustExternal) && len(m.Content) <= comparedBytes && g.together(m) {
			all = append(all, m)
		}
	}
	slices.SortStableFunc(all, func(a, b memory.Memory) int {
		if mine, other := g.sameSession(a), g.sameSession(b); mine != other {
			if mine {
				return -1
			}
			return 1
		}
		return b.Observed().Compare(a.Observed())
	})
	return all
}

// together reports whether two memories can be of one conversation: of the same,
// or, where none is known of both, said within the hour.
func (g guard) together(m memory.Memory) bool {
	if g.in.SessionID != "" || m.SessionID != "" {
		return g.sameSession(m)
	}
	mine := g.in.Observed()
	if mine.IsZero() {
		mine = g.now
	}
	apart := mine.Sub(m.Observed())
	return apart >= 0 && apart <= sameTalk
}

func (g guard) sameSession(m memory.Memory) bool {
	return g.in.SessionID != "" && m.SessionID == g.in.SessionID
}

// replaces tells why a correction replaces an earlier statement; empty when it does not.
func (c Correction) replaces(old statement, sameSession bool) string {
	if old.asks {
		return ""
	}
	if why := c.values.replaces(old, c.refers(sameSession)); why != "" {
		return why
	}
	if why := c.sameFrame(old); why != "" {
		return why
	}
	if !c.onSubject(old) || len(c.values.now) > 0 && len(c.values.was) > 0 {
		return "" // values with parts are judged above
	}
	for _, value := range c.rejected {
		if chosenIn(old.tokens, value) >= 0 && chosenIn(old.tokens, c.chosen) < 0 {
			return fmt.Sprintf("it rejects %q, which was chosen there", asWritten(value, old.text))
		}
	}
	if len(c.rejected) > 0 || !sameSession || !c.Announced || len(c.values.now) > 0 || !c.values.covered(old, c.values.given) {
		return ""
	}
	if before := c.slotIn(old.tokens); len(before) > 0 {
		return fmt.Sprintf("it puts %q for %q in the same conversation", asWritten(c.chosen, ""), asWritten(before, old.text))
	}
	return ""
}

// onSubject reports whether a correction has no subject of its own, or shares
// a term of it with the statement.
func (c Correction) onSubject(old statement) bool {
	if len(c.subject) == 0 {
		return true
	}
	for term := range c.topic {
		if _, held := old.stances().topic[term]; held && len(meaningful(tokens(term))) > 0 {
			return true
		}
	}
	return false
}

// chosenIn returns where a statement chooses a value, -1 when it does not.
func chosenIn(list, value []token) int {
	if len(value) == 0 {
		return -1
	}
	for i := 0; i+len(value) <= len(list); i++ {
		if sameTokens(list[i:i+len(value)], value) && (chooses(list[:i]) || i+len(value) < len(list) && endsValue(list[i+len(value)])) && denial(list[:i]) == i {
			return i
		}
	}
	return -1
}

func sameTokens(a, b []token) bool {
	return slices.EqualFunc(a, b, func(x, y token) bool { return strings.EqualFold(x.text, y.text) })
}

// slotIn returns the value of a statement for which the chosen one can stand: of
// the same kind, or of the same length with a character in common.
func (c Correction) slotIn(list []token) []token {
	for i := len(list) - 1; i > 0; i-- {
		if !chooses(list[:i]) {
			continue
		}
		value, _ := valueOf(list[i:])
		if len(value) > 0 && !sameTokens(value, c.chosen) && interchangeable(value, c.chosen) {
			return value
		}
	}
	return nil
}

// asWritten returns a value as a text writes it, else without needless spaces.
func asWritten(value []token, in string) string {
	var b strings.Builder
	for i, t := range value {
		if i > 0 && t.kind != character && value[i-1].kind != character {
			b.WriteByte(' ')
		}
		b.WriteString(t.text)
	}
	lower := strings.ToLower(in)
	if i := strings.Index(lower, b.String()); i >= 0 && len(lower) == len(in) { // lower case of some letters is shorter
		return in[i : i+b.Len()]
	}
	return b.String()
}

func interchangeable(a, b []token) bool {
	if len(a) == 1 && len(b) == 1 {
		return a[0].kind == b[0].kind && a[0].evidence()
	}
	if len(a) != len(b) {
		return false
	}
	same := 0
	for i := range a {
		if a[i].text == b[i].text {
			same++
		}
	}
	return same > 0
}
