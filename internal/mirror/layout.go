package mirror

import (
	"path"
	"strings"
	"time"
)

// The places of a workspace that the mirror itself keeps.
const (
	ownDir        = ".agent-memory"
	recordsFile   = ownDir + "/records.jsonl"
	projectedFile = ownDir + "/projected.json"
	drainLock     = ownDir + "/drain.lock"
	swapDir       = ownDir + "/swap"
	backupDir     = ownDir + "/backup"
	untrustedDir  = ownDir + "/untrusted"

	journalDir  = "memory"
	topicsDir   = "memory/topics"
	importedDir = "memory/imported"
	tasksDir    = "memory/tasks"
	archiveDir  = "memory/archive"
	entitiesDir = "memory/life"
	stateFile   = "memory/CURRENT_STATE.md"

	indexFile  = "MEMORY.md"
	recentFile = "RECENT.md"
)

// File modes: what a memory holds is nobody else's business.
const (
	fileMode = 0o600
	dirMode  = 0o700
)

// kind says what a file of the workspace is, hence what may be done to it.
type kind int

const (
	ignored     kind = iota
	home             // entries have their home line here; we write it
	projection       // derived by us; a line here stands for a memory elsewhere
	prose            // people's: read and indexed, never written
	cloudCopy        // a copy that a sync service made of another file
	conflicting      // our own conflict file
)

// classify tells what the Markdown file at a slash-separated path is.
func classify(name string) kind {
	base := path.Base(name)
	switch {
	case !strings.HasSuffix(strings.ToLower(base), ".md"):
		return ignored
	case strings.Contains(base, ".md.conflict-"):
		return conflicting
	case isCloudCopy(base):
		return cloudCopy
	case name == indexFile || name == recentFile:
		return projection
	}
	switch dir := path.Dir(name); {
	case dir == journalDir:
		return classifyJournalDir(name, base)
	case dir == topicsDir || dir == importedDir || dir == tasksDir || dir == untrustedDir || dir == journalDir+"/recent":
		return home
	case strings.HasPrefix(dir, archiveDir+"/") && isJournal(base):
		return home
	case dir == journalDir+"/weekly", dir == archiveDir && strings.HasPrefix(base, "weekly-"):
		return projection
	case strings.HasPrefix(dir, ownDir):
		return ignored
	}
	return prose
}

func classifyJournalDir(name, base string) kind {
	switch {
	case name == stateFile || isJournal(base):
		return home
	case base == "INDEX.md":
		return projection
	}
	return prose
}

func isCloudCopy(base string) bool {
	return strings.Contains(base, "conflicted copy") || strings.Contains(base, ".sync-conflict-")
}

// originalOf returns the name of the file that a sync service copied, or "".
// Dropbox writes "x (Ann's conflicted copy 2026-02-21).md", Syncthing
// "x.sync-conflict-20260221-101112-ABCDEFG.md".
func originalOf(name string) string {
	dir, base := path.Split(name)
	if i := strings.Index(base, ".sync-conflict-"); i > 0 {
		return dir + base[:i] + ".md"
	}
	if i := strings.LastIndex(base, " ("); i > 0 && strings.Contains(base[i:], "conflicted copy") {
		return dir + base[:i] + ".md"
	}
	return ""
}

// isJournal reports whether a base name is YYYY-MM-DD.md or a further part of one, YYYY-MM-DD-pN.md.
func isJournal(base string) bool {
	_, _, ok := journalDay(base)
	return ok
}

// journalDay splits the name of a journal into its day and its part, counted from 1.
func journalDay(base string) (day string, part int, ok bool) {
	stem := strings.TrimSuffix(base, ".md")
	if len(stem) < len(time.DateOnly) || stem == base {
		return "", 0, false
	}
	day = stem[:len(time.DateOnly)]
	if _, err := time.Parse(time.DateOnly, day); err != nil {
		return "", 0, false
	}
	part, ok = partNumber(stem[len(time.DateOnly):])
	return day, part, ok
}

// partNumber reads "" as 1 and "-p2" as 2.
func partNumber(suffix string) (int, bool) {
	if suffix == "" {
		return 1, true
	}
	digits, found := strings.CutPrefix(suffix, "-p")
	if !found || digits == "" || len(digits) > 4 {
		return 0, false
	}
	n := 0
	for _, c := range []byte(digits) {
		if c < '0' || c > '9' {
			return 0, false
		}
		n = n*10 + int(c-'0')
	}
	return n, n >= 2
}
