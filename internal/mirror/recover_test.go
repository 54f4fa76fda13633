package mirror_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

// dying is a store whose process is killed before it can note what the files
// show.
type dying struct {
	mirror.Store
	dead bool
}

func (d *dying) Published(ctx context.Context, files []memory.FileVersion, ids []int64) error {
	if d.dead {
		return errors.New("killed")
	}
	return d.Store.Published(ctx, files, ids)
}

// killed opens a bench, writes "before", and dies while writing "after".
func killed(t *testing.T) (*bench, memory.Memory) {
	t.Helper()
	d := &dying{}
	b := newBench(t, func(o *mirror.Options) {
		d.Store, d.dead = o.Store, false
		o.Store = d
	})
	b.remember("before")
	b.drain()
	m := b.remember("after")
	d.dead = true
	if err := b.Drain(context.Background()); err == nil {
		t.Fatal("the process was to die")
	}
	b.stands(today, "after", 1)
	return b, m
}

func TestKilledAfterTheSwap(t *testing.T) {
	b, m := killed(t)
	b.open()
	b.drain()
	b.sync()
	b.stands(today, "after", 1)
	if left, err := b.store.Outbox(context.Background(), 10); err != nil || len(left) != 0 {
		t.Errorf("the outbox still has %v, %v", left, err)
	}
	if got := b.get(m.ID); got.Status != memory.Active || got.Home.Line == 0 {
		t.Errorf("got %+v", got)
	}
	b.clock.pass(time.Hour)
	b.drain()
	b.drain()
	if left, err := os.ReadDir(filepath.Join(b.dir, ".agent-memory", "swap")); err != nil || len(left) != 0 {
		t.Errorf("temporary files are left: %v, %v", left, err)
	}
}

// The line was written, the process killed, and a person deleted the line
// before the next start: it must not come back.
func TestDeletedLineIsNotAddedAgainByRecovery(t *testing.T) {
	b, m := killed(t)
	b.edit(today, lineWith(b.read(today), "after"), "")
	b.clock.pass(time.Minute)
	b.open()
	b.drain()
	b.sync()
	b.drain()
	b.stands(today, "after", 0)
	b.stands(today, "before", 1)
	if got := b.get(m.ID).Status; got != memory.Forgotten {
		t.Errorf("the memory is %s", got)
	}
}

// A person saved at the moment of the swap and we were killed before merging:
// their line is in the swapped-out file only.
func TestLineInTheSwappedOutFileIsMergedAfterAKill(t *testing.T) {
	b, _ := killed(t)
	entries, err := os.ReadDir(filepath.Join(b.dir, ".agent-memory", "swap"))
	if err != nil || len(entries) != 1 {
		t.Fatalf("temporary files: %v, %v", entries, err)
	}
	temp := ".agent-memory/swap/" + entries[0].Name()
	b.save(temp, b.read(temp)+"- saved in the last moment\n")
	b.open()
	b.drain()
	b.clock.pass(time.Minute)
	b.drain()
	b.sync()
	b.stands(today, "saved in the last moment", 1)
	b.stands(today, "after", 1)
	b.stands(today, "before", 1)
	b.byContent("saved in the last moment")
}

// The temporary file was written, but not yet swapped in.
func TestKilledBeforeTheSwap(t *testing.T) {
	b, _ := killed(t)
	entries, err := os.ReadDir(filepath.Join(b.dir, ".agent-memory", "swap"))
	if err != nil || len(entries) != 1 {
		t.Fatalf("temporary files: %v, %v", entries, err)
	}
	// Undo the swap: the names change places again.
	temp, file := filepath.Join(b.dir, ".agent-memory", "swap", entries[0].Name()), filepath.Join(b.dir, today)
	for _, step := range [][2]string{{temp, temp + "x"}, {file, temp}, {temp + "x", file}} {
		if err := os.Rename(step[0], step[1]); err != nil {
			t.Fatal(err)
		}
	}
	b.stands(today, "after", 0)
	b.open()
	b.drain()
	b.stands(today, "after", 1)
	b.stands(today, "before", 1)
}

// A swapped-out text whose file nobody knows any more is kept, and stops nothing.
func TestATextWithoutAFileIsPutAmongTheBackups(t *testing.T) {
	b := newBench(t)
	name := "7-" + strings.Repeat("a", 64) + "-" + strings.Repeat("b", 16) + "-" + strings.Repeat("c", 16)
	b.save(".agent-memory/swap/"+name, "- a line of a file that was deleted\n")
	b.remember("written all the same")
	b.drain()
	b.stands(today, "written all the same", 1)
	b.stands(".agent-memory/backup/"+name, "a line of a file that was deleted", 1)
}
