package capture_test

import (
	"context"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentmemory/internal/capture"

	"github.com/google/go-cmp/cmp"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var update = flag.Bool("update", false, "write the golden files")

func folder(t testing.TB, host capture.Host, dir string) *capture.Folder {
	t.Helper()
	f, err := capture.OpenFolder(host, dir)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	return f
}

func conversations(t testing.TB, s capture.Source) []capture.Conversation {
	t.Helper()
	var all []capture.Conversation
	err := s.Conversations(t.Context(), func(c capture.Conversation) error {
		all = append(all, c)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// read returns the messages after a cursor.
func read(t testing.TB, s capture.Source, c *capture.Conversation, from capture.Cursor) ([]capture.Message, capture.Outcome) {
	t.Helper()
	var all []capture.Message
	out, err := s.Read(t.Context(), c, from, func(m capture.Message) error {
		all = append(all, m)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return all, out
}

func texts(messages []capture.Message) []string {
	var all []string
	for _, m := range messages {
		all = append(all, m.Text)
	}
	return all
}

// transcript renders all conversations of a source, for golden files.
func transcript(t testing.TB, s capture.Source) string {
	t.Helper()
	var b strings.Builder
	for _, c := range conversations(t, s) {
		messages, out := read(t, s, &c, capture.Cursor{})
		fmt.Fprintf(&b, "%s %s %s agent=%q parent=%q started=%s\n", c.Host, c.ID, c.Kind, c.Agent, c.Parent, c.Started.UTC().Format("2006-01-02T15:04:05"))
		for _, m := range messages {
			fmt.Fprintf(&b, "  %d %s %s %s %s %q\n", m.Number, m.ID, m.At.UTC().Format("15:04:05"), m.Role, m.Nature, m.Text)
		}
		fmt.Fprintf(&b, "  messages=%d bad=%d torn=%v\n", out.Messages, out.Bad, out.Torn)
		for _, bad := range out.BadLines {
			fmt.Fprintf(&b, "  bad line %d: %s\n", bad.Number, bad.Reason)
		}
	}
	return b.String()
}

func golden(t testing.TB, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", "golden", name)
	if *update {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(string(want), got); diff != "" {
		t.Errorf("%s (-want +got; -update accepts)\n%s", name, diff)
	}
}

func write(t testing.TB, path, text string) {
	t.Helper()
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

func appendTo(t testing.TB, path, text string) {
	t.Helper()
	f, err := os.OpenFile(path, os.O_APPEND|os.O_WRONLY, 0o600)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, err := f.WriteString(text); err != nil {
		t.Fatal(err)
	}
}

func said(role, text string) string {
	return fmt.Sprintf(`{"role":%q,"content":%q}`, role, text) + "\n"
}

func canceled(t testing.TB) context.Context {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	return ctx
}
