package capture

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"agentmemory/internal/redact"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
	"pgregory.net/rapid"
)

func TestLinesAreFound(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		lines := rapid.SliceOfN(rapid.StringMatching(`[a-z]{0,9}`), 0, 60).Draw(t, "lines")
		whole := strings.Join(lines, "\n")
		if rapid.Bool().Draw(t, "ends with a line feed") {
			whole += "\n"
		}
		n := rapid.Int64Range(1, 70).Draw(t, "n")
		begin, end, err := lineAt(t.Context(), strings.NewReader(whole), n)
		wantBegin, wantEnd := 0, 0
		if parts := strings.SplitAfter(whole, "\n"); int64(len(parts)) > n || int64(len(parts)) == n && strings.HasSuffix(whole, "\n") && parts[n-1] != "" {
			wantBegin = len(strings.Join(parts[:n-1], ""))
			wantEnd = wantBegin + len(parts[n-1])
		}
		if err != nil || end != int64(wantEnd) || end > 0 && begin != int64(wantBegin) {
			t.Fatalf("line %d of %q: %d–%d, %v; want %d–%d", n, whole, begin, end, err, wantBegin, wantEnd)
		}
	})
}

// A message far into a conversation is shown with the same words around it
// wherever reading began, in plain and in compressed files.
func TestFarMessagesAreTheSame(t *testing.T) {
	t.Parallel()
	var b strings.Builder
	for i := range 3000 {
		role := []string{"user", "assistant", "tool"}[i%3]
		fmt.Fprintf(&b, "{\"role\":%q,\"content\":\"message %d\"}\n", role, i+1)
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "s1.jsonl"), []byte(b.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	coder, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "s2.jsonl.zst"), coder.EncodeAll([]byte(b.String()), nil), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := OpenFolder(Plain, dir)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	e := NewExtractor(Options{Redactor: redact.New()})
	for _, path := range []string{"s1.jsonl", "s2.jsonl.zst"} {
		for _, n := range []int64{1, 199, 201, 1000, 2998, 3000, 4000} {
			c, want := Conversation{Host: Plain, Path: path}, Passage{First: n, Last: n + 1, Limit: 5}
			near, err := e.excerpt(t.Context(), f, c, want)
			if err != nil {
				t.Fatal(err)
			}
			far, err := e.excerpt(t.Context(), unskipping{f}, c, want)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(far.Lines, near.Lines); diff != "" || (len(near.Lines) == 0) != (n > 2998) {
				t.Errorf("%s at %d: %s", path, n, diff)
			}
		}
	}
}

// unskipping hides that a source can go to a line.
type unskipping struct{ Source }
