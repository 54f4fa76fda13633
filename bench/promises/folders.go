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

// foldersSynced reads from the system calls of a server whether every folder in
// which a file got its name was synced afterwards. ext4 often keeps a name
// without it, so that a power cut there rarely shows what is missing.
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
	calls, err := os.ReadFile(log)
	if err != nil {
		return "", fmt.Errorf("reading the system calls: %w", err)
	}
	named, unsynced := namedIn(string(calls))
	if named == 0 {
		return "", errors.New("no file got a name")
	}
	if len(unsynced) > 0 {
		err = fmt.Errorf("named a file in %s and did not sync the folder", strings.Join(unsynced, ", "))
	}
	return fmt.Sprintf("%d files got their names, each folder was synced afterwards", named), broken(err)
}

// namedIn counts the renames in a log of strace and returns the folders that
// were not synced after the last one in them. Temporary names do not count.
func namedIn(calls string) (named int, unsynced []string) {
	into := regexp.MustCompile(`renameat2?\(.*, \d+<([^>]*)>, "`)
	synced := regexp.MustCompile(`fsync\(\d+<([^>]*)>`)
	waiting := map[string]bool{}
	for line := range strings.Lines(calls) {
		if m := into.FindStringSubmatch(line); m != nil && filepath.Base(m[1]) != "swap" {
			named++
			waiting[m[1]] = true
		}
		if m := synced.FindStringSubmatch(line); m != nil {
			delete(waiting, m[1])
		}
	}
	for folder := range waiting {
		unsynced = append(unsynced, filepath.Base(folder))
	}
	return named, unsynced
}
