package mirror_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

// dyingStore fails where a process that was killed would have ended: after a
// file was replaced, before that was recorded.
type dyingStore struct {
	mirror.Store

	dead *bool
}

func (s dyingStore) Published(ctx context.Context, v []memory.FileVersion, ids []int64) error {
	if *s.dead && len(v) > 0 && strings.Contains(v[0].Text, "Lisbon") {
		return errors.New("the process is gone")
	}
	return s.Store.Published(ctx, v, ids)
}

// Our lines in a derived file are ours even if the process ended right after
// it had written them: they are not taken for a person's, and those that we took
// out are not taken for hidden by one.
func TestADerivedFileOfAKilledProcessIsOurs(t *testing.T) {
	for _, name := range []string{"RECENT.md", "MEMORY.md"} {
		t.Run(name, func(t *testing.T) {
			dead := false
			b := newBench(t, func(o *mirror.Options) { o.Store = dyingStore{o.Store, &dead} })
			first, second := b.remember("the crane in the harbour is green"), b.remember("Mei moves to Lisbon in May")
			b.drain()
			b.sync()
			write := func(m ...memory.Memory) error {
				if name == "RECENT.md" {
					_, err := b.WriteRecent(t.Context(), shownAs("event", m...))
					return err
				}
				_, err := b.WriteIndex(t.Context(), shownAs("knowledge", m...), nil)
				return err
			}
			if err := write(first); err != nil {
				t.Fatal(err)
			}
			b.clock.pass(time.Minute)
			dead = true
			if err := write(second); err == nil {
				t.Fatal("the process should have ended")
			}
			b.stands(name, "Lisbon", 1)
			dead = false
			b.open()
			b.clock.pass(time.Minute)
			if r := b.sync(); r.Added != 0 || r.Hidden != 0 {
				t.Errorf("report %+v", r)
			}
			if err := write(first, second); err != nil {
				t.Fatal(err)
			}
			b.stands(name, "Lisbon", 1)
			b.stands(name, "crane", 1)
			if n := strings.Count(b.read(today), "\n- "); n != 2 {
				t.Errorf("the journal holds %d lines:\n%s", n, b.read(today))
			}
		})
	}
}
