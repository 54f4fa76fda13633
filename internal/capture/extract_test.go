package capture_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"agentmemory/internal/capture"
	"agentmemory/internal/redact"
)

type labelled struct {
	class capture.Class // "-" for nothing
	role  capture.Role
	text  string
}

func labels(t testing.TB, name string) []labelled {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var all []labelled
	for _, row := range strings.Split(strings.TrimSpace(string(raw)), "\n") {
		parts := strings.SplitN(row, "\t", 3)
		if strings.HasPrefix(row, "# ") || len(parts) != 3 {
			continue
		}
		all = append(all, labelled{capture.Class(parts[0]), capture.Role(parts[1]), strings.ReplaceAll(parts[2], `\n`, "\n")})
	}
	return all
}

func extractor(classes ...capture.Class) *capture.Extractor {
	return capture.NewExtractor(capture.Options{Classes: classes, Redactor: redact.New()})
}

// score counts right, wrong and missed finds of one class.
type score struct{ right, wrong, missed int }

func (s score) precision() float64 { return ratio(s.right, s.right+s.wrong) }
func (s score) recall() float64    { return ratio(s.right, s.right+s.missed) }

func ratio(a, b int) float64 {
	if b == 0 {
		return 1
	}
	return float64(a) / float64(b)
}

// measure offers each message alone, and tells what was found and what was not.
func measure(t testing.TB, all []labelled) (map[capture.Class]*score, score) {
	e, classes, total := extractor(), map[capture.Class]*score{}, score{}
	of := func(c capture.Class) *score {
		if classes[c] == nil {
			classes[c] = &score{}
		}
		return classes[c]
	}
	for i, l := range all {
		found := e.Listen().Hear(capture.Message{Number: int64(i + 1), Role: l.role, Nature: capture.Spoken, Text: l.text})
		hit := slices.ContainsFunc(found, func(f capture.Found) bool { return f.Class == l.class })
		switch {
		case hit:
			of(l.class).right++
			total.right++
		case l.class != "-":
			of(l.class).missed++
			total.missed++
		}
		for _, f := range found {
			if f.Class != l.class {
				of(f.Class).wrong++
				total.wrong++
				t.Logf("%s instead of %s: %q", f.Class, l.class, l.text)
			}
		}
		if l.class != "-" && len(found) == 0 {
			t.Logf("missed %s: %q", l.class, l.text)
		}
	}
	return classes, total
}

func report(classes map[capture.Class]*score, total score) string {
	var b strings.Builder
	for _, c := range capture.Classes() {
		if s := classes[c]; s != nil {
			fmt.Fprintf(&b, "%-12s precision %.2f recall %.2f (%d right, %d wrong, %d missed)\n", c, s.precision(), s.recall(), s.right, s.wrong, s.missed)
		}
	}
	fmt.Fprintf(&b, "%-12s precision %.2f recall %.2f\n", "all", total.precision(), total.recall())
	return b.String()
}

func TestExtractionQuality(t *testing.T) {
	all := labels(t, "labelled.txt")
	if len(all) < 300 {
		t.Fatalf("%d labelled messages", len(all))
	}
	classes, total := measure(t, all)
	t.Log("\n" + report(classes, total))
	for c, s := range classes {
		if s.precision() < 0.90 || s.recall() < 0.75 {
			t.Errorf("%s: precision %.2f, recall %.2f", c, s.precision(), s.recall())
		}
	}
}
