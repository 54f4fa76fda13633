package main

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// TestPurgeLeavesNoByte purges a memory that was changed, superseded, archived,
// restored and edited by hand, then searches every file of the workspace.
func TestPurgeLeavesNoByte(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	ws := filepath.Join(home, "ws")
	run := func(args ...string) {
		t.Helper()
		if code, out, errs := program(t, env, append(args, "--workspace", ws)...); code != 0 {
			t.Fatalf("%v: exit %d\n%s%s", args, code, out, errs)
		}
	}
	run("remember", "Zanzibarquux first text of the vault", "--uri", "knowledge://secrets/vault")
	run("remember", "Zanzibarquux second text, kept by 托马斯铁匠", "--uri", "knowledge://secrets/vault")
	run("remember", "北京机房周五断电，备用机已经接管")
	run("reflect", "--phase", "surface")
	run("reflect", "--phase", "compound")
	run("forget", "--uri", "knowledge://secrets/vault")
	run("forget", "--uri", "knowledge://secrets/vault", "--undo")
	topic := filepath.Join(ws, "memory", "topics", "knowledge.md")
	edited := strings.Replace(read(t, topic), "托马斯铁匠", "托马斯铁匠和梅", 1)
	writeFile(t, topic, edited)
	run("sync")
	run("forget", "--uri", "knowledge://secrets/vault", "--purge")
	run("sync")
	for _, canary := range []string{"Zanzibarquux", "zanzibarquux", "铁匠"} {
		for _, file := range filesWith(t, ws, canary) {
			t.Errorf("%s still holds %q", file, canary)
		}
	}
	if len(filesWith(t, ws, "备用机")) == 0 {
		t.Error("the other memory is gone too")
	}
}

func filesWith(t *testing.T, dir, needle string) []string {
	t.Helper()
	var found []string
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte(needle)) {
			found = append(found, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// TestForgottenLinesLeaveTheDerivedFilesAtOnce: hosts load these files by
// themselves, so that a forgotten text must not wait there for the next job.
func TestForgottenLinesLeaveTheDerivedFilesAtOnce(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	ws := filepath.Join(home, "ws")
	run := func(args ...string) {
		t.Helper()
		if code, out, errs := program(t, env, append(args, "--workspace", ws)...); code != 0 {
			t.Fatalf("%v: exit %d\n%s%s", args, code, out, errs)
		}
	}
	writeFile(t, filepath.Join(ws, "MEMORY.md"), "# MEMORY\n\n- a person's line about Zanzibarquux\n")
	lastWeek := time.Date(2026, 3, 4, 9, 0, 0, 0, time.UTC)
	if err := os.Chtimes(filepath.Join(ws, "MEMORY.md"), lastWeek, lastWeek); err != nil {
		t.Fatal(err)
	}
	run("sync")
	run("remember", "Zanzibarquux is the name of the vault", "--uri", "knowledge://secrets/vault")
	run("remember", "北京机房周五断电，备用机已经接管", "--uri", "knowledge://sites/beijing")
	run("reflect", "--phase", "surface")
	run("reflect", "--phase", "compound")
	run("forget", "--uri", "knowledge://secrets/vault")
	if recent := read(t, ws, "RECENT.md"); strings.Contains(recent, "Zanzibarquux") || !strings.Contains(recent, "备用机") {
		t.Errorf("RECENT.md:\n%s", recent)
	}
	index := read(t, ws, "MEMORY.md")
	if strings.Contains(index, "name of the vault") || !strings.Contains(index, "备用机") || !strings.Contains(index, "a person's line about Zanzibarquux") {
		t.Errorf("MEMORY.md:\n%s", index)
	}
}
