package redact

import "strings"

// maxBetween is how many bytes may stand between the name of a password and its
// value in a sentence: "the password for the router is …".
const maxBetween = 48

// told finds a password that no sign assigns: "密码 abc…", "密码「…」", "the
// password of the router is …". What stands there must look drawn, because people
// also write about passwords.
func (m assignment) told(t scanned, after int) span {
	if !m.password {
		return span{}
	}
	i := skip(t.all, after, " \t")
	if t.all[after-1] < 0x80 {
		if i = behindOwner(t.all, after); i == 0 {
			return span{}
		}
	} else if v := m.dialled(t, after); !v.empty() {
		return v
	}
	v := m.words.valueAt(t.all, i)
	if m.words.placeholder(v.text) || !v.passwordLike(m.words) || !v.drawn() {
		return span{}
	}
	return span{v.start, v.start + len(v.text)}
}

// behindOwner returns where the value begins of a password of which a text says
// for what it is, 0 if it does not.
func behindOwner(s string, after int) int {
	rest := s[after:min(len(s), after+maxBetween)]
	if !strings.HasPrefix(rest, " for ") && !strings.HasPrefix(rest, " of ") {
		return 0
	}
	if end := strings.IndexAny(rest, ".,;!?\n"); end >= 0 {
		rest = rest[:end]
	}
	for _, sign := range []string{" is ", ": "} {
		if at := strings.Index(rest, sign); at >= 0 {
			return skip(s, after+at+len(sign), " \t*")
		}
	}
	return 0
}

// drawn reports whether a value is rather a password than a word or a measure
// beside one: quoted, of letters and digits in one piece, or six digits.
func (v value) drawn() bool {
	t := v.traits()
	switch {
	case v.quoted:
		return t.digits > 0
	case t.joints > 0 || t.other > 0 || len(v.text) < 6:
		return false
	case t.letters == 0:
		return t.strong == 0 && len(v.text) == 6
	}
	return t.digits > 0 && v.text != strings.ToUpper(v.text)
}

// word reports whether a word of letters alone is the password that a Chinese
// clause names ("密码：sunshine", "口令是 opensesame"): nothing follows in the
// clause, and it is none of the words that tell of what kind a password is, or
// where it is kept.
func (v value) word(s string, after int, w *vocabulary) bool {
	if s[after-1] < 0x80 {
		return false
	}
	t := v.traits()
	if t.letters < 4 || t.letters+t.joints < len(v.text) || strings.ContainsAny(v.text, "./:") || w.ordinary(v.text) {
		return false
	}
	if len(v.text) <= 5 && v.text == strings.ToUpper(v.text) {
		return false // LDAP
	}
	lower := lowerASCII(v.text)
	for _, k := range w.kept {
		if lower == k {
			return false
		}
	}
	return clauseEnds(s, v.start+len(v.text))
}
