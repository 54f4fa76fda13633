package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

func open(t *testing.T, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(sqlite.Options{Path: path, Patience: 50 * time.Millisecond})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := db.Close(); err != nil {
			t.Error(err)
		}
	})
	return db
}

func created(t *testing.T) *sqlite.DB {
	t.Helper()
	// A path that means something in a URI.
	db := open(t, filepath.Join(t.TempDir(), "a b?c#d%41&mode=memory.db"))
	run(t, db, "CREATE TABLE t (n INTEGER PRIMARY KEY, s TEXT)")
	return db
}

func run(t *testing.T, db *sqlite.DB, script string) {
	t.Helper()
	if err := db.Write(t.Context(), func(tx *sqlite.Tx) error { return tx.Script(script) }); err != nil {
		t.Fatal(err)
	}
}

func count(t *testing.T, db *sqlite.DB) (n int) {
	t.Helper()
	if err := db.Row(t.Context(), "SELECT count(*) FROM t", nil, &n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestEveryConnectionHasItsPragmas(t *testing.T) {
	db := created(t)
	if info, err := os.Stat(db.Path()); err != nil || info.Mode().Perm() != 0o600 {
		t.Errorf("the file: %v, %v", info, err)
	}
	want := "wal 2 1 1 50" // journal_mode, synchronous FULL, foreign_keys, secure_delete, busy_timeout
	for range 3 {
		err := db.Write(t.Context(), func(tx *sqlite.Tx) error {
			var values [5]string
			for i, name := range []string{"journal_mode", "synchronous", "foreign_keys", "secure_delete", "busy_timeout"} {
				if _, err := tx.Row("PRAGMA "+name, nil, &values[i]); err != nil {
					return err
				}
			}
			if got := strings.Join(values[:], " "); got != want {
				t.Errorf("pragmas of the writer: %s, want %s", got, want)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	if _, err := db.Query(t.Context(), "DELETE FROM t"); memory.CodeOf(err) != memory.ReadOnly {
		t.Errorf("writing through a reading connection: %v", err)
	}
}

func TestAFailedTransactionLeavesNothing(t *testing.T) {
	db := created(t)
	boom := errors.New("boom")
	err := db.Write(t.Context(), func(tx *sqlite.Tx) error {
		if _, err := tx.Exec("INSERT INTO t (s) VALUES ('x')"); err != nil {
			return err
		}
		return boom
	})
	if !errors.Is(err, boom) {
		t.Errorf("the error: %v", err)
	}
	func() {
		defer func() { _ = recover() }()
		_ = db.Write(t.Context(), func(tx *sqlite.Tx) error {
			if _, err := tx.Exec("INSERT INTO t (s) VALUES ('y')"); err != nil {
				return err
			}
			panic("in a transaction")
		})
	}()
	if n := count(t, db); n != 0 {
		t.Errorf("%d rows are left", n)
	}
	run(t, db, "INSERT INTO t (s) VALUES ('z')") // the right to write was given back
}

func TestACallerThatGoesAwayLosesNoWrite(t *testing.T) {
	db := created(t)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	err := db.Write(gone, func(tx *sqlite.Tx) error {
		_, err := tx.Exec("INSERT INTO t (s) VALUES ('x')")
		return err
	})
	if n := count(t, db); err != nil || n != 1 {
		t.Errorf("%d rows, %v", n, err)
	}
}

func TestWritersTakeTurns(t *testing.T) {
	db := created(t)
	other := open(t, db.Path())
	var wait sync.WaitGroup
	for i := range 8 {
		wait.Go(func() {
			for range 20 {
				d := []*sqlite.DB{db, other}[i%2]
				err := d.Write(t.Context(), func(tx *sqlite.Tx) error {
					var n int // read, then write: what fails in a deferred transaction
					if _, err := tx.Row("SELECT count(*) FROM t", nil, &n); err != nil {
						return err
					}
					_, err := tx.Exec("INSERT INTO t (s) VALUES (?)", fmt.Sprint(n))
					return err
				})
				if err != nil && memory.CodeOf(err) != memory.Unavailable { // the patience of the test is short
					t.Error(err)
				}
			}
		})
	}
	wait.Wait()
	var rows, distinct int
	if err := db.Row(t.Context(), "SELECT count(*), count(DISTINCT s) FROM t", nil, &rows, &distinct); err != nil || rows != distinct || rows < 100 {
		t.Errorf("%d rows, %d of them distinct, %v", rows, distinct, err)
	}
}

func TestADatabaseThatCannotBeWrittenIsUnavailable(t *testing.T) {
	db := created(t)
	t.Run("locked by another process", func(t *testing.T) {
		other := open(t, db.Path())
		err := other.Write(t.Context(), func(*sqlite.Tx) error {
			err := db.Write(t.Context(), func(*sqlite.Tx) error { return nil })
			var failure *memory.Error
			if !errors.As(err, &failure) || failure.Code != memory.Unavailable || failure.Hint == "" {
				t.Errorf("writing: %v, wanted unavailable with a hint", err)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	})
	t.Run("no space", func(t *testing.T) {
		err := db.Write(t.Context(), func(tx *sqlite.Tx) error {
			if err := tx.Script("PRAGMA max_page_count = 3"); err != nil {
				return err
			}
			_, err := tx.Exec("INSERT INTO t (s) VALUES (?)", strings.Repeat("x", 1<<20))
			return err
		})
		if memory.CodeOf(err) != memory.Unavailable {
			t.Errorf("writing: %v", err)
		}
		run(t, db, "PRAGMA max_page_count = 1000000; INSERT INTO t (s) VALUES ('again')")
	})
	t.Run("opened for reading", func(t *testing.T) {
		reader, err := sqlite.Open(sqlite.Options{Path: db.Path(), ReadOnly: true})
		if err != nil {
			t.Fatal(err)
		}
		defer reader.Close()
		if err := reader.Write(t.Context(), func(*sqlite.Tx) error { return nil }); memory.CodeOf(err) != memory.ReadOnly {
			t.Errorf("writing: %v", err)
		}
		if n := count(t, reader); n != 1 {
			t.Errorf("%d rows, want 1", n)
		}
	})
}

func TestADatabaseThatCannotBeOpenedSaysWhy(t *testing.T) {
	t.Run("no such file", func(t *testing.T) {
		if _, err := sqlite.Open(sqlite.Options{Path: filepath.Join(t.TempDir(), "none.db"), ReadOnly: true}); memory.CodeOf(err) != memory.NotFound {
			t.Errorf("opening: %v", err)
		}
	})
	t.Run("no such folder", func(t *testing.T) {
		if _, err := sqlite.Open(sqlite.Options{Path: filepath.Join(t.TempDir(), "no", "folder.db")}); memory.CodeOf(err) != memory.NotFound {
			t.Errorf("opening: %v", err)
		}
	})
	t.Run("not a database", func(t *testing.T) {
		path := filepath.Join(t.TempDir(), "text.db")
		if err := os.WriteFile(path, []byte(strings.Repeat("not a database\n", 100)), 0o600); err != nil {
			t.Fatal(err)
		}
		err := open(t, path).Write(t.Context(), func(*sqlite.Tx) error { return nil })
		if memory.CodeOf(err) != memory.Internal {
			t.Errorf("writing: %v", err)
		}
	})
}

func TestDataVersionMovesWithEveryCommit(t *testing.T) {
	db := created(t)
	other := open(t, db.Path())
	last := int64(-1)
	for i, d := range []*sqlite.DB{db, other, db} {
		run(t, d, "INSERT INTO t (s) VALUES ('x')")
		v, err := db.DataVersion(t.Context())
		if err != nil || v == last {
			t.Errorf("after commit %d: version %d as before, %v", i, v, err)
		}
		if again, err := db.DataVersion(t.Context()); err != nil || again != v {
			t.Errorf("without a commit the version went from %d to %d, %v", v, again, err)
		}
		last = v
	}
}

func TestACheckpointTellsOfReaders(t *testing.T) {
	db := created(t)
	run(t, db, "INSERT INTO t (s) VALUES ('x')")
	err := db.Snapshot(t.Context(), func(tx *sql.Tx) error {
		var n int
		if err := tx.QueryRow("SELECT count(*) FROM t").Scan(&n); err != nil {
			return err
		}
		run(t, db, "INSERT INTO t (s) VALUES ('y')")
		if busy, err := db.Checkpoint(t.Context()); err != nil || !busy {
			t.Errorf("with a reader: busy %t, %v", busy, err)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	if busy, err := db.Checkpoint(t.Context()); err != nil || busy {
		t.Errorf("without a reader: busy %t, %v", busy, err)
	}
	if info, err := os.Stat(db.Path() + "-wal"); err != nil || info.Size() != 0 {
		t.Errorf("the log: %v, %v", info, err)
	}
}

// Commits leave the database file alone; what they wrote comes into it when they pause.
func TestTheLogIsCopiedWhenNobodyWrites(t *testing.T) {
	db := created(t)
	for range 100 {
		run(t, db, "INSERT INTO t (s) VALUES (hex(randomblob(500)))")
	}
	for range 300 {
		if info, err := os.Stat(db.Path()); err != nil {
			t.Fatal(err)
		} else if info.Size() > 100*1000 {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("after 6 seconds the database file does not hold what 100 commits wrote")
}

func TestManyDifferentStatementsDoNotAddUp(t *testing.T) {
	db := created(t)
	for i := range 300 {
		var n int
		if err := db.Row(t.Context(), fmt.Sprintf("SELECT %d FROM (SELECT 1)", i), nil, &n); err != nil || n != i {
			t.Fatalf("statement %d: %d, %v", i, n, err)
		}
		rows, err := db.Query(t.Context(), fmt.Sprintf("SELECT %d UNION ALL SELECT 2", i))
		if err != nil {
			t.Fatal(err)
		}
		read := 0
		for rows.Next() {
			read++
		}
		if err := errors.Join(rows.Err(), rows.Close()); err != nil || read != 2 {
			t.Fatalf("statement %d: %d rows, %v", i, read, err)
		}
	}
}

func TestAViewSeesOneCommitAndManyAtOnceDoNotBlock(t *testing.T) {
	db := created(t)
	run(t, db, "INSERT INTO t (s) VALUES ('first')")
	count := func(v *sqlite.View) (n int, err error) {
		rows, err := v.QueryContext(t.Context(), "SELECT s FROM t")
		if err != nil {
			return 0, err
		}
		defer rows.Close()
		for rows.Next() {
			n++
		}
		return n, rows.Err()
	}
	for range 3 { // unprepared, then prepared
		var wait sync.WaitGroup
		for range 8 {
			wait.Go(func() {
				err := db.View(t.Context(), func(v *sqlite.View) error {
					before, err := count(v)
					if err != nil {
						return err
					}
					var again int
					err = v.QueryRowContext(t.Context(), "SELECT count(*) FROM t").Scan(&again)
					if before != again {
						t.Errorf("one view saw %d and then %d rows", before, again)
					}
					return err
				})
				if err != nil {
					t.Error(err)
				}
			})
		}
		run(t, db, "INSERT INTO t (s) VALUES ('another')")
		wait.Wait()
	}
}

// Cleaning up at several places must not hang, and what comes too late is told so at once.
func TestClosingTwice(t *testing.T) {
	db, err := sqlite.Open(sqlite.Options{Path: filepath.Join(t.TempDir(), "memory.db")})
	if err != nil {
		t.Fatal(err)
	}
	run(t, db, "CREATE TABLE t (n INTEGER PRIMARY KEY)")
	if n := count(t, db); n != 0 {
		t.Fatal(n)
	}
	if _, err := db.DataVersion(t.Context()); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error)
	go func() {
		late := errors.Join(db.Close(), db.Close())
		if db.Write(context.Background(), func(*sqlite.Tx) error { return nil }) == nil {
			late = errors.Join(late, errors.New("a closed database was written"))
		}
		ended <- late
	}()
	select {
	case err := <-ended:
		if err != nil {
			t.Error(err)
		}
	case <-time.After(5 * time.Second):
		t.Fatal("it hangs")
	}
}
