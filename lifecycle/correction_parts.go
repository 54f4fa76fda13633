package lifecycle

import (
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/text"
)

// A value is often made of parts: "Thursday 3 pm", "周五上午十点", "64 GB". A
// correction names those that change, and one of the same kind in the earlier
// statement gives way.

// partKind says of what kind a part of a value is; a quantity's is its unit.
type partKind string

const (
	weekday  partKind = "weekday"
	date     partKind = "date"
	clock    partKind = "clock"
	daypart  partKind = "part of the day"
	quantity partKind = "number"
)

// part is a piece of a value, and where it stands.
type part struct {
	kind    partKind
	at, end int
	text    string  // folded, without spaces
	form    []token // its value in one form
	within  bool    // a part of the day that only tells of the clock behind it
}

// same reports whether two parts are one value, whatever way each is written in.
func (p part) same(q part) bool {
	if len(p.form) > 0 && len(q.form) > 0 {
		return agree(p.form, q.form)
	}
	return p.text == q.text
}

// partsIn finds the parts of values in a run of tokens, in order.
func partsIn(run []token) []part {
	var found []part
	for i := 0; i < len(run); {
		kind, n := partAt(run[i:])
		if n == 0 {
			i++
			continue
		}
		var b strings.Builder
		for _, t := range run[i : i+n] {
			b.WriteString(t.text)
		}
		p := part{kind: kind, at: i, end: i + n, text: b.String()}
		from := i
		if last := len(found) - 1; kind == clock && last >= 0 && found[last].kind == daypart && found[last].end == i {
			from, found[last].within = found[last].at, true
		}
		p.form = formOf(run[from : i+n])
		found = append(found, p)
		i += n
	}
	return found
}

// formOf is the value that a run of tokens is, in one form; none if it is more
// than one value.
func formOf(run []token) []token {
	parts, n := valueAt(run)
	if n != len(run) {
		return nil
	}
	var form []token
	for _, p := range parts {
		form = append(form, token{kind: number, text: p})
	}
	return form
}

func partAt(run []token) (partKind, int) {
	if n := weekdayAt(run); n > 0 {
		return weekday, n
	}
	if n := dateAt(run); n > 0 {
		return date, n
	}
	if n := clockAt(run); n > 0 {
		return clock, n
	}
	if n := daypartAt(run); n > 0 {
		return daypart, n
	}
	if run[0].kind == number {
		unit, n := unitAt(run[1:])
		return quantity + partKind(" "+unit), 1 + n
	}
	return "", 0
}

func textAt(run []token, i int) string {
	if i >= len(run) {
		return ""
	}
	return run[i].text
}

// weekdayAt: 周五, 下周二, 星期天; Friday, next Tuesday.
func weekdayAt(run []token) int {
	i := 0
	for slices.Contains([]string{"上", "下", "本", "这", "next", "this", "last"}, textAt(run, i)) {
		i++
	}
	switch textAt(run, i) {
	case "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
		"mondays", "tuesdays", "wednesdays", "thursdays", "fridays", "saturdays", "sundays":
		return i + 1
	case "周":
		i++
	case "星", "礼":
		if next := textAt(run, i+1); next != "期" && next != "拜" {
			return 0
		}
		i += 2
	default:
		return 0
	}
	if day := textAt(run, i); day != "" && strings.Contains("一二三四五六日天末", day) {
		return i + 1
	}
	return 0
}

// dateAt: 3月5日, 八月十五, 15号; March 5, 5 March, June 30th; 2026-12-31.
func dateAt(run []token) int {
	if run[0].kind == number && (strings.Count(run[0].text, "-") == 2 || strings.Count(run[0].text, "/") == 2) {
		return 1
	}
	if monthName(run[0].text) && len(run) > 1 && run[1].kind == number {
		return 2
	}
	if run[0].kind != number {
		return 0
	}
	switch next := textAt(run, 1); {
	case monthName(next):
		return 2
	case next == "月" && len(run) > 2 && run[2].kind == number:
		if end := textAt(run, 3); end == "日" || end == "号" {
			return 4
		}
		return 3
	case next == "日" || next == "号":
		return 2
	}
	return 0
}

func monthName(w string) bool {
	return slices.Contains([]string{"january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november", "december",
		"jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec"}, w)
}

// clockAt: 九点半, 9点30分, 14:00; 3 pm, 9:30 am.
func clockAt(run []token) int {
	if run[0].kind != number {
		return 0
	}
	half := func(w string) bool { return w == "am" || w == "pm" }
	switch first, next := run[0].text, textAt(run, 1); {
	case half(next):
		return 2
	case strings.Contains(first, ":"), strings.HasSuffix(first, "am"), strings.HasSuffix(first, "pm"):
		return 1
	case next != "点":
		return 0
	case textAt(run, 2) == "半" || textAt(run, 2) == "整" || textAt(run, 2) == "钟":
		return 3
	case len(run) > 2 && run[2].kind == number:
		if textAt(run, 3) == "分" {
			return 4
		}
		return 3
	}
	return 2
}

// daypartAt: 上午, 凌晨; morning, noon.
func daypartAt(run []token) int {
	switch run[0].text {
	case "morning", "afternoon", "evening", "noon", "midnight", "night":
		return 1
	}
	if len(run) > 1 && slices.Contains([]string{"上午", "下午", "早上", "晚上", "中午", "凌晨", "傍晚", "夜里", "早晨"}, run[0].text+run[1].text) {
		return 2
	}
	return 0
}

// unitAt returns the unit after a number: 元, 小时; GB, seconds.
func unitAt(rest []token) (unit string, n int) {
	if len(rest) == 0 {
		return "", 0
	}
	if rest[0].kind == character {
		if two := rest[0].text + textAt(rest, 1); slices.Contains([]string{"小时", "分钟", "公里", "美元", "欧元", "港币"}, two) {
			return two, 2
		}
		if strings.Contains("元块楼层个人台次分秒天周年月岁度米页条倍折吨斤升", rest[0].text) {
			return rest[0].text, 1
		}
		return "", 0
	}
	if (rest[0].kind == word || rest[0].kind == name) && !functionWord(rest[0].text) && !choiceWord(rest[0].text) {
		return strings.ToLower(rest[0].text), 1
	}
	return "", 0
}

// values are the parts that a correction gives and rejects, and the terms of
// what it is about besides.
type values struct {
	now, was []part
	about    []string
	heads    []string // the terms among them that stand before a value in its clause
	given    []string // the terms of the value that is chosen, if it is a short one
}

// valuesOf reads the clauses of a correction.
func valuesOf(clauses [][]token) values {
	var v values
	for _, clause := range clauses {
		at := denial(clause)
		v.now = append(v.now, partsIn(clause[:at])...)
		v.was = append(v.was, partsIn(clause[at:])...)
	}
	return v
}

func (v *values) setAbout(clauses [][]token, indexer *text.Indexer) {
	for _, clause := range clauses {
		v.about = append(v.about, aboutTerms(clause, indexer)...)
		if parts := partsIn(clause); len(parts) > 0 {
			v.heads = append(v.heads, aboutTerms(clause[:parts[0].at], indexer)...)
		}
	}
}

// aboutTerms are the terms of what stands around the values, apart from the
// words that only arrange something.
func aboutTerms(clause []token, indexer *text.Indexer) []string {
	var terms []string
	parts := partsIn(clause)
	from := 0
	flush := func(end int) {
		if run := clause[from:end]; len(run) == 1 && run[0].kind == character {
			terms = append(terms, run[0].text) // of 请假, 请 only asks
		}
		terms = append(terms, topicTerms(clause[from:end], indexer)...)
	}
	for i := 0; i < len(clause); {
		n := arrangingAt(clause[i:])
		if len(parts) > 0 && parts[0].at == i {
			n = parts[0].end - i
			parts = parts[1:]
		}
		if n == 0 {
			i++
			continue
		}
		flush(i)
		i += n
		for len(parts) > 0 && parts[0].at < i {
			parts = parts[1:]
		}
		from = i
	}
	flush(len(clause))
	return terms
}

// arrangingAt returns how many tokens a run begins with that choose, deny, or
// say that something is set for a time.
func arrangingAt(run []token) int {
	if n := negligibleAt(run); n > 0 {
		return n
	}
	switch run[0].text {
	case "scheduled", "moved", "moves", "move", "set", "planned", "held", "happens", "starts", "takes", "place", "booked", "correct", "right":
		return 1
	}
	if run[0].kind != character {
		return 0
	}
	if len(run) > 1 && slices.Contains([]string{"安排", "定在", "定于", "定为", "改到", "挪到", "推到", "移到", "约在", "订的", "买的", "才对", "提前", "推迟", "每天"}, run[0].text+run[1].text) {
		return 2
	}
	if strings.Contains("在到于约订买定改挪为叫从那个应", run[0].text) {
		return 1
	}
	return 0
}

// covered reports whether an earlier statement speaks of all that a correction is
// about, but for the given terms.
func (v values) covered(old statement, given []string) bool {
	return allIn(old, slices.DeleteFunc(slices.Clone(v.about), func(term string) bool { return slices.Contains(given, term) }))
}

func allIn(old statement, terms []string) bool {
	topic := old.stances().topic
	return !slices.ContainsFunc(terms, func(term string) bool {
		_, stands := topic[term]
		return !stands && !(singleCharacter(term) && strings.Contains(old.folded(), term))
	})
}

// ofAnother reports whether it puts a part for another, but names something else
// before it.
func (v values) ofAnother(old statement) bool {
	return len(v.now) > 0 && len(v.was) > 0 && !allIn(old, v.heads)
}

// replaces tells why the parts of a correction replace those of an earlier
// statement: each that it rejects stands there as the last of its kind, one that
// it gives is of a kind that stands there, with another text, and both speak of
// the same. Where nothing is rejected, it must be known how the correction refers
// to the statement.
func (v values) replaces(old statement, how reference) string {
	if len(v.now) == 0 || len(v.was) == 0 && how == unclear || !v.covered(old, nil) {
		return ""
	}
	stands := lastOfKinds(partsIn(old.tokens))
	for _, p := range v.was {
		if !p.within && !stands[p.kind].same(p) {
			return ""
		}
	}
	for _, p := range v.now {
		before, same := stands[p.kind]
		if !same || before.same(p) || len(v.was) > 0 && !v.rejects(p.kind) {
			continue
		}
		if len(v.was) > 0 {
			return fmt.Sprintf("it rejects %q, which was chosen there", before.text)
		}
		if how == bySubject {
			return fmt.Sprintf("it puts %q for %q of the same subject", p.text, before.text)
		}
		return fmt.Sprintf("it puts %q for %q in the same conversation", p.text, before.text)
	}
	return ""
}

func (v values) rejects(kind partKind) bool {
	return slices.ContainsFunc(v.was, func(p part) bool { return p.kind == kind })
}

// lastOfKinds: of "from Wednesday to Thursday", Thursday holds.
func lastOfKinds(parts []part) map[partKind]part {
	last := map[partKind]part{}
	for _, p := range parts {
		last[p.kind] = p
	}
	return last
}

// terms are those by which the store finds statements that hold what is rejected.
func (v values) terms() []string {
	var terms []string
	for _, p := range v.was {
		terms = append(terms, text.Index(p.text)...)
	}
	return terms
}

// sameFrame tells why a correction replaces a statement from which it differs in
// one place only, by the value that it rejects: "Priya owns billing, not Dana".
func (c Correction) sameFrame(old statement) string {
	if len(c.rejected) == 0 {
		return ""
	}
	then := plain(corrected(old.tokens))
	for _, said := range c.affirmed {
		now, before, frame := differing(plain(said), then)
		if len(meaningful(frame)) < 2 || !shortValue(now) || !shortValue(before) {
			continue
		}
		for _, value := range c.rejected {
			if sameTokens(value, before) {
				return fmt.Sprintf("it rejects %q, which was chosen there", asWritten(value, old.text))
			}
		}
	}
	return ""
}

// differing splits two runs into what differs between them and what frames it.
func differing(a, b []token) (now, before, frame []token) {
	head := commonHead(a, b)
	tail := commonTail(a[head:], b[head:])
	frame = append(slices.Clone(a[:head]), a[len(a)-tail:]...)
	return a[head : len(a)-tail], b[head : len(b)-tail], frame
}
