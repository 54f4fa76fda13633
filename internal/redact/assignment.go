package redact

import "strings"

const (
	maxGap   = 8   // blanks and quotes on each side of an assignment sign
	maxValue = 256 // bytes of an assigned value
)

// assignment matches the value given to a name that means a secret:
// password=…, "api_key": "…", --token …, 密码是….
type assignment struct {
	password bool // judged as chosen by a person, not by a machine
	words    *vocabulary
}

// vocabulary holds the words that tell an assignment from prose about one.
type vocabulary struct {
	signs        []string // between a name and its value
	placeholders []string // beginnings of what stands for a value
	common       []string // words written where a password would stand
	kept         []string // what a password is like or where it is kept, in small letters
	bare         *charset // what an unquoted value is written in
}

func newVocabulary() *vocabulary {
	return &vocabulary{
		signs: []string{":=", "=>", "==", "=", ":", "：", "＝", ">", "is ", "is:", "was ", "to ",
			"设置为", "設定為", "设为", "設為", "设成", "設成", "改成了", "改成", "改为", "改為", "换成", "換成", "就是", "是", "为", "為"},
		placeholders: []string{markerOpen, "${", "{{", "<", "%(", "%{", "$(", "[", "@@", "process.env", "os.environ", "os.Getenv", "env.", "env("},
		common: []string{"pass", "secret", "token", "your", "example", "string", "require", "option", "config", "cred",
			"hash", "base64", "sha", "md5", "bcrypt", "argon", "utf-", "null", "none", "true", "false", "undefined", "empty",
			"hidden", "default", "change", "encrypted", "stored", "redacted", "input", "field", "self.", "this.", "args.", "req."},
		kept: []string{"vault", "bitwarden", "keychain", "kerberos", "varchar", "char", "text", "plain", "plaintext", "cleartext", "optional", "mandatory", "unknown", "same", "missing",
			"wrong", "invalid", "incorrect", "expired", "unchanged", "reset", "random", "scrypt", "oauth", "todo", "number", "ditto"},
		bare: newCharset("!", "#-&", "*", "+", "--:", "=", "?-Z", "^", "_", "a-z", "~"),
	}
}

func (m assignment) find(t scanned, at, after int) span {
	sign := m.words.separator(t.all, after)
	if sign.end == 0 {
		sign = flagSeparator(t.all, at, after)
	}
	if sign.end == 0 {
		return m.told(t, after)
	}
	v := m.words.valueAt(t.all, sign.end)
	v.sign = strings.TrimSpace(t.all[sign.start:sign.end])
	v.constant = constant(t.all, at, after)
	if m.words.placeholder(v.text) || !m.plausible(v) && !(m.password && v.word(t.all, after, m.words)) || m.folder(t.lower[at:after], v) {
		return span{}
	}
	return span{v.start, v.start + len(v.text)}
}

// folder reports whether a value is the working folder that pwd also stands for.
func (m assignment) folder(name string, v value) bool {
	return name == "pwd" && (strings.HasPrefix(v.text, "/") || strings.HasPrefix(v.text, "~") || strings.HasPrefix(v.text, "./"))
}

func (m assignment) plausible(v value) bool {
	if m.password {
		return v.passwordLike(m.words)
	}
	return v.keyLike()
}

// separator returns where the assignment sign after a name begins and where
// the value starts behind it; the zero span when there is none.
func (w *vocabulary) separator(s string, i int) span {
	i = skip(s, i, " \t\"'`*_\\")
	for _, sign := range w.signs {
		if strings.HasPrefix(s[i:], sign) {
			return span{i, secondSign(s, skip(s, i+len(sign), " \t*\\"))}
		}
	}
	return span{}
}

// secondSign skips the colon of "the password is: …" and "密码是：…".
func secondSign(s string, i int) int {
	for _, colon := range []string{":", "："} {
		if strings.HasPrefix(s[i:], colon) {
			return skip(s, i+len(colon), " \t*")
		}
	}
	return i
}

// flagSeparator accepts a blank as the sign of a command line flag (--password x).
func flagSeparator(s string, at, after int) span {
	start := at
	for start > 0 && at-start < 24 && (alnum(s[start-1]) || s[start-1] == '-') {
		start--
	}
	if !strings.HasPrefix(s[start:], "--") || after >= len(s) || s[after] != ' ' {
		return span{}
	}
	return span{after, skip(s, after, " ")}
}

func skip(s string, i int, set string) int {
	end := min(len(s), i+maxGap)
	for i < end && strings.IndexByte(set, s[i]) >= 0 {
		i++
	}
	return i
}

// value is what stands behind an assignment sign.
type value struct {
	text     string
	start    int
	quoted   bool
	constant bool // assigned to a variable of the environment
	sign     string
	next     byte // after the value, 0 at the end
}

func (w *vocabulary) valueAt(s string, i int) value {
	rest := s[i:min(len(s), i+maxValue)]
	if n := quoteLength(rest); n > 0 {
		return w.quotedValue(rest[n:], i+n)
	}
	text := rest[:w.bare.run(rest, 0, maxValue)]
	text = strings.TrimRight(text, ".:?")
	v := value{text: text, start: i}
	if i+len(text) < len(s) {
		v.next = s[i+len(text)]
	}
	return v
}

// quoteLength returns the length of the opening quotation mark at the start of s, or 0.
func quoteLength(s string) int {
	switch {
	case s == "":
		return 0
	case s[0] == '"' || s[0] == '\'' || s[0] == '`':
		return 1
	case strings.HasPrefix(s, "“") || strings.HasPrefix(s, "「") || strings.HasPrefix(s, "‘"):
		return len("“")
	}
	return 0
}

func (w *vocabulary) quotedValue(rest string, start int) value {
	end := strings.IndexAny(rest, "\"'`”」’\n\\")
	if end < 0 {
		end = w.bare.run(rest, 0, maxValue)
	}
	return value{text: rest[:end], start: start, quoted: true}
}

// traits counts what a value is made of.
type traits struct{ digits, letters, strong, joints, blanks, other int }

func (v value) traits() traits {
	var t traits
	for i := 0; i < len(v.text); i++ {
		switch b := v.text[i]; {
		case digit(b):
			t.digits++
		case alnum(b):
			t.letters++
		case strings.IndexByte("@#$%^&*!+=~?", b) >= 0:
			t.strong++
		case strings.IndexByte("-_./:", b) >= 0:
			t.joints++
		case b == ' ':
			t.blanks++
		default:
			t.other++
		}
	}
	return t
}

// passwordLike reports whether a person could have chosen v as a password,
// rather than written about passwords.
func (v value) passwordLike(w *vocabulary) bool {
	t := v.traits()
	switch {
	case len(v.text) < 4 || t.blanks > 0 || w.ordinary(v.text) || v.next == '(':
		return false
	case t.digits > 0 && t.letters+t.strong == 0:
		return t.joints == 0 // otherwise a date, a range, a version
	case t.digits > 0 || t.strong > 0 && t.letters > 0 && !v.exclaimed(t):
		return true
	case v.quoted:
		return len(v.text) >= 6
	}
	return v.sign == "=" && (len(v.text) >= 8 || v.constant && len(v.text) >= 6) && v.next != ',' && v.next != ')' && t.joints == 0
}

// exclaimed reports whether the only strong character ends the sentence.
func (v value) exclaimed(t traits) bool {
	return t.strong == 1 && strings.HasSuffix(v.text, "!")
}

// keyLike reports whether v looks drawn by a machine: long, mixed and with
// more entropy than words have.
func (v value) keyLike() bool {
	t := v.traits()
	if len(v.text) < 8 || t.digits == 0 || t.letters == 0 || t.blanks+t.other > 0 || v.next == '(' {
		return false
	}
	if words(v.text) || strings.Count(v.text, "/") > 2 || strings.HasPrefix(v.text, "/") || strings.HasPrefix(v.text, ".") {
		return false
	}
	if len(v.text) < 16 {
		return Entropy(v.text) >= 2.75
	}
	return Entropy(v.text) >= 3
}

// words reports whether s is a name made of words and short numbers, such as
// prod-secret-name-2.
func words(s string) bool {
	for _, part := range strings.FieldsFunc(s, func(r rune) bool { return strings.ContainsRune("-_./:=", r) }) {
		digits := strings.TrimLeft(part, "0123456789")
		mixed := digits != "" && digits != part || strings.ContainsAny(digits, "0123456789")
		if mixed || digits == "" && len(part) > 4 || len(part) > 16 {
			return false
		}
	}
	return true
}

// placeholder reports whether s stands for a secret without being one.
func (w *vocabulary) placeholder(s string) bool {
	if s == "" || strings.Trim(s, "*.xX•-_") == "" {
		return true
	}
	for _, p := range w.placeholders {
		if strings.HasPrefix(s, p) {
			return true
		}
	}
	return variable(s)
}

// variable reports whether s is a reference such as $DB_PASSWORD or %PASSWORD%.
func variable(s string) bool {
	if s[0] != '$' && s[0] != '%' {
		return false
	}
	name := strings.Trim(s, "%$")
	return len(name) > 2 && strings.Trim(name, "ABCDEFGHIJKLMNOPQRSTUVWXYZ_0123456789") == ""
}

// ordinary reports whether s is what documentation writes where a password would stand.
func (w *vocabulary) ordinary(s string) bool {
	s = lowerASCII(s)
	digits := strings.ContainsAny(s, "0123456789")
	for _, c := range w.common {
		if strings.HasPrefix(s, c) || !digits && strings.Contains(s, c) {
			return true
		}
	}
	return false
}
