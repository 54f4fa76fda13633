package mirror_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

// BenchmarkSyncUnchanged is a sync of 1,000 files that nobody has touched.
func BenchmarkSyncUnchanged(b *testing.B) {
	w := newBench(b)
	for i := range 1000 {
		day := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i).Format(time.DateOnly)
		w.save("memory/"+day+".md", fmt.Sprintf("# %s\n\n- entry %d\n- another %d\n", day, i, i))
	}
	w.sync()
	for b.Loop() {
		if r := w.sync(); r.FilesChanged != 0 {
			b.Fatalf("%+v", r)
		}
	}
}

// BenchmarkFirstSync reads a workspace of 1,000 files for the first time.
func BenchmarkFirstSync(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		w := newBench(b)
		for i := range 1000 {
			day := time.Date(2023, 1, 1, 0, 0, 0, 0, time.UTC).AddDate(0, 0, i).Format(time.DateOnly)
			w.save("memory/"+day+".md", fmt.Sprintf("# %s\n\n- entry %d\n- another %d\n", day, i, i))
		}
		b.StartTimer()
		w.sync()
	}
}

// BenchmarkDrain writes one memory into a journal of 400 entries, 60 KB.
func BenchmarkDrain(b *testing.B) {
	w := newBench(b)
	for i := range 400 {
		w.remember(fmt.Sprintf("entry %d %s", i, strings.Repeat("x", 100)))
	}
	w.drain()
	m := w.remember("changing")
	n := 0
	for b.Loop() {
		n++
		m.Content = fmt.Sprintf("changed %d times", n)
		w.apply(memory.Change{Op: memory.OpUpdate, Memory: m})
		if err := w.Drain(context.Background()); err != nil {
			b.Fatal(err)
		}
		w.clock.pass(3 * time.Second)
	}
}

// BenchmarkImport drains 5,000 imported memories.
func BenchmarkImport(b *testing.B) {
	for b.Loop() {
		b.StopTimer()
		w := newBench(b)
		var changes []memory.Change
		for i := range 5000 {
			m := memory.Memory{Namespace: memory.DefaultNamespace, Type: memory.Event, Form: memory.Note, Content: fmt.Sprintf("imported fact %d about %s", i, strings.Repeat("x", 80)),
				Status: memory.Active, Trust: memory.TrustAgent, CreatedAt: w.clock.Now(), Source: "import:batch"}
			m.Home.File = mirror.Home(m, time.UTC)
			changes = append(changes, memory.Change{Op: memory.OpAdd, Memory: m, Import: true})
		}
		if _, err := w.store.Apply(context.Background(), changes); err != nil {
			b.Fatal(err)
		}
		b.StartTimer()
		w.drain()
	}
}
