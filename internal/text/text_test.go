package text

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"

	"github.com/blevesearch/snowballstem"
	"github.com/blevesearch/snowballstem/english"
	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
)

func TestIndex(t *testing.T) {
	tests := []struct{ name, in, want string }{
		{"stems and stop words", "The dogs were running to the stations", "dog run station"},
		{"only stop words are kept", "to be or not to be", "not"},
		{"nothing but stop words", "Who are you?", "who are you"},
		{"irregular forms", "They bought mice and wrote; buying, mouse, write", "buy mous write buy mous write"},
		{"possessive", "Anna's brother’s car", "anna brother car"},
		{"contraction is a stop word", "we don't know", "know"},
		{"accents", "Café Zürich naïve Ångström", "cafe zurich naiv angstrom"},
		{"full width", "ＡＢＣ１２３", "abc123 abc"},
		{"half width kana", "ｶﾞｲﾄﾞ", "が がい い いど ど"},
		{"kana folding", "サーバ", "さ さー ー ーば ば"},
		{"traditional", "圖書館", "图 图书 书 书馆 馆"},
		{"Taiwan's word is found by the mainland's", "資料庫", "资 资料 料 料库 库 数 数据 据 据库"},
		{"the longest regional word counts", "程式碼沒有", "程 程式 式 式码 码 码没 没 没有 有 代 代码"},
		{"several words of the mainland", "計程車", "计 计程 程 程车 车 出 出租 租 租车 的 的士 士"},
		{"characters and pairs", "数据库", "数 数据 据 据库 库"},
		{"mixed scripts", "用Go写的DB", "用 go 写 写的 的 db"},
		{"punctuation parts characters", "你好，世界", "你 你好 好 世 世界 界"},
		{"Korean", "데이터를", "데 데이 이 이터 터 터를 를"},
		{"camel case", "parseHTTPHeader", "parsehttpheader pars http header"},
		{"snake case", "max_open_conns", "max_open_conns max open conn"},
		{"path", "internal/text/fold.go", "internal/text/fold.go intern text fold.go fold go"},
		{"ticket", "PROJ-1234", "proj-1234 proj 1234"},
		{"version", "v1.2.3", "v1.2.3 1.2.3 v1 2 3"},
		{"thousands", "10,000 rows", "10,000 10000 10 000 row"},
		{"a hyphen that some leave out", "Wi-Fi, wifi; e-mails, email", "wi-fi wi fi wifi wifi e-mails e mail email email"},
		{"two whole words", "dairy-free", "dairy-free dairi free"},
		{"URL", "https://example.com/a_b?x=1", "https://example.com/a_b?x=1 https example.com exampl com a_b b x 1"},
		{"mail address", "ann@example.org", "ann@example.org ann example.org exampl org"},
		{"C++ namespace", "std::vector", "std::vector std vector"},
		{"letters before digits", "python3", "python3 python"},
		{"zero width characters vanish", "pass\u200bword 数\u200b据", "password 数 数据 据"},
		{"emoji", "party 🎉!", "parti 🎉"},
		{"sentence end is no connector", "Done.Next", "done.next do next"},
		{"empty", "", ""},
		{"control characters", "a1\x00b2\x1b", "a1 b2"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, strings.Join(Index(tt.in), " ")); d != "" {
				t.Errorf("Index(%q) (-want +got):\n%s", tt.in, d)
			}
		})
	}
}

func TestIndexFindsTheEndOfLongText(t *testing.T) {
	for _, end := range []string{"zymurgy", "末尾词语"} {
		long := strings.Repeat("filler words 填充文字 ", 700) + end
		have := map[string]bool{}
		for _, term := range Index(long) {
			have[term] = true
		}
		for _, term := range Index(end) {
			if !have[term] {
				t.Errorf("term %q at the end of %d bytes is missing", term, len(long))
			}
		}
	}
}

func TestIndexBoundsTerms(t *testing.T) {
	for _, in := range []string{strings.Repeat("a", 5000), strings.Repeat("a.", 5000), strings.Repeat("长", 500), strings.Repeat("é", 4000)} {
		for _, term := range Index(in) {
			if len(term) > maxWhole {
				t.Errorf("a term of %d bytes", len(term))
			}
		}
	}
}

func TestFold(t *testing.T) {
	tests := []struct{ in, want string }{
		{"ＡＢＣ　Ｄ", "abc d"},
		{"後臺發髮說", "后台发发说"},
		{"カタカナ", "かたかな"},
		{"Straße Łódź", "strasse lodz"},
		{"É e\u0301", "e e"},
		{"ΣΊΣΥΦΟΣ", "σισυφοσ"},
		{"Ёлка й", "елка и"},
		{"a\u200db", "ab"},
		{"हिन्दी", "हिन्दी"},
	}
	for _, tt := range tests {
		if got := Fold(tt.in); got != tt.want {
			t.Errorf("Fold(%q) = %q, want %q", tt.in, got, tt.want)
		}
	}
}

func TestTraditionalAndSimplifiedAreOne(t *testing.T) {
	pairs := [][2]string{{"資料庫備份", "资料库备份"}, {"臺灣", "台湾"}, {"頭髮", "头发"}, {"乾淨", "干净"}, {"裡面", "里面"}, {"軟體開發", "软体开发"}}
	for _, p := range pairs {
		if d := cmp.Diff(Index(p[0]), Index(p[1])); d != "" {
			t.Errorf("%s and %s differ:\n%s", p[0], p[1], d)
		}
	}
}

func TestFoldTableIsOrdered(t *testing.T) {
	last := rune(0)
	for i := 0; i < len(traditionalPairs); i += 6 {
		r := []rune(traditionalPairs[i : i+6])
		if len(r) != 2 || r[0] <= last {
			t.Fatalf("pair %q at %d is out of order", traditionalPairs[i:i+6], i)
		}
		last = r[0]
	}
}

func TestStemmerSkipsOnlyWhatItWouldNotChange(t *testing.T) {
	words := strings.Fields("abandon about academy agreed algorithm amazingly animals arguing bring cats clever communism connection " +
		"conditional dogs dying early electric enough fall falling feed fulfil generous happily happy hiking hopping idly innings kind " +
		"knees lying moment movement news national only organ organization outing peril please proceed radish singly sky skis sofa " +
		"station string succeed table talk theory they tree unity vector visited warmth weekend window xylophone yearly zebra zoo")
	for _, w := range words {
		a := analyser{env: snowballstem.NewEnv(w)}
		english.Stem(a.env)
		if got := a.env.Current(); !inflected(w) && got != w {
			t.Errorf("%q stems to %q but was skipped", w, got)
		}
	}
}

func TestJaccard(t *testing.T) {
	tests := []struct {
		a, b     string
		low, top float64
	}{
		{"", "", 1, 1},
		{"the same words", "Same words", 1, 1},
		{"red apples", "blue skies", 0, 0},
		{"我们决定用SQLite存账本", "我們決定用 SQLite 存賬本", 1, 1},
		{"deploy on Friday at noon", "deploy on Friday at midnight", .5, .8},
	}
	for _, tt := range tests {
		if got := Jaccard(Index(tt.a), Index(tt.b)); got < tt.low || got > tt.top {
			t.Errorf("overlap of %q and %q is %.2f, want %.2f to %.2f", tt.a, tt.b, got, tt.low, tt.top)
		}
	}
}

func TestDocumentHoldsSpeakerDateAndFields(t *testing.T) {
	m := memory.Memory{Actor: "Anna", Content: "likes tea", Title: "Drinks", ObservedAt: time.Date(2023, 5, 8, 0, 0, 0, 0, time.UTC),
		Fields: []memory.Field{{Name: "Reason", Value: "calm"}}}
	if d := cmp.Diff("anna 8 may 2023 drink like tea calm", strings.Join(Document(m), " ")); d != "" {
		t.Error(d)
	}
}

func TestDocumentMarksQuestions(t *testing.T) {
	tests := map[string]bool{"Where is it?": true, "你吃了吗？": true, "Seen it? [photo: a cat]": true, `He said "why?"`: true, "Why? Because.": false, "[photo: a cat]": false, "": false}
	for content, want := range tests {
		terms := Document(memory.Memory{Content: content})
		if got := len(terms) > 0 && terms[len(terms)-1] == Question; got != want {
			t.Errorf("Document(%q) marks a question: %v, want %v", content, got, want)
		}
	}
}

func FuzzIndex(f *testing.F) {
	for _, s := range []string{"", "Anna's café", "資料庫ＡＢＣ", "a\u0301\u200b", "\xff\xfe", "https://a.b/c?d=e#f", "v1.2.3", "ｶﾞ", "'", "a'b'c", "A-B_C.D"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		terms := Index(s)
		for _, term := range terms {
			bad := func(r rune) bool {
				return unicode.IsSpace(r) || unicode.IsControl(r) || r == '"' || unicode.Is(unicode.Cf, r)
			}
			if term == "" || strings.ContainsFunc(term, bad) {
				t.Fatalf("Index(%q) holds the term %q", s, term)
			}
		}
		if d := cmp.Diff(terms, Index(s)); d != "" {
			t.Fatalf("Index(%q) differs between calls: %s", s, d)
		}
		if o := Jaccard(terms, terms); o != 1 {
			t.Fatalf("%q overlaps itself by %v", s, o)
		}
		if once := Fold(s); Fold(once) != once {
			t.Fatalf("Fold(%q) is not stable: %q, %q", s, once, Fold(once))
		}
	})
}

func BenchmarkIndex(b *testing.B) {
	latin := "Yesterday we decided to move the deployment of agent-memory to Friday, because the database migration was running late. "
	texts := map[string]string{"english": latin, "chinese": "昨天我们决定把数据库迁移推迟到星期五，因为備份還沒有完成。"}
	for name, s := range texts {
		b.Run(name, func(b *testing.B) {
			long := strings.Repeat(s, 20)
			b.SetBytes(int64(len(long)))
			for b.Loop() {
				Index(long)
			}
		})
	}
}

// Whoever keeps an indexer gets the same terms from it for ever, however many
// words it has met, and it keeps no more than so many of them.
func TestAnIndexerAnswersAsIndexDoesAndForgets(t *testing.T) {
	x := NewIndexer()
	for i := range 4_000 {
		s := fmt.Sprintf("waiting%sers for the %sing of running tables", letters(i), letters(i*7))
		if got, want := x.Index(s), Index(s); !slices.Equal(got, want) {
			t.Fatalf("after %d texts %q is %q, want %q", i, s, got, want)
		}
	}
	if n := len(x.stems); n > manyStems {
		t.Errorf("%d stems are kept", n)
	}
}

// letters spells a number.
func letters(n int) string {
	s := ""
	for ; n > 0; n /= 26 {
		s += string(rune('a' + n%26))
	}
	return s
}
