package redact_test

import (
	"os"
	"strings"
	"testing"

	"agentmemory/internal/redact"
)

// lines reads a file of testdata, comments left out.
func lines(t testing.TB, name string) []string {
	t.Helper()
	raw, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	var kept []string
	for _, line := range strings.Split(strings.TrimRight(string(raw), "\n"), "\n") {
		if !strings.HasPrefix(line, "# ") {
			kept = append(kept, line)
		}
	}
	return kept
}

func TestInstructionsToTheReaderAreFound(t *testing.T) {
	r, all := redact.New(), lines(t, "injections.txt")
	if len(all) < 50 {
		t.Fatalf("%d payloads", len(all))
	}
	for _, line := range all {
		rule, text, _ := strings.Cut(line, "\t")
		text = strings.ReplaceAll(text, `\n`, "\n")
		found := r.Clean(text).Reasons
		if !names(found)[rule] {
			t.Errorf("%s: %q gave %v", rule, text, found)
		}
	}
}

func names(reasons []redact.Reason) map[string]bool {
	set := map[string]bool{}
	for _, r := range reasons {
		set[r.Rule] = true
	}
	return set
}

// A payload is found wherever it stands in a longer text.
func TestInstructionsAreFoundInsideOrdinaryText(t *testing.T) {
	r := redact.New()
	around := strings.Join(lines(t, "clean.txt"), "\n")
	for _, line := range lines(t, "injections.txt") {
		rule, text, _ := strings.Cut(line, "\t")
		text = around + "\n" + strings.ReplaceAll(text, `\n`, "\n") + "\n" + around
		if found := r.Clean(text).Reasons; !names(found)[rule] {
			t.Errorf("%s: hidden in 300 lines: %q gave %v", rule, line, found)
		}
	}
}

// Fewer than one line of a hundred may be taken for an attack or a secret.
func TestOrdinaryLinesPass(t *testing.T) {
	r, all := redact.New(), lines(t, "clean.txt")
	if len(all) < 300 {
		t.Fatalf("%d lines", len(all))
	}
	hits := 0
	for _, line := range all {
		got := r.Clean(line)
		if len(got.Reasons)+len(got.Secrets)+len(got.Removed) > 0 || got.Text != line {
			hits++
			t.Logf("%q: %+v", line, got)
		}
	}
	if hits*100 >= len(all) {
		t.Errorf("%d of %d ordinary lines were touched", hits, len(all))
	}
}
