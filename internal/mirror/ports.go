package mirror

import (
	"context"

	"agentmemory/internal/memory"
)

// Rows are the memories as the store keeps them, and kept them before.
type Rows interface {
	// Apply commits changes in one transaction and tells for each what became of it.
	Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error)
	List(ctx context.Context, f memory.Filter) ([]memory.Memory, error)
	// HomeEntries returns the memories whose home is a file, of any status, by line.
	HomeEntries(ctx context.Context, file string) ([]memory.Memory, error)
	// ByIDs returns those that exist, in any order.
	ByIDs(ctx context.Context, ids []string) ([]memory.Memory, error)
	Past
}

// Past are the states that a memory had before each of its changes, newest first.
type Past interface {
	History(ctx context.Context, id string) ([]memory.Revision, error)
}

// Queue holds the commits that the files do not show yet.
type Queue interface {
	// Outbox returns the oldest of them, at most limit.
	Outbox(ctx context.Context, limit int) ([]memory.Pending, error)
	// Published saves, in one transaction, what the files now hold, and drops
	// the rows of the outbox that they show.
	Published(ctx context.Context, files []memory.FileVersion, ids []int64) error
	// DataVersion is a number above 0 that moves with every commit.
	DataVersion(ctx context.Context) (int64, error)
}

// Versions remembers the files as we last knew them.
type Versions interface {
	// Bases returns the last published versions of a file, newest first; limit 0 means all.
	Bases(ctx context.Context, path string, limit int) ([]memory.FileVersion, error)
	// FileStates returns, by path, how known files looked when last read: all of
	// them or, where names are given, at least these.
	FileStates(ctx context.Context, names ...string) (map[string]memory.FileState, error)
	SetFileStates(ctx context.Context, states []memory.FileState) error
	// ForgetFile drops the state and the versions of files, in one transaction.
	ForgetFile(ctx context.Context, paths ...string) error
	// ScrubBases replaces the text of every kept version of a file; of all for "".
	ScrubBases(ctx context.Context, path string, scrub func(text string) string) error
}

// Notes keeps small values by name.
type Notes interface {
	// Meta returns nil for an unknown name.
	Meta(ctx context.Context, key string) ([]byte, error)
	SetMeta(ctx context.Context, key string, value []byte) error
}

// Tombstones keep contents out, by keyed hashes; the key has to outlive the database.
type Tombstones interface {
	Tombstone(ctx context.Context, namespace, keyed string) error
	TombstoneKey() []byte
	SetTombstoneKey(ctx context.Context, key []byte) error
}

// Store is what the mirror needs of the database.
type Store interface {
	Rows
	Queue
	Versions
	Notes
	Tombstones
}
