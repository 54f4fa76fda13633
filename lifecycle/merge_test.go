package lifecycle

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentmemory/internal/memory"
)

func TestMergeKeepsTheFullerText(t *testing.T) {
	tests := []struct{ name, older, newer, want string }{
		{"the newer one says all", "Deploys on Friday", "Deploys on Friday at 14:00", "Deploys on Friday at 14:00"},
		{"the older one says all", "Deploys on Friday at 14:00", "deploys on Friday", "Deploys on Friday at 14:00"},
		{"each says something", "Ann owns the ledger.", "The ledger runs on port 8080.", "Ann owns the ledger. The ledger runs on port 8080."},
		{"shared sentences stand once", "Ann owns the ledger. It is green.", "Ann owns the ledger. It runs on port 8080.", "Ann owns the ledger. It is green. It runs on port 8080."},
		{"Chinese", "账本用 SQLite。", "账本每周五备份。", "账本用 SQLite。账本每周五备份。"},
		{"a negation is kept", "Ann likes tea", "Ann does not like coffee", "Ann likes tea; Ann does not like coffee"},
		{"a sign is kept", "It was 5 degrees.", "It was -5 degrees.", "It was 5 degrees. It was -5 degrees."},
		{"an acronym is kept", "Tell us about taxes", "Tell US about taxes", "Tell US about taxes"},
		{"code is one piece", "Run `a; b`", "Run `a; b`. Then `c`.", "Run `a; b`. Then `c`."},
		{"lines stay lines", "one 1\ntwo 2", "three 3", "one 1\ntwo 2\nthree 3"},
		{"who does what to whom", "Ann pays Bob", "Bob pays Ann", "Ann pays Bob; Bob pays Ann"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := Merge(tt.older, tt.newer); got != tt.want {
				t.Errorf("got  %q\nwant %q", got, tt.want)
			}
		})
	}
}

// drawPieces draws what a merge must never lose: numbers, dates, names, negations,
// code, URLs, among words and marks that invite mistakes.
func drawPieces(t *rapid.T, label string) []string {
	return rapid.SliceOfN(rapid.SampledFrom([]string{
		"8080", "-5", "3.14", "14:00", "2026-02-21", "v1.2.3", "10%", "$40", "二十三", "周一", "Friday", "Ann", "Bob", "NASA", "SQLite", "config_path",
		"not", "never", "don't", "不", "没有", "禁止", "`make -j4`", "`a.b`", "https://example.org/x?y=1&z=2", "ann@example.org", "src/main.go",
		"likes", "the", "tea", "and", "喜欢", "香菜", "部署", ". ", "; ", "。", "，", "\n", "? ", "！",
	}), 1, 14).Draw(t, label)
}

func TestMergeNeverLosesEvidence(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		a, b := drawPieces(t, "older"), drawPieces(t, "newer")
		older, newer := strings.Join(a, " "), strings.Join(b, " ")
		merged := Merge(older, newer)
		have := map[string]int{}
		for _, tok := range tokens(merged) {
			have[tok.text]++
		}
		for _, source := range []string{older, newer} {
			for _, tok := range tokens(source) {
				if tok.evidence() && have[tok.text] == 0 {
					t.Fatalf("%q is lost\nolder  %q\nnewer  %q\nmerged %q", tok.text, older, newer, merged)
				}
			}
		}
		if again := Merge(merged, newer); len(again) > len(merged)+len(newer)+2 {
			t.Fatalf("merging again grows to %q", again)
		}
	})
}

func TestGuardLosesNothing(t *testing.T) {
	p := openclawGuard(t)
	rapid.Check(t, func(t *rapid.T) {
		store := drawStore(t)
		m := drawMemory(t, 999)
		m.Namespace, m.Status, m.Revision = "main", memory.Active, 0
		m.URI = memory.JournalURI(m.Type, today())
		var similar []Similar
		for _, s := range store {
			similar = append(similar, Similar{Memory: s})
		}
		v := Guard(Arrival{Memory: m, Now: today()}, similar, p)
		after := After(store, v.Changes)
		if v.Reason == "" || len(after) < len(store) {
			t.Fatalf("%s for no reason, or %d memories became %d", v.Action, len(store), len(after))
		}
		for i, was := range store {
			if after[i].Content != was.Content && v.Action != Merged {
				t.Fatalf("%s changed %s from %q to %q", v.Action, was.ID, was.Content, after[i].Content)
			}
			if was.Trust.Rank() > m.Trust.Rank() && (after[i].Content != was.Content || after[i].Status != was.Status) {
				t.Fatalf("%s of %s changed the more trusted %s", v.Action, m.Trust, was.ID)
			}
			if v.Action == Merged && after[i].Content != was.Content {
				checkEvidence(t, after[i].Content, was.Content, m.Content)
			}
		}
		if v.Action == Reinforced {
			checkEvidence(t, contentOf(after, v.MemoryID), m.Content)
		}
	})
}

func checkEvidence(t *rapid.T, kept string, sources ...string) {
	have := map[string]bool{}
	for _, tok := range tokens(kept) {
		have[tok.text] = true
	}
	for _, s := range sources {
		for _, tok := range tokens(s) {
			if tok.evidence() && !have[tok.text] {
				t.Fatalf("%q of %q is not in %q", tok.text, s, kept)
			}
		}
	}
}

func contentOf(store []memory.Memory, id string) string {
	for _, m := range store {
		if m.ID == id {
			return m.Content
		}
	}
	return ""
}
