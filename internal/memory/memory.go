// Package memory holds the domain types that every other package shares:
// memories, their identifiers, queries and hits, plans of changes, and the one
// error type of the program. It does no I/O and reads no clock.
package memory

import "time"

// Type says what a memory is about; it decides priority and decay.
type Type string

// The four types, from the longest-lived to the shortest.
const (
	Identity  Type = "identity"
	Emotion   Type = "emotion"
	Knowledge Type = "knowledge"
	Event     Type = "event"
)

// Types lists every type in order of priority.
func Types() []Type { return []Type{Identity, Emotion, Knowledge, Event} }

// Form says how a memory is written down.
type Form string

// The forms; a passage is prose that people own: read, indexed, never rewritten.
const (
	Note     Form = "note"
	Decision Form = "decision"
	Task     Form = "task"
	Fact     Form = "fact"
	State    Form = "state"
	Passage  Form = "passage"
)

// Forms lists every form.
func Forms() []Form { return []Form{Note, Decision, Task, Fact, State, Passage} }

// Status is where a memory is in its life.
type Status string

// The states. Only Active and Proposed are recalled by default; Missing (its
// line has gone without explanation) is recalled too, and listed by status.
const (
	Proposed    Status = "proposed"
	Active      Status = "active"
	Superseded  Status = "superseded"
	Archived    Status = "archived"
	Forgotten   Status = "forgotten"
	Quarantined Status = "quarantined"
	Missing     Status = "missing"
)

// Statuses lists every status.
func Statuses() []Status {
	return []Status{Proposed, Active, Superseded, Archived, Forgotten, Quarantined, Missing}
}

// Recallable reports whether recall shows a memory of this status by default.
func (s Status) Recallable() bool { return s == Active || s == Proposed || s == Missing }

// Trust says who vouches for a memory.
type Trust string

// The trust levels, highest first.
const (
	TrustUser     Trust = "user"
	TrustAgent    Trust = "agent"
	TrustExternal Trust = "external"
)

// Rank orders trust: 2 user, 1 agent, 0 external or unknown.
func (t Trust) Rank() int {
	switch t {
	case TrustUser:
		return 2
	case TrustAgent:
		return 1
	}
	return 0
}

// Lowest returns the lower of two trusts: what is derived from both may claim no more.
func (t Trust) Lowest(u Trust) Trust {
	if u.Rank() < t.Rank() {
		return u
	}
	return t
}

// Priority is P0 (never decays) to P3 (decays in weeks).
type Priority int

// DefaultNamespace is the namespace of a workspace's main agent.
const DefaultNamespace = "main"

// Limits of a memory's text, in bytes.
const (
	MaxContent = 16 << 10
	MaxURI     = 512
	MaxLabel   = 256 // actor, target, source, title, session id
	MaxFields  = 32
	MaxLinks   = 64
)

// Memory is one remembered thing. Zero times mean "unknown" or "never".
type Memory struct {
	ID        string
	URI       string
	Namespace string
	Type      Type
	Form      Form
	Title     string
	Content   string
	Fields    []Field
	Status    Status

	Supersedes   string // id of the memory that this one replaced
	SupersededBy string // id of the memory that replaced this one
	Links        []Link

	Confidence        float64 // 0..1
	InitialImportance float64 // 0..1
	Importance        float64 // 0..2, as of ImportanceSet
	ImportanceSet     time.Time
	Density           float64
	Pinned            bool    // P0 whatever its type: never decays
	Stability         float64 // days until vitality is 1/e; 0 = by priority
	AccessCount       int     // times used
	RetrievalCount    int     // times returned
	LastAccess        time.Time
	EmotionVal        float64 // -1..1

	Actor        string
	Target       string
	Domain       string // World, Role or User
	Source       string // who or what wrote it, such as memory-sync:2026-02-21
	SessionID    string
	SessionPath  string
	MessageRange string
	Seq          int // position in the session, for imported conversations
	Trust        Trust

	ObservedAt time.Time // when it was true
	CreatedAt  time.Time // when we learned it
	UpdatedAt  time.Time // when content or fields last changed

	ContentHash string
	Revision    int64 // grows with every change of the row
	Home        Place
}

// Field is one named part of a decision, task card or state, in written order.
type Field struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

// Link ties a memory to another one by id or URI.
type Link struct {
	Target   string `json:"target"`
	Relation string `json:"relation"` // related, caused, reminds, evolved, contradicts, derived
}

// Place is where a memory stands in a file of the workspace. Line counts from
// 1 and is valid only while the file is unchanged since it was indexed.
type Place struct {
	File string `json:"path"`
	Line int    `json:"line,omitempty"`
}

// Priority derives P0..P3 from type, form and pin: identity 0, emotion 1,
// knowledge, decision and fact 2, event and task 3.
func (m Memory) Priority() Priority {
	switch {
	case m.Pinned || m.Type == Identity:
		return 0
	case m.Form == Task:
		return 3
	case m.Form == Decision || m.Form == Fact:
		return 2
	case m.Type == Emotion:
		return 1
	case m.Type == Knowledge:
		return 2
	}
	return 3
}

// Observed returns when the memory was true: ObservedAt, else CreatedAt.
func (m Memory) Observed() time.Time {
	if m.ObservedAt.IsZero() {
		return m.CreatedAt
	}
	return m.ObservedAt
}

// Field returns the value of a named field, or "".
func (m Memory) Field(name string) string {
	for _, f := range m.Fields {
		if f.Name == name {
			return f.Value
		}
	}
	return ""
}
