package mirror_test

import (
	"context"
	"crypto/rand"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
	"agentmemory/markdown"
	"agentmemory/store"
)

var _ mirror.Store = (*store.Store)(nil)

// clock is a time that only the test moves.
type clock struct {
	mu  sync.Mutex
	now time.Time
}

func (c *clock) Now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *clock) pass(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now = c.now.Add(d)
}

// bench is a workspace with a store and a mirror, and a person with an editor.
type bench struct {
	*mirror.Mirror
	t     testing.TB
	dir   string
	clock *clock
	store *store.Store
	ids   *memory.IDSource
	with  func(*mirror.Options)
	saves int
}

func newBench(t testing.TB, with ...func(*mirror.Options)) *bench {
	t.Helper()
	b := &bench{t: t, dir: t.TempDir(), clock: &clock{now: time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC)}}
	b.with = func(o *mirror.Options) {
		for _, w := range with {
			w(o)
		}
	}
	b.ids = memory.NewIDSource(b.clock.Now, rand.Reader)
	b.open()
	return b
}

// open starts a process on the workspace.
func (b *bench) open() {
	b.t.Helper()
	ctx := context.Background()
	for _, dir := range []string{".agent-memory", "memory"} {
		if err := os.MkdirAll(filepath.Join(b.dir, dir), 0o700); err != nil {
			b.t.Fatal(err)
		}
	}
	s, err := store.Open(ctx, store.Options{Path: filepath.Join(b.dir, ".agent-memory", "store.db"), Now: b.clock.Now, IDs: b.ids, Zone: time.UTC})
	if err != nil {
		b.t.Fatal(err)
	}
	root, err := os.OpenRoot(b.dir)
	if err != nil {
		b.t.Fatal(err)
	}
	o := mirror.Options{Root: root, Store: s, Now: b.clock.Now, Zone: time.UTC, Log: func(what string, err error) { b.t.Logf("log: %s: %v", what, err) }}
	b.with(&o)
	m, err := mirror.New(o)
	if err != nil {
		b.t.Fatal(err)
	}
	b.Mirror, b.store = m, s
	b.t.Cleanup(func() {
		if b.store == s {
			s.Close()
		}
		root.Close()
	})
}

// lose deletes the database as a person would.
func (b *bench) lose() {
	b.t.Helper()
	if err := b.store.Close(); err != nil {
		b.t.Fatal(err)
	}
	b.store = nil
	for _, suffix := range []string{"", "-wal", "-shm"} {
		os.Remove(filepath.Join(b.dir, ".agent-memory", "store.db"+suffix))
	}
	b.open()
}

// remember commits a memory as the use case does; nothing is in the files yet.
func (b *bench) remember(content string, change ...func(*memory.Memory)) memory.Memory {
	b.t.Helper()
	now := b.clock.Now()
	m := memory.Memory{
		Namespace: memory.DefaultNamespace, Type: memory.Event, Form: memory.Note, Content: markdown.Sanitise(content), Status: memory.Active,
		Trust: memory.TrustAgent, Confidence: .8, InitialImportance: .5, Importance: .5, Density: .5, ImportanceSet: now, CreatedAt: now, Source: "test",
	}
	for _, c := range change {
		c(&m)
	}
	if m.URI == "" {
		m.URI = memory.JournalURI(m.Type, now)
	}
	m.Home.File = mirror.Home(m, time.UTC)
	return b.apply(memory.Change{Op: memory.OpAdd, Memory: m, Reason: "test"})
}

func (b *bench) apply(c memory.Change) memory.Memory {
	b.t.Helper()
	applied, err := b.store.Apply(context.Background(), []memory.Change{c})
	if err != nil {
		b.t.Fatal(err)
	}
	if applied[0].Conflict != memory.NoConflict {
		b.t.Fatalf("%s of %q: conflict %s with %s", c.Op, c.Memory.Content, applied[0].Conflict, applied[0].Existing)
	}
	return applied[0].Memory
}

func (b *bench) drain() {
	b.t.Helper()
	if err := b.Drain(context.Background()); err != nil {
		b.t.Fatal(err)
	}
}

func (b *bench) sync(o ...memory.SyncOptions) memory.SyncReport {
	b.t.Helper()
	var options memory.SyncOptions
	if len(o) > 0 {
		options = o[0]
	}
	report, err := b.Sync(context.Background(), options)
	if err != nil {
		b.t.Fatal(err)
	}
	return report
}

func (b *bench) read(name string) string {
	b.t.Helper()
	text, err := os.ReadFile(filepath.Join(b.dir, name))
	if err != nil && !os.IsNotExist(err) {
		b.t.Fatal(err)
	}
	return string(text)
}

// save writes a file as an editor does, in place.
func (b *bench) save(name, text string) {
	b.t.Helper()
	full := filepath.Join(b.dir, name)
	if err := os.MkdirAll(filepath.Dir(full), 0o755); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(full, []byte(text), 0o644); err != nil {
		b.t.Fatal(err)
	}
	b.saves++
	at := b.clock.Now().Add(time.Duration(b.saves) * time.Microsecond)
	if err := os.Chtimes(full, at, at); err != nil {
		b.t.Fatal(err)
	}
}

// edit replaces text in a file and fails if it is not there.
func (b *bench) edit(name, old, now string) {
	b.t.Helper()
	text := b.read(name)
	if !strings.Contains(text, old) {
		b.t.Fatalf("%s does not hold %q:\n%s", name, old, text)
	}
	b.save(name, strings.Replace(text, old, now, 1))
}

func (b *bench) get(id string) memory.Memory {
	b.t.Helper()
	found, err := b.store.ByIDs(context.Background(), []string{id})
	if err != nil {
		b.t.Fatal(err)
	}
	if len(found) == 0 {
		return memory.Memory{}
	}
	return found[0]
}

// all lists every memory of the store, of any status.
func (b *bench) all() []memory.Memory {
	b.t.Helper()
	found, err := b.store.List(context.Background(), memory.Filter{Statuses: memory.Statuses()})
	if err != nil {
		b.t.Fatal(err)
	}
	return found
}

// byContent finds the one memory with this content.
func (b *bench) byContent(content string) memory.Memory {
	b.t.Helper()
	var found []memory.Memory
	for _, m := range b.all() {
		if m.Content == content {
			found = append(found, m)
		}
	}
	if len(found) != 1 {
		b.t.Fatalf("%d memories say %q, want one", len(found), content)
	}
	return found[0]
}

// stands fails unless text stands in the file exactly n times.
func (b *bench) stands(name, text string, n int) {
	b.t.Helper()
	if got := strings.Count(b.read(name), text); got != n {
		b.t.Fatalf("%s holds %q %d times, want %d:\n%s", name, text, got, n, b.read(name))
	}
}

const today = "memory/2026-02-21.md"

func (b *bench) remove(name string) {
	b.t.Helper()
	if err := os.Remove(filepath.Join(b.dir, name)); err != nil {
		b.t.Fatal(err)
	}
}

// files reads every file below a folder.
func (b *bench) files(dir string) map[string]string {
	b.t.Helper()
	out := map[string]string{}
	err := filepath.WalkDir(filepath.Join(b.dir, dir), func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		text, err := os.ReadFile(path)
		name, _ := filepath.Rel(b.dir, path)
		out[filepath.ToSlash(name)] = string(text)
		return err
	})
	if err != nil {
		b.t.Fatal(err)
	}
	return out
}
