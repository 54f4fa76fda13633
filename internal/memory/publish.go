package memory

import "time"

// Pending is one committed change that the files do not show yet: a row of the
// outbox, joined with the memory as it is now.
type Pending struct {
	ID         int64 // grows with every commit
	Op         Op
	MemoryID   string
	Namespace  string
	Revision   int64
	File       string    // the file that the line belongs in, before a removal or move: where it stood
	RecordOnly bool      // the file shows it already; only records.jsonl does not
	At         time.Time // of the commit
	Tombstone  string    // keyed hash that a removal left, so that the content does not come back
	Memory     Memory    // the row as it is now; its ID is empty when the row is gone
}

// KeptVersions is how many versions of a file the store keeps, the newest ones.
const KeptVersions = 16

// FileVersion is the text of a managed file as we last wrote or accepted it.
// The newest versions of a file are the bases of three-way merges.
type FileVersion struct {
	Path  string
	Text  string
	Hash  string // SHA-256 of Text, in hex
	State FileState
	Lines map[string]int // line, from 1, of each memory that has its home here and may have moved
	At    time.Time
}

// FileState is what a file looked like when it was last read, so that an
// unchanged file need not be read again.
type FileState struct {
	Path    string
	Size    int64
	ModTime time.Time
	Hash    string // SHA-256 of the content, in hex
}
