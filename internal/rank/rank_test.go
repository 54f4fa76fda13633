package rank

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// corpus is a store of texts that a test ranks.
type corpus struct {
	candidates []memory.Candidate
	statistics memory.Corpus
}

// said is one entry of a conversation, or, without a session, a memory of its own.
type said struct {
	session string
	actor   string
	text    string
	at      string // date
}

func corpusOf(entries ...said) *corpus {
	c := &corpus{statistics: memory.Corpus{DF: map[string]int{}}}
	for i, e := range entries {
		m := memory.Memory{Actor: e.actor, Content: e.text}
		if e.at != "" {
			m.ObservedAt, _ = time.Parse(time.DateOnly, e.at)
		}
		terms := text.Document(m)
		group := ""
		if e.session != "" {
			group = conversation + e.session
		}
		c.candidates = append(c.candidates, memory.Candidate{Key: int64(i), ID: string(rune('a' + i)), Group: group, Seq: i, Status: memory.Active,
			Trust: memory.TrustAgent, Confidence: 1, Actor: e.actor, Observed: m.ObservedAt, Terms: strings.Join(terms, " ")})
		c.statistics.Memories++
		c.statistics.Length += int64(len(terms))
		for _, t := range ordered(terms) {
			c.statistics.DF[t]++
		}
	}
	return c
}

func ordered(terms []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, t := range terms {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	return out
}

func (c *corpus) rank(question string, change func(*Options)) Result {
	o := Options{Parameters: Defaults(), Now: testNow()}
	if change != nil {
		change(&o)
	}
	r := New(Parse(question, testNow()), o)
	r.Statistics(c.statistics)
	r.Found(c.candidates)
	return r.Finish(10)
}

func ids(r Result) string {
	var b strings.Builder
	for _, h := range r.Hits {
		b.WriteString(h.ID)
	}
	return b.String()
}

func first(t *testing.T, r Result) string {
	t.Helper()
	if len(r.Hits) == 0 {
		t.Fatal("nothing was found")
	}
	return r.Hits[0].ID
}

func TestRareTermsOutweighFrequentOnes(t *testing.T) {
	c := corpusOf(said{text: "the server room"}, said{text: "the server password"}, said{text: "the server rack"}, said{text: "the garden"})
	if got := first(t, c.rank("server password", nil)); got != "b" {
		t.Errorf("%s comes first", got)
	}
}

func TestTheNamedSpeakerComesFirst(t *testing.T) {
	c := corpusOf(said{actor: "Anna", text: "I like tea"}, said{actor: "Bert", text: "I like tea"})
	if got := first(t, c.rank("What tea does Bert like?", nil)); got != "b" {
		t.Errorf("%s comes first", got)
	}
}

func TestTheNamedTimeComesFirst(t *testing.T) {
	c := corpusOf(said{text: "we met the supplier", at: "2026-01-05"}, said{text: "we met the supplier", at: "2026-02-17"}, said{text: "we met the supplier", at: "2026-02-01"})
	for _, question := range []string{"supplier yesterday", "昨天 supplier"} {
		if got := first(t, c.rank(question, func(o *Options) { o.Parameters.Duplicate = 0 })); got != "b" {
			t.Errorf("%q: %s comes first", question, got)
		}
	}
}

func TestTheAnswerBesideTheQuestionIsFound(t *testing.T) {
	c := corpusOf(
		said{session: "s", actor: "Anna", text: "Which paint did you choose for the kitchen?"},
		said{session: "s", actor: "Bert", text: "A pale green, finally."},
		said{session: "t", actor: "Anna", text: "The kitchen is small."},
		said{session: "t", actor: "Bert", text: "Indeed."})
	got := ids(c.rank("kitchen paint", nil))
	if answer, other := strings.Index(got, "b"), strings.Index(got, "c"); answer < 0 || answer > other {
		t.Errorf("order %s: the answer does not come before another mention", got)
	}
}

func TestLinesOfAFileHardlySpeakForEachOther(t *testing.T) {
	c := corpusOf(said{text: "kitchen paint"}, said{text: "unrelated"})
	for i := range c.candidates {
		c.candidates[i].Group = "memory/2026-02-18.md"
	}
	r := c.rank("kitchen paint", nil)
	if len(r.Hits) > 1 && r.Hits[1].Score > 0.2*r.Hits[0].Score {
		t.Errorf("a neighbouring line has %.2f of the hit's score", r.Hits[1].Score/r.Hits[0].Score)
	}
}

func TestALineThatSaysNothingIsNoHit(t *testing.T) {
	file := func(key int64, seq int, content string) memory.Candidate {
		return memory.Candidate{Key: key, ID: fmt.Sprint(key), Group: "memory/a.md", Seq: seq, Terms: strings.Join(text.Index(content), " ")}
	}
	r := New(Parse("the harbour storm", time.Time{}), Options{Parameters: Defaults()})
	r.Statistics(memory.Corpus{Memories: 3, Length: 9, DF: map[string]int{"harbour": 2, "storm": 1}})
	r.Found([]memory.Candidate{file(1, 1, "storm in the harbour"), file(2, 2, "harbour dues")})
	r.Context([]memory.Candidate{file(3, 3, "weekly shopping")})
	for _, hit := range r.Finish(10).Hits {
		if hit.ID == "3" {
			t.Errorf("a line without a word of the question is a hit: %s", hit.Explanation)
		}
	}
}

func TestNearDuplicatesCollapse(t *testing.T) {
	c := corpusOf(said{text: "deploy on Friday after the backup"}, said{text: "Deploy on Friday, after the backup!"}, said{text: "deploy by hand"})
	r := c.rank("deploy Friday", nil)
	if got := ids(r); len(got) != 2 {
		t.Fatalf("hits %s, want the duplicate folded", got)
	}
	if d := r.Hits[0].Explanation.Duplicates; len(d) != 1 {
		t.Errorf("duplicates %v", d)
	}
}

// A fact that was taken from a note says nothing that the note does not, though it
// tells the day.
func TestAFactAndItsNoteAreOneHit(t *testing.T) {
	c := corpusOf(said{text: "the build takes 9 minutes"}, said{text: "2 december 2026 the build takes 9 minutes"}, said{text: "2 december 2026 the build takes 19 minutes"})
	c.candidates[1].Form, c.candidates[2].Form = memory.Fact, memory.Fact
	r := c.rank("how long does the build take", nil)
	if got := ids(r); len(got) != 2 || len(r.Hits[0].Explanation.Duplicates)+len(r.Hits[1].Explanation.Duplicates) != 1 {
		t.Errorf("hits %s, want the fact and its note as one", got)
	}
}

func TestFadedAndDoubtfulMemoriesComeLater(t *testing.T) {
	tests := map[string]func(*memory.Candidate){
		"confidence": func(c *memory.Candidate) { c.Confidence = 0.1 },
		"trust":      func(c *memory.Candidate) { c.Trust = memory.TrustExternal },
		"status":     func(c *memory.Candidate) { c.Status = memory.Proposed },
		"layer":      func(c *memory.Candidate) { c.Cold = true },
		"vitality":   func(c *memory.Candidate) { c.Accesses = -1 },
	}
	for name, spoil := range tests {
		c := corpusOf(said{text: "blue door"}, said{text: "blue door"})
		spoil(&c.candidates[0])
		r := c.rank("blue door", func(o *Options) {
			o.Parameters.Duplicate = 0
			o.Vitality = func(c memory.Candidate) float64 { return float64(1 + c.Accesses) }
		})
		if got := ids(r); got != "ba" {
			t.Errorf("%s: order %s", name, got)
		}
	}
}

func TestTasksComeBeforeDetails(t *testing.T) {
	c := corpusOf(said{text: "migrate the billing database"}, said{text: "migrate the billing database"})
	c.candidates[1].Form = memory.Task
	r := c.rank("billing database", func(o *Options) {
		o.Parameters.Duplicate = 0
		o.First = func(c memory.Candidate) bool { return c.Form == memory.Task }
	})
	if got := first(t, r); got != "b" {
		t.Errorf("%s comes first", got)
	}
}

func TestAbstention(t *testing.T) {
	c := corpusOf(
		said{session: "s", actor: "Anna", text: "We adopted a cat from the shelter"}, said{session: "s", actor: "Bert", text: "How old is the cat?"},
		said{session: "s", actor: "Anna", text: "我们决定账本用 SQLite 存"}, said{session: "t", actor: "Bert", text: "My car needs new tyres"},
		said{session: "t", actor: "Anna", text: "下周去杭州开会"})
	tests := []struct {
		question string
		abstains bool
	}{
		{"Where did Anna adopt the cat?", false},
		{"账本用什么存？", false},
		{"賬本用什麼存", false},
		{"Who repaired Anna's violin in Vienna?", true},
		{"Anna violin strings", true},
		{"火星探测器的发射窗口", true},
	}
	for _, tt := range tests {
		if r := c.rank(tt.question, nil); r.Abstained != tt.abstains {
			t.Errorf("%q: abstained %v with confidence %.2f", tt.question, r.Abstained, r.Confidence)
		}
	}
}

// TestWhoNamesAnIdentifierAsksAboutIt: whatever else the question says, in whatever language.
func TestWhoNamesAnIdentifierAsksAboutIt(t *testing.T) {
	entries := []said{{text: "Ticket AB-77 is done"}, {text: "10.0.4.7 runs the queue"}, {text: "src/main.go starts everything"},
		{text: "v2.4.1 broke the build"}, {text: "self-care on Sundays at 10:30 p.m."}, {text: "入职日期是 8.5.2026"}}
	for i := range 100 {
		entries = append(entries, said{text: fmt.Sprintf("GPT-4 wrote page %d", i)})
	}
	c := corpusOf(entries...)
	for _, tt := range []struct {
		question string
		abstains bool
	}{
		{"AB-77 的状态", false},
		{"AB-77 现在谁负责", false},
		{"哪台机器的地址是 10.0.4.7", false},
		{"src/main.go 是谁维护的", false},
		{"v2.4.1 出了什么问题", false},
		{"AB-78 的状态", true},
		{"GPT-4 的发布会在哪里举行", true},
		{"谁在 10:30 打过电话", true},
		{"8.5.2026 天气怎么样", true},
	} {
		if r := c.rank(tt.question, nil); r.Abstained != tt.abstains {
			t.Errorf("%q: abstained %v with confidence %.2f", tt.question, r.Abstained, r.Confidence)
		}
	}
}

func TestASmallStoreAnswersAQuestionOfOtherWords(t *testing.T) {
	for _, tt := range []struct{ memory, question string }{
		{"账本用 SQLite，不用 Postgres", "账本用什么数据库"},
		{"账本用 SQLite，不用 Postgres", "我们的账本用的是什么"},
		{"Our staging server is at 10.0.4.7", "what is the address of staging"},
	} {
		if r := corpusOf(said{text: tt.memory}).rank(tt.question, nil); r.Abstained {
			t.Errorf("%q: abstained with confidence %.2f", tt.question, r.Confidence)
		}
	}
}

func TestAConversationIsAnsweredBySentence(t *testing.T) {
	c := corpusOf(said{text: "Lisa won the swimming contest"}, said{text: "Bart fell off his bike"})
	question := "<Lisa>: \"Good morning, dear friend! The weather looks splendid. Guess what tomorrow brings? Another swimming contest!\"\n<Assistant>: \"How exciting!\""
	if r := c.rank(question, nil); r.Abstained || first(t, r) != "a" {
		t.Errorf("abstained %v, order %s", r.Abstained, ids(r))
	}
}

func TestVectorsBringWhatWordsMiss(t *testing.T) {
	c := corpusOf(said{text: "the automobile is in the garage"}, said{text: "the bread is in the oven"})
	r := New(Parse("where is the car", testNow()), Options{Parameters: Defaults(), Now: testNow()})
	r.Statistics(c.statistics)
	if missing := r.Missing([]memory.Neighbour{{Key: 0}, {Key: 1}}); len(missing) != 2 {
		t.Fatalf("missing %v", missing)
	}
	r.Context(c.candidates)
	r.Vectors([]memory.Neighbour{{Key: 0, Cosine: 0.9}, {Key: 1, Cosine: 0.2}})
	if got := first(t, r.Finish(10)); got != "a" {
		t.Errorf("%s comes first", got)
	}
}

func TestExplanationNamesEveryStep(t *testing.T) {
	c := corpusOf(said{session: "s", actor: "Anna", text: "The blue door sticks"}, said{session: "s", actor: "Bert", text: "A blue car"})
	r := c.rank("Anna's blue door", nil)
	x := r.Hits[0].Explanation
	if x.Speaker <= 1 || x.Lexical <= 0 || x.LexicalRank != 1 || x.Covered != 1 || x.Over == "" {
		t.Errorf("%+v", x)
	}
	for _, part := range []string{"own text", "speaker 1.40", "neighbours", "covers 100 %", "before the next"} {
		if !strings.Contains(x.String(), part) {
			t.Errorf("%q lacks %q", x.String(), part)
		}
	}
}

func TestRankingDoesNotDependOnTheOrderOfCandidates(t *testing.T) {
	words := []string{"red", "green", "blue", "door", "car", "账本", "数据库", "tea"}
	rapid.Check(t, func(t *rapid.T) {
		var entries []said
		for range rapid.IntRange(1, 12).Draw(t, "entries") {
			chosen := rapid.SliceOfN(rapid.SampledFrom(words), 1, 5).Draw(t, "words")
			entries = append(entries, said{session: rapid.SampledFrom([]string{"", "s", "t"}).Draw(t, "session"), text: strings.Join(chosen, " ")})
		}
		c := corpusOf(entries...)
		question := strings.Join(rapid.SliceOfN(rapid.SampledFrom(words), 1, 3).Draw(t, "question"), " ")
		want := c.rank(question, nil)
		c.candidates = rapid.Permutation(c.candidates).Draw(t, "order")
		got := c.rank(question, nil)
		if ids(got) != ids(want) || got.Confidence != want.Confidence {
			t.Fatalf("%q: %s and %s", question, ids(want), ids(got))
		}
		for i, h := range got.Hits {
			if h.Score < 0 || h.Score > 1 || i > 0 && h.Score > got.Hits[i-1].Score {
				t.Fatalf("scores out of order: %+v", got.Hits)
			}
		}
	})
}

func BenchmarkRanking(b *testing.B) {
	var entries []said
	for i := range 300 {
		entries = append(entries, said{session: string(rune('a' + i%9)), text: strings.Repeat("some words about the kitchen paint and the blue door ", 2)})
	}
	c := corpusOf(entries...)
	for b.Loop() {
		c.rank("Which paint did Anna choose for the kitchen door?", nil)
	}
}

// TestWhoSaidItCounts: the same words answer a question about the one who said
// them, and less surely one about somebody else.
func TestWhoSaidItCounts(t *testing.T) {
	corpus := memory.Corpus{Memories: 100, Length: 600, DF: map[string]int{"ruth": 50, "omar": 50, "sold": 3, "violin": 2}}
	confidence := func(question, content string) float64 {
		r := New(Parse(question, time.Time{}), Options{Parameters: Defaults()})
		r.Statistics(corpus)
		r.Found([]memory.Candidate{
			{Key: 1, ID: "a", Actor: "Ruth", Terms: strings.Join(text.Index("Ruth "+content), " ")},
			{Key: 2, ID: "b", Actor: "Omar", Terms: "omar good morn"},
		})
		return r.Finish(5).Confidence
	}
	own := confidence("Why has Ruth sold the violin?", "I sold the violin")
	told := confidence("Why has Omar sold the violin?", "Omar has sold the violin")
	other := confidence("Why has Omar sold the violin?", "I sold the violin")
	if !(own > other && told > other) {
		t.Errorf("confidence %.2f if she said it of herself, %.2f if of him, %.2f if he is asked about and not mentioned", own, told, other)
	}
}

// TestWhoTakesPartCounts: in a store of many conversations, what is said in one
// in which the named person never speaks is hardly about them.
func TestWhoTakesPartCounts(t *testing.T) {
	statistics := memory.Corpus{Memories: 100, Length: 600, DF: map[string]int{"ruth": 30, "omar": 30, "vera": 30, "sold": 3, "violin": 2, "卖": 3, "小红": 30, "小琴": 2, "提琴": 3}}
	candidate := func(key int64, session, actor, content string) memory.Candidate {
		return memory.Candidate{Key: key, ID: string(rune('a' + key)), Group: conversation + session, Seq: int(key), Actor: actor,
			Terms: strings.Join(text.Index(actor+" "+content), " ")}
	}
	for _, tt := range []struct{ question, speaker, partner, content string }{
		{"Why has Omar sold the violin?", "Ruth", "Omar", "I sold the violin"},
		{"小红为什么卖提琴？", "小明", "小红", "我把提琴卖了"},
	} {
		confidence := func(session string) float64 {
			r := New(Parse(tt.question, time.Time{}), Options{Parameters: Defaults()})
			r.Statistics(statistics)
			r.Found([]memory.Candidate{candidate(1, "one", tt.speaker, tt.content), candidate(2, session, tt.partner, "good morning"), candidate(3, "one", "Vera", "good morning")})
			return r.Finish(5).Confidence
		}
		if present, absent := confidence("one"), confidence("two"); present < 1.5*absent {
			t.Errorf("%s: confidence %.2f with the person in the conversation, %.2f without", tt.question, present, absent)
		}
	}
}
