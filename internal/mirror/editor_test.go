package mirror_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

// A person saves a journal in every way that editors know while we write it:
// every line of theirs stays, and each of our memories stands once. A line that
// they overwrote again and again themselves may end in a conflict file.
func TestPersonAndMirrorWriteAtOnce(t *testing.T) {
	const rounds = 80
	b := newBench(t, func(o *mirror.Options) { o.Now, o.Settle = time.Now, 40*time.Millisecond })
	b.clock.now = time.Now()
	first := b.remember("the first memory")
	name := first.Home.File
	b.drain()

	var ours []memory.Memory
	var typed []string
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range rounds {
			ours = append(ours, b.remember(fmt.Sprintf("ours, number %d", i)))
			b.drain()
			time.Sleep(time.Duration(rand.IntN(4)) * time.Millisecond)
		}
	})
	wg.Go(func() {
		full := filepath.Join(b.dir, filepath.FromSlash(name))
		for i := range rounds {
			line := fmt.Sprintf("- typed, number %d\n", i)
			saveAs(t, i%3, full, line)
			typed = append(typed, line)
			if i%25 == 0 {
				time.Sleep(100 * time.Millisecond)
			}
			time.Sleep(time.Duration(rand.IntN(5)) * time.Millisecond)
		}
	})
	wg.Wait()
	b.comeToRest()
	text, besides := b.read(name), b.conflicts(name)
	for _, line := range typed {
		if strings.Contains(besides, line) && !strings.Contains(text, line) {
			continue
		}
		if n := strings.Count(text, line) + strings.Count(text, strings.TrimSuffix(line, "\n")+" <!-- am:"); n != 1 {
			t.Errorf("a person's line stands %d times: %q", n, line)
		}
	}
	for _, m := range append(ours, first) {
		if n := strings.Count(text, "am:"+m.ID); n != 1 {
			t.Errorf("%q stands %d times; in the store it is %s", m.Content, n, b.get(m.ID).Status)
		}
	}
	if t.Failed() {
		for name, text := range b.files("memory") {
			t.Logf("%s:\n%s", name, text)
		}
	}
	if left, err := os.ReadDir(filepath.Join(b.dir, ".agent-memory", "swap")); err == nil && len(left) > 0 {
		t.Errorf("%d temporary files are left", len(left))
	}
}

// comeToRest waits until nothing is left to be written or read.
func (b *bench) comeToRest() {
	b.t.Helper()
	for range 6 {
		time.Sleep(50 * time.Millisecond)
		if err := b.Flush(context.Background(), 5*time.Second); err != nil {
			b.t.Fatal(err)
		}
	}
	b.sync()
}

// conflicts returns what stands in the conflict files of a file.
func (b *bench) conflicts(name string) string {
	var all strings.Builder
	for other, text := range b.files(filepath.Dir(name)) {
		if strings.HasPrefix(other, name+".conflict-") {
			all.WriteString(text)
		}
	}
	return all.String()
}

// saveAs adds a line to a file: appending, rewriting it in place, or by a
// temporary file.
func saveAs(t *testing.T, way int, full, line string) {
	t.Helper()
	if way == 0 {
		f, err := os.OpenFile(full, os.O_APPEND|os.O_WRONLY, 0)
		if err != nil {
			t.Error(err)
			return
		}
		f.WriteString(line)
		f.Close()
		return
	}
	text, err := os.ReadFile(full)
	if err != nil {
		t.Error(err)
		return
	}
	target := full
	if way == 2 {
		target = full + ".tmp"
	}
	if err := os.WriteFile(target, append(text, line...), 0o600); err != nil {
		t.Error(err)
	}
	if way == 2 {
		if err := os.Rename(target, full); err != nil {
			t.Error(err)
		}
	}
}
