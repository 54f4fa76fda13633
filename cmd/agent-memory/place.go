package main

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"agentmemory/internal/memory"
)

const (
	databaseFile = "memory.db"
	pointerFile  = "database-is-elsewhere.txt"
)

// place is where the database of a workspace lives.
type place struct {
	Database string
	Reason   string // why it is not in the workspace; "" if it is
}

// databasePlace decides where the database lives. SQLite's write-ahead log
// needs shared memory and reliable locks, which network file systems do not
// give, and a program that syncs folders copies the file while it is written
// (https://sqlite.org/wal.html).
func (a *app) databasePlace(c *config) (place, error) {
	if chosen := c.text(setDatabase); chosen != "" {
		path, err := a.env.expand(chosen)
		return place{Database: path, Reason: chosenReason(path, c)}, err
	}
	reason := unsafeReason(c.Workspace)
	if reason == "" {
		return place{Database: filepath.Join(c.Workspace, stateFolder, databaseFile)}, nil
	}
	state, err := a.env.stateDir()
	if err != nil {
		return place{}, err
	}
	return place{Database: filepath.Join(state, folderName(c.Workspace), databaseFile), Reason: reason}, nil
}

func chosenReason(path string, c *config) string {
	if filepath.Dir(path) == filepath.Join(c.Workspace, stateFolder) {
		return ""
	}
	return "the setting " + setDatabase + " says so"
}

// folderName tells workspaces of the same last name apart.
func folderName(workspace string) string {
	sum := sha256.Sum256([]byte(workspace))
	return slug(filepath.Base(workspace)) + "-" + hex.EncodeToString(sum[:4])
}

// slug keeps letters, digits and dashes of a name, in lower case.
func slug(name string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(name) {
		switch {
		case r >= 'a' && r <= 'z', r >= '0' && r <= '9':
			b.WriteRune(r)
		case b.Len() > 0 && !strings.HasSuffix(b.String(), "-"):
			b.WriteByte('-')
		}
	}
	if s := strings.Trim(b.String(), "-"); s != "" {
		return s
	}
	return "workspace"
}

// unsafeReason says why a database must not live below dir, or "".
func unsafeReason(dir string) string {
	existing := nearestExisting(dir)
	if kind := remoteFileSystem(existing); kind != "" {
		return "the workspace is on " + kind
	}
	if service := syncService(existing); service != "" {
		return service + " syncs the workspace"
	}
	return ""
}

func nearestExisting(dir string) string {
	for {
		if _, err := os.Stat(dir); err == nil {
			return dir
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return dir
		}
		dir = parent
	}
}

// syncService recognises the folder of a sync program by its marker, else by its name.
func syncService(dir string) string {
	markers := map[string]string{".stfolder": "Syncthing", ".dropbox": "Dropbox", ".sync": "Resilio Sync", ".owncloudsync.log": "ownCloud", ".nextcloudsync.log": "Nextcloud"}
	for {
		for marker, service := range markers {
			if _, err := os.Lstat(filepath.Join(dir, marker)); err == nil {
				return service
			}
		}
		if service := serviceByName(filepath.Base(dir)); service != "" {
			return service
		}
		parent := filepath.Dir(dir)
		if parent == dir {
			return ""
		}
		dir = parent
	}
}

func serviceByName(name string) string {
	switch {
	case name == "Dropbox" || strings.HasPrefix(name, "Dropbox ("):
		return "Dropbox"
	case name == "OneDrive" || strings.HasPrefix(name, "OneDrive - ") || strings.HasPrefix(name, "OneDrive-"):
		return "OneDrive"
	case name == "Google Drive" || name == "GoogleDrive" || strings.HasPrefix(name, "GoogleDrive-"):
		return "Google Drive"
	case name == "Mobile Documents" || name == "iCloud Drive" || name == "iCloudDrive":
		return "iCloud"
	}
	return ""
}

// leavePointer tells a person who looks for the database where it is. Nobody
// reads it back: another machine that shares the folder decides for itself.
func leavePointer(c *config, p place) error {
	path := filepath.Join(c.Workspace, stateFolder, pointerFile)
	if p.Reason == "" {
		return removeIfThere(path)
	}
	text := fmt.Sprintf("%s\n\nThe index of this workspace is there because %s.\nIt is derived from the files here; `agent-memory sync` rebuilds it.\n", p.Database, p.Reason)
	if old, err := os.ReadFile(path); err == nil && string(old) == text {
		return nil
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		return memory.Errorf(memory.PermissionDenied, "writing %s: %w", path, err)
	}
	return nil
}

func removeIfThere(path string) error {
	if err := os.Remove(path); err != nil && !os.IsNotExist(err) {
		return memory.Errorf(memory.PermissionDenied, "removing %s: %w", path, err)
	}
	return nil
}
