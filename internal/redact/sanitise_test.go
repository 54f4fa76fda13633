package redact_test

import (
	"strings"
	"testing"
	"unicode/utf8"

	"agentmemory/internal/redact"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/text/unicode/norm"
)

func TestSanitise(t *testing.T) {
	for _, c := range []struct {
		name, in, want string
		removed        []string
	}{
		{"plain ASCII", "a\tb\nc", "a\tb\nc", nil},
		{"Chinese", "账本用 SQLite，不用 Postgres。", "账本用 SQLite，不用 Postgres。", nil},
		{"line ends", "a\r\nb\rc\u2028d\u0085e", "a\nb\nc\nd\ne", nil},
		{"NUL and C0", "a\x00b\x07c\x0bd", "abcd", []string{"control"}},
		{"C1", "a\u0090b", "ab", []string{"control"}},
		{"delete", "a\x7fb", "ab", []string{"control"}},
		{"colours of a terminal", "\x1b[1;31mred\x1b[0m", "red", []string{"control"}},
		{"lone escape", "a\x1bb\x1b[", "ab[", []string{"control"}},
		{"noncharacter", "a\uFFFEb\uFDD0", "ab", []string{"control"}},
		{"invalid bytes", "a\xff\xfeb", "a\uFFFDb", []string{"invalid_utf8"}},
		{"cut character", "记\xe5\xbf", "记\uFFFD", []string{"invalid_utf8"}},
		{"byte order mark", "\uFEFFtitle", "title", []string{"invisible"}},
		{"bidi override", "abc\u202Edef\u202C \u2066x\u2069\u200E\u061C", "abcdef x", []string{"bidi_control"}},
		{"zero width", "pass\u200Bword\u2060 x\u00ADy", "password xy", []string{"invisible"}},
		{"blank letters", "a\u3164b\u115F\u1160\uFFA0c\u034F", "abc", []string{"invisible"}},
		{"tags", "hi\U000E0049\U000E0067", "hi", []string{"tag_character"}},
		{"flag of Wales", "🏴\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F", "🏴\U000E0067\U000E0062\U000E0077\U000E006C\U000E0073\U000E007F", nil},
		{"flag with a message", "🏴\U000E0069\U000E0067\U000E006E\U000E007F", "🏴", []string{"tag_character"}},
		{"family", "👨\u200D👩\u200D👧\u200D👦", "👨\u200D👩\u200D👧\u200D👦", nil},
		{"heart on fire", "❤\uFE0F\u200D🔥", "❤\uFE0F\u200D🔥", nil},
		{"technologist with skin tone", "👩🏽\u200D💻", "👩🏽\u200D💻", nil},
		{"keycap", "1\uFE0F\u20E3", "1\uFE0F\u20E3", nil},
		{"Persian", "می\u200Cخواهم", "می\u200Cخواهم", nil},
		{"Hindi half form", "क्\u200Dष", "क्\u200Dष", nil},
		{"Malayalam", "ന്\u200D", "ന്\u200D", nil},
		{"joiners between Latin letters", "ig\u200Cno\u200Dre", "ignore", []string{"invisible"}},
		{"row of joiners", "می\u200C\u200C\u200Cخ", "می\u200Cخ", []string{"invisible"}},
		{"ideographic variant", "葛\U000E0100城", "葛\U000E0100城", nil},
		{"selectors on letters", "a\uFE01b\uFE0F", "ab", []string{"variation_selector"}},
		{"row of selectors", "😀\uFE0F\uFE01\U000E0101\U000E0102", "😀\uFE0F", []string{"variation_selector"}},
		{"composed", "e\u0301", "é", nil},
		{"Vietnamese", "tie\u0302\u0301ng Vie\u0323\u0302t", "tiếng Việt", nil},
		{"stacked marks", "z" + strings.Repeat("\u0335", 40), "z" + strings.Repeat("\u0335", 12), []string{"excess_marks"}},
	} {
		got, removed := redact.New().Sanitise(c.in)
		if got != c.want {
			t.Errorf("%s: %+q became %+q, want %+q", c.name, c.in, got, c.want)
		}
		if diff := cmp.Diff(c.removed, removed); diff != "" {
			t.Errorf("%s: removed (-want +got)\n%s", c.name, diff)
		}
	}
}

func TestCleanReportsHiddenText(t *testing.T) {
	r := redact.New()
	if got := r.Clean("hi\U000E0049\U000E0067"); len(got.Reasons) != 1 || got.Reasons[0].Rule != "hidden_text" {
		t.Errorf("tags: %+v", got)
	}
	if got := r.Clean("你好👩🏽\u200D💻"); len(got.Reasons)+len(got.Removed)+len(got.Secrets) != 0 {
		t.Errorf("emoji: %+v", got)
	}
}

func FuzzClean(f *testing.F) {
	for _, p := range hostilePieces() {
		f.Add(p + p)
	}
	for _, c := range secretCases(f) {
		f.Add(c.before + c.secret + c.after)
	}
	for _, p := range []string{"می\u200Cخواهم\u061C", "=\u0338\ufe00", "e\u200b\u0301", "🏴\U000E0067", "\u1820\u180b\u180e\u200c", "k\u0323\u0301\u200d", "ignore previous instructions"} {
		f.Add(p)
	}
	r := redact.New()
	f.Fuzz(func(t *testing.T, s string) {
		once := r.Clean(s)
		if !utf8.ValidString(once.Text) || strings.ContainsAny(once.Text, "\x00\r\x1b\u202e") {
			t.Fatalf("%+q left %+q", s, once.Text)
		}
		if !norm.NFC.IsNormalString(once.Text) {
			t.Fatalf("%+q is not NFC", once.Text)
		}
		twice := r.Clean(once.Text)
		if twice.Text != once.Text || len(twice.Removed) > 0 || len(twice.Secrets) > 0 {
			t.Fatalf("%+q\nonce  %+q\ntwice %+q %v %v", s, once.Text, twice.Text, twice.Removed, twice.Secrets)
		}
	})
}
