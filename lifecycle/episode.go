package lifecycle

import (
	"slices"
	"strings"
)

// tellsOfOnce reports whether a statement only tells what did not happen one
// time, or where something was found, and so says nothing against what holds in
// general: "we did not run the tests, and it broke" does not end the rule to run
// them. What the older statement tells of one time, too, it does contradict.
func (st statement) tellsOfOnce(older statement) bool {
	if len(st.tokens) > 0 && !st.negates() {
		first := st.tokens[0].text
		return first == "found" || first == "noticed" || first == "discovered" || strings.Contains(st.folded(), "发现")
	}
	missed := false
	for i, t := range st.tokens {
		switch {
		case t.kind != negator:
		case t.text == "didn't", t.text == "didn’t", t.text == "didnt", t.text == "not" && i > 0 && st.tokens[i-1].text == "did":
			missed = true
		case (t.text == "没" || t.text == "沒") && st.dated(), t.text == "不" && st.forOnce():
			missed = true
		default:
			return false // it denies something else, in general
		}
	}
	return missed && !older.past(st)
}

// dated reports whether a Chinese statement tells of one time.
func (st statement) dated() bool {
	return slices.ContainsFunc([]string{"了", "昨", "今天", "今早", "今晚", "上次", "这次", "那次", "上周", "刚", "忘"}, func(mark string) bool {
		return strings.Contains(st.folded(), mark)
	})
}

// past reports whether a statement tells of what was done, or of what there is,
// by a word that is not said of the same things in another one.
func (st statement) past(other statement) bool {
	return slices.ContainsFunc(st.tokens, func(t token) bool {
		switch t.text {
		case "did", "was", "were", "had", "has", "have", "了", "过", "有":
			return true
		}
		return t.kind == word && strings.HasSuffix(t.text, "ed") && !slices.Contains(other.tokens, t)
	})
}

// forOnce reports whether a Chinese statement is about one time only.
func (st statement) forOnce() bool {
	return slices.ContainsFunc([]string{"这次", "这回", "本次", "今天", "今晚", "今早", "明天", "这周", "本周"}, func(mark string) bool {
		return strings.Contains(st.folded(), mark)
	})
}
