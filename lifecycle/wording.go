package lifecycle

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Bounds of what is worth another wording.
const (
	rewordedFrom  = 60      // width of a line, in Latin letters, that may be shortened
	rewordedTo    = 2 << 10 // bytes of the longest text that is
	keptOfTopic   = 0.5     // share of what a line speaks of that every wording of it must, too
	shortestCut   = 2       // characters: a single one cut out may be half of a word
	wideCharacter = 2       // Latin letters that a Chinese character is as wide as
)

// Wordable returns the whole text that a line of a summary stands for, and
// whether another wording of it may be asked for: it is long, no question, and
// if it was cut its memory holds all of it.
func Wordable(line memory.ProjectedLine, m memory.Memory) (string, bool) {
	whole := line.Text
	if m.ID == line.MemoryID && OneLine(m, WrapupLineChars) == line.Text {
		whole = OneLine(m, rewordedTo)
	}
	fits := len(whole) <= rewordedTo && width(whole) >= rewordedFrom && !strings.HasSuffix(whole, "…")
	return whole, fits && !strings.ContainsAny(whole, "?？")
}

// Rewords reports whether a wording that somebody proposes may stand for a text
// in a summary. It is the text with words left out, in the same order: nothing
// is added, and no number, date, name, negation, code, condition or reservation
// is missing. A clause with a negation, condition or reservation is kept
// whole, because what is left out of it could turn it around.
func Rewords(original, wording string) bool {
	if !holdsToText {
		return true
	}
	if !plainLine(wording) || addsMarks(original, wording) || width(wording) >= width(original) || utf8.RuneCountInString(wording) > WrapupLineChars {
		return false
	}
	whole, short := analyse(original), analyse(wording)
	if whole.status().word != short.status().word || whole.changes() != short.changes() || short.asks {
		return false
	}
	return shortens(whole.tokens, short.tokens) && speaksOf(short, whole) >= keptOfTopic
}

func width(s string) int {
	n := 0
	for _, r := range s {
		n++
		if text.IsCJK(r) {
			n += wideCharacter - 1
		}
	}
	return n
}

// plainLine reports whether s is one line that Markdown reads as text.
func plainLine(s string) bool {
	if s == "" || strings.TrimSpace(s) != s || strings.HasSuffix(s, "…") || !utf8.ValidString(s) {
		return false
	}
	if strings.ContainsAny(s, "<>[]|*#\\") || strings.HasPrefix(s, "- ") || strings.HasPrefix(s, "+ ") {
		return false
	}
	return !strings.ContainsFunc(s, func(r rune) bool { return unicode.IsControl(r) || unicode.Is(unicode.Cf, r) })
}

// speaksOf is the share of the topic of whole that short has too, 0..1.
func speaksOf(short, whole statement) float64 {
	if len(whole.stances().topic) == 0 {
		return 0
	}
	return float64(common(whole.stances().topic, short.stances().topic)) / float64(len(whole.stances().topic))
}

// shortens reports whether short is what remains of whole when only such tokens
// are left out as may be, and clauses end where they ended: "not, on Postgres" is
// not "not on Postgres".
func shortens(whole, short []token) bool {
	kept := spoken(short)
	ends := clauseBefore(short)
	next, gap := 0, cut{}
	var last clause
	for _, c := range clauses(whole) {
		crossed := next > 0
		for i, t := range c {
			switch {
			case next < len(kept) && kept[next].text == t.text:
				if !gap.clean() || ends[next] && !crossed || !ends[next] && crossed && (c.bound() || last.bound()) {
					return false
				}
				next, gap, crossed, last = next+1, cut{}, false, c
			case c.spares(i):
				gap.add(t)
			default:
				return false
			}
		}
	}
	return next == len(kept) && gap.clean()
}

// clauseBefore tells of each spoken token but the first whether a mark that
// ends a clause stands before it.
func clauseBefore(tokens []token) []bool {
	var ends []bool
	ended := false
	for _, t := range tokens {
		if t.kind == breaks {
			ended = len(ends) > 0
			continue
		}
		ends, ended = append(ends, ended), false
	}
	return ends
}

// addsMarks reports whether a wording has signs, other than those that end
// clauses, which the text does not have in this order.
func addsMarks(original, wording string) bool {
	rest := original
	for at, r := range wording {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsSpace(r) || clauseEnd(wording[at:]) {
			continue
		}
		i := strings.IndexRune(rest, r)
		if i < 0 || r == utf8.RuneError { // broken bytes are found by IndexRune, too
			return true
		}
		rest = rest[i+utf8.RuneLen(r):]
	}
	return false
}

// cut is what is left out in one place.
type cut struct{ size, meant int }

func (c *cut) add(t token) {
	switch {
	case t.kind != character:
		c.size += shortestCut // a word by itself
	case !particle(t.text):
		c.meant++
		fallthrough
	default:
		c.size++
	}
}

// clean reports whether it cannot be half of a word.
func (c *cut) clean() bool { return c.meant == 0 || c.size >= shortestCut }

// clause is the tokens between two marks that end one.
type clause []token

func clauses(tokens []token) []clause {
	var list []clause
	var open clause
	for _, t := range tokens {
		if t.kind != breaks {
			open = append(open, t)
			continue
		}
		list, open = append(list, open), nil
	}
	return append(list, open)
}

func spoken(tokens []token) []token {
	var kept []token
	for _, t := range tokens {
		if t.kind != breaks {
			kept = append(kept, t)
		}
	}
	return kept
}

// spares reports whether the clause may do without its token i.
func (c clause) spares(i int) bool {
	t := c[i]
	if t.evidence() && !(i == 0 && t.kind == name && opener(t.text)) || binding(t.text) {
		return false
	}
	if article(t.text) || particle(t.text) {
		return true
	}
	return !c.bound()
}

// bound reports whether a clause says something only with all of its words.
func (c clause) bound() bool {
	for _, t := range c {
		if t.kind == negator || binding(t.text) {
			return true
		}
	}
	return mentionsAny(join(c), []string{"打算", "计划", "考虑", "建议", "要求", "差点", "差不多", "全部", "所有", "移除", "取代", "以为", "据说", "听说"}) != ""
}

// opener reports whether a word that is capitalised because it begins a
// sentence is no name.
func opener(w string) bool {
	switch w {
	case "after", "also", "anyway", "basically", "finally", "later", "ok", "okay", "today's", "well", "eventually", "meanwhile", "btw", "note", "fyi":
		return true
	}
	return false
}

func article(w string) bool {
	switch w {
	case "a", "an", "the", "very", "just", "also", "please", "so", "then", "really", "basically":
		return true
	}
	return false
}

func particle(w string) bool {
	return len(w) > 0 && strings.Contains("了的吗呢吧啊呀哦嘛也就还又很", w)
}

// binding reports whether a word says under which condition, how surely, by
// whom, or whether at all something is so: without it the rest says more than
// was said.
func binding(w string) bool {
	if strings.ContainsAny(w, "禁停拒避免败消反除防戒撤废弃删若如只仅可能或应须需想疑试约几每都各今明昨前后再改换说") {
		return true
	}
	switch w {
	case "if", "when", "while", "unless", "until", "except", "only", "before", "since", "because", "than", "instead", "against",
		"would", "should", "shall", "could", "can", "may", "might", "must", "will", "maybe", "perhaps", "probably", "possibly",
		"likely", "unlikely", "almost", "nearly", "hardly", "barely", "rarely", "seldom", "sometimes", "often", "always", "usually",
		"plan", "plans", "planned", "planning", "consider", "considering", "considered", "propose", "proposed", "suggest", "suggested",
		"want", "wants", "wanted", "try", "tries", "tried", "trying", "attempt", "attempted", "think", "thinks", "thought", "believe",
		"believes", "seem", "seems", "seemed", "apparently", "allegedly", "say", "says", "said", "claim", "claims", "claimed", "told",
		"ask", "asks", "asked", "hope", "hopes", "fail", "fails", "failed", "failing", "failure", "avoid", "avoids", "refuse", "refused",
		"reject", "rejected", "deny", "denied", "stop", "stops", "remove", "removed", "delete", "deleted", "drop", "dropped", "disable",
		"disabled", "cancel", "cancelled", "canceled", "revert", "reverted", "lack", "lacks", "lost", "less", "more", "fewer", "most",
		"least", "all", "any", "some", "every", "each", "both", "either", "other", "same", "different", "still", "yet", "again",
		"former", "formerly", "or", "but", "however":
		return true
	}
	return false
}
