package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/gofrs/flock"
)

// examineWorkspace reports whether there is a workspace to look into.
func (a *app) examineWorkspace(c *config, r *doctorReport) bool {
	if !isDir(c.Workspace) {
		r.add("workspace", levelProblem, "agent-memory init --workspace "+c.Workspace, "%s does not exist (%s)", c.Workspace, c.WorkspaceOrigin)
		return false
	}
	r.add("workspace", levelOK, "", "%s (%s)", c.Workspace, c.WorkspaceOrigin)
	return true
}

// examineDatabaseFile reports whether there is a database to look into.
func (a *app) examineDatabaseFile(c *config, r *doctorReport) bool {
	where, err := a.databasePlace(c)
	if err != nil {
		r.add("database", levelProblem, publicError(err).Hint, "%s", publicError(err).Message)
		return false
	}
	if where.Reason != "" {
		r.add("database", levelNote, "", "it is in %s, because %s", where.Database, where.Reason)
	} else if reason := unsafeReason(c.Workspace); reason != "" {
		r.add("database", levelProblem, "remove the setting database", "%s, and the database would be damaged there", reason)
	}
	if folder := filepath.Dir(where.Database); where.Database != "" && c.text(setDatabase) != "" && !isDir(folder) {
		r.add("database", levelProblem, "make it, or change the setting database", "the folder of the database, %s, does not exist", folder)
		return false
	}
	if _, err := os.Stat(where.Database); errors.Is(err, fs.ErrNotExist) {
		r.add("database", levelNote, "agent-memory sync builds it from the files", "there is no database yet")
		return false
	}
	// Before SQLite opens it: closing a file drops the process's locks on it.
	if f, err := os.OpenFile(where.Database, os.O_RDWR, 0); err != nil {
		r.add("database", levelProblem, "make it and its folder writable for this user; recall answers meanwhile", "it cannot be written: %v", err)
	} else {
		_ = f.Close()
	}
	return true
}

// examineModes looks for files of ours that others may read.
func (a *app) examineModes(c *config, r *doctorReport) {
	if runtime.GOOS == "windows" {
		return
	}
	open := 0
	err := filepath.WalkDir(filepath.Join(c.Workspace, stateFolder), func(path string, entry fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if entry.IsDir() && entry.Name() == "swap" {
			return filepath.SkipDir // people's files on their way out, with the modes they gave them; the folder is closed
		}
		info, err := entry.Info()
		if err != nil {
			return nil //nolint:nilerr // a file that went away meanwhile
		}
		if info.Mode().Perm()&0o077 != 0 {
			open++
			if open <= 3 {
				r.add("modes", levelProblem, "chmod go-rwx "+path, "%s may be read by others (%v)", path, info.Mode().Perm())
			}
		}
		return nil
	})
	switch {
	case err != nil:
		r.add("modes", levelProblem, "", "reading %s: %v", stateFolder, err)
	case open == 0:
		r.add("modes", levelOK, "", "nobody else may read %s", stateFolder)
	}
}

// examineLocks tells which locks are held; a lock is free as soon as its
// holder is gone, whatever the file says.
func (a *app) examineLocks(c *config, r *doctorReport) {
	held := 0
	for _, folder := range []string{stateFolder, filepath.Join("memory", ".locks")} {
		for _, entry := range listInside(c.Workspace, folder) {
			if !strings.HasSuffix(entry.Name(), ".lock") {
				continue
			}
			path := filepath.Join(c.Workspace, folder, entry.Name())
			if lockHeld(path) {
				held++
				r.add("locks", levelNote, "", "%s is held by a running process", filepath.Join(folder, entry.Name()))
			}
		}
	}
	if held == 0 {
		r.add("locks", levelOK, "", "none is held")
	}
}

func lockHeld(path string) bool {
	lock := flock.New(path, flock.SetFlag(os.O_RDWR))
	got, err := lock.TryLock()
	if err != nil {
		return false
	}
	if got {
		_ = lock.Unlock()
	}
	return !got
}
