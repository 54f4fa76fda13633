package tools_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
)

// A note against a decision neither replaces nor hides it: whoever reads the
// decision is told of the note, until somebody settles which one holds.
func TestADecisionThatANoteContradicts(t *testing.T) {
	for _, c := range []struct{ name, decision, note, settled string }{
		{"English", "Use PostgreSQL for the ledger", "We use MySQL for the ledger now, no longer PostgreSQL", "Use MySQL for the ledger"},
		{"Chinese", "账本用 SQLite", "账本改用 DuckDB", "账本用 DuckDB"},
	} {
		t.Run(c.name, func(t *testing.T) {
			k := newKit(t)
			card := k.call("remember", fmt.Sprintf(`{"content":%q,"form":"decision"}`, c.decision))
			k.clock.Advance(time.Hour)
			note := k.call("remember", fmt.Sprintf(`{"content":%q}`, c.note))
			if note["action"] != "added" || !strings.Contains(text(note["reason"]), text(card["uri"])) {
				t.Fatalf("the answer does not tell of the decision: %v", note)
			}
			read := func() map[string]any {
				t.Helper()
				view, _ := k.call("recall_path", fmt.Sprintf(`{"uri":%q}`, text(card["uri"])))["memory"].(map[string]any)
				return view
			}
			against, _ := read()["contradicted_by"].([]any)
			if len(against) != 1 || read()["uncertain"] != true || read()["status"] != "active" {
				t.Fatalf("the decision reads %v", read())
			}
			if found, _ := against[0].(map[string]any); found["id"] != note["memoryId"] || found["content"] != c.note || len(text(found["date"])) != len(time.DateOnly) {
				t.Errorf("the note reads %v", found)
			}
			if open, _ := k.call("status", `{}`)["contradicted"].([]any); len(open) != 1 || !strings.Contains(text(open[0]), text(note["memoryId"])) {
				t.Errorf("status lists %v", open)
			}
			again := k.call("remember", fmt.Sprintf(`{"content":%q}`, c.note))
			if again["action"] != "skipped" {
				t.Errorf("said again: %v", again)
			}
			k.call("remember", fmt.Sprintf(`{"content":%q,"form":"decision","supersedes":%q}`, c.settled, text(card["uri"])))
			if open := k.call("status", `{}`)["contradicted"]; open != nil || read()["status"] != "superseded" || read()["contradicted_by"] != nil {
				t.Errorf("after another decision: %v, open %v", read(), open)
			}
		})
	}
}
