package mirror_test

import (
	"path/filepath"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// Without the versions that edits are compared with, a file is still read and
// written: what people wrote stays, and so does what we wrote meanwhile.
func TestKeptVersionsThatCannotBeUnpackedLoseNoWords(t *testing.T) {
	t.Parallel()
	for name, which := range map[string]string{"the newest": "WHERE version = (SELECT max(version) FROM bases)", "all": ""} {
		t.Run(name, func(t *testing.T) {
			b := newBench(t)
			first := b.remember("the tea is green")
			b.drain()
			b.remember("the editor is Helix")
			b.drain()
			if err := b.store.Close(); err != nil {
				t.Fatal(err)
			}
			b.store = nil
			db, err := sqlite.Open(sqlite.Options{Path: filepath.Join(b.dir, ".agent-memory", "store.db")})
			if err != nil {
				t.Fatal(err)
			}
			if err := db.Write(t.Context(), func(tx *sqlite.Tx) error { return tx.Script("UPDATE bases SET text = x'ffffff' " + which) }); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			b.open()
			b.edit(today, "tea is green", "tea is black")
			b.save(today, b.read(today)+"- the bread is rye\n")
			b.remember("the lamp is blue")
			b.clock.pass(time.Minute)
			b.sync()
			b.drain()
			for _, content := range []string{"the tea is black", "the editor is Helix", "the bread is rye", "the lamp is blue"} {
				b.stands(today, content, 1)
				if b.byContent(content).Status != memory.Active {
					t.Errorf("%q is no memory", content)
				}
			}
			if got := b.get(first.ID); got.Content != "the tea is black" {
				t.Errorf("the edit became %q", got.Content)
			}
		})
	}
}
