package main

import (
	"path/filepath"
	"testing"

	"agentmemory/internal/memory"
)

// A purge of several memories of which one was changed meanwhile may end between
// its two commits: what is gone from the database goes from the files, too, and
// the memory that was changed stays.
func TestAPurgeThatWasCutShortHalfwayIsEndedForWhatIsGone(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	ws := filepath.Join(home, "ws")
	run := runsIn(t, env, ws)
	run("remember", "We decided that the key of Zanzibarquux lies in the vault", "--uri", "knowledge://secrets/vault")
	run("remember", "北京机房周五断电，备用机已经接管", "--uri", "knowledge://sites/beijing")
	run("reflect", "compound") // a summary shows it without its id
	e, first := announcedPurge(t, env, ws, "knowledge://secrets/vault")
	second, err := e.store.ByURI(t.Context(), memory.DefaultNamespace, "knowledge://sites/beijing")
	if err != nil {
		t.Fatal(err)
	}
	notes, err := e.mirror.Purgings()
	if err != nil || len(notes) != 1 {
		t.Fatal(notes, err)
	}
	if err := e.mirror.Withdraw(notes[0]); err != nil {
		t.Fatal(err)
	}
	if err := e.purger().AnnouncePurge(t.Context(), []memory.Memory{first, second}); err != nil {
		t.Fatal(err)
	}
	if _, err := e.store.Apply(t.Context(), []memory.Change{{Op: memory.OpPurge, Memory: first, Reason: "test"}}); err != nil {
		t.Fatal(err)
	}
	if err := e.close(); err != nil {
		t.Fatal(err)
	}
	run("sync")
	for _, file := range filesWith(t, filepath.Join(ws, "memory"), "Zanzibarquux") {
		t.Errorf("%s still holds what was purged", file)
	}
	for range 2 { // an hour later the note has nothing to wait for
		later, _ := surround(t, clockVariable+"=+2h")
		if code, _, errs := program(t, later, "sync", "--workspace", ws); code != 0 {
			t.Fatal(errs)
		}
	}
	for _, file := range filesWith(t, ws, "Zanzibarquux") {
		t.Errorf("%s holds what was purged hours ago", file)
	}
	if left, _ := filepath.Glob(filepath.Join(ws, ".agent-memory", "purging", "*")); len(left) > 0 {
		t.Errorf("notes of the purge are left: %v", left)
	}
	if len(filesWith(t, filepath.Join(ws, "memory"), "备用机")) == 0 {
		t.Error("the memory that was not purged is gone from the files")
	}
}
