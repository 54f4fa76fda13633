package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/text"
)

// closeTopic is the Jaccard index of topics from which two statements speak of
// the same thing although neither says that anything changed.
const closeTopic = 0.5

// reversedTopic is the same for statements of which one denies the other: apart
// from the negation they must say nearly the same.
const reversedTopic = 0.6

// conflict tells why a newer statement replaces an older one; empty when it
// does not. topic is the share of the shorter one's terms that both must hold.
func conflict(newer, older statement, topic float64) string {
	if newer.asks || older.asks {
		return ""
	}
	if why := changedStatus(newer, older); why != "" {
		return why
	}
	if why := changedValue(newer, older); why != "" {
		return why
	}
	if !newer.negates() && !older.negates() {
		return "" // neither denies what the other affirms
	}
	if newer.tellsOfOnce(older) || ofAnotherPerson(newer, older) {
		return ""
	}
	if why := ended(newer, older); why != "" {
		return why
	}
	now, before := newer.stances().topic, older.stances().topic
	if contained(now, before) < topic || jaccard(now, before) < reversedTopic && !(saysOfChange(newer.folded()) && older.oneClause()) {
		return ""
	}
	if ceases(newer.folded()) && !ofOneSubject(newer, older) {
		return "" // what somebody else has given up
	}
	return reversed(newer, older)
}

// reversed looks for a term that one statement affirms and the other denies.
func reversed(newer, older statement) string {
	flipped := []string{}
	earlier := older.stances().topic
	for term, now := range newer.stances().topic {
		if before := earlier[term]; now == asAffirmed && before == asDenied || now == asDenied && before == asAffirmed {
			flipped = append(flipped, cmp.Or(newer.source[term], older.source[term], term))
		}
	}
	if len(flipped) == 0 {
		return ""
	}
	slices.Sort(flipped)
	return fmt.Sprintf("one affirms what the other denies (%s)", strings.Join(flipped[:min(3, len(flipped))], ", "))
}

// announcesChange reports whether a folded text says that something is different now.
func announcesChange(folded string) bool { return saysOfChange(folded) || ceases(folded) }

// saysOfChange looks for words that mean nothing else.
func saysOfChange(folded string) bool {
	for _, mark := range []string{
		"no longer", "anymore", "any more", "switched to", "switched from", "changed to", "changed from", "moved to",
		"replaced", "instead of", "rather than", "from now on",
		"不再", "改用", "改成", "改为", "换成", "换为", "换到", "换用", "迁移到", "迁到", "切换到", "切到", "转为", "而不是", "从此", "现在用",
	} {
		if strings.Contains(folded, mark) {
			return true
		}
	}
	return relocates(folded)
}

// relocates reports whether a text says that something was switched to something
// else: "switched the cache to Memcached".
func relocates(folded string) bool {
	words := strings.Fields(folded)
	for i, w := range words {
		if w == "switched" || w == "migrated" || w == "moved" || w == "changed" {
			return slices.Contains(words[i:min(len(words), i+relocated)], "to")
		}
	}
	return false
}

// relocated bounds the words of what is switched to something.
const relocated = 6

// changedValue looks for two statements with the same words around one value
// that differs, where there is only one such value at a time: "the port is 8080"
// and "the port is 9090".
func changedValue(newer, older statement) string {
	f, how := valueFrame(newer, older)
	if how != exclusive {
		return ""
	}
	return fmt.Sprintf("the value changed from %q to %q", older.said(f.before), newer.said(f.now))
}

// differingValue tells of two statements that may or may not exclude each other.
func differingValue(newer, older statement) string {
	f, how := valueFrame(newer, older)
	if how != doubtful || newer.asks || older.asks {
		return ""
	}
	return fmt.Sprintf("it says %q where that says %q", newer.said(f.now), older.said(f.before))
}

// valueFrame finds the one place in which two statements differ, and tells whether
// the values there exclude each other.
func valueFrame(newer, older statement) (frame, exclusion) {
	a, b := newer.plain(), older.plain()
	head := commonHead(a, b)
	tail := commonTail(a[head:], b[head:])
	f := frame{head: a[:head], tail: a[len(a)-tail:], now: a[head : len(a)-tail], before: b[head : len(b)-tail]}
	if head < 2 || tail > head+2 || !shortValue(f.now) || !shortValue(f.before) || agree(f.now, f.before) {
		return f, compatible
	}
	timed := partOfTime(f.now[0]) && partOfTime(f.before[0])
	for head > 1 && partOfTime(a[head-1]) { // of the same value, or beside it
		head--
	}
	f.head = a[:head]
	switch {
	case timed && takesPlace(f.head):
		return f, exclusive
	case f.amounts() && measured(f.head):
		return f, exclusive
	case f.ofNow(newer):
		return f, exclusive
	case !singleValued(f.head):
		return f, compatible
	}
	f.announced = newer.changes()
	return f, f.excludes()
}

// said writes a value as its statement does.
func (st statement) said(value []token) string {
	parts := make([]token, 0, len(value))
	for _, t := range value {
		if source := st.source[t.text]; source != "" && t.kind == number {
			t.text = source
		}
		if len(parts) == 0 || parts[len(parts)-1] != t {
			parts = append(parts, t)
		}
	}
	return asWritten(parts, st.text)
}

// corrected drops a first clause that only announces a correction: "no, …",
// "actually, …", "不对，…".
func corrected(list []token) []token {
	end := slices.IndexFunc(list, func(t token) bool { return t.kind == breaks })
	if end <= 0 {
		return list
	}
	switch strings.ReplaceAll(join(list[:end]), " ", "") {
	case "no", "actually", "wrong", "sorry", "wait", "correction", "notquite", "nowait", "infact",
		"不", "不对", "不是", "错了", "不对不对", "更正", "纠正", "更正一下", "纠正一下", "说错了", "其实":
		return list[end+1:]
	}
	return list
}

// plain drops clause ends, articles and the words that only mark the moment.
func plain(list []token) []token {
	kept := make([]token, 0, len(list))
	for i, t := range list {
		now := t.text == "在" && i > 0 && list[i-1].text == "现"
		if t.kind != breaks && !now && !skippable(t.text) {
			kept = append(kept, t)
		}
	}
	return kept
}

func skippable(w string) bool {
	switch w {
	case "the", "a", "an", "now", "currently", "our", "my", "should", "actually", "了", "现", "改", "已", "应", "该":
		return true
	}
	return false
}

func commonHead(a, b []token) int {
	n := 0
	for n < len(a) && n < len(b) && a[n].text == b[n].text {
		n++
	}
	return n
}

func commonTail(a, b []token) int {
	n := 0
	for n < len(a) && n < len(b) && a[len(a)-1-n].text == b[len(b)-1-n].text {
		n++
	}
	return n
}

// shortValue reports whether a run of tokens can be one value: up to two words
// or six characters, and no negation.
func shortValue(run []token) bool {
	size := 0
	for _, t := range run {
		if t.kind == negator {
			return false
		}
		if t.kind == character {
			size++
		} else if !moreExact(t) {
			size += 3
		} else {
			size = max(size, 1)
		}
	}
	return size > 0 && size <= 6
}

// singleValued reports whether what stands before a value says that there is one
// only. What is denied, or can be done, may be many things: "不要用 eval" and
// "不要用 goto" are two rules.
func singleValued(head []token) bool {
	words := make([]string, 0, 4)
	for _, t := range head[max(0, len(head)-4):] {
		if t.kind == negator || oneOfMany(t.text) {
			return false
		}
		words = append(words, t.text)
	}
	last := words[len(words)-1]
	if head[len(head)-1].kind == character {
		said := strings.Join(words, "")
		return !hasSuffixOf(said, "会用", "能用", "可用", "可以用", "也用", "常用", "也是", "喜欢在") && hasSuffixOf(said, "是", "为", "用", "叫", "在", "到", "住", "偏好", "等于", "选择", "选了", "默认", "版本", "端口",
			"预算", "密码", "生日", "年龄", "价格")
	}
	switch last {
	case "is", "are", "was", "equals", "prefers", "prefer", "uses", "use", "using", "named", "called", "chose", "default", "port", "version",
		"limit", "timeout", "budget", "deadline", "price", "birthday", "age", "address", "owner", "works", "lives", "currently":
		return true
	case "in", "at", "for", "to", "on", "with":
		return settles(words)
	}
	return false
}

// oneOfMany reports a word after which a value is one among others.
func oneOfMany(w string) bool {
	switch w {
	case "can", "could", "may", "might", "also", "sometimes", "often":
		return true
	}
	return false
}

// settles reports whether a preposition follows a word of which a person or
// thing has one at a time: lives in, works for, runs on.
func settles(words []string) bool {
	if len(words) < 2 {
		return false
	}
	last := words[len(words)-1]
	switch words[len(words)-2] {
	case "works", "work", "working": // at or for somebody; what and whom one works on and with may be many
		return last != "on" && last != "with"
	case "lives", "live", "living", "moved", "based", "located", "hosted", "runs", "run", "running", "switched",
		"set", "scheduled", "due", "assigned", "belongs", "born", "deployed", "defaults", "listens", "equal", "port":
		return true
	}
	return false
}

// takesPlace reports whether what stands before a time says that something is then.
func takesPlace(head []token) bool {
	if len(head) < 2 {
		return false
	}
	switch last, before := head[len(head)-1].text, head[len(head)-2].text; last {
	case "at", "on":
		return before == "is" || before == "starts" || before == "begins"
	}
	return false
}

func hasSuffixOf(s string, endings ...string) bool {
	for _, e := range endings {
		if strings.HasSuffix(s, e) {
			return true
		}
	}
	return false
}

// changedStatus looks for two statements about one thing of which one says that
// it is under way (or on) and the other that it is over (or off).
func changedStatus(newer, older statement) string {
	now := newer.status()
	if now.word == "" {
		return ""
	}
	before := older.status()
	if before.word == "" || now.kind != before.kind || now.done == before.done {
		return ""
	}
	gone := slices.Compact(slices.Sorted(slices.Values(append(text.Index(now.word), text.Index(before.word)...))))
	if jaccardWithout(newer.stances().topic, older.stances().topic, gone) < closeTopic {
		return ""
	}
	return fmt.Sprintf("the status changed from %q to %q", before.word, now.word)
}

// jaccardWithout is jaccard of two sets from which some terms, each named once, are taken.
func jaccardWithout[V any](a, b map[string]V, gone []string) float64 {
	both, one := common(a, b), len(a)+len(b)
	for _, term := range gone {
		_, inA := a[term]
		_, inB := b[term]
		switch {
		case inA && inB:
			both, one = both-1, one-2
		case inA || inB:
			one--
		}
	}
	if both == 0 {
		return 0
	}
	return float64(both) / float64(one-both)
}
