package rank

import (
	"maps"
	"slices"
	"strings"
	"testing"
)

// TestWhoTalksAndWhatWasSaidLastCount asks with pieces of conversation; the
// memory that should come first is b.
func TestWhoTalksAndWhatWasSaidLastCount(t *testing.T) {
	tests := []struct{ name, a, b, question string }{
		{"whoever talks is meant", "Bart won the race and the swimming contest and was very happy", "Lisa won a swimming medal in spring",
			"Lisa: I won the swimming contest, the whole race! I am happy\nAssistant: Bravo!"},
		{"in Chinese", "小明参加了游泳比赛", "小红去年赢过一次比赛", "小红：今天的游泳比赛我得了第一名，特别开心！\n助手：太棒了！"},
		{"what was said last", "Lisa repaired the old bicycle", "Lisa planted tomatoes on the balcony",
			"Lisa: My bicycle is broken.\nAssistant: Oh no.\nLisa: Never mind, look at my tomatoes."},
		{"in Chinese, last", "小红修好了电脑", "小红种好了番茄", "小红：我的电脑坏了。\n助手：哎呀。\n小红：没关系，看看我的番茄。"},
		{"what the assistant says counts less", "Lisa loves the aquarium", "Lisa loves the planetarium",
			"Assistant: An aquarium?\nLisa: The planetarium!\nAssistant: Not the aquarium?"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			c := corpusOf(said{text: tt.a}, said{text: tt.b}, said{text: "an hour at the dentist"})
			if got := first(t, c.rank(tt.question, nil)); got != "b" {
				t.Errorf("%s comes first", got)
			}
		})
	}
}

// TestChineseNamesShareCharacters: 小 alone names nobody.
func TestChineseNamesShareCharacters(t *testing.T) {
	c := corpusOf(said{actor: "小明", text: "我每天早上喝茶"}, said{actor: "小红", text: "我每天早上喝茶"})
	r := c.rank("小红早上喝什么？", func(o *Options) { o.Parameters.Duplicate = 0 })
	if first(t, r) != "b" || r.Hits[1].Explanation.Speaker != 1 || r.Hits[0].Explanation.Speaker <= 1 {
		t.Errorf("order %s, factors %.1f and %.1f", ids(r), r.Hits[0].Explanation.Speaker, r.Hits[1].Explanation.Speaker)
	}
}

// TestLinesWithColonsAreNoConversation: without an assistant's line all lines
// count alike and nobody is named.
func TestLinesWithColonsAreNoConversation(t *testing.T) {
	for _, question := range []string{"error: disk full\nwarning: retry", "备注：磁盘满了\n状态：重试", "when: tomorrow", "https://example.com/a"} {
		lines, converses := utterances(question)
		if converses {
			t.Errorf("%q is taken for a conversation", question)
		}
		for _, l := range lines {
			if l.weight != 1 {
				t.Errorf("%q weighs %.1f", l.text, l.weight)
			}
		}
	}
}

func TestPeopleAreThoseWithNames(t *testing.T) {
	tests := []struct{ question, want string }{
		{"<Mary Ann>: hello\n<Assistant>: hello", "ann mari"},
		{"User: hello\nAssistant: hello", ""},
		{"用户：你好\n助手：你好", ""},
		{"ユーザー: こんにちは\nアシスタント: こんにちは", ""},
		{"사용자: 안녕\n어시스턴트: 안녕", ""},
		{"hello", ""},
	}
	for _, tt := range tests {
		if got := strings.Join(slices.Sorted(maps.Keys(Parse(tt.question, testNow()).people)), " "); got != tt.want {
			t.Errorf("%q: people are %q, want %q", tt.question, got, tt.want)
		}
	}
}
