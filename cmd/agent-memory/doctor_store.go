package main

import (
	"cmp"
	"context"
	"errors"
	"maps"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

// shownFindings is how many damaged rows or differing files are listed one by one.
const shownFindings = 5

// examineStore checks the database and both ways between it and the files.
func (a *app) examineStore(ctx context.Context, c *config, r *doctorReport) {
	a.onlyLooks = true
	e, err := a.openEngine(ctx)
	if err != nil {
		area, shown := "database", publicError(err)
		if _, settings := errors.AsType[settingsError](err); settings {
			area = "settings"
		}
		r.add(area, levelProblem, shown.Hint, "%s", shown.Message)
		return
	}
	defer func() {
		if err := e.close(); err != nil {
			r.add("database", levelProblem, "", "closing: %v", err)
		}
	}()
	for _, w := range e.damageWarnings() {
		r.add("database", levelNote, "", "%s", w)
	}
	e.examineRows(ctx, r)
	e.examineFiles(ctx, r)
	e.examineObstacles(ctx, r)
	e.examineExtra(r)
	e.examineParts(ctx, r)
}

// extraMissing begins what is said of a folder of extra_paths that is not there.
const extraMissing = "a folder of extra_paths cannot be read: "

// examineExtra names the folders of extra_paths that cannot be read.
func (e *engine) examineExtra(r *doctorReport) {
	for _, why := range e.noExtra {
		r.add("files", levelNote, "see [[extra_paths]] in "+configPath(e.config)+"; what was read there before stays known", "%s", extraMissing+why)
	}
}

// embedderPatience is how long doctor waits for a configured embedder.
const embedderPatience = 5 * time.Second

// examineEmbedder asks a configured embedder for one vector; reports whether it failed.
func (e *engine) examineEmbedder(ctx context.Context, r *doctorReport) bool {
	if e.vectors == nil || e.vectors.remote == nil {
		return false
	}
	ctx, cancel := context.WithTimeout(ctx, embedderPatience)
	defer cancel()
	_, err := e.vectors.remote.Query(ctx, "agent-memory")
	if err == nil {
		return false
	}
	shown := publicError(err)
	r.add("vectors", levelProblem, cmp.Or(shown.Hint, "see [embedding] in "+configPath(e.config)+"; until it answers, memories are found by their words alone"), "%s", shown.Message)
	return true
}

// examineRows verifies the integrity of the database and the hash of every row.
func (e *engine) examineRows(ctx context.Context, r *doctorReport) {
	damaged, err := e.store.Check(ctx)
	if err != nil {
		r.add("database", levelProblem, rebuildHint, "checking: %v", err)
		return
	}
	for i, d := range damaged {
		if i == shownFindings {
			r.add("database", levelProblem, "", "and %d more findings", len(damaged)-i)
			break
		}
		r.add("database", levelProblem, rebuildHint, "%s", d)
	}
	stats, err := e.store.Stats(ctx, memory.DefaultNamespace)
	if err != nil {
		r.add("database", levelProblem, rebuildHint, "counting: %v", err)
		return
	}
	if len(damaged) == 0 {
		r.add("database", levelOK, "", "%d memories, %d passages, schema %d, text analysis %d, %.1f MB; every hash is right",
			stats.Total, stats.Passages, stats.SchemaVer, stats.TextVer, float64(stats.Bytes)/1e6)
	}
	e.examineVersions(ctx, r)
	for status, n := range map[memory.Status]int{memory.Quarantined: stats.ByStatus[memory.Quarantined], memory.Missing: stats.ByStatus[memory.Missing]} {
		if n > 0 {
			r.add("memories", levelNote, statusHint(status), "memories that are %s: %d", status, n)
		}
	}
}

// examineVersions names the files of which a version that we keep to compare edits
// with cannot be unpacked; nothing depends on it alone.
func (e *engine) examineVersions(ctx context.Context, r *doctorReport) {
	paths, err := e.store.UnreadableVersions(ctx)
	if err != nil {
		r.add("database", levelProblem, rebuildHint, "checking: %v", err)
		return
	}
	broken := map[string]int{}
	for _, path := range paths {
		broken[path]++
	}
	for _, path := range slices.Sorted(maps.Keys(broken)) {
		r.add("database", levelNote, "no word is lost: they leave as the file is written again", "kept versions of %s cannot be unpacked: %d; older ones are compared with instead", path, broken[path])
	}
}

const rebuildHint = "end what uses it and run `agent-memory sync`: the damaged database is put aside, and made again from the files"

func statusHint(s memory.Status) string {
	if s == memory.Missing {
		return "their lines are gone from the files; `agent-memory sync --accept-deletions` if that was meant, `agent-memory forget --undo ID` writes a line again"
	}
	return "`agent-memory approve` lists them"
}

// examineFiles compares every home line with its memory and the other way
// round, by a sync that writes nothing.
func (e *engine) examineFiles(ctx context.Context, r *doctorReport) {
	report, err := e.mirror.Sync(ctx, memory.SyncOptions{DryRun: true})
	if err != nil {
		r.add("files", levelProblem, "", "comparing files and database: %v", err)
		return
	}
	differences := report.Added + report.Updated + report.Moved + report.Deleted + report.Restored + report.Missing
	if differences > 0 {
		r.add("files", levelNote, "`agent-memory sync` takes them over", "edits that the index does not hold yet: %d new, %d changed, %d moved, %d removed, %d missing, %d to be written again",
			report.Added, report.Updated, report.Moved, report.Deleted, report.Missing, report.Restored)
	} else if len(report.Warnings) == 0 {
		r.add("files", levelOK, "", "%d files agree with the database, both ways", report.FilesScanned)
	}
	for i, conflict := range report.Conflicts {
		if i == shownFindings {
			break
		}
		r.add("files", levelProblem, "compare it with the file it belongs to, keep what is right, delete it", "%s holds what could not be merged", conflict)
	}
	for i, w := range report.Warnings {
		if i == shownFindings {
			break
		}
		r.add("files", levelNote, "", "%s", w)
	}
	size, since, err := e.store.OutboxSize(ctx)
	if err == nil && size > 0 {
		r.add("files", levelNote, "`agent-memory sync` writes them", "%d changes since %s wait to be written into files", size, since.Format("2006-01-02 15:04"))
	}
	if list := e.mirror.Degraded(); len(list) > 0 {
		r.add("files", levelNote, "", "this file system lacks: %s", strings.Join(list, ", "))
	}
}

// examineObstacles names the files that cannot be kept in step, and says what to do.
func (e *engine) examineObstacles(ctx context.Context, r *doctorReport) {
	obstacles, err := e.mirror.Obstacles(ctx)
	if err != nil {
		r.add("files", levelProblem, "", "%v", err)
		return
	}
	for _, o := range obstacles {
		l := levelNote
		if o.Changes > 0 {
			l = levelProblem
		}
		r.add("files", l, obstacleHint(o), "%s", obstacleText(o))
	}
}

func obstacleHint(o mirror.Obstacle) string {
	if strings.Contains(o.Why, "symbolic link") {
		return "put the file or folder itself in the place of the link; a folder elsewhere can be read by the setting extra_paths"
	}
	if strings.Contains(o.Why, "larger than") {
		return "take out of it what is no memory, or divide it; what waits is written by the next sync"
	}
	return "free the place, or make it writable; what waits is written by the next sync"
}

// examineParts asks the parts that can tell how they are, as status does.
func (e *engine) examineParts(ctx context.Context, r *doctorReport) {
	for name, check := range e.checks() {
		if name == "files" || name == "database" {
			continue // examined above, and more closely
		}
		if name == "vectors" && e.examineEmbedder(ctx, r) {
			continue
		}
		facts, warnings, err := check.Health(ctx)
		switch {
		case err != nil:
			r.add(name, levelProblem, "", "%v", err)
		case len(warnings) > 0:
			r.add(name, levelNote, "", "%s", strings.Join(warnings, "; "))
		case name == "llm":
			r.add(name, levelOK, "", "%v at %v is configured; wrap-ups and weekly summaries send it lines to shorten, nothing else does", facts["model"], facts["base_url"])
		default:
			r.add(name, levelOK, "", "works")
		}
	}
}
