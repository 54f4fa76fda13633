package store_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"strings"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
	"agentmemory/internal/text"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// secrets are words that stand in no other text, so that each is a term of its own.
func secrets() []string {
	return []string{"zarquonpassphrase", "vogonledgerkey", "hunter2bistromath", "secretivechapter", "密码薛定谔"}
}

// bytesOf returns everything that the database has on the disk.
func bytesOf(t *testing.T, s *store.Store) []byte {
	t.Helper()
	var all []byte
	for _, suffix := range []string{"", "-wal"} {
		raw, err := os.ReadFile(s.Path() + suffix)
		if err != nil && !os.IsNotExist(err) {
			t.Fatal(err)
		}
		all = append(all, raw...)
	}
	return all
}

// crowded fills a store around the memories to purge, so that their terms lie
// on pages with others, and segments have been merged.
func crowded(t *testing.T, s *store.Store, from int) {
	t.Helper()
	for i := range 12 {
		var changes []memory.Change
		for j := range 40 {
			n := from + i*40 + j
			changes = append(changes, add(note(fmt.Sprintf("zar%dq vog%dn hunt%d secret%d filler%d 密%d码 common words", n, n, n, n, n, n))))
		}
		apply(t, s, changes...)
	}
}

// TestPurgeForgetsSignposts purges the memories whose terms FTS5 uses to find its pages.
func TestPurgeForgetsSignposts(t *testing.T) {
	t.Parallel()
	s, _ := storetest.Open(t)
	var changes []memory.Change
	for i := range 1200 {
		changes = append(changes, add(note(fmt.Sprintf("sharedbeginning%05d", i))))
	}
	all := apply(t, s, changes...)
	signs, signposts := 0, signpostsOf(t, s)
	for _, m := range all {
		if !bytes.Contains(signposts, []byte("0"+m.Content)) {
			continue
		}
		signs++
		apply(t, s, memory.Change{Op: memory.OpPurge, Memory: m})
		if finished, err := s.FinishPurge(t.Context(), []string{m.ID}); err != nil || !finished {
			t.Fatalf("finishing the purge: %t, %v", finished, err)
		}
		if bytes.Contains(bytesOf(t, s), []byte(m.Content)) {
			t.Errorf("the database still holds %q", m.Content)
		}
	}
	if signs == 0 {
		t.Error("no term was a signpost: the test shows nothing")
	}
}

func signpostsOf(t *testing.T, s *store.Store) []byte {
	t.Helper()
	db, err := sqlite.Open(sqlite.Options{Path: s.Path(), ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var all string
	if err := db.Row(t.Context(), "SELECT group_concat(CAST(term AS TEXT)) FROM search_idx", nil, &all); err != nil {
		t.Fatal(err)
	}
	return []byte(all)
}

func TestPurgeLeavesNoByte(t *testing.T) {
	t.Parallel()
	s, _ := storetest.Open(t)
	crowded(t, s, 0)
	m := note("an innocent beginning with " + secrets()[0])
	m.Links = []memory.Link{{Target: "knowledge://topics/" + secrets()[3], Relation: "related"}}
	m = apply(t, s, add(m))[0]
	crowded(t, s, 2000)
	m.Content = "then " + secrets()[1]
	m.Title = secrets()[2]
	m.Fields = []memory.Field{{Name: "why", Value: secrets()[4]}}
	m = apply(t, s, memory.Change{Op: memory.OpUpdate, Memory: m})[0]
	base := "# Journal\n\n- then " + secrets()[1] + " <!-- am:" + m.ID + " -->\n- of a person\n"
	publish(t, s, m.Home.File, base, nil)
	embedded(t, s, 8)
	if !bytes.Contains(bytesOf(t, s), []byte(secrets()[1])) {
		t.Fatal("the content is not where it is looked for")
	}

	apply(t, s, memory.Change{Op: memory.OpPurge, Memory: m})
	if finished, err := s.FinishPurge(t.Context(), []string{m.ID}); err != nil || !finished {
		t.Fatalf("finishing the purge: %t, %v", finished, err)
	}
	all := bytesOf(t, s)
	for _, secret := range secrets() {
		for _, term := range append(text.Index(secret), secret) {
			// Pairs of common characters and stems of other words occur elsewhere.
			if len(term) >= 8 && bytes.Contains(all, []byte(term)) {
				t.Errorf("the database still holds %q", term)
			}
		}
	}
	versions, err := s.Bases(t.Context(), m.Home.File, 0)
	if err != nil || len(versions) != 1 || versions[0].Text != "# Journal\n\n- of a person\n" {
		t.Errorf("kept versions: %+v, %v", versions, err)
	}
	if pending, err := s.PendingPurges(t.Context()); err != nil || len(pending) != 0 {
		t.Errorf("pending purges: %v, %v", pending, err)
	}
}

func TestAPurgeIsPendingWhileSomebodyReads(t *testing.T) {
	s, _ := storetest.Open(t)
	m := apply(t, s, add(note("to be purged")))[0]
	other, err := sqlite.Open(sqlite.Options{Path: s.Path()})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	err = other.Snapshot(t.Context(), func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRow("SELECT count(*) FROM memories").Scan(&n); err != nil {
			return err
		}
		apply(t, s, memory.Change{Op: memory.OpPurge, Memory: m})
		if finished, err := s.FinishPurge(t.Context(), []string{m.ID}); err != nil || finished {
			t.Errorf("while another connection reads: finished %t, %v", finished, err)
		}
		pending, err := s.PendingPurges(t.Context())
		if err != nil || len(pending) != 1 || pending[0].MemoryID != m.ID || pending[0].File != m.Home.File {
			t.Errorf("pending purges: %+v, %v", pending, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if finished, err := s.FinishPurge(t.Context(), []string{m.ID}); err != nil || !finished {
		t.Errorf("afterwards: finished %t, %v", finished, err)
	}
	if bytes.Contains(bytesOf(t, s), []byte("to be purged")) {
		t.Error("the content is still there")
	}
}

func TestARemovalLeavesATombstoneThatARestoreLifts(t *testing.T) {
	s, _ := storetest.Open(t)
	m := apply(t, s, add(note("Remove me, please")))[0]
	apply(t, s, memory.Change{Op: memory.OpRemove, Memory: m})
	pending, err := s.Outbox(t.Context(), 10)
	if err != nil || len(pending) != 2 || pending[1].Tombstone == "" || pending[1].File != m.Home.File || pending[1].Memory.ID != "" {
		t.Fatalf("outbox: %+v, %v", pending, err)
	}
	if barred, err := s.Tombstoned(t.Context(), "main", strings.ToUpper(m.Content)); err != nil || !barred {
		t.Errorf("tombstoned: %t, %v", barred, err)
	}

	// A new store that is given the key knows the hashes of the old one.
	rebuilt, _ := storetest.Open(t)
	if err := rebuilt.SetTombstoneKey(t.Context(), s.TombstoneKey()); err != nil {
		t.Fatal(err)
	}
	if err := rebuilt.Tombstone(t.Context(), "main", pending[1].Tombstone); err != nil {
		t.Fatal(err)
	}
	if barred, err := rebuilt.Tombstoned(t.Context(), "main", m.Content); err != nil || !barred {
		t.Errorf("tombstoned in the rebuilt store: %t, %v", barred, err)
	}

	apply(t, s, memory.Change{Op: memory.OpAdd, Memory: m, Restore: true})
	if barred, err := s.Tombstoned(t.Context(), "main", m.Content); err != nil || barred {
		t.Errorf("tombstoned after the restore: %t, %v", barred, err)
	}
}
