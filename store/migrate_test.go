package store_test

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// edit changes a closed store behind its back.
func edit(t *testing.T, path, script string) {
	t.Helper()
	db, err := sqlite.Open(sqlite.Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	if err := db.Write(t.Context(), func(tx *sqlite.Tx) error { return tx.Script(script) }); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
}

// files returns what is in a folder, by name.
func files(t *testing.T, dir string) map[string]string {
	t.Helper()
	entries, err := os.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	found := map[string]string{}
	for _, e := range entries {
		raw, err := os.ReadFile(filepath.Join(dir, e.Name()))
		if err != nil {
			t.Fatal(err)
		}
		found[e.Name()] = fmt.Sprintf("%d bytes %x", len(raw), sha256.Sum256(raw))
	}
	return found
}

// closed makes a store with some memories and closes it.
func closed(t *testing.T, contents ...string) string {
	t.Helper()
	path := filepath.Join(t.TempDir(), "memory.db")
	clock := storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))
	s, err := store.Open(t.Context(), options(path, clock))
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range contents {
		apply(t, s, add(note(c)))
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestStoresOfOthersAreRefusedUntouched(t *testing.T) {
	cases := []struct {
		name, script string
		code         memory.Code
	}{
		{"a newer schema", "PRAGMA user_version = 999", memory.NewerStore},
		{"a newer text analysis", "UPDATE meta SET value = CAST('999' AS BLOB) WHERE key = 'text_version'", memory.NewerStore},
		{"another program's database", "PRAGMA application_id = 7", memory.InvalidArgument},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			path := closed(t, "one")
			edit(t, path, c.script)
			before := files(t, filepath.Dir(path))
			_, err := store.Open(t.Context(), store.Options{Path: path, Now: time.Now})
			if memory.CodeOf(err) != c.code {
				t.Errorf("opening: %v, want code %s", err, c.code)
			}
			if diff := cmp.Diff(before, files(t, filepath.Dir(path))); diff != "" {
				t.Errorf("the folder has changed (-before +after):\n%s", diff)
			}
		})
	}
}

func TestEveryMigrationLeavesOneRow(t *testing.T) {
	path := closed(t)
	for range 2 { // opening again applies nothing again
		storetest.OpenAt(t, path, storetest.NewClock(time.Unix(0, 0)))
	}
	db, err := sqlite.Open(sqlite.Options{Path: path, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer db.Close()
	var rows, highest, version int
	err = db.Row(t.Context(), "SELECT count(*), max(version), (SELECT user_version FROM pragma_user_version) FROM migrations", nil, &rows, &highest, &version)
	if err != nil {
		t.Fatal(err)
	}
	if rows != highest || version != highest || rows == 0 {
		t.Errorf("%d rows, the highest %d, user_version %d", rows, highest, version)
	}
}

// firstSchema makes a store what it was before its second migration.
const firstSchema = `
ALTER TABLE generations ADD COLUMN params BLOB NOT NULL DEFAULT x'';
UPDATE generations SET params = (SELECT learned FROM parameters p WHERE p.generation = generations.generation);
DROP TABLE parameters;
DELETE FROM migrations WHERE version > 1;
PRAGMA user_version = 1;`

func TestAStoreOfTheFirstSchemaKeepsWhatItLearned(t *testing.T) {
	path := closed(t, "something to read")
	s, err := store.Open(t.Context(), options(path, storetest.NewClock(time.Unix(0, 0))))
	if err != nil {
		t.Fatal(err)
	}
	model, err := s.BeginGeneration(t.Context(), "main", memory.Model{Provider: "builtin", Name: "m", Dimension: 3}, []byte("learned"))
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	edit(t, path, firstSchema)

	reader, err := store.Open(t.Context(), store.Options{Path: path, Now: time.Now, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	found, _, err := reader.Search(t.Context(), []string{"read"}, memory.Filter{}, 10)
	if err != nil || len(found) != 1 {
		t.Errorf("read only, before the migration: %d found, %v", len(found), err)
	}
	if err := reader.Close(); err != nil {
		t.Fatal(err)
	}
	s = storetest.OpenAt(t, path, storetest.NewClock(time.Unix(0, 0)))
	serving, params, err := s.Serving(t.Context(), "main")
	if err != nil || serving != model || string(params) != "learned" {
		t.Errorf("after the migration %+v serves with %q, %v; want %+v", serving, params, err, model)
	}
}

func TestTheDatabaseIsItsOwnersOnly(t *testing.T) {
	s, _ := storetest.Open(t)
	apply(t, s, add(note("private")))
	for _, suffix := range []string{"", "-wal", "-shm"} {
		info, err := os.Stat(s.Path() + suffix)
		if err != nil {
			t.Fatal(err)
		}
		if mode := info.Mode().Perm(); mode != 0o600 {
			t.Errorf("memory.db%s has mode %o", suffix, mode)
		}
	}
}

// stale makes the index of a closed store look like that of an older analysis.
const stale = `
INSERT INTO search (search, rowid, terms) SELECT 'delete', key, terms FROM texts;
UPDATE texts SET terms = 'old terms';
UPDATE memories SET length = 2;
INSERT INTO search (rowid, terms) SELECT key, terms FROM texts;
UPDATE sums SET value = (SELECT sum(length) FROM memories) WHERE name = 'length';
UPDATE meta SET value = CAST('0' AS BLOB) WHERE key = 'text_version';`

func TestAnotherTextAnalysisIndexesAgainAndResumes(t *testing.T) {
	t.Parallel()
	var contents []string
	for i := range 1200 {
		contents = append(contents, fmt.Sprintf("entry number%d", i))
	}
	path := closed(t)
	clock := storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))
	s, err := store.Open(t.Context(), options(path, clock))
	if err != nil {
		t.Fatal(err)
	}
	var changes []memory.Change
	for _, c := range contents {
		changes = append(changes, add(note(c)))
	}
	apply(t, s, changes...)
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	edit(t, path, stale)

	var seen []string
	interrupted, stop := context.WithCancel(t.Context())
	o := options(path, clock)
	o.Progress = func(done, total int, what string) {
		seen = append(seen, fmt.Sprintf("%d/%d", done, total))
		stop()
	}
	if _, err := store.Open(interrupted, o); !errors.Is(err, context.Canceled) {
		t.Fatalf("an interrupted opening: %v", err)
	}
	o.Progress = func(done, total int, what string) { seen = append(seen, fmt.Sprintf("%d/%d", done, total)) }
	again, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	defer again.Close()
	storetest.Check(t, again)
	want := []string{"500/1200", "500/1200", "700/1200", "700/1200"}
	if diff := cmp.Diff(want, seen); diff != "" {
		t.Errorf("progress (-want +got):\n%s", diff)
	}
	found, _, err := again.Search(t.Context(), []string{"number700"}, memory.Filter{}, 10)
	if err != nil || len(found) != 1 {
		t.Errorf("after indexing again: %d found, %v", len(found), err)
	}
}

func TestAReadOnlyStoreIsReadAndNotWritten(t *testing.T) {
	path := closed(t, "something to read")
	before := files(t, filepath.Dir(path))
	s, err := store.Open(t.Context(), store.Options{Path: path, Now: time.Now, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	found, _, err := s.Search(t.Context(), []string{"read"}, memory.Filter{}, 10)
	if err != nil || len(found) != 1 {
		t.Errorf("search: %d found, %v", len(found), err)
	}
	if _, err := s.Apply(t.Context(), []memory.Change{{Op: memory.OpRemove, Memory: memory.Memory{ID: "x"}}}); memory.CodeOf(err) != memory.ReadOnly {
		t.Errorf("writing: %v, want code %s", err, memory.ReadOnly)
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
	after := files(t, filepath.Dir(path))
	maps.DeleteFunc(after, func(name, _ string) bool { return before[name] == "" }) // SQLite's empty log
	if diff := cmp.Diff(before, after); diff != "" {
		t.Errorf("the database has changed (-before +after):\n%s", diff)
	}
}
