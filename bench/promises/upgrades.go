//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// upgraded opens workspaces of every earlier schema, and takes over databases of
// the predecessor, killed at system calls that change files, then again: the
// result must be as if nobody had been killed. What a newer program wrote is refused and
// keeps every byte.
func upgraded(ctx context.Context, t *trial) (string, error) {
	if _, err := exec.LookPath("strace"); err != nil {
		return "", skippedError("strace is not installed")
	}
	stores, err := filepath.Glob("testdata/stores/schema-*.tar.gz")
	if err != nil || len(stores) == 0 {
		return "", fmt.Errorf("no earlier store in testdata/stores: %w", errors.Join(err))
	}
	kills := 0
	for _, store := range stores {
		base, err := t.unpacked(store)
		if err != nil {
			return "", err
		}
		n, err := t.sweep(ctx, base, errand{name: "upgrade", args: []string{"sync"}, short: 8, long: 40, database: true})
		if err != nil {
			return "", fmt.Errorf("%s: %w", filepath.Base(store), err)
		}
		kills += n
		if err := t.newerRefused(ctx, base); err != nil {
			return "", fmt.Errorf("%s: %w", filepath.Base(store), err)
		}
	}
	old, more, err := t.takenOver(ctx)
	if err != nil {
		return "", err
	}
	if kills+more < len(stores)+old {
		return "", fmt.Errorf("killed %d times only", kills+more)
	}
	done := fmt.Sprintf("%d earlier schemas and %d databases of the predecessor, killed %d times: the same in the end; a newer one keeps every byte", len(stores), old, kills+more)
	if old == 0 {
		done += " (no database of the predecessor here)"
	}
	return done, nil
}

func (t *trial) unpacked(archive string) (string, error) {
	to := filepath.Join(t.Dir, "earlier")
	if err := errors.Join(os.RemoveAll(to), os.MkdirAll(to, 0o700)); err != nil {
		return "", fmt.Errorf("making a folder: %w", err)
	}
	if out, err := exec.Command("tar", "-xzf", archive, "-C", to).CombinedOutput(); err != nil { //nolint:gosec // our own file
		return "", fmt.Errorf("unpacking %s: %w\n%s", archive, err, out)
	}
	return filepath.Join(to, "ws"), nil
}

// takenOver imports databases of the predecessor.
func (t *trial) takenOver(ctx context.Context) (databases, kills int, err error) {
	found, err := filepath.Glob("../shared/golden/*.db")
	if err != nil {
		return 0, 0, fmt.Errorf("looking for databases of the predecessor: %w", err)
	}
	for _, db := range found {
		base, err := t.Fresh("heir")
		if err != nil {
			return 0, 0, err
		}
		if _, err := t.CLI(ctx, "sync", "--workspace", base); err != nil {
			return 0, 0, err
		}
		n, err := t.sweep(ctx, base, errand{name: "import", args: []string{"import", db}, short: 3, long: 15})
		if err != nil {
			return 0, 0, fmt.Errorf("%s: %w", filepath.Base(db), err)
		}
		kills += n
	}
	return len(found), kills, nil
}

// newerRefused gives a database the schema of a program to come.
func (t *trial) newerRefused(ctx context.Context, base string) error {
	ws := filepath.Join(t.Dir, "newer")
	if err := t.copied(base, ws); err != nil {
		return err
	}
	if err := setSchema(filepath.Join(ws, ".agent-memory", "memory.db"), 99); err != nil {
		return err
	}
	before, err := everyByte(ws)
	if err != nil {
		return err
	}
	for _, args := range [][]string{{"recall", "ledger"}, {"remember", "nobody may keep this"}, {"sync"}, {"reflect", "all"}, {"forget", "--uri", "knowledge://a/b", "--purge"}} {
		out, err := t.command(ctx, append([]string{t.Binary, "--workspace", ws}, args...)).CombinedOutput()
		var ended *exec.ExitError
		if !errors.As(err, &ended) || ended.ExitCode() != exitNewer || !strings.Contains(string(out), "schema") {
			return broken(fmt.Errorf("%v on a newer store: %w\n%s", args, errors.Join(err), out))
		}
	}
	after, err := everyByte(ws)
	if err != nil {
		return err
	}
	for name, was := range before {
		if !bytes.Equal(after[name], was) {
			return broken(fmt.Errorf("a newer store was refused, but %s changed", name))
		}
	}
	for name := range after {
		if _, was := before[name]; !was && !strings.HasSuffix(name, ".lock") && !strings.HasSuffix(name, ".users") { // locks
			return broken(fmt.Errorf("a newer store was refused, but %s was made", name))
		}
	}
	return nil
}

// exitNewer is the exit status of the program for a store of a newer one.
const exitNewer = 9

// setSchema writes PRAGMA user_version where the file format of SQLite has it.
func setSchema(db string, version uint32) error {
	f, err := os.OpenFile(db, os.O_WRONLY, 0)
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	_, err = f.WriteAt(binary.BigEndian.AppendUint32(nil, version), 60)
	return errors.Join(err, f.Close())
}

func everyByte(dir string) (map[string][]byte, error) {
	files := map[string][]byte{}
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(dir, path)
		files[name], err = os.ReadFile(path)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the workspace: %w", err)
	}
	return files, nil
}
