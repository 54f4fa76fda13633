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

// An agent words a memory anew while the mirror reads what a person made of its
// line: the person's words stay, and the agent's, which were acknowledged, go to
// a conflict file.
func TestWhatIsWordedAnewWhileAnEditIsReadIsNotLost(t *testing.T) {
	o := &overtaken{}
	b := newBench(t, func(options *mirror.Options) {
		o.Store = options.Store
		options.Store = o
	})
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
	o := &overtaken{}
	b := newBench(t, func(options *mirror.Options) {
		o.Store = options.Store
		options.Store = o
	})
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
