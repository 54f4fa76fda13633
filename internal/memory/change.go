package memory

import "time"

// Op is what a change does to a memory.
type Op string

// The operations. Each is applied by the store in one transaction together
// with its history, outbox and index rows.
const (
	OpAdd       Op = "add"       // a new memory
	OpUpdate    Op = "update"    // new content, fields or attributes of the same memory; old content to history
	OpReinforce Op = "reinforce" // counters, importance, stability; content untouched
	OpStatus    Op = "status"    // status and supersession links only
	OpMove      Op = "move"      // another home file
	OpRemove    Op = "remove"    // row, history and vectors gone; restorable from the archive file
	OpPurge     Op = "purge"     // as remove, and no byte left anywhere; only a tombstone
)

// Ops lists every operation.
func Ops() []Op {
	return []Op{OpAdd, OpUpdate, OpReinforce, OpStatus, OpMove, OpRemove, OpPurge}
}

// Change is one step of a plan. Memory is the wanted state; for add, an empty
// Memory.URI that ends in "#HHMM-" (see JournalURI) is completed by the store
// with the next n of that minute, and Home.File says in which file it is to stand.
type Change struct {
	Op     Op     `json:"op"`
	Memory Memory `json:"-"`
	// Revision is the one that the plan was made against; 0 does not care.
	// Another revision in the store makes the change a conflict.
	Revision int64  `json:"-"`
	Reason   string `json:"reason"`
	// FromFile marks a change that was read from the home file itself, so that
	// the mirror has nothing to write there.
	FromFile bool `json:"-"`
	// Restore marks the undo of a removal: it lifts the tombstone that would
	// otherwise keep this content out. A removal with it is the undo of an add:
	// it leaves no tombstone.
	Restore bool `json:"-"`
	// Import marks an add that keeps the id and times that it brings and may
	// repeat a content that stands elsewhere.
	Import bool `json:"-"`
	// History holds the earlier contents of an imported memory, oldest first;
	// the store keeps them as the beginning of its history.
	History []Revision `json:"-"`
}

// Plan is what a policy wants done, each change with its reason.
type Plan struct {
	Phase   string
	Changes []Change
	Notes   []string // observations that change nothing
}

// Applied tells what became of one change.
type Applied struct {
	Memory Memory // as stored, with URI, revision and times filled in
	// Conflict is set when the change was not applied because the store had
	// moved on: ConflictURI and ConflictHash (add), ConflictRevision, ConflictTombstone.
	Conflict Conflict
	Existing string // id of the memory in the way
}

// Conflict says why a change was not applied.
type Conflict string

// The conflicts.
const (
	NoConflict        Conflict = ""
	ConflictID        Conflict = "id"
	ConflictURI       Conflict = "uri"
	ConflictHash      Conflict = "hash"
	ConflictRevision  Conflict = "revision"
	ConflictTombstone Conflict = "tombstone"
	ConflictGone      Conflict = "gone"
)

// Revision is one entry of a memory's history.
type Revision struct {
	MemoryID string    `json:"memory_id"`
	Revision int64     `json:"revision"`
	Op       Op        `json:"op"`
	Content  string    `json:"content"`
	Status   Status    `json:"status"`
	Reason   string    `json:"reason"`
	At       time.Time `json:"at"`
}
