package rank

import (
	"slices"
	"strings"
	"unicode/utf8"

	"agentmemory/internal/text"
)

// What the words of one line weigh in a piece of conversation with an assistant
// that is given as a question.
const (
	replied = 0.5 // of the assistant
	latest  = 1.5 // of what the person said last: it is what the talk has come to
)

// utterance is one line of a question: mostly the only one.
type utterance struct {
	text    string
	speaker string // as it is labelled; "" for none
	weight  float64
}

// utterances cuts a question into its lines. converses tells whether they are a
// conversation with an assistant.
func utterances(question string) (lines []utterance, converses bool) {
	last := -1
	for line := range strings.Lines(question) {
		u := utterance{text: line, speaker: labelOf(line), weight: 1}
		switch {
		case isAssistant(u.speaker):
			u.weight = replied
			converses = true
		case u.speaker != "":
			last = len(lines)
		}
		lines = append(lines, u)
	}
	if converses && last >= 0 {
		lines[last].weight = latest
	}
	return lines, converses
}

// labelOf returns the folded name before what somebody says, or "".
func labelOf(line string) string {
	label, _, found := strings.Cut(line, ":")
	if !found {
		label, _, found = strings.Cut(line, "：")
	}
	if !found || len(label) > maxLabel {
		return ""
	}
	return strings.Trim(text.Fold(label), " \t<>[]()*-\"")
}

// maxLabel is the greatest length, in bytes, of such a name.
const maxLabel = 40

func isAssistant(label string) bool {
	switch label {
	case "assistant", "ai", "bot", "agent", "model", "助手", "助理", "机器人", text.Fold("アシスタント"), text.Fold("어시스턴트"):
		return true
	}
	return false
}

// people returns the terms of the names of the persons who speak in a
// conversation: what is remembered of them matters, more than of others.
func people(lines []utterance) map[string]bool {
	names := map[string]bool{}
	for _, u := range lines {
		if u.speaker == "" || isAssistant(u.speaker) || isRole(u.speaker) {
			continue
		}
		for _, t := range nameTerms(u.speaker) {
			names[t] = true
		}
	}
	return names
}

// isRole reports whether a label names no person.
func isRole(label string) bool {
	switch label {
	case "user", "human", "me", "you", "system", "tool", "client", "customer", "用户", "使用者", "我", "你", "人类", "系统", "工具", "客户", text.Fold("ユーザー"), text.Fold("사용자"):
		return true
	}
	return false
}

// nameTerms returns the terms by which a name is known: its words, or pairs of its
// characters, of which a single one stands in many names.
func nameTerms(name string) []string {
	terms := text.Index(name)
	if pairs := slices.DeleteFunc(slices.Clone(terms), func(t string) bool { return utf8.RuneCountInString(t) == 1 }); len(pairs) > 0 {
		return pairs
	}
	return terms
}
