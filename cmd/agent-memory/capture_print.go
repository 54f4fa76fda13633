package main

import (
	"fmt"
	"sort"
	"strings"

	"agentmemory/tools"
)

// conversation prints a piece of a conversation; what was said around the
// wanted part is set back.
func (p *printer) conversation(v tools.ConversationView) {
	p.line("%s (%s)", clean(v.Path), clean(v.SessionID))
	for _, m := range v.Messages {
		margin := ""
		if m.Context {
			margin = "  "
		}
		p.line("")
		p.line("%s[%d] %s %s", margin, m.Number, p.text(m.Role), m.At)
		p.line("%s%s", margin, strings.ReplaceAll(clean(m.Text), "\n", "\n"+margin))
	}
	if len(v.Messages) == 0 {
		p.line("Nothing was said there: only tools, injected text, or nothing at all.")
	}
	if v.More {
		p.line("")
		p.line("… more was said; --limit shows up to 200 messages")
	}
}

// filesLookedAt reports whether a sync was one of files, too, and found any:
// rows of zeros before the conversations only look like a failure.
func filesLookedAt(r tools.SyncResult) bool {
	return r.FilesScanned+r.FilesChanged+r.FilesWritten+r.Added+r.Updated+r.Moved+r.Deleted+r.Missing+r.Restored+len(r.Conflicts)+len(r.Warnings) > 0
}

func (p *printer) captured(r tools.CaptureReport) {
	p.line("Conversations: %d, %d of them with something new (%d messages)", r.Conversations, r.Sessions, r.Messages)
	parts := []string{p.say("%d remembered", r.Added)}
	for _, c := range []struct {
		n    int
		what string
	}{{r.Merged, "%d said again or merged"}, {r.Known, "%d captured before"}, {r.Skipped, "%d skipped"}, {r.Quarantined, "%d quarantined"}} {
		if c.n > 0 {
			parts = append(parts, p.say(c.what, c.n))
		}
	}
	p.line("  worth keeping: %d (%s)", r.Found, strings.Join(parts, ", "))
	if f := r.Refined; f != nil {
		p.line("  language model: %d calls, %d reworded, %d joined, %d left out, %d proposals refused", f.Requests, f.Reworded, f.Merged, f.Dropped, f.Refused)
	}
	if len(r.Passed) > 0 {
		p.line("  passed over: %s", p.counted(r.Passed))
	}
	for _, w := range r.Warnings {
		p.line("  warning: %s", p.sentence(clean(w)))
	}
}

// counted writes counts by name, such as "short 3, subagent 1".
func (p *printer) counted(by map[string]int) string {
	var parts []string
	for name, n := range by {
		parts = append(parts, fmt.Sprintf("%s %d", p.text(name), n))
	}
	sort.Strings(parts)
	return strings.Join(parts, ", ")
}
