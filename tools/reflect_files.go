package tools

import (
	"context"
	"time"

	"agentmemory/internal/memory"
)

// Projections are MEMORY.md and RECENT.md.
type Projections interface {
	// Hidden returns the ids whose lines a person took out of a file lately.
	Hidden(ctx context.Context, file string) (map[string]bool, error)
	// Collect makes memories of the lines that people wrote into RECENT.md.
	Collect(ctx context.Context) error
	// WriteRecent writes RECENT.md if what it shows has changed.
	WriteRecent(ctx context.Context, p memory.Projection) (changed bool, err error)
	// ReadOutline reads MEMORY.md as it stands.
	ReadOutline(ctx context.Context) (memory.Outline, error)
	// WriteIndex writes MEMORY.md and moves the demoted lines, verbatim, to the archive.
	WriteIndex(ctx context.Context, p memory.Projection, demoted []memory.Demotion) (changed bool, err error)
}

// WrapupFiles are the summaries of days: all that the wrap-up may write.
type WrapupFiles interface {
	// WriteWrapup writes the summary of a day, in parts if it is long, and
	// returns the files that changed. What people added stays.
	WriteWrapup(ctx context.Context, day time.Time, p memory.Projection) (written []string, err error)
}

// CompoundFiles are what the compound alone may write, besides MEMORY.md.
type CompoundFiles interface {
	// Journals lists the dates of the journals, and the Mondays of the weeks that have a summary.
	Journals(ctx context.Context) (dates, summaries []string, err error)
	// WriteWeeklies writes the summaries of weeks and returns the files that changed.
	WriteWeeklies(ctx context.Context, weeks []memory.DatedProjection) (changed []string, err error)
	// AppendLog adds what a compound did, with reasons, to the log of the ISO week.
	AppendLog(ctx context.Context, at time.Time, p memory.Projection) (file string, err error)
	// PutAway moves the journals of these dates to the archive of their year.
	PutAway(ctx context.Context, dates []string) (archived []string, err error)
	// WriteNavigation writes memory/INDEX.md.
	WriteNavigation(ctx context.Context) (changed []string, err error)
}

// Undoing notes what a run changes, so that it can be taken back.
type Undoing interface {
	// Begin starts a run: what is written under the context that it returns belongs to it.
	Begin(ctx context.Context, phase string) context.Context
	// Expect writes down what changes are about to do; before holds, for each, its memory as it is.
	Expect(ctx context.Context, before []*memory.Memory, changes []memory.Change) error
	// Undo takes back the newest run of a phase, of any for "".
	Undo(ctx context.Context, phase string) (memory.Undone, error)
}
