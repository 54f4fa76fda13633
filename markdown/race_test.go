package markdown_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// A person's editor saves the journal over and over while we write entries into
// it: whatever the interleaving, the person's last text is in the file in the end.
func TestNoHumanLineIsLostWhileBothWrite(t *testing.T) {
	const saves, entries = 150, 60
	dir := t.TempDir()
	root, err := os.OpenRoot(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := os.Mkdir(filepath.Join(dir, "memory"), 0o700); err != nil {
		t.Fatal(err)
	}
	file := filepath.Join(dir, journal)
	var person sync.WaitGroup
	person.Go(func() {
		text := "" // the editor's buffer: it never looks at the file again
		for i := range saves {
			text += fmt.Sprintf("- human %03d\n", i)
			temp := filepath.Join(dir, "editor~")
			if os.WriteFile(temp, []byte(text), 0o600) != nil || os.Rename(temp, file) != nil {
				t.Error("the person cannot save")
				return
			}
		}
	})
	w := writer{t: t, files: markdown.NewWorkspace(root).Journals()}
	for i := range entries {
		w.put(note(fmt.Sprintf("entry%03d", i), i+1, fmt.Sprintf("ours %03d", i)))
	}
	person.Wait()
	w.settle()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	for i := range saves {
		if !strings.Contains(string(text), fmt.Sprintf("- human %03d\n", i)) {
			t.Errorf("human line %d is lost", i)
		}
	}
	if d := markdown.Parse(journal, text); len(d.Duplicates()) > 0 {
		t.Errorf("%d duplicates", len(d.Duplicates()))
	}
}

// writer carries out steps 12 and 13 of the write path: read, merge, exchange,
// and merge again what came out.
type writer struct {
	t      *testing.T
	files  markdown.JournalFiles
	serial int64
}

func (w *writer) put(e markdown.Entry) {
	file := w.files.Day(evening(), 1)
	now, err := file.Read()
	if err != nil {
		w.t.Fatal(err)
	}
	d := markdown.Parse(journal, now)
	d.Put(e)
	w.write(file, now, d.Bytes())
}

func (w *writer) settle() { w.put(note("last", 99, "the end")) }

// write exchanges until what came out is what had been read.
func (w *writer) write(file markdown.File, read, text []byte) {
	for {
		w.serial++
		temp := markdown.TempName(w.serial, text)
		s, err := file.Replace(temp, read, text)
		if err != nil {
			w.t.Fatal(err)
		}
		if err := file.Discard(temp); err != nil {
			w.t.Fatal(err)
		}
		if bytes.Equal(s.Old, read) && !s.Stale {
			return
		}
		read, text = text, markdown.Merge(journal, read, text, s.Old).Text
	}
}

func TestDistanceCountsDifferingLines(t *testing.T) {
	for _, c := range []struct {
		a, b string
		want int
	}{{"", "", 0}, {"a\nb\n", "a\nb\n", 0}, {"a\nb\n", "a\nc\nb\n", 1}, {"a\nb\nc\n", "a\nX\nc\n", 2}, {"x\nx\ny\n", "x\ny\nx\n", 2}} {
		if got := markdown.Distance([]byte(c.a), []byte(c.b)); got != c.want {
			t.Errorf("%q, %q: %d, wanted %d", c.a, c.b, got, c.want)
		}
	}
}

func TestWrapupsAreCutIntoParts(t *testing.T) {
	s := memory.Section{Name: markdown.WrapupSections()[1]}
	for i := range 3200 {
		s.Entries = append(s.Entries, memory.ProjectedLine{Text: fmt.Sprint("1. action ", i)})
	}
	parts := markdown.RenderWrapup(evening(), memory.Projection{Sections: []memory.Section{s}}, markdown.English)
	whole := bytes.Join(parts, nil)
	if len(parts) != 3 || bytes.Count(whole, []byte(`- 1\. action `)) != 3200 {
		t.Errorf("%d parts, %d lines", len(parts), bytes.Count(whole, []byte("action ")))
	}
	for i, p := range parts {
		if bytes.Count(p, []byte("\n")) >= 1500 {
			t.Errorf("part %d has %d lines", i, bytes.Count(p, []byte("\n")))
		}
	}
}
