// Package locale says in Chinese what the program decided in English. Reasons,
// notes and failures are made and stored in English, the same for every caller;
// what a person reads is put into the person's language here, at the edge.
package locale

import "strings"

// Chinese is the name of the one language besides English.
const Chinese = "zh"

// Sentence returns an English sentence of the program in a language. Of several
// forms that fit, one that begins with words of its own is meant (what stands in
// the gaps may be a sentence itself), and of those the one with the most. A sentence that
// is not known, or not ours, stays as it is.
func Sentence(language, english string) string {
	if language != Chinese || english == "" {
		return english
	}
	var best template
	var gaps []string
	for _, group := range groups() {
		for _, t := range group {
			if parts, matches := t.match(english); matches && (best.en == "" || t.weight() > best.weight()) {
				best, gaps = t, parts
			}
		}
	}
	if best.en == "" {
		return english
	}
	return best.fill(gaps) // once: what stands in a gap may have gaps itself
}

func groups() [][]template {
	return [][]template{
		guardSentences(), suspicionSentences(), planSentences(), runSentences(), failureSentences(), hintSentences(), findingSentences(), evaluationSentences(), fileFindings(), jobSentences(),
		settingFailures(), placeFailures(), valueFailures(), callFailures(), combinationFailures(), argumentFailures(), jsonFailures(), versionFindings(),
		importFailures(), fileFailures(), obstacleFailures(), databaseFailures(), serviceFailures(), conversationFailures(),
	}
}

// template is a sentence with gaps. {} in the English form is any text; {1} in
// the Chinese form is what stood in the first gap, {1!} the same, translated.
type template struct{ en, zh string }

const gap = "{}"

// weight is how much of the sentence the form itself says.
func (t template) weight() int {
	own := len(t.en) - len(gap)*strings.Count(t.en, gap)
	if !strings.HasPrefix(t.en, gap) {
		own += 1000
	}
	return own
}

// match returns what stands in the gaps.
func (t template) match(s string) (parts []string, matches bool) {
	if head, _, _ := strings.Cut(t.en, gap); !strings.HasPrefix(s, head) {
		return nil, false // most do not begin like it
	}
	literals := strings.Split(t.en, gap)
	rest, found := strings.CutPrefix(s, literals[0])
	if !found {
		return nil, false
	}
	for i, literal := range literals[1:] {
		last := i == len(literals)-2
		at := strings.Index(rest, literal)
		if last {
			at = len(rest) - len(literal)
			if at < 0 || !strings.HasSuffix(rest, literal) {
				return nil, false
			}
		}
		if at < 0 {
			return nil, false
		}
		parts = append(parts, rest[:at])
		rest = rest[at+len(literal):]
	}
	return parts, rest == ""
}

func (t template) fill(parts []string) string {
	pairs := make([]string, 0, 4*len(parts))
	for i, part := range parts {
		number := string(rune('1' + i))
		pairs = append(pairs, "{"+number+"}", part)
		if mark := "{" + number + "!}"; strings.Contains(t.zh, mark) {
			pairs = append(pairs, mark, Sentence(Chinese, part))
		}
	}
	return strings.NewReplacer(pairs...).Replace(t.zh)
}
