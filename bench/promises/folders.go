//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"time"
)

// foldersSynced reads from the system calls of a server, and of a command that
// writes the history of a job, whether every folder in which a file got its name
// was synced afterwards, and the file before. ext4 often keeps a name without
// it, so that a power cut there rarely shows what is missing.
func foldersSynced(ctx context.Context, t *trial) (string, error) {
	if _, err := exec.LookPath("strace"); err != nil {
		return "", skippedError("strace is not installed")
	}
	ws, err := t.Fresh("folders")
	if err != nil {
		return "", err
	}
	log := filepath.Join(t.Dir, "folders.log")
	s, err := t.Serve(ctx, ws, "strace", "-f", "-y", "-qqq", "-o", log, "-e", "trace=rename,renameat,renameat2,fsync")
	if err != nil {
		return "", err
	}
	for i := range 6 {
		if err := s.Call(ctx, "remember", map[string]any{"content": fmt.Sprintf("the folder of sentence %d is synced", i)}, nil); err != nil {
			return "", errors.Join(err, s.Kill())
		}
		time.Sleep(200 * time.Millisecond) // a drain for each
	}
	if err := s.Stop(30 * time.Second); err != nil {
		return "", err
	}
	named, err := syncedIn(log)
	if err != nil {
		return "", err
	}
	log = filepath.Join(t.Dir, "histories.log")
	command := exec.CommandContext(ctx, "strace", "-f", "-y", "-qqq", "-o", log, "-e", "trace=rename,renameat,renameat2,fsync", //nolint:gosec // our own
		t.Binary, "schedule", "disable", "compound", "--workspace", ws)
	command.Env = t.Env()
	if out, err := command.CombinedOutput(); err != nil {
		return "", fmt.Errorf("switching a job off: %w\n%s", err, out)
	}
	histories, err := syncedIn(log)
	return fmt.Sprintf("%d files and %d histories got their names, each was synced before and its folder afterwards", named, histories), err
}

// syncedIn counts the files that got their names in a log of strace.
func syncedIn(log string) (named int, err error) {
	calls, err := os.ReadFile(log)
	if err != nil {
		return 0, fmt.Errorf("reading the system calls: %w", err)
	}
	named, unsynced := namedIn(string(calls))
	if named == 0 {
		return 0, errors.New("no file got a name")
	}
	if len(unsynced) > 0 {
		err = fmt.Errorf("gave a file its name and did not sync %s", strings.Join(unsynced, ", "))
	}
	return named, broken(err)
}

// namedIn counts the renames in a log of strace and returns the folders that
// were not synced after the last one in them, and the files that were not synced
// before. Temporary names do not count.
func namedIn(calls string) (named int, unsynced []string) {
	moved := regexp.MustCompile(`renameat2?\(\d+<([^>]*)>, "([^"]*)", \d+<([^>]*)>, "([^"]*)"`)
	synced := regexp.MustCompile(`fsync\(\d+<([^>]*)>`)
	waiting, written := map[string]bool{}, map[string]bool{}
	for line := range strings.Lines(calls) {
		if m := synced.FindStringSubmatch(line); m != nil {
			delete(waiting, m[1])
			written[m[1]] = true
		}
		m := moved.FindStringSubmatch(line)
		if m == nil {
			continue
		}
		from, to := filepath.Join(m[1], m[2]), filepath.Join(m[3], m[4])
		if filepath.Base(m[3]) != "swap" {
			named++
			waiting[m[3]] = true
			if !written[from] {
				unsynced = append(unsynced, m[4])
			}
		}
		written[from], written[to] = written[to], written[from]
	}
	for folder := range waiting {
		unsynced = append(unsynced, filepath.Base(folder))
	}
	return named, unsynced
}
