package rank

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// asked ranks a corpus with related words.
func asked(c *corpus, question string, share float64, bySession bool) Result {
	p := Defaults()
	p.Related = share
	q := Parse(question, time.Time{})
	r := New(q, Options{Parameters: p, BySession: bySession})
	r.Statistics(c.statistics)
	r.Relate(q.Related(share))
	r.Found(c.candidates)
	return r.Finish(10)
}

func TestARelatedWordIsAHintAndNoMore(t *testing.T) {
	c := corpusOf(said{text: "Adopted a puppy called Rex"}, said{text: "The pet shop was closed"}, said{text: "Bought a new laptop"}, said{text: "The meeting was long"})
	got := asked(c, "does he keep a pet?", 0.5, false)
	if ids := idsIn(got); ids != "b a" {
		t.Errorf("%q: want the word itself before a related one, and nothing else", ids)
	}
	if x := got.Hits[1].Explanation; !slices.Contains(x.Related, "pet ~ puppi") || !strings.Contains(x.String(), "related: pet ~ puppi") {
		t.Errorf("explained by %v: %s", x.Related, x)
	}
	if len(got.Hits[0].Explanation.Related) > 0 {
		t.Errorf("the word itself needs no other one: %v", got.Hits[0].Explanation.Related)
	}
	if ids := idsIn(asked(c, "does he keep a pet?", 0, false)); ids != "b" {
		t.Errorf("switched off: %q", ids)
	}
}

// TestWhichWordsOfAQuestionHaveRelatives: words for things; not names, dates, words
// that ask, nor a piece of conversation.
func TestWhichWordsOfAQuestionHaveRelatives(t *testing.T) {
	for question, want := range map[string]string{
		"Which sports did Maria play in April?": "sport play",
		"What kind of pet does Rose have?":      "pet",
		"how often on monday or last week":      "",
		"什么时候去公园？":                              "",
		"":                                      "",
		"Ada: My pet is ill.\nAssistant: Oh no.\nAda: The doctor came. It was an illness.\nAssistant: Good.": "",
	} {
		var of []string
		for _, w := range Parse(question, time.Time{}).Related(1) {
			if w.Share <= 0 || w.Share > 1 {
				t.Errorf("%s ~ %s: share %v", w.Of, w.Term, w.Share)
			}
			if !slices.Contains(of, w.Of) {
				of = append(of, w.Of)
			}
		}
		if got := strings.Join(of, " "); got != want {
			t.Errorf("%q: related to %q, want %q", question, got, want)
		}
	}
}

// TestASessionThatSpeaksOfEverythingComesFirst: not the one that says the same thing again and again.
func TestASessionThatSpeaksOfEverythingComesFirst(t *testing.T) {
	c := corpusOf(said{session: "one", text: "violin blue lamp"}, said{session: "one", text: "violin green chair"}, said{session: "one", text: "violin red table"},
		said{session: "one", text: "violin grey carpet"}, said{session: "two", text: "violin white window"}, said{session: "two", text: "drums black door"},
		said{session: "three", text: "drums brown shelf"}, said{session: "four", text: "drums pink cup"}, said{session: "five", text: "drums old plate"},
		said{session: "six", text: "quiet new garden"}, said{session: "seven", text: "quiet large tree"})
	if got := idsIn(asked(c, "violin and drums", 0, true)); !strings.HasPrefix(got, "e") && !strings.HasPrefix(got, "f") {
		t.Errorf("%q: want session two, that is e or f, first", got)
	}
}

func idsIn(r Result) string {
	var ids []string
	for _, h := range r.Hits {
		ids = append(ids, h.ID)
	}
	return strings.Join(ids, " ")
}
