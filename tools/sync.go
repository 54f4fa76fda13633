package tools

import (
	"context"
	"encoding/json"
	"fmt"

	"agentmemory/internal/memory"
)

// Syncer brings files and store into step, both ways.
type Syncer interface {
	Sync(ctx context.Context, o memory.SyncOptions) (memory.SyncReport, error)
}

// Capturer reads new conversations into memories.
type Capturer interface {
	Capture(ctx context.Context, o CaptureOptions) (CaptureReport, error)
}

// SyncArgs choose what to bring into step.
type SyncArgs struct {
	What            string `json:"what"`
	DryRun          bool   `json:"dry_run"`
	AcceptDeletions bool   `json:"accept_deletions"`
	Transcript      string `json:"transcript"` // path of the one conversation to capture
	Finished        bool   `json:"finished"`   // capture conversations that have ended, no others
}

// SyncResult reports both halves of a sync.
type SyncResult struct {
	memory.SyncReport
	Sessions *CaptureReport `json:"sessions,omitempty"`
}

// Sync is the use case behind the tool of that name.
type Sync struct {
	Files    Syncer
	Sessions Capturer // nil when no conversations are configured
}

// SyncSpec describes the tool.
func SyncSpec() Spec {
	return Spec{
		Name:        "sync",
		Title:       "Sync",
		Description: "Take over edits of the files, capture new conversations.",
		Hints:       Hints{Idempotent: true},
		Input: Schema{
			{Name: "what", Kind: String, Enum: []string{"files", "sessions", "all"}, Default: "all"},
			{Name: "dry_run", Kind: Boolean},
			{Name: "accept_deletions", Kind: Boolean, Description: "missing entries are deleted"},
			{Name: "transcript", Kind: String, Hidden: true},
			{Name: "finished", Kind: Boolean, Hidden: true},
		},
		Output: json.RawMessage(`{"type":"object","properties":{"added":{"type":"integer"},"updated":{"type":"integer"},"deleted":{"type":"integer"},"conflicts":{"type":"array","items":{"type":"string"}}}}`),
	}
}

// Run syncs files first: what people deleted or corrected there is known when
// conversations are captured. What these bring follows into the files.
func (s *Sync) Run(ctx context.Context, a SyncArgs) (SyncResult, error) {
	result := SyncResult{SyncReport: memory.SyncReport{Conflicts: []string{}, Warnings: []string{}, DryRun: a.DryRun}}
	if a.Transcript != "" || a.Finished {
		a.What = "sessions"
	}
	if a.AcceptDeletions && a.What == "sessions" {
		return result, memory.Errorf(memory.InvalidArgument, "accept_deletions is about files, and none are looked at").WithHint("give what: files, or leave it out")
	}
	if a.What != "sessions" {
		report, err := s.Files.Sync(ctx, memory.SyncOptions{DryRun: a.DryRun, AcceptDeletions: a.AcceptDeletions, Progress: ProgressFrom(ctx)})
		if err != nil {
			return result, fmt.Errorf("syncing files: %w", err)
		}
		result.SyncReport = report
	}
	if a.What == "files" {
		return result, nil
	}
	report, err := s.sessions(ctx, a)
	if err != nil {
		return result, err
	}
	result.Sessions = report
	return result, nil
}

func (s *Sync) sessions(ctx context.Context, a SyncArgs) (*CaptureReport, error) {
	if s.Sessions == nil {
		if a.What == "sessions" {
			return nil, memory.Errorf(memory.Unavailable, "capture is off: no conversations are configured").
				WithHint("switch it on with: agent-memory init --capture openclaw,claude-code,codex")
		}
		return nil, nil //nolint:nilnil // nothing configured is not a failure of "all"
	}
	report, err := s.Sessions.Capture(ctx, CaptureOptions{DryRun: a.DryRun, Finished: a.Finished, Transcript: a.Transcript})
	if err != nil {
		return nil, fmt.Errorf("capturing conversations: %w", err)
	}
	return &report, nil
}
