package redact

import "strings"

const (
	leastPIN  = 4
	mostPIN   = 8
	indianPIN = 6 // digits of a postal index number
)

// pin matches the digits of a PIN or PUK: "PIN 4711", "the pin is 4711",
// "PIN码：4711". Other than in capitals it has other meanings: a sign must stand
// between and the clause must end behind it.
type pin struct {
	words  *vocabulary
	owners []string // what has a PIN of six digits; others are postal codes
}

func (m pin) find(t scanned, at, after int) span {
	if at > t.from && alnum(t.all[at-1]) || after >= len(t.all) || alnum(t.all[after]) {
		return span{}
	}
	name := t.all[at:after]
	strict := name != "PIN" && name != "PUK"
	i := after
	for _, more := range []string{"码", " 码", "碼", " code", " Code", " number"} {
		if strings.HasPrefix(t.all[after:], more) {
			i, strict = after+len(more), strict && more[0] == ' ' && more != " 码"
			break
		}
	}
	sign := m.words.separator(t.all, i)
	if end := behindOwner(t.all, i); end > 0 {
		sign = span{i, end}
	}
	if sign.end == 0 && !strict {
		sign.start, sign.end = i, skip(t.all, i, " \t\"'")
	}
	if sign.end == 0 || strings.HasPrefix(t.all[sign.start:], ">") {
		return span{}
	}
	v := m.words.digits(t.all, sign.end)
	if v.empty() || strict && !clauseEnds(t.all, v.end) {
		return span{}
	}
	if v.end-v.start == indianPIN && strings.Trim(t.all[sign.start:v.start], " :：") == "" && !holdsAny(t.lower[max(t.from, at-24):at], m.owners) {
		return span{}
	}
	return v
}

// digits returns the four to eight digits that stand at position i, quoted or
// not; signs of a key pad behind them belong to them.
func (w *vocabulary) digits(s string, i int) span {
	i += quoteLength(s[i:])
	end := i
	for end < len(s) && digit(s[end]) {
		end++
	}
	if end-i < leastPIN || end-i > mostPIN {
		return span{}
	}
	if end < len(s) && (s[end] == '#' || s[end] == '*') {
		end++
	}
	if goesOn(s, end) || end < len(s) && strings.IndexByte("%:", s[end]) >= 0 {
		return span{}
	}
	return span{i, end}
}

// dialled finds the digits that follow the Chinese word for a password without
// a sign: "门禁密码 1234". A year or a day there rather tells when.
func (m assignment) dialled(t scanned, after int) span {
	v := m.words.digits(t.all, skip(t.all, after, " \t"))
	if v.empty() || !clauseEnds(t.all, v.end) {
		return span{}
	}
	text := t.all[v.start:v.end]
	if calendar(text) || len(text) == 4 && (text[:2] == "19" || text[:2] == "20") {
		return span{}
	}
	return v
}

// clauseEnds reports whether nothing of the same clause follows position i.
func clauseEnds(s string, i int) bool {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	if i == len(s) || strings.IndexByte(",;!?)\n\"'`]}|<", s[i]) >= 0 {
		return true
	}
	if s[i] == '.' {
		return i+1 == len(s) || s[i+1] == ' ' || s[i+1] == '\n'
	}
	for _, sign := range []string{"，", "。", "；", "、", "！", "？", "）", "」", "”", "』", "…"} {
		if strings.HasPrefix(s[i:], sign) {
			return true
		}
	}
	return false
}
