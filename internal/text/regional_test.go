package text

import (
	"slices"
	"strings"
	"testing"
)

// TestRegionalWordsAreFoundEach looks every word of the table up, as it stands and in a sentence.
func TestRegionalWordsAreFoundEach(t *testing.T) {
	previous, count := "", 0
	for line := range strings.Lines(regionalWords) {
		word, mainland, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		if word <= previous {
			t.Fatalf("%q does not come after %q", word, previous)
		}
		for _, s := range []string{word, word + "很好", word + "a"} {
			if w, m := regionalWord(s); w != word && len(w) <= len(word) || w == word && m != mainland {
				t.Errorf("%q begins with %q = %q, not %q = %q", s, w, m, word, mainland)
			}
		}
		for other := range strings.SplitSeq(mainland, "/") {
			if missing := without(Index("我们的"+word), Index(other)); len(missing) > 0 {
				t.Errorf("%s is not found by %s: it lacks %q", word, other, missing)
			}
		}
		previous = word
		count++
	}
	if count < 600 {
		t.Errorf("%d words", count)
	}
}

func TestOrdinaryTextHasNoRegionalWords(t *testing.T) {
	for _, s := range []string{"", "一", "我们昨天去了公园", "ひらがなだけ", "データベースのバックアップ", "데이터베이스 백업", "龥龥龥"} {
		for i := range s {
			if word, mainland := regionalWord(s[i:]); word != "" {
				t.Errorf("%q holds %q = %q", s, word, mainland)
			}
		}
	}
}

// without returns the wanted that are not there.
func without(there, wanted []string) []string {
	return slices.DeleteFunc(slices.Clone(wanted), func(t string) bool { return slices.Contains(there, t) })
}

func BenchmarkIndexChinese(b *testing.B) {
	s := strings.Repeat("我们把旧的资料搬到了新的服务器上，下周二再检查备份有没有问题。", 4)
	b.ReportAllocs()
	for b.Loop() {
		Index(s)
	}
}
