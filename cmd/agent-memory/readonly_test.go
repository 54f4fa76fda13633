package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// protect takes the right to write from everything in a folder.
func protect(t *testing.T, dir string) {
	t.Helper()
	if os.Getuid() == 0 {
		t.Skip("root may write everywhere")
	}
	change := func(mask fs.FileMode, set fs.FileMode) {
		_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
			if err != nil {
				return err
			}
			info, err := d.Info()
			if err != nil {
				return err
			}
			return os.Chmod(path, info.Mode().Perm()&^mask|set)
		})
	}
	change(0o222, 0)
	t.Cleanup(func() { change(0, 0o200) })
}

// A workspace that cannot be written, such as a mounted backup, still answers;
// nothing is claimed to be kept.
func TestWorkspaceThatCannotBeWritten(t *testing.T) {
	env, home := surround(t)
	dir := filepath.Join(home, "workspace")
	if code, _, errs := program(t, env, "remember", "The valve of tank seven sticks", "--workspace", dir); code != 0 {
		t.Fatal(errs)
	}
	protect(t, dir)
	for _, args := range [][]string{{"recall", "valve of tank seven"}, {"status"}} {
		code, out, errs := program(t, env, append(args, "--workspace", dir)...)
		if code != 0 || !strings.Contains(out, "read") {
			t.Errorf("%v: exit status %d: %s%s", args, code, out, errs)
		}
	}
	if _, out, errs := program(t, env, "recall", "valve of tank seven", "--workspace", dir); !strings.Contains(out, "tank seven sticks") || !strings.Contains(out, "degraded: read_only") {
		t.Errorf("recall: %s%s", out, errs)
	}
	code, out, errs := program(t, env, "remember", "The valve was replaced", "--workspace", dir)
	if code != exitCodes()["read_only"] || !strings.Contains(errs, "nothing was kept") || !strings.Contains(errs, "hint:") {
		t.Errorf("remember: exit status %d: %s%s", code, out, errs)
	}
	if code, out, _ := program(t, env, "doctor", "--workspace", dir); code != exitProblems || !strings.Contains(out, "cannot be written") {
		t.Errorf("doctor: exit status %d: %s", code, out)
	}
}
