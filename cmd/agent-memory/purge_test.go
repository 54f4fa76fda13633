package main

import (
	"bytes"
	"context"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf16"

	"agentmemory/internal/memory"
	"agentmemory/store"
)

// TestPurgeLeavesNoByte purges a memory that was changed, superseded, archived,
// restored and edited by hand, then searches every file of the workspace.
func TestPurgeLeavesNoByte(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	ws := filepath.Join(home, "ws")
	run := runsIn(t, env, ws)
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
		for spelling, needle := range spellings(canary) {
			for _, file := range filesWith(t, ws, needle) {
				t.Errorf("%s still holds %q as %s", file, canary, spelling)
			}
		}
		basesLack(t, ws, canary)
	}
	if len(filesWith(t, ws, "备用机")) == 0 {
		t.Error("the other memory is gone too")
	}
}

// A line that a person wrote with the same words leaves the files with a purged
// memory, so that it leaves the store as well: under another id, and within a
// longer line. Whoever has not said that the longer line may go, too, is asked.
func TestPurgeTakesCopiesOutOfTheStore(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	ws := filepath.Join(home, "ws")
	run := runsIn(t, env, ws)
	run("remember", "The router phrase is Zanzibarquux", "--uri", "knowledge://home/router")
	run("remember", "The kitchen window faces the garden")
	writeFile(t, filepath.Join(ws, "memory", "2026-02-20.md"),
		"# 2026-02-20\n\n- The router phrase is Zanzibarquux\n- Ann says: The router phrase is Zanzibarquux, as before\n- Ann waters the plants\n")
	run("sync")
	asked, _, says := program(t, env, "forget", "--uri", "knowledge://home/router", "--purge", "--workspace", ws)
	if asked != 5 || !strings.Contains(says, "say more: 1") || len(filesWith(t, filepath.Join(ws, "memory"), "Zanzibarquux")) != 2 {
		t.Errorf("exit %d: %s", asked, says)
	}
	run("forget", "--uri", "knowledge://home/router", "--purge", "--confirm")
	if _, exported, _ := program(t, env, "export", "--format", "jsonl", "--all", "--workspace", ws); strings.Contains(exported, "Zanzibarquux") ||
		!strings.Contains(exported, "kitchen window") || !strings.Contains(exported, "waters the plants") {
		t.Errorf("the store holds:\n%s", exported)
	}
	for _, file := range filesWith(t, ws, "Zanzibarquux") {
		t.Errorf("%s still holds it", file)
	}
}

// spellings are the ways in which a program may have kept a text.
func spellings(text string) map[string]string {
	var wide, escaped strings.Builder
	for _, unit := range utf16.Encode([]rune(text)) {
		wide.Write([]byte{byte(unit), byte(unit >> 8)})
		fmt.Fprintf(&escaped, "\\u%04x", unit)
	}
	all := map[string]string{
		"it is": text, "UTF-16": wide.String(), "JSON escapes": escaped.String(),
		"hexadecimal": hex.EncodeToString([]byte(text)), "a query": url.QueryEscape(text),
	}
	for shift := range 3 { // without the characters that depend on the neighbours
		encoded := base64.StdEncoding.EncodeToString([]byte("xx"[:shift] + text))
		all[fmt.Sprint("base64 at ", shift)] = strings.TrimRight(encoded[(shift*8+5)/6:], "=")[:len(text)]
	}
	return all
}

// basesLack looks into the versions of files that the store keeps for merging,
// which are compressed.
func basesLack(t *testing.T, ws, canary string) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(ws, ".agent-memory", "memory.db"), Now: time.Now, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	seen := 0
	for _, file := range filesWith(t, ws, "") {
		name, _ := filepath.Rel(ws, file)
		versions, err := s.Bases(t.Context(), filepath.ToSlash(name), 0)
		if err != nil {
			t.Fatal(err)
		}
		for _, v := range versions {
			if seen++; strings.Contains(v.Text, canary) {
				t.Errorf("a kept version of %s still holds %q", name, canary)
			}
		}
	}
	if seen == 0 {
		t.Error("no version of any file is kept: this test looks in the wrong place")
	}
}

// runsIn returns what runs a command in a workspace, and fails the test where it fails.
func runsIn(t *testing.T, env surroundings, ws string) func(args ...string) {
	return func(args ...string) {
		t.Helper()
		if code, out, errs := program(t, env, append(args, "--workspace", ws)...); code != 0 {
			t.Fatalf("%v: exit %d\n%s%s", args, code, out, errs)
		}
	}
}

// announcedPurge opens a workspace and announces, in its files, the purge of what is at
// an address; nothing is committed yet.
func announcedPurge(t *testing.T, env surroundings, ws, uri string) (*engine, memory.Memory) {
	t.Helper()
	e, err := (&app{streams: streams{Out: &strings.Builder{}, Err: &strings.Builder{}}, env: env, workspaceFlag: ws}).openEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	found, err := e.store.ByURI(t.Context(), memory.DefaultNamespace, uri)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.purger().AnnouncePurge(t.Context(), []memory.Memory{found}); err != nil {
		t.Fatal(err)
	}
	return e, found
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
	run := runsIn(t, env, ws)
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

// TestAPurgeThatWasCutShortIsEnded stops a purge right after its commit, when the
// database knows nothing of the text any more but the files still show it.
func TestAPurgeThatWasCutShortIsEnded(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	ws := filepath.Join(home, "ws")
	run := runsIn(t, env, ws)
	const canary = "Zanzibarquux"
	run("remember", "We decided that the key of "+canary+" lies in the vault", "--uri", "knowledge://secrets/vault")
	run("remember", "a memory that stays")
	run("reflect", "compound")
	e, found := announcedPurge(t, env, ws, "knowledge://secrets/vault")
	if _, err := e.store.Apply(t.Context(), []memory.Change{{Op: memory.OpPurge, Memory: found, Reason: "test"}}); err != nil {
		t.Fatal(err)
	}
	if err := e.close(); err != nil {
		t.Fatal(err)
	}
	if len(filesWith(t, ws, canary)) == 0 {
		t.Fatal("nothing was left to be found")
	}
	run("sync")
	for _, file := range filesWith(t, ws, canary) {
		t.Errorf("%s still holds what was purged", file)
	}
	basesLack(t, ws, canary)
	if len(filesWith(t, ws, "a memory that stays")) == 0 {
		t.Error("the other memory is gone too")
	}
}

// TestAPurgeThatWasOnlyAnnouncedHasNotBegun ends a purge before its commit.
func TestAPurgeThatWasOnlyAnnouncedHasNotBegun(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	ws := filepath.Join(home, "ws")
	runsIn(t, env, ws)("remember", "kept all the same", "--uri", "knowledge://a/b")
	e, _ := announcedPurge(t, env, ws, "knowledge://a/b")
	if err := e.close(); err != nil {
		t.Fatal(err)
	}
	for _, later := range []string{"+1m", "+2h"} {
		moved, _ := surround(t, clockVariable+"="+later)
		if code, _, errs := program(t, moved, "sync", "--workspace", ws); code != 0 {
			t.Fatal(errs)
		}
		notes, _ := filepath.Glob(filepath.Join(ws, ".agent-memory", "purging", "*"))
		if want := map[string]int{"+1m": 1, "+2h": 0}[later]; len(notes) != want {
			t.Errorf("%s later %d notes are left, want %d", later, len(notes), want)
		}
	}
	if len(filesWith(t, ws, "kept all the same")) == 0 {
		t.Error("the memory is gone")
	}
}

// A purge that a server cannot end now is tried again, as long as it lives.
func TestAServerGoesOnTryingToEndPurges(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	e, err := (&app{streams: streams{Out: &strings.Builder{}, Err: &strings.Builder{}}, env: env, workspaceFlag: home}).openEngine(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := e.purger()
	if err := e.close(); err != nil { // whatever it asks fails from now on
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	told, ended := make(chan error, 1), make(chan error, 1)
	go func() { ended <- p.run(ctx, func(err error) { told <- err }) }()
	if err := <-told; err == nil {
		t.Error("it was told of nothing")
	}
	select {
	case err := <-ended:
		t.Errorf("it gave up: %v", err)
	case <-time.After(50 * time.Millisecond):
	}
	cancel()
	if err := <-ended; err != nil {
		t.Error(err)
	}
}
