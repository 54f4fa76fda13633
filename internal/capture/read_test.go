package capture_test

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"

	"agentmemory/internal/capture"

	"github.com/google/go-cmp/cmp"
	"github.com/klauspost/compress/zstd"
)

func TestEachHostIsUnderstood(t *testing.T) {
	for _, c := range []struct {
		host capture.Host
		dir  string
	}{{capture.ClaudeCode, "claude"}, {capture.Codex, "codex"}, {capture.OpenClaw, "openclaw"}, {capture.Plain, "plain"}} {
		golden(t, c.dir+".txt", transcript(t, folder(t, c.host, filepath.Join("testdata", c.dir))))
	}
}

// plain makes a folder with one conversation and returns its source, the file
// and the conversation.
func plain(t testing.TB, text string) (capture.Source, string, capture.Conversation) {
	t.Helper()
	dir := t.TempDir()
	path := filepath.Join(dir, "chat.jsonl")
	write(t, path, text)
	s := folder(t, capture.Plain, dir)
	return s, path, conversations(t, s)[0]
}

func TestReadingGoesOnWhereItStopped(t *testing.T) {
	s, path, c := plain(t, said("user", "one")+said("assistant", "two"))
	_, out := read(t, s, &c, capture.Cursor{})
	again, out2 := read(t, s, &c, out.Cursor)
	if len(again) != 0 || out2.Cursor != out.Cursor || out2.Restarted {
		t.Errorf("unchanged: %v, %+v", again, out2)
	}
	appendTo(t, path, said("user", "three"))
	more, out3 := read(t, s, &c, out.Cursor)
	if diff := cmp.Diff([]string{"three"}, texts(more)); diff != "" || more[0].Number != 3 || out3.Restarted {
		t.Errorf("%s %+v", diff, out3)
	}
}

func TestTornLinesWait(t *testing.T) {
	whole := said("user", "第二条消息")
	for cut := 1; cut < len(whole)-1; cut++ {
		s, path, c := plain(t, said("user", "one")+whole[:cut])
		first, out := read(t, s, &c, capture.Cursor{})
		if len(first) != 1 || out.Bad != 0 || !out.Torn {
			t.Fatalf("cut at %d: %v %+v", cut, texts(first), out)
		}
		appendTo(t, path, whole[cut:])
		second, out := read(t, s, &c, out.Cursor)
		if diff := cmp.Diff([]string{"第二条消息"}, texts(second)); diff != "" || out.Torn || out.Restarted || second[0].Number != 2 {
			t.Fatalf("cut at %d: %s %+v", cut, diff, out)
		}
	}
}

// A last line that is a whole record counts, although its line feed is missing.
func TestLastLineWithoutLineFeed(t *testing.T) {
	line := said("user", "one")
	s, path, c := plain(t, line[:len(line)-1])
	first, out := read(t, s, &c, capture.Cursor{})
	appendTo(t, path, "\n"+said("user", "two"))
	second, out2 := read(t, s, &c, out.Cursor)
	if len(first) != 1 || out.Torn || out2.Restarted || !slices.Equal(texts(second), []string{"two"}) || second[0].Number != 2 {
		t.Errorf("%v, %v, %+v", texts(first), second, out2)
	}
}

func TestRewrittenFilesAreReadAgain(t *testing.T) {
	before := said("user", "one") + said("user", "two")
	for name, after := range map[string]string{
		"truncated":                  said("user", "one"),
		"emptied":                    "",
		"replaced by a longer one":   said("user", "other") + said("user", "two") + said("user", "three"),
		"replaced by the same size":  said("user", "eno") + said("user", "owt"),
		"rewritten behind the start": said("user", "one") + said("user", "owt") + said("user", "three"),
	} {
		s, path, c := plain(t, before)
		_, out := read(t, s, &c, capture.Cursor{})
		write(t, path, after)
		messages, out2 := read(t, s, &c, out.Cursor)
		if !out2.Restarted || len(messages) != strings.Count(after, "\n") {
			t.Errorf("%s: %v %+v", name, texts(messages), out2)
		}
	}
}

func TestBadLinesAreCountedAndPassedOver(t *testing.T) {
	s, _, c := plain(t, said("user", "one")+"\x00\x01\n[]\n{}\n{\"role\":7}\n\n"+said("user", "two"))
	messages, out := read(t, s, &c, capture.Cursor{})
	if diff := cmp.Diff([]string{"one", "two"}, texts(messages)); diff != "" || out.Bad != 4 || out.BadLines[0].Number != 2 || messages[1].Number != 7 {
		t.Errorf("%s %+v", diff, out)
	}
	s, _, c = plain(t, strings.Repeat("x\n", 1000))
	if _, out := read(t, s, &c, capture.Cursor{}); out.Bad != 1000 || len(out.BadLines) > 10 {
		t.Errorf("%d bad, %d listed", out.Bad, len(out.BadLines))
	}
}

func TestHugeLinesArePassedOver(t *testing.T) {
	s, _, c := plain(t, said("user", "one")+said("user", strings.Repeat("x", 9<<20))+said("user", "two"))
	messages, out := read(t, s, &c, capture.Cursor{})
	if diff := cmp.Diff([]string{"one", "two"}, texts(messages)); diff != "" || out.Bad != 1 {
		t.Errorf("%s %+v", diff, out)
	}
}

func TestReaderStopsWhenTold(t *testing.T) {
	s, _, c := plain(t, said("user", "one")+said("user", "two")+said("user", "three"))
	stop := errors.New("enough")
	out, err := s.Read(t.Context(), &c, capture.Cursor{}, func(m capture.Message) error {
		if m.Text == "two" {
			return stop
		}
		return nil
	})
	if !errors.Is(err, stop) {
		t.Fatal(err)
	}
	if rest, _ := read(t, s, &c, out.Cursor); !slices.Equal(texts(rest), []string{"two", "three"}) {
		t.Errorf("the cursor left %v", texts(rest))
	}
	if _, err := s.Read(canceled(t), &c, capture.Cursor{}, func(capture.Message) error { return nil }); err == nil {
		t.Error("a cancelled reading succeeded")
	}
}

func packed(t testing.TB, text string) []byte {
	t.Helper()
	var b bytes.Buffer
	w, err := zstd.NewWriter(&b)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := io.WriteString(w, text); err != nil {
		t.Fatal(err)
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestCompressedRollouts(t *testing.T) {
	raw, err := os.ReadFile("testdata/codex/sessions/2026/03/01/rollout-2026-03-01T10-00-00-019a2d7a.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	name := filepath.Join(dir, "rollout-x.jsonl.zst")
	write(t, name, string(packed(t, string(raw))))
	s := folder(t, capture.Codex, dir)
	c := conversations(t, s)[0]
	messages, out := read(t, s, &c, capture.Cursor{})
	if len(messages) != 4 || c.ID != "019a2d7a-41c4-78b1-b7cc-a45d62a89cd5" || out.Bad != 0 {
		t.Errorf("%v %+v %+v", texts(messages), c, out)
	}
	more := `{"timestamp":"2026-03-01T10:00:06.000Z","type":"response_item","payload":{"type":"message","role":"user","content":"more"}}` + "\n"
	write(t, name, string(packed(t, string(raw)+more)))
	if got, out := read(t, s, &c, out.Cursor); !slices.Equal(texts(got), []string{"more"}) || out.Restarted {
		t.Errorf("%v %+v", texts(got), out)
	}
	half := packed(t, string(raw)+more)
	write(t, name, string(half[:len(half)/2]))
	if _, out := read(t, s, &c, capture.Cursor{}); !out.Torn {
		t.Errorf("half a file: %+v", out)
	}
}

// The plain file wins where both exist.
func TestCompressedTwinsAreIgnored(t *testing.T) {
	dir := t.TempDir()
	write(t, filepath.Join(dir, "rollout-a.jsonl"), "")
	write(t, filepath.Join(dir, "rollout-a.jsonl.zst"), "")
	write(t, filepath.Join(dir, "rollout-b.jsonl.zst"), "")
	write(t, filepath.Join(dir, "history.jsonl"), "")
	var names []string
	for _, c := range conversations(t, folder(t, capture.Codex, dir)) {
		names = append(names, c.Path)
	}
	if diff := cmp.Diff([]string{"rollout-a.jsonl", "rollout-b.jsonl.zst"}, names); diff != "" {
		t.Error(diff)
	}
}

func TestLinksOutOfTheFolderAreNotFollowed(t *testing.T) {
	dir, outside := t.TempDir(), t.TempDir()
	write(t, filepath.Join(outside, "secret.jsonl"), said("user", "secret"))
	if err := os.Symlink(filepath.Join(outside, "secret.jsonl"), filepath.Join(dir, "link.jsonl")); err != nil {
		t.Skipf("no links here: %v", err)
	}
	s := folder(t, capture.Plain, dir)
	if all := conversations(t, s); len(all) != 0 {
		t.Errorf("listed %v", all)
	}
	c := capture.Conversation{Path: "link.jsonl"}
	if out, err := s.Read(t.Context(), &c, capture.Cursor{}, func(capture.Message) error { return nil }); err == nil {
		t.Errorf("read %+v", out)
	}
}

// The memory that reading takes does not grow with the file.
func TestReadingTakesConstantMemory(t *testing.T) {
	path := filepath.Join(t.TempDir(), "big.jsonl")
	f, err := os.Create(path)
	if err != nil {
		t.Fatal(err)
	}
	line := said("user", strings.Repeat("今天讨论了架构。", 500))
	for range 64 << 20 / len(line) {
		if _, err := f.WriteString(line); err != nil {
			t.Fatal(err)
		}
	}
	f.Close()
	s := folder(t, capture.Plain, filepath.Dir(path))
	c := conversations(t, s)[0]
	var peak uint64
	n := 0
	_, err = s.Read(t.Context(), &c, capture.Cursor{}, func(capture.Message) error {
		if n++; n%1000 == 0 {
			var m runtime.MemStats
			runtime.ReadMemStats(&m)
			peak = max(peak, m.HeapInuse)
		}
		return nil
	})
	if err != nil || n < 2000 || peak > 40<<20 {
		t.Errorf("%d messages, %d MB in use: %v", n, peak>>20, err)
	}
}

func FuzzRead(f *testing.F) {
	for _, dir := range []string{"claude", "codex", "openclaw", "plain"} {
		filepath.WalkDir(filepath.Join("testdata", dir), func(path string, d os.DirEntry, err error) error {
			if raw, err := os.ReadFile(path); err == nil {
				f.Add(raw, 40)
			}
			return nil
		})
	}
	f.Fuzz(func(t *testing.T, raw []byte, cut int) {
		if cut < 0 || cut > len(raw) {
			cut = len(raw) / 2
		}
		for _, host := range []capture.Host{capture.ClaudeCode, capture.Codex, capture.OpenClaw, capture.Plain} {
			dir := t.TempDir()
			name := map[capture.Host]string{capture.Codex: "rollout-x.jsonl", capture.OpenClaw: "sessions/x.jsonl"}[host]
			if name == "" {
				name = "x.jsonl"
			}
			path := filepath.Join(dir, name)
			if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
				t.Fatal(err)
			}
			whole := everything(t, host, dir, path, raw, len(raw))
			if pieces := everything(t, host, dir, path, raw, cut); pieces != whole {
				t.Fatalf("%s: in two pieces\n%s\nat once\n%s", host, pieces, whole)
			}
		}
	})
}

// everything reads a file that grows from its first bytes to all of them.
func everything(t *testing.T, host capture.Host, dir, path string, raw []byte, first int) string {
	write(t, path, string(raw[:first]))
	s := folder(t, host, dir)
	c := conversations(t, s)[0]
	messages, out := read(t, s, &c, capture.Cursor{})
	write(t, path, string(raw))
	more, last := read(t, s, &c, out.Cursor)
	if last.Restarted {
		messages = nil
	}
	return fmt.Sprint(append(messages, more...), last.Cursor)
}
