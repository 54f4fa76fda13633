package main

import (
	"bytes"
	"database/sql"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	_ "modernc.org/sqlite"
)

// damaged is a workspace with two memories whose database is about to be damaged.
func damaged(t *testing.T) (env surroundings, database string) {
	t.Helper()
	env, home := surround(t)
	answer[rememberView](t, env, "remember", "The valve of tank seven sticks", "--type", "knowledge")
	answer[rememberView](t, env, "remember", "三号泵每周五检修", "--type", "knowledge")
	return env, filepath.Join(home, ".agent-memory", ".agent-memory", "memory.db")
}

// overwrite puts nonsense into a file, from a byte on.
func overwrite(t *testing.T, path string, from, size int) []byte {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	copy(raw[from:], bytes.Repeat([]byte{0xa5}, size))
	if err := os.WriteFile(path, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	return raw
}

// putAside returns the one database that was put aside.
func putAside(t *testing.T, database string) string {
	t.Helper()
	kept, err := filepath.Glob(database + ".damaged-*Z")
	if err != nil || len(kept) != 1 {
		t.Fatalf("put aside: %q, %v; want one", kept, err)
	}
	return kept[0]
}

func TestADamagedDatabaseIsPutAsideAndMadeAgain(t *testing.T) {
	cases := []struct {
		name       string
		from, size int
	}{
		{"a header that is none", 0, 100},
		{"a schema that cannot be read", 100, 3000},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			env, database := damaged(t)
			raw := overwrite(t, database, c.from, c.size)
			l := startLive(t, env)
			for query, want := range map[string]string{"tank seven valve": "sticks", "三号泵检修": "周五"} {
				if got := fmt.Sprint(l.call("recall", fmt.Sprintf(`{"query":%q}`, query))); !strings.Contains(got, want) {
					t.Errorf("%s: %s", query, got)
				}
			}
			kept := putAside(t, database)
			if status := fmt.Sprint(l.call("status", `{}`)); !strings.Contains(status, filepath.Base(kept)) {
				t.Errorf("status does not name %s: %s", kept, status)
			}
			l.close()
			if after, err := os.ReadFile(kept); err != nil || !bytes.Equal(after, raw) {
				t.Errorf("what was put aside is not what was there: %v", err)
			}
			code, out, _ := program(t, env, "doctor")
			if code != 0 || !strings.Contains(out, filepath.Base(kept)) {
				t.Errorf("doctor: exit status %d\n%s", code, out)
			}
		})
	}
}

func TestACommandSaysThatItMadeADamagedDatabaseAgain(t *testing.T) {
	env, database := damaged(t)
	overwrite(t, database, 0, 100)
	if code, out, _ := program(t, env, "doctor"); code != exitProblems || !strings.Contains(out, "damaged") {
		t.Errorf("doctor: exit status %d\n%s", code, out)
	}
	if kept, _ := filepath.Glob(database + ".damaged-*"); len(kept) > 0 {
		t.Errorf("doctor only looks, and put aside %q", kept)
	}
	code, out, errs := program(t, env, "recall", "tank seven valve")
	if code != 0 || !strings.Contains(out, "sticks") {
		t.Errorf("recall: exit status %d\n%s", code, out)
	}
	if kept := putAside(t, database); !strings.Contains(errs, "damaged") || !strings.Contains(errs, kept) {
		t.Errorf("it is not said that the database was damaged and is kept as %s:\n%s", kept, errs)
	}
	if line, _, _ := strings.Cut(errs, "\n"); strings.Count(line, "damaged")+strings.Count(line, "malformed") > 2 {
		t.Errorf("the notice repeats itself: %s", line)
	}
}

// Damage inside is met by whoever reads it; it is told, and mended at the next start.
func TestDamageThatIsMetWhileRunningIsMendedAtTheNextStart(t *testing.T) {
	env, database := damaged(t)
	db, err := sql.Open("sqlite", database)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := db.Exec("UPDATE texts SET content = replace(content, 'sticks', 'is fine')"); err != nil {
		t.Fatal(err)
	}
	if err := db.Close(); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		_, out, errs := program(t, env, "recall-path", "knowledge://", "--json")
		if strings.Contains(out+errs, "is fine") {
			t.Errorf("wrong content is served:\n%s%s", out, errs)
		}
	}
	program(t, env, "export", "--format", "jsonl")
	code, out, errs := program(t, env, "recall", "tank seven valve")
	if code != 0 || !strings.Contains(out, "sticks") {
		t.Errorf("recall: exit status %d\n%s%s", code, out, errs)
	}
	putAside(t, database)
}

func TestADatabaseThatIsNotOursIsNeitherPutAsideNorMadeAgain(t *testing.T) {
	cases := map[string]string{
		"a newer schema":             "PRAGMA user_version = 999",
		"another program's database": "PRAGMA application_id = 7",
	}
	for name, script := range cases {
		t.Run(name, func(t *testing.T) {
			env, database := damaged(t)
			db, err := sql.Open("sqlite", database)
			if err != nil {
				t.Fatal(err)
			}
			if _, err := db.Exec(script); err != nil {
				t.Fatal(err)
			}
			if err := db.Close(); err != nil {
				t.Fatal(err)
			}
			before, err := os.ReadFile(database)
			if err != nil {
				t.Fatal(err)
			}
			if code, out, errs := program(t, env, "serve"); code == 0 || !strings.Contains(errs, "hint:") {
				t.Errorf("serve: exit status %d\n%s%s", code, out, errs)
			}
			if after, err := os.ReadFile(database); err != nil || !bytes.Equal(before, after) {
				t.Errorf("it was changed: %v", err)
			}
			if kept, _ := filepath.Glob(database + ".damaged-*"); len(kept) > 0 {
				t.Errorf("put aside: %q", kept)
			}
		})
	}
}

// A database that somebody works with is left where it is.
func TestADamagedDatabaseInUseIsNotPutAside(t *testing.T) {
	env, database := damaged(t)
	l := startLive(t, env)
	l.call("status", `{}`)
	overwrite(t, database, 0, 100)
	code, out, errs := program(t, env, "recall", "tank seven valve")
	if code == 0 || !strings.Contains(errs, "in use") {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
	if kept, _ := filepath.Glob(database + ".damaged-*"); len(kept) > 0 {
		t.Errorf("put aside: %q", kept)
	}
	_ = l.in.Close()
	<-l.ended
}
