package lifecycle

import (
	"strings"
	"testing"
	"unicode/utf8"
)

// FuzzMerge feeds the reader of statements with anything: it must end, and a
// merge must keep the evidence of both texts.
func FuzzMerge(f *testing.F) {
	for _, seed := range [][2]string{
		{"The port is 8080", "The port is not 9090."}, {"账本用 SQLite，不用 Postgres", "賬本改用`pg`"}, {"```\ncode; more\n```", "see https://a.b/c?d=e#f."},
		{"-5 €3,000.00 14:00", "不错、是不是？"}, {"a\x00b\xff", "\u202e don’t `open"}, {"", "\n\n"},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b string) {
		if len(a)+len(b) > comparedBytes || !utf8.ValidString(a) || !utf8.ValidString(b) {
			analyse(a)
			return
		}
		if strings.Contains(a+b, "``") {
			return // fences that are left open swallow what follows, as they do in Markdown
		}
		merged := Merge(a, b)
		have := map[string]bool{}
		for _, tok := range tokens(merged) {
			have[tok.text] = true
		}
		for _, source := range []string{a, b} {
			for _, tok := range tokens(source) {
				if tok.evidence() && !have[tok.text] {
					t.Fatalf("%q of %q is not in %q", tok.text, source, merged)
				}
			}
		}
	})
}

func FuzzNoise(f *testing.F) {
	f.Add("HEARTBEAT_OK")
	f.Add("好的")
	f.Fuzz(func(t *testing.T, s string) {
		m := stored("a", s)
		m.URI = ""
		if first, again := Noise(m), Noise(m); first != again || Classify(s) == "" || len([]rune(OneLine(m, 50))) > 50 {
			t.Fatalf("%q", s)
		}
	})
}
