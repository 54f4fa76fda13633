package mirror_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
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

// However often a file was written between the loading and the saving of a stale
// copy, no line of ours is taken for a deleted one.
func TestAStaleSaveOfAVersionThatIsNotKept(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		writes int
		apart  time.Duration
	}{{3, 50 * time.Millisecond}, {memory.KeptVersions + 6, 50 * time.Millisecond}, {memory.KeptVersions + 6, 30 * time.Second}} {
		t.Run(fmt.Sprintf("%d writes, one each %s", c.writes, c.apart), func(t *testing.T) {
			writes := c.writes
			b := newBench(t)
			b.remember("before everything")
			b.drain()
			b.sync()
			loaded := b.read(today)
			for i := range writes {
				b.remember(fmt.Sprintf("event %d of the agent", i))
				b.drain()
				b.clock.pass(c.apart)
			}
			b.save(today, loaded+"- the host's own line\n")
			if r := b.sync(); r.Restored != writes || r.Added != 1 || r.Deleted+r.Missing+r.Updated != 0 {
				t.Errorf("report %+v", r)
			}
			b.stands(today, "- the host's own line", 1)
			for i := range writes {
				b.stands(today, fmt.Sprintf("event %d of the agent <!--", i), 1)
			}
		})
	}
}

// busyStore is a store in which others commit while a file is compared with it.
type busyStore struct {
	mirror.Store

	meanwhile func()
}

func (s *busyStore) HomeEntries(ctx context.Context, file string) ([]memory.Memory, error) {
	if s.meanwhile != nil {
		now := s.meanwhile
		s.meanwhile = nil
		now()
	}
	return s.Store.HomeEntries(ctx, file)
}

// What is remembered while a person's edit is being read has no line yet: it was
// not deleted.
func TestWhatIsRememberedWhileAnEditIsReadStays(t *testing.T) {
	busy := &busyStore{}
	b := newBench(t, func(o *mirror.Options) { busy.Store, o.Store = o.Store, busy })
	b.remember("first")
	b.drain()
	b.sync()
	b.save(today, b.read(today)+"- typed by hand\n")
	var m memory.Memory
	busy.meanwhile = func() { m = b.remember("remembered meanwhile") }
	if r := b.sync(); r.Deleted+r.Restored+r.Missing != 0 || r.Added != 1 {
		t.Errorf("report %+v", r)
	}
	b.stands(today, "remembered meanwhile", 1)
	if got := b.get(m.ID); got.Status != memory.Active {
		t.Errorf("what was remembered meanwhile is %s", got.Status)
	}
}

// The same for a journal that somebody removes.
func TestWhatIsRememberedWhileAFileIsGoneStays(t *testing.T) {
	busy := &busyStore{}
	b := newBench(t, func(o *mirror.Options) { busy.Store, o.Store = o.Store, busy })
	b.remember("first")
	b.drain()
	b.sync()
	b.remove(today)
	busy.meanwhile = func() { b.remember("remembered meanwhile") }
	if r := b.sync(); r.Missing != 1 || r.Deleted != 0 {
		t.Errorf("report %+v", r)
	}
	b.stands(today, "remembered meanwhile", 1)
}

// Nobody rewords a line that has never been written: what a person types while a
// memory waits for its file is a line of its own, however alike the two are.
func TestAWaitingLineIsNotReworded(t *testing.T) {
	b := newBench(t)
	b.remember("first")
	b.drain()
	b.sync()
	m := b.remember("call the dentist on Monday at nine")
	b.save(today, strings.Replace(b.read(today), "- first", "- call the dentist on Monday at ten\n- first", 1))
	if r := b.sync(); r.Added != 1 || r.Updated+len(r.Conflicts) != 0 {
		t.Errorf("report %+v", r)
	}
	b.stands(today, "call the dentist on Monday at nine", 1)
	b.stands(today, "call the dentist on Monday at ten", 1)
	if got := b.get(m.ID).Content; got != m.Content {
		t.Errorf("the memory says %q", got)
	}
}

// topic is a memory with an address of its own, which a new content replaces.
func (b *bench) topic(content string) memory.Memory {
	return b.remember(content, func(m *memory.Memory) { m.URI, m.Type = "server://staging/port", memory.Knowledge })
}

// A stale copy that holds an older wording of ours takes back no newer one, however
// many there were since.
func TestAStaleSaveTakesBackNoWording(t *testing.T) {
	t.Parallel()
	for _, writes := range []int{1, memory.KeptVersions + 6} {
		t.Run(strconv.Itoa(writes), func(t *testing.T) {
			b := newBench(t)
			m := b.topic("the port is 8000")
			b.drain()
			b.sync()
			name := m.Home.File
			loaded := b.read(name)
			for i := range writes {
				m = b.get(m.ID)
				m.Content = fmt.Sprintf("the port is %d", 8001+i)
				m.ContentHash = ""
				b.apply(memory.Change{Op: memory.OpUpdate, Memory: m})
				b.drain()
				b.clock.pass(time.Second)
			}
			b.save(name, loaded+"- the host's own line\n")
			b.sync()
			b.stands(name, m.Content, 1)
			b.stands(name, "- the host's own line", 1)
			if got := b.get(m.ID).Content; got != m.Content {
				t.Errorf("the memory says %q", got)
			}
		})
	}
}

// A person who takes back a wording of ours is heard: at once when it is old, else
// the second time.
func TestAPersonTakesBackAWording(t *testing.T) {
	for _, c := range []struct {
		name  string
		after time.Duration
		saves int
	}{
		{"young", time.Minute, 2},
		{"old", time.Hour, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			m := b.topic("the port is 8000")
			b.drain()
			b.sync()
			name := m.Home.File
			m.Content, m.ContentHash = "the port is 8001", ""
			b.apply(memory.Change{Op: memory.OpUpdate, Memory: m})
			b.drain()
			b.clock.pass(c.after)
			for range c.saves {
				b.edit(name, "8001", "8000")
				b.sync()
			}
			b.stands(name, "the port is 8000", 1)
			b.stands(name, "8001", 0)
			if got := b.get(m.ID).Content; got != "the port is 8000" {
				t.Errorf("the memory says %q", got)
			}
		})
	}
}
