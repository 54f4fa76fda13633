package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// What was captured and purged stays away, although the host's transcript still
// holds it: neither the next line of the conversation nor reading all of it again
// brings it back, and no file that captures keep holds a word of it.
func TestAPurgedLineOfAConversationIsNotCapturedAgain(t *testing.T) {
	t.Parallel()
	const secret = "We decided that the vault of the harbour opens with " + secretWord + " 4711"
	lines := spokenLines(secret, "Never deploy to production on a Friday afternoon.", "I always prefer tabs over spaces in the ledger code.")
	l := listen(t, lines[:2]...)
	l.sync(t)
	if before := l.journal(t); !strings.Contains(before, secret) || len(filesWith(t, l.workspace, secretWord)) < 2 {
		t.Fatalf("not captured:\n%s", before)
	}
	answer[map[string]any](t, l.env, "forget", capturedID(t, l, secretWord), "--purge", "--confirm")
	lacks := func(when string) {
		t.Helper()
		for spelling, needle := range spellings(secretWord) {
			for _, file := range filesWith(t, l.workspace, needle) {
				t.Errorf("%s %s holds it as %s", when, file, spelling)
			}
		}
		if _, out, _ := program(t, l.env, "export", "--format", "jsonl"); strings.Contains(out, secretWord) || !strings.Contains(out, "Friday") {
			t.Errorf("%s:\n%s", when, out)
		}
	}
	lacks("after the purge")
	writeFile(t, l.transcript, strings.Join(lines, ""))
	l.sync(t)
	lacks("after the next line")
	removeFile(t, filepath.Join(l.workspace, "memory", "state", "processed-sessions.json"))
	l.sync(t)
	lacks("read from the beginning")
}

// capturedID is the id of the one memory with a word.
func capturedID(t *testing.T, l listener, word string) string {
	t.Helper()
	for line := range strings.Lines(l.journal(t)) {
		if _, id, found := strings.Cut(line, "<!-- am:"); found && strings.Contains(line, word) {
			id, _, _ = strings.Cut(strings.Fields(id)[0], "#")
			return id
		}
	}
	t.Fatalf("no line with %q", word)
	return ""
}
