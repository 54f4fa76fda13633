package mirror_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// Nobody rewords a line that they have not seen: a person's new line that reads
// like one of ours, which their editor had not loaded, is a line of its own.
func TestAStaleSaveRewordsNothing(t *testing.T) {
	b := newBench(t)
	b.remember("ours, number 9")
	b.drain()
	b.sync()
	loaded := b.read(today)
	b.clock.pass(time.Minute)
	m := b.remember("ours, number 10")
	b.drain()
	b.clock.pass(time.Minute)
	b.save(today, loaded+"- typed, number 1\n")
	if r := b.sync(); r.Restored != 1 || r.Added != 1 || r.Updated != 0 {
		t.Errorf("report %+v", r)
	}
	b.stands(today, "ours, number 10", 1)
	b.stands(today, "typed, number 1", 1)
	b.byContent("typed, number 1")
	if now := b.get(m.ID); now.Content != m.Content || now.Status != memory.Active {
		t.Errorf("what was remembered now says %q, %s", now.Content, now.Status)
	}
}

// A save into the file that we swapped out was merged, and its line has got our
// comment since: it stands, and is not merged again.
func TestALateSaveThatGotACommentIsNotMergedTwice(t *testing.T) {
	b := newBench(t)
	b.remember("first")
	b.drain()
	b.sync()
	editor, err := os.OpenFile(filepath.Join(b.dir, today), os.O_WRONLY|os.O_APPEND, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer editor.Close()
	b.remember("second")
	b.drain()
	if _, err := editor.WriteString("- typed late\n- typed later\n"); err != nil {
		t.Fatal(err)
	}
	b.drain()
	b.clock.pass(time.Second)
	b.drain()
	b.stands(today, "typed late\n", 1)
	b.sync()
	typed := b.byContent("typed late")
	text := strings.Replace(b.read(today), "- typed late\n", "- typed late <!-- am:"+typed.ID+" n=7 -->\n", 1)
	b.save(today, strings.Replace(text, "- typed later\n", "", 1)) // and a save of somebody else lacked the other
	for range 4 {
		b.clock.pass(time.Minute)
		b.drain()
	}
	b.stands(today, "- typed late ", 1)
	b.stands(today, "- typed late\n", 0)
}
