package mirror

import (
	"path"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
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

	archiveDir = "memory/archive"
)

// File modes: what a memory holds is nobody else's business.
const (
	fileMode = 0o600
	dirMode  = 0o700
)

// kind says what the mirror does with a file of the workspace.
type kind int

const (
	ignored     kind = iota
	home             // entries have their home line here; we write it
	stateHome        // CURRENT_STATE.md: one memory is the whole file
	projection       // derived by us; a line here stands for a memory elsewhere
	prose            // people's: read and indexed, never written
	cloudCopy        // a copy that a sync service made of another file
	conflicting      // our own conflict file
)

// classify tells what the Markdown file at a slash-separated path is to us.
func classify(name string) kind {
	class := markdown.Classify(name, memory.TrustUser)
	switch {
	case !ours(name):
		return ignored
	case isCloudCopy(path.Base(name)):
		return cloudCopy
	case class.Kind == markdown.KindConflict:
		return conflicting
	case class.Kind == markdown.KindState:
		return stateHome
	case class.Home():
		return home
	case class.Projection() && !strings.HasPrefix(path.Base(name), "demoted-"):
		return projection
	case class.Kind == markdown.KindPrivate, class.Kind == markdown.KindJobs, class.Kind == markdown.KindOther:
		return ignored
	}
	return prose
}

// ours tells by the name whether a file may be one that memories stand in. Hidden
// ones are what editors and file systems keep beside another.
func ours(name string) bool {
	base := path.Base(name)
	if strings.HasPrefix(base, ".") {
		return false
	}
	facts := strings.HasPrefix(base, "items") && strings.EqualFold(path.Ext(name), ".json")
	return facts || strings.EqualFold(path.Ext(name), ".md")
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
		return dir + base[:i] + path.Ext(base)
	}
	if i := strings.LastIndex(base, " ("); i > 0 && strings.Contains(base[i:], "conflicted copy") {
		return dir + base[:i] + path.Ext(base)
	}
	return ""
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
