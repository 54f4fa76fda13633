package mirror_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

// link puts a symbolic link in the place of a file or folder.
func (b *bench) link(target, name string) {
	b.t.Helper()
	full := filepath.Join(b.dir, name)
	if err := os.RemoveAll(full); err != nil {
		b.t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Dir(full), 0o700); err != nil {
		b.t.Fatal(err)
	}
	if err := os.Symlink(target, full); err != nil {
		b.t.Skipf("no symbolic links here: %v", err)
	}
}

// A home that leads out of the workspace is never followed; whoever asks is
// told which file waits and why, at once.
func TestLinkedHomeWaitsAndSaysWhy(t *testing.T) {
	outside := t.TempDir()
	stranger := filepath.Join(outside, "x.md")
	if err := os.WriteFile(stranger, []byte("not ours\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ name, target, link, why string }{
		{"the journal", stranger, today, "it is a symbolic link that leaves the workspace"},
		{"its folder", outside, "memory", "memory is a symbolic link that leaves the workspace"},
	} {
		t.Run(c.name, func(t *testing.T) {
			b := newBench(t)
			b.link(c.target, c.link)
			m := b.remember("who writes outside?")
			began := time.Now()
			err := b.Flush(context.Background(), 5*time.Second)
			if memory.CodeOf(err) != memory.Unavailable || time.Since(began) > 2*time.Second {
				t.Errorf("after %s: %v", time.Since(began), err)
			}
			if got := b.Waiting(m.Home.File); got != c.why {
				t.Errorf("waiting: %q, want %q", got, c.why)
			}
			if got, _ := os.ReadFile(stranger); string(got) != "not ours\n" {
				t.Errorf("outside stands %q", got)
			}
			b.open() // another process, which has tried nothing
			found, err := b.Obstacles(context.Background())
			if err != nil || !strings.Contains(obstacleOf(found, today), c.why) {
				t.Errorf("obstacles %+v, %v", found, err)
			}
			if err := os.Remove(filepath.Join(b.dir, c.link)); err != nil {
				t.Fatal(err)
			}
			b.drain()
			b.stands(today, "who writes outside?", 1)
			if got := b.Waiting(m.Home.File); got != "" {
				t.Errorf("still waiting: %q", got)
			}
		})
	}
}

func obstacleOf(list []mirror.Obstacle, file string) string {
	for _, o := range list {
		if o.File == file {
			return o.Why
		}
	}
	return ""
}

// Whatever keeps a file from being written, and the database lost meanwhile: the
// new memory comes back, in force, and reaches its file.
func TestDatabaseLostWhileTheFileWaits(t *testing.T) {
	b := newBench(t)
	b.remember("stood there before")
	b.drain()
	b.save(today, "") // an editor is about to write it again
	m := b.remember("said in that minute")
	b.drain()
	if got := b.Waiting(today); !strings.Contains(got, "emptied") {
		t.Errorf("waiting: %q", got)
	}
	b.lose()
	b.sync()
	if got := b.get(m.ID); got.Content != m.Content || got.Status != memory.Active {
		t.Fatalf("after the loss of the database: %+v", got)
	}
	b.clock.pass(2 * time.Minute)
	b.sync()
	b.stands(today, "said in that minute", 1)
	if got := b.get(m.ID); got.Status != memory.Active {
		t.Errorf("status %s", got.Status)
	}
}

// Another process that cannot write the file either does not keep it twice.
func TestWaitingTextIsKeptOnce(t *testing.T) {
	b := newBench(t)
	b.link(filepath.Join(t.TempDir(), "x.md"), today)
	b.remember("kept once")
	b.drain()
	b.drain()
	b.open()
	b.drain()
	b.stands("memory/archive/2026-02-21.jsonl", "kept once", 1)
}

// A derived file that somebody deleted holds nothing of its own: the next look
// has it made again, and only then.
func TestDeletedProjectionIsMadeAgainByTheNextLook(t *testing.T) {
	var asked []string
	b := newBench(t, func(o *mirror.Options) {
		o.Regenerate = func(_ context.Context, file string) error { asked = append(asked, file); return nil }
	})
	b.sync()
	if len(asked) > 0 {
		t.Fatalf("files that never were are made: %v", asked)
	}
	m := b.remember("still true")
	b.recent(shownAs("event", m))
	b.sync()
	if len(asked) > 0 {
		t.Fatalf("a file that stands is made again: %v", asked)
	}
	b.remove("RECENT.md")
	b.sync(memory.SyncOptions{DryRun: true})
	if len(asked) > 0 {
		t.Fatal("a dry run has it made")
	}
	b.lose() // not even the database knows of it
	b.sync()
	if len(asked) != 1 || asked[0] != "RECENT.md" {
		t.Errorf("asked for %v", asked)
	}
}

// A folder that cannot be looked into says nothing about what is in it.
func TestLinkedFolderStopsASync(t *testing.T) {
	b := newBench(t)
	m := b.remember("stands in the journal")
	b.drain()
	full := filepath.Join(b.dir, "memory")
	if err := os.Rename(full, full+"-away"); err != nil {
		t.Fatal(err)
	}
	b.link(t.TempDir(), "memory")
	_, err := b.Sync(context.Background(), memory.SyncOptions{AcceptDeletions: true})
	if memory.CodeOf(err) != memory.PermissionDenied || !strings.Contains(err.Error(), "memory is a symbolic link") && !strings.Contains(err.Error(), "symbolic link that leaves") {
		t.Errorf("sync: %v", err)
	}
	if got := b.get(m.ID).Status; got != memory.Active {
		t.Errorf("status %s", got)
	}
}
