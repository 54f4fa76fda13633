package mirror_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agentmemory/internal/memory"
)

// world is what a person and we have done, and hence what must be true.
type world struct {
	*bench
	r       *rapid.T
	n       int
	typed   map[string]bool          // lines of the person that they have not removed
	ours    map[string]memory.Memory // acknowledged and neither forgotten nor deleted
	gone    map[string]bool          // ids that were forgotten or deleted
	buffer  string                   // what the person's editor has loaded
	opened  time.Time                // zero: nothing is open
	dropped map[string]int           // how often a stale save dropped a line of ours
}

// A person edits in every way they can while we write: no line of theirs is
// lost, and each acknowledged memory stands exactly once.
func TestPersonAndMirrorModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		w := &world{bench: newBench(t), r: r, typed: map[string]bool{}, ours: map[string]memory.Memory{}, gone: map[string]bool{}, dropped: map[string]int{}}
		for range rapid.IntRange(3, 30).Draw(r, "steps") {
			w.n++
			w.step()
			w.clock.pass(3 * time.Second)
		}
		w.clock.pass(time.Minute)
		w.sync()
		w.drain()
		w.clock.pass(time.Minute)
		w.drain()
		w.check()
		if report := w.sync(); report.FilesChanged+report.Added+report.Deleted+report.Missing != 0 {
			r.Fatalf("another sync found changes: %+v", report)
		}
	})
}

func (w *world) step() {
	switch rapid.SampledFrom([]string{"remember", "remember", "drain", "sync", "type", "open", "save", "change", "forget", "delete", "move", "reword"}).Draw(w.r, "step") {
	case "remember":
		m := w.remember(fmt.Sprintf("our fact number %d about %s", w.n, strings.Repeat("x", w.n)))
		w.ours[m.ID] = m
	case "drain":
		w.drain()
	case "sync":
		w.bench.sync()
	case "type":
		if w.opened.IsZero() {
			w.typeInto(w.read(today))
		}
	case "open":
		w.buffer, w.opened = w.read(today), w.clock.Now()
	case "save":
		if !w.opened.IsZero() && w.clock.Now().Sub(w.opened) < 10*time.Minute {
			w.dropStale()
			w.typeInto(w.buffer)
		}
		w.opened = time.Time{}
	case "change":
		if m, ok := w.pick(); ok {
			m.Content = fmt.Sprintf("our fact number %d, now %s", w.n, strings.Repeat("y", w.n))
			w.ours[m.ID] = w.apply(memory.Change{Op: memory.OpUpdate, Memory: m})
		}
	case "forget":
		if m, ok := w.pick(); ok {
			w.bench.forget(m, memory.OpStatus)
			delete(w.ours, m.ID)
			w.gone[m.ID] = true
		}
	default:
		if w.opened.IsZero() {
			w.handle()
		}
	}
}

// dropStale notes what the save of an old buffer takes away. A line that is
// dropped for the second time is gone: that is the promise.
func (w *world) dropStale() {
	for id := range w.ours {
		if strings.Contains(w.read(today), "am:"+id) && !strings.Contains(w.buffer, "am:"+id) {
			if w.dropped[id]++; w.dropped[id] > 1 {
				delete(w.ours, id)
			}
		}
	}
}

// typeInto saves a text with one more line of the person.
func (w *world) typeInto(text string) {
	line := fmt.Sprintf("- typed line %d %s", w.n, strings.Repeat("z", w.n))
	w.typed[line] = true
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	w.save(today, text+line+"\n")
}

func (w *world) pick() (memory.Memory, bool) {
	var ids []string
	for _, m := range w.live() {
		if _, ok := w.ours[m.ID]; ok {
			ids = append(ids, m.ID)
		}
	}
	if len(ids) == 0 {
		return memory.Memory{}, false
	}
	return w.get(rapid.SampledFrom(ids).Draw(w.r, "which")), true
}

// handle lets the person delete, move or reword one of our lines, old enough
// that nobody takes it for a stale save.
func (w *world) handle() {
	w.drain()
	w.bench.sync()
	w.clock.pass(20 * time.Minute)
	m, ok := w.pick()
	if !ok {
		return
	}
	line := lineWith(w.read(today), m.ID)
	if !strings.Contains(line, "am:") {
		return
	}
	switch rapid.IntRange(0, 2).Draw(w.r, "how") {
	case 0:
		w.edit(today, line, "")
		delete(w.ours, m.ID)
		w.gone[m.ID] = true
	case 1:
		w.edit(today, line, "")
		w.save("memory/2026-02-20.md", w.read("memory/2026-02-20.md")+line)
	default:
		w.edit(today, "- "+m.Content, fmt.Sprintf("- reworded %d: %s", w.n, m.Content))
	}
	w.clock.pass(3 * time.Second)
	w.bench.sync()
}

func (w *world) check() {
	everything := ""
	for name, text := range w.files("memory") {
		if strings.HasSuffix(name, ".md") {
			everything += text
		}
	}
	for line := range w.typed {
		if n := strings.Count(everything, line+"\n") + strings.Count(everything, line+" <!-- am:"); n != 1 {
			w.r.Fatalf("a line of the person stands %d times: %q\n%s", n, line, everything)
		}
	}
	for id, m := range w.ours {
		if n := strings.Count(everything, "am:"+id); n != 1 {
			w.r.Fatalf("%q (%s) stands %d times; the store has it as %s\n%s", m.Content, id, n, w.get(id).Status, everything)
		}
		if got := w.get(id); got.Status != memory.Active || !strings.Contains(everything, got.Content) {
			w.r.Fatalf("the store says %q, %s\n%s", got.Content, got.Status, everything)
		}
	}
	for id := range w.gone {
		if strings.Contains(everything, "am:"+id) || w.get(id).Status != memory.Forgotten {
			w.r.Fatalf("%s was removed: status %s\n%s", id, w.get(id).Status, everything)
		}
	}
}
