package main

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"agentmemory/tools"
)

// status prints how many memories there are, then what needs a person, then
// the rest. What is zero or empty is left out; JSON has it.
func (p *printer) status(tree map[string]any) {
	p.line("Memories: %d, profile %s, agent %s", whole(tree["total"]), p.leaf(tree["profile"]), p.leaf(tree["agent_id"]))
	drop(tree, "total", "profile", "agent_id")
	if full, is := tree["degraded"].([]any); is && len(full) == 0 && tree["health"] != nil {
		p.line("nothing is degraded")
	}
	p.inOrder(tree, "degraded", "missing", "quarantined", "contradicted", "heartbeat", "by_type", "by_priority", "by_status", "by_state", "by_temperature")
}

// reflected prints in a sentence what a run of reflect came to, then the plan
// with its reasons, then what was counted and written.
func (p *printer) reflected(tree map[string]any) {
	phase, changed := p.leaf(tree["phase"]), whole(tree["changed"])
	plan, _ := tree["plan"].([]any)
	undone, _ := tree["undone"].(map[string]any)
	files := p.projected(tree)
	switch {
	case undone != nil:
		p.line("undone: %s, memories as before: %d", phase, whole(undone["memories"]))
		drop(undone, "phase", "memories")
	case tree["dry_run"] == true && len(plan) == 0:
		p.line("%s: nothing would change (dry run)", phase)
	case tree["dry_run"] == true:
		p.line("%s: this would change (dry run; nothing was written)", phase)
	case changed == 0 && files:
	case changed == 0:
		p.line("%s: no memory had to change", phase)
	default:
		p.line("%s: %d changed", phase, changed)
	}
	drop(tree, "phase", "changed", "dry_run")
	p.inOrder(tree, "consistency", "notes", "plan", "undone")
}

// forgotten prints what was done to which memories, and the command that takes
// it back.
func (p *printer) forgotten(r tools.ForgetResult) {
	p.line("%s (memories: %d)", p.text(r.Action), r.Count)
	for _, id := range r.IDs {
		p.line("  %s", id)
	}
	if r.Undo != "" {
		p.line("  bring back: %s", undoCommand(r.Undo))
	}
	p.degraded(r.Degraded)
}

// undoCommand writes the call that a tool names, such as "forget id=ID
// undo=true", as a person has to type it.
func undoCommand(call string) string {
	name, value, _ := strings.Cut(strings.TrimSuffix(strings.TrimPrefix(call, "forget "), " undo=true"), "=")
	if name == "source" {
		return "agent-memory forget --undo --source '" + value + "'"
	}
	return "agent-memory forget --undo " + value
}

// projected prints which files that hosts read were made anew.
func (p *printer) projected(tree map[string]any) (found bool) {
	for _, name := range []string{"surface", "compound"} {
		part, is := tree[name].(map[string]any)
		if !is {
			continue
		}
		switch file, lines := p.leaf(part["file"]), whole(part["lines"]); {
		case part["written"] == true:
			p.line("%s is written anew (lines: %d)", file, lines)
		case tree["dry_run"] == true:
			p.line("%s would be written (lines: %d)", file, lines)
		default:
			p.line("%s stays as it is (lines: %d)", file, lines)
		}
		drop(part, "file", "lines", "written")
		found = true
	}
	if part, is := tree["wrapup"].(map[string]any); is {
		p.line("Wrap-up of %s (lines: %d)", p.leaf(part["day"]), whole(part["lines"]))
		drop(tree, "wrapup")
		found = true
	}
	return found
}

// synced prints what a sync of files found: conflicts and warnings first.
func (p *printer) synced(r tools.SyncResult) {
	parts := []string{}
	for _, c := range []struct {
		n    int
		what string
	}{
		{r.Added, "added %d"}, {r.Updated, "updated %d"}, {r.Moved, "moved %d"}, {r.Deleted, "deleted %d"}, {r.Missing, "missing %d"},
		{r.Restored, "restored %d"}, {r.Hidden, "hidden %d"}, {r.Passages, "passages read %d"}, {r.FilesWritten, "files written %d"},
	} {
		if c.n > 0 {
			parts = append(parts, p.say(c.what, c.n))
		}
	}
	if len(parts) == 0 {
		parts = append(parts, p.text("nothing new"))
	}
	p.line("Files: %s (looked at: %d, changed: %d)", strings.Join(parts, p.text(", ")), r.FilesScanned, r.FilesChanged)
	if r.DryRun {
		p.line("  dry run: nothing was written")
	}
	for _, c := range r.Conflicts {
		p.line("  conflict: %s", p.sentence(clean(c)))
	}
	for _, w := range r.Warnings {
		p.line("  warning: %s", p.sentence(clean(w)))
	}
	if r.Missing > 0 {
		p.line("  missing entries are kept; if they were meant to go: agent-memory sync --accept-deletions")
	}
}

// inOrder prints the named parts first, then the others by name, without what
// is zero or empty.
func (p *printer) inOrder(tree map[string]any, first ...string) {
	for _, name := range append(first, slices.Sorted(maps.Keys(tree))...) {
		if v, filled := withoutZeros(tree[name]); filled {
			p.object("", map[string]any{name: v})
		}
		delete(tree, name)
	}
}

// withoutZeros leaves out zeros, false, "" and what is empty after that; filled
// reports whether anything is left.
func withoutZeros(v any) (left any, filled bool) {
	switch v := v.(type) {
	case map[string]any:
		for name, inner := range v {
			if v[name], filled = withoutZeros(inner); !filled {
				delete(v, name)
			}
		}
		return v, len(v) > 0
	case []any:
		return v, len(v) > 0
	case float64:
		return v, v != 0
	}
	return v, v != nil && v != false && v != ""
}

func drop(tree map[string]any, names ...string) {
	for _, name := range names {
		delete(tree, name)
	}
}

// whole reads a count out of decoded JSON.
func whole(v any) int {
	n, _ := v.(float64)
	return int(n)
}

// sync prints what a sync did: the files where it looked at any, then the
// conversations in words.
func (p *printer) sync(raw json.RawMessage) {
	var view tools.SyncResult
	if json.Unmarshal(raw, &view) != nil {
		return
	}
	if view.Sessions == nil || filesLookedAt(view) {
		p.synced(view)
	}
	if view.Sessions != nil {
		p.captured(*view.Sessions)
	}
}
