package related_test

import (
	"slices"
	"strings"
	"testing"

	"agentmemory/internal/related"
	"agentmemory/internal/text"
)

func terms(list []related.Word) []string {
	var out []string
	for _, w := range list {
		out = append(out, w.Term)
	}
	return out
}

// TestWordsForThings: what the table is for.
func TestWordsForThings(t *testing.T) {
	for _, c := range []struct{ asked, near string }{
		{"pet", "dog"}, {"exercise", "yoga"}, {"instrument", "violin"}, {"meal", "dinner"}, {"cities", "towns"}, {"illness", "disease"},
		{"car", "truck"}, {"doctor", "physician"}, {"movie", "film"}, {"photo", "picture"},
	} {
		asked, near := text.Index(c.asked)[0], text.Index(c.near)[0]
		if found := terms(related.Words(asked, 60)); !slices.Contains(found, near) {
			t.Errorf("%s: %v, want %s among them", c.asked, found, near)
		}
	}
}

// TestWhatMisleadsIsLeftOut: what is near to a name, a day or a number is another one.
func TestWhatMisleadsIsLeftOut(t *testing.T) {
	for _, word := range []string{"monday", "april", "seven", "third", "john", "maria", "paris", "germany", "the", "zzzyx", "", "数据", "AB-77"} {
		if found := related.Words(word, 60); len(found) > 0 {
			t.Errorf("%q has related words: %v", word, terms(found))
		}
	}
	for _, word := range []string{"weekend", "friend", "brother", "girl"} {
		for _, w := range related.Words(text.Index(word)[0], 60) {
			if slices.Contains([]string{"monday", "saturday", "john", "mary", "michael", "two", "three"}, w.Term) {
				t.Errorf("%s ~ %s", word, w.Term)
			}
		}
	}
}

// TestTheTableIsInOrder: the nearest come first, all are terms of the text analysis, and none is its own relation.
func TestTheTableIsInOrder(t *testing.T) {
	for _, word := range strings.Fields("pet exercis instrument music food hous river teach write happi blue system problem databas") {
		list := related.Words(word, 60)
		if len(list) == 0 || len(list) > 60 {
			t.Errorf("%s has %d related words", word, len(list))
		}
		for i, w := range list {
			if w.Nearness < related.Least || w.Nearness > related.Most || i > 0 && w.Nearness > list[i-1].Nearness || w.Likeness() <= 0 || w.Likeness() > 1 {
				t.Errorf("%s ~ %s %.2f at %d", word, w.Term, w.Nearness, i)
			}
			if w.Term == word || len(text.Index(w.Term)) != 1 {
				t.Errorf("%s ~ %s", word, w.Term)
			}
		}
	}
}

func TestEncode(t *testing.T) {
	rows := map[string][]related.Word{
		"pet":    {{Term: "dog", Nearness: 0.15}, {Term: "cat", Nearness: 0.05}, {Term: "unknown", Nearness: 0.1}, {Term: "vet", Nearness: -0.39}},
		"dog":    {{Term: "cat", Nearness: 9}},
		"cat":    nil,
		"vet":    {},
		"animal": {{Term: "pet", Nearness: -9}},
	}
	got := related.Table(related.Encode(rows))
	for _, c := range []struct{ asked, want string }{
		{"pet", "dog cat vet"}, {"dog", "cat"}, {"cat", ""}, {"vet", ""}, {"animal", "pet"}, {"", ""}, {"aaa", ""}, {"zzz", ""}, {"pe", ""}, {"unknown", ""},
	} {
		if found := strings.Join(terms(got(c.asked, 9)), " "); found != c.want {
			t.Errorf("%q: %q, want %q", c.asked, found, c.want)
		}
	}
	if found := terms(got("pet", 2)); len(found) != 2 {
		t.Errorf("two words: %v", found)
	}
	if w := got("dog", 1)[0]; w.Nearness > related.Most || w.Likeness() < 0.9 {
		t.Errorf("a nearness above the most: %+v", w)
	}
	if w := got("animal", 1)[0]; w.Nearness < related.Least || w.Likeness() > 0.1 {
		t.Errorf("a nearness below the least: %+v", w)
	}
}

func BenchmarkWords(b *testing.B) {
	for b.Loop() {
		related.Words("instrument", 32)
	}
}
