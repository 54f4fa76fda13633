package memory

import "time"

// Projection is what a derived file (RECENT.md, MEMORY.md) is to show.
type Projection struct {
	Sections []Section
}

// DatedProjection is a projection of a day, or of the week of that day.
type DatedProjection struct {
	Day time.Time
	Projection
}

// Section is one headed list of a projection.
type Section struct {
	Name    string // emotion, knowledge, event, identity …; the heading is the file owner's
	Entries []ProjectedLine
}

// ProjectedLine is one line that stands for a memory.
type ProjectedLine struct {
	MemoryID   string
	Text       string  // one line, no markup
	Link       string  // where the whole of it is: a path, with #anchor
	Importance float64 // 0..1, for hosts that read it
	Reason     string  // why it is shown or was moved
}

// Outline is what a projection file holds now, as its owner reads it.
type Outline struct {
	Exists bool
	Lines  []OutlineLine
}

// OutlineLine is one line of a projection file.
type OutlineLine struct {
	Number   int
	Text     string // raw
	Heading  string // the section it stands in
	MemoryID string // of the entry that we wrote; "" for a person's line
	Link     string
}

// Demotion moves a line out of a projection into an archive file, verbatim.
type Demotion struct {
	Line   OutlineLine
	Reason string
}

// SyncOptions are the choices of a two-way sync.
type SyncOptions struct {
	DryRun          bool
	AcceptDeletions bool
	Progress        func(done, total int, what string) // may be nil
}

// SyncReport tells what a sync found and did.
type SyncReport struct {
	FilesScanned int      `json:"files_scanned"`
	FilesChanged int      `json:"files_changed"`
	FilesWritten int      `json:"files_written"`
	Added        int      `json:"added"`
	Updated      int      `json:"updated"`
	Moved        int      `json:"moved"`
	Deleted      int      `json:"deleted"`
	Missing      int      `json:"missing"`
	Restored     int      `json:"restored"`
	Passages     int      `json:"passages"`
	Hidden       int      `json:"hidden"`
	Conflicts    []string `json:"conflicts"`
	Warnings     []string `json:"warnings"`
	DryRun       bool     `json:"dry_run"`
}
