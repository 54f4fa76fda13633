package mirror_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

// overtaken is a store in which somebody else commits right before the first of
// our changes.
type overtaken struct {
	mirror.Store
	meanwhile func()
}

func (o *overtaken) Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error) {
	if f := o.meanwhile; f != nil && len(changes) > 0 {
		o.meanwhile = nil
		f()
	}
	return o.Store.Apply(ctx, changes)
}

func overtakenBench(t *testing.T) (*bench, *overtaken) {
	o := &overtaken{}
	b := newBench(t, func(options *mirror.Options) {
		o.Store = options.Store
		options.Store = o
	})
	return b, o
}

// An agent words a memory anew while the mirror reads what a person made of its
// line: the person's words stay, and the agent's, which were acknowledged, go to
// a conflict file.
func TestWhatIsWordedAnewWhileAnEditIsReadIsNotLost(t *testing.T) {
	b, o := overtakenBench(t)
	m := b.remember("the limit is 100")
	b.drain()
	b.clock.pass(time.Hour)
	b.edit(today, "the limit is 100", "the limit is 150")
	o.meanwhile = func() {
		again := b.get(m.ID)
		again.Content = "the limit is 200"
		b.apply(memory.Change{Op: memory.OpUpdate, Memory: again, Reason: "said by the agent"})
	}
	report := b.sync()
	b.stands(today, "the limit is 150", 1)
	if got := b.get(m.ID).Content; got != "the limit is 150" {
		t.Errorf("the memory says %q", got)
	}
	kept := ""
	for name, text := range b.files("memory") {
		if strings.Contains(name, ".conflict-") {
			kept += text
		}
	}
	if !strings.Contains(kept, "the limit is 200") {
		t.Errorf("what the agent said is in no conflict file: %+v", report)
	}
}

// Prose that is used while its file is read again is read once more.
func TestProseThatIsUsedWhileItsFileIsReadFollowsTheFile(t *testing.T) {
	b, o := overtakenBench(t)
	b.save("second-brain/notes.md", "A thought about rigging.\n")
	b.sync()
	m := b.byContent("A thought about rigging.")
	b.clock.pass(time.Hour)
	b.save("second-brain/notes.md", "Another thought altogether.\n")
	o.meanwhile = func() {
		used := b.get(m.ID)
		used.AccessCount++
		b.apply(memory.Change{Op: memory.OpReinforce, Memory: used})
	}
	b.sync()
	if got := b.get(m.ID); got.ID != "" {
		t.Errorf("what stands in the file no more is recalled: %q", got.Content)
	}
	b.byContent("Another thought altogether.")
}

// A person moves a line and words it anew: both changes are as old as what they
// were planned against, and none of them counts if an agent was quicker.
func TestWhatIsWordedAnewWhileItsLineMovesIsNotLost(t *testing.T) {
	b, o := overtakenBench(t)
	m := b.remember("the limit is 100")
	b.drain()
	b.clock.pass(time.Hour)
	line := lineWith(b.read(today), m.ID)
	b.edit(today, line, "")
	b.save("memory/2026-02-20.md", strings.Replace(line, "100", "150", 1))
	o.meanwhile = func() {
		again := b.get(m.ID)
		again.Content = "the limit is 200"
		b.apply(memory.Change{Op: memory.OpUpdate, Memory: again, Reason: "said by the agent"})
	}
	b.sync()
	b.clock.pass(time.Minute)
	b.sync()
	everything := ""
	for _, text := range b.files("memory") {
		everything += text
	}
	if !strings.Contains(everything, "the limit is 200") {
		t.Errorf("what the agent said is gone:\n%s", everything)
	}
	b.stands("memory/2026-02-20.md", "the limit is 150 <!-- am:"+m.ID, 1)
	b.stands(today, "the limit is", 0)
	if got := b.get(m.ID); got.Content != "the limit is 150" || got.Home.File != "memory/2026-02-20.md" {
		t.Errorf("the memory says %q in %s", got.Content, got.Home.File)
	}
}

// A line is moved while an agent's new wording of it waits for the file: who only
// moved it has not taken the wording back, and who worded it anew as well keeps
// their words, beside the agent's.
func TestALineMovesWhileAWordingWaits(t *testing.T) {
	for _, c := range []struct{ typed, stands, beside string }{
		{"the limit is 100", "the limit is 200", ""},
		{"the limit is 150", "the limit is 150", "the limit is 200"},
	} {
		t.Run(c.typed, func(t *testing.T) {
			b := newBench(t)
			m := b.remember("the limit is 100")
			b.drain()
			b.clock.pass(time.Hour)
			line := lineWith(b.read(today), m.ID)
			b.edit(today, line, "")
			b.save("memory/2026-02-20.md", strings.Replace(line, "the limit is 100", c.typed, 1))
			m.Content = "the limit is 200"
			b.apply(memory.Change{Op: memory.OpUpdate, Memory: m, Reason: "said by the agent"})
			b.sync()
			b.clock.pass(time.Minute)
			b.drain()
			b.stands("memory/2026-02-20.md", c.stands+" <!-- am:"+m.ID, 1)
			b.stands(today, "the limit is", 0)
			if got := b.get(m.ID); got.Content != c.stands || got.Home.File != "memory/2026-02-20.md" {
				t.Errorf("the memory says %q in %s", got.Content, got.Home.File)
			}
			kept := ""
			for name, text := range b.files("memory") {
				if strings.Contains(name, ".conflict-") {
					kept += text
				}
			}
			if !strings.Contains(kept, c.beside) || c.beside == "" && kept != "" {
				t.Errorf("beside the file stands %q", kept)
			}
		})
	}
}

// The line of a memory goes from its home, which leaves a copy of earlier words
// in a file that has not changed. Whoever words the memory anew just then is heard.
func TestWhatIsWordedAnewWhileACopyBecomesTheHomeIsNotLost(t *testing.T) {
	for name, leave := range map[string]func(b *bench, line string){
		"the line goes": func(b *bench, line string) { b.edit(today, line, "") },
		"the file goes": func(b *bench, _ string) { b.remove(today) },
	} {
		t.Run(name, func(t *testing.T) {
			o := &overtaken{}
			b := newBench(t, func(options *mirror.Options) {
				o.Store = options.Store
				options.Store = o
			})
			m := b.remember("the limit is 100")
			b.drain()
			b.clock.pass(time.Hour)
			b.save("memory/2026-02-20.md", lineWith(b.read(today), m.ID))
			b.sync()
			say := func(words string) {
				again := b.get(m.ID)
				again.Content = words
				b.apply(memory.Change{Op: memory.OpUpdate, Memory: again, Reason: "said by the agent"})
			}
			say("the limit is 150")
			b.drain()
			b.clock.pass(time.Hour)
			leave(b, lineWith(b.read(today), m.ID))
			o.meanwhile = func() { say("the limit is 200") }
			b.sync()
			b.clock.pass(time.Minute)
			b.sync()
			everything := ""
			for _, text := range b.files("memory") {
				everything += text
			}
			if !strings.Contains(everything, "the limit is 200") {
				t.Errorf("what the agent said is gone:\n%s", everything)
			}
			if got := b.get(m.ID); got.Status != memory.Active || got.Home.File != "memory/2026-02-20.md" {
				t.Errorf("the memory says %q in %s, %s", got.Content, got.Home.File, got.Status)
			}
			b.stands("memory/2026-02-20.md", "<!-- am:"+m.ID, 1)
		})
	}
}
