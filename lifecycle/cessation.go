package lifecycle

import (
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/text"
)

// ceases reports whether a clause of a folded text says in Chinese that something
// has come to an end: a negation, and 了 at the end. "不了" and "不得了" mean else.
func ceases(folded string) bool {
	for _, clause := range strings.FieldsFunc(folded, func(r rune) bool { return strings.ContainsRune("\n,.;!?，。；！？、", r) }) {
		clause = strings.TrimRight(clause, " 啦哦吧呢")
		if strings.HasSuffix(clause, "了") && !hasSuffixOf(clause, "不了", "不得了", "不错了", "不过了") && denies(clause) {
			return true
		}
	}
	return false
}

// denies reports whether a folded text holds one of the Chinese negations of habits.
func denies(folded string) bool {
	for i := range folded {
		if (strings.HasPrefix(folded[i:], "不") || strings.HasPrefix(folded[i:], "没")) && negationAt(folded[i:]) > 0 {
			return true
		}
	}
	return false
}

// ended tells why one of two Chinese statements, of which one says that a habit has
// come to an end and the other has the habit, replaces the other: "我现在不吃肉了"
// and "我喜欢吃肉". A longer text says more than that, and stays.
func ended(newer, older statement) string {
	why := flips(newer, older)
	if why == "" {
		why = flips(older, newer)
	}
	return why
}

const shortHabit = 14 // characters and words

func flips(ceased, habit statement) string {
	if len(habit.tokens) > shortHabit || len(ceased.tokens) > shortHabit || !ceases(ceased.folded()) || habit.negates() ||
		!habit.oneClause() || !ofOneSubject(ceased, habit) {
		return ""
	}
	terms := []string{}
	for term, how := range ceased.stances().topic {
		if how&asDenied == 0 || negligible(term) || hasPrefixOf(term, "再", "会", "想", "能", "要") {
			continue
		}
		if habit.stances().topic[term]&asAffirmed == 0 {
			return ""
		}
		terms = append(terms, term)
	}
	if len(terms) == 0 {
		return ""
	}
	slices.Sort(terms)
	return fmt.Sprintf("one affirms what the other denies (%s)", strings.Join(terms[:min(3, len(terms))], ", "))
}

// oneClause reports whether a statement says one thing: what says more is not
// replaced by what denies a part of it.
func (st statement) oneClause() bool {
	for i, t := range st.tokens {
		if i == len(st.tokens)-1 {
			break
		}
		if t.kind == breaks || t.text == "and" && slices.Contains([]string{"i", "we", "he", "she", "they", "the"}, st.tokens[i+1].text) {
			return false
		}
	}
	return true
}

// ofOneSubject reports whether two statements in Chinese that are about the same do
// not name different people or things before it.
func ofOneSubject(a, b statement) bool { return subjectOf(a) == subjectOf(b) }

// subjectOf is what a Chinese statement says before its negation or its verb, as
// far as that can be told: without the speaker and words of habit and time.
func subjectOf(st statement) string {
	said := strings.TrimSpace(st.folded())
	if first := []rune(said); len(first) == 0 || !text.IsCJK(first[0]) {
		return ""
	}
	if i := slices.IndexFunc([]rune(said), func(r rune) bool {
		return strings.ContainsRune("不没吃喝抽养用做去看玩买开打写学住穿戴听练跑骑", r)
	}); i >= 0 {
		said = string([]rune(said)[:i])
	} else {
		return ""
	}
	for _, filler := range []string{"我们", "咱们", "用户", "主人", "现在", "以后", "今后", "已经", "每天", "平时", "经常", "一直", "喜欢", "早上", "晚上", "最近", "还是", "又", "我", "爱", "都", "也", "会", "很", "再", "常", "，", " "} {
		said = strings.ReplaceAll(said, filler, "")
	}
	return said
}

// ofAnotherPerson reports whether one statement is about the speaker and the other
// about somebody with a name, or a pronoun: "I no longer eat meat" says nothing of Mom.
func ofAnotherPerson(a, b statement) bool {
	mine, other := person(a), person(b)
	return mine != "" && other != "" && mine != other
}

// person is whom a statement begins with: "i" for the speaker and the user, a
// name, "" if it begins otherwise.
func person(st statement) string {
	list := st.plain()
	if len(list) == 0 {
		return ""
	}
	switch w := list[0].text; w {
	case "i", "we", "user", "i'm":
		return "i"
	case "he", "she", "they", "mom", "dad", "mother", "father", "mum":
		return w
	default:
		if list[0].kind == name && len(list) > 1 && (list[1].kind == word || list[1].kind == negator) {
			return w
		}
	}
	return ""
}

func hasPrefixOf(s string, beginnings ...string) bool {
	return slices.ContainsFunc(beginnings, func(b string) bool { return strings.HasPrefix(s, b) })
}
