package lifecycle

import (
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Action is what the guard decided.
type Action string

// The actions, as remember reports them.
const (
	Added      Action = "added"
	Updated    Action = "updated"
	Merged     Action = "merged"
	Reinforced Action = "reinforced"
	Superseded Action = "superseded"
	Skipped    Action = "skipped"
	Held       Action = "quarantined"
)

// MaxCandidates is how many stored memories the guard compares a new one with;
// more are ignored, so that a write costs the same in any store.
const MaxCandidates = 20

// Arrival is a memory that asks to be stored, complete with id, namespace,
// type, form, trust and content hash. A status of Quarantined is kept.
type Arrival struct {
	Memory memory.Memory
	// Import marks memories that come from another store or a file: they pass
	// the noise and duplicate guards, and never bring back what was forgotten.
	Import bool
	// OnlyCorrecting keeps a memory only if it sets right something that is stored.
	OnlyCorrecting bool
	Now            time.Time
	// Analysis of the memory as it is here, for a caller who has made it already;
	// nil: the guard takes it apart itself.
	Analysis *Analysis
}

// Similar is a stored memory that the new one may repeat: found by its URI, its
// hash, its terms or its vector.
type Similar struct {
	Memory memory.Memory
	Cosine float64 // of the current embedder's vectors; 0 = not known
}

// Verdict is the guard's decision, what is to be changed for it, and why.
type Verdict struct {
	Action   Action
	MemoryID string // the memory that holds the content afterwards; "" when refused
	URI      string
	Changes  []memory.Change
	Reason   string
}

// Guard decides what a new memory does to the store. In order: what is
// quarantined stays apart; a URI that exists takes the new content in place;
// what the caller says it supersedes is superseded; an exact duplicate changes
// nothing; noise is refused; what says the same as a memory of its type
// reinforces it, what says more is merged with it, what contradicts it
// supersedes it; everything else is added. A note that contradicts a decision
// replaces it never: both stay, linked. Memories of lower trust never change the
// text or status of those of higher trust.
func Guard(a Arrival, similar []Similar, p GuardPolicy) Verdict {
	v := decide(a, similar, p)
	if a.OnlyCorrecting && v.Action == Added && len(v.Changes) == 1 {
		return Verdict{Action: Skipped, Reason: "it sets right nothing that is remembered"}
	}
	return v
}

func decide(a Arrival, similar []Similar, p GuardPolicy) Verdict {
	g := guard{in: a.Memory, now: a.Now, imported: a.Import, policy: p, near: nearest(a.Memory, similar), found: &kinship{}, read: newReading(a)}
	if g.in.Status == "" {
		g.in.Status = memory.Active
	}
	for _, step := range []func() (Verdict, bool){g.quarantine, g.address, g.replacement, g.duplicate, g.noise, g.correction, g.likeness} {
		if v, decided := step(); decided {
			return g.disputingNote(g.disputing(v))
		}
	}
	return g.disputingNote(g.disputing(g.add(Added, g.in, "new: nothing like it is stored")))
}

type guard struct {
	in       memory.Memory
	now      time.Time
	imported bool
	policy   GuardPolicy
	near     []Similar
	found    *kinship // once looked for
	read     *reading
}

// nearest drops what cannot matter: other namespaces, the memory itself, and
// whatever is beyond MaxCandidates.
func nearest(in memory.Memory, similar []Similar) []Similar {
	matters := func(s Similar) bool {
		return s.Memory.Namespace == in.Namespace && s.Memory.ID != in.ID && s.Memory.Form != memory.Passage
	}
	all := 0
	for all < len(similar) && matters(similar[all]) {
		all++
	}
	if all == len(similar) && all <= MaxCandidates { // nearly always
		return similar
	}
	kept := make([]Similar, 0, min(len(similar), MaxCandidates))
	for _, s := range similar {
		if matters(s) && len(kept) < MaxCandidates {
			kept = append(kept, s)
		}
	}
	return kept
}

// quarantine keeps suspicious memories apart: they touch nothing and take no address.
func (g guard) quarantine() (Verdict, bool) {
	if g.in.Status != memory.Quarantined {
		return Verdict{}, false
	}
	if same, found := g.sameText(memory.Quarantined); found {
		return skip(same, "already quarantined with the same text"), true
	}
	return g.hold(g.in, "quarantined: its text asks to be reviewed by a person"), true
}

func (g guard) hold(m memory.Memory, reason string) Verdict {
	m.Status = memory.Quarantined
	if _, taken := g.atAddress(); taken {
		m.URI = memory.JournalURI(m.Type, g.now)
	}
	return g.add(Held, m, reason)
}

// duplicate handles a text that is stored already, letter for letter.
func (g guard) duplicate() (Verdict, bool) {
	if g.imported {
		return Verdict{}, false
	}
	same, found := g.sameText(memory.Active, memory.Proposed, memory.Missing)
	switch {
	case !found:
		return Verdict{}, false
	case g.anotherOfEntity(same):
		return skip(same, "exact duplicate of %s", same.URI), true
	case named(g.in) && g.mayReplace(same):
		return g.rename(same), true
	case named(g.in):
		return skip(same, "exact duplicate of %s, which keeps its address", same.URI), true
	case g.in.Pinned && !same.Pinned:
		return g.pin(same), true
	case g.policy.ExactReinforces:
		return g.reinforce(same, "said again, word for word"), true
	}
	return skip(same, "exact duplicate of %s", same.URI), true
}

// noise refuses what is not worth keeping.
func (g guard) noise() (Verdict, bool) {
	if g.imported || g.in.Form != memory.Note && g.in.Form != "" {
		return Verdict{}, false
	}
	if why := Noise(g.in); why != "" {
		return Verdict{Action: Skipped, Reason: why}, true
	}
	return Verdict{}, false
}

// rename moves a text to the name that it is given now. The old one is put away
// first, because the store holds one active memory of a text.
func (g guard) rename(same memory.Memory) Verdict {
	v := g.supersede(Superseded, g.in, same, fmt.Sprintf("the same text moves from %s to %s", same.URI, g.in.URI))
	v.Changes[0], v.Changes[1] = v.Changes[1], v.Changes[0]
	return v
}

// anotherOfEntity reports whether the new memory, whose address nobody chose, is
// a fact of the entity to which the stored one, in force and trusted as much, belongs.
func (g guard) anotherOfEntity(same memory.Memory) bool {
	mine, isFact := EntityOf(g.in)
	other, alsoFact := EntityOf(same)
	return isFact && alsoFact && g.in.URI == mine.FactURI(g.in.ID) && mine.URI() == other.URI() &&
		same.Status == memory.Active && g.in.Trust.Rank() <= same.Trust.Rank() && !g.in.Pinned
}

func (g guard) pin(same memory.Memory) Verdict {
	v := g.reinforce(same, "said again, to be kept for good")
	v.Changes[0].Op = memory.OpUpdate
	v.Changes[0].Memory.Pinned = true
	v.Changes[0].Memory.InitialImportance = max(same.InitialImportance, g.in.InitialImportance)
	v.Changes[0].Memory.Importance = max(v.Changes[0].Memory.Importance, g.in.InitialImportance)
	return v
}

func (g guard) sameText(statuses ...memory.Status) (memory.Memory, bool) {
	hash := g.in.ContentHash
	if hash == "" {
		hash = memory.Hash(g.in.Content)
	}
	for _, s := range g.near {
		if s.Memory.ContentHash == hash && sameFields(s.Memory.Fields, g.in.Fields) && oneOf(s.Memory.Status, statuses) {
			return s.Memory, true
		}
	}
	return memory.Memory{}, false
}

// mayReplace reports whether the new memory may put the existing one away
// without being told so: trusted as much, and not what is pinned.
func (g guard) mayReplace(existing memory.Memory) bool {
	return g.in.Trust.Rank() >= existing.Trust.Rank() && !existing.Pinned
}

func (g guard) add(action Action, m memory.Memory, reason string) Verdict {
	return Verdict{
		Action: action, MemoryID: m.ID, URI: m.URI, Reason: reason,
		Changes: []memory.Change{{Op: memory.OpAdd, Memory: m, Reason: reason}},
	}
}

func (g guard) reinforce(existing memory.Memory, reason string) Verdict {
	return Verdict{
		Action: Reinforced, MemoryID: existing.ID, URI: existing.URI, Reason: reason,
		Changes: []memory.Change{{Op: memory.OpReinforce, Memory: Reinforce(existing, g.now), Revision: existing.Revision, Reason: reason}},
	}
}

// supersede adds a memory and hides the one that it replaces.
func (g guard) supersede(action Action, m, old memory.Memory, reason string) Verdict {
	m.Supersedes = old.ID
	v := g.add(action, m, reason)
	v.Changes = append(v.Changes, replaced(old, m.ID, reason))
	return v
}

// replaced is the change by which a memory gives way to its successor. It holds
// for any revision: the successor is in the store already when it is applied.
func replaced(old memory.Memory, successor, reason string) memory.Change {
	old.Status, old.SupersededBy = memory.Superseded, successor
	return memory.Change{Op: memory.OpStatus, Memory: old, Reason: reason}
}

func skip(existing memory.Memory, format string, args ...any) Verdict {
	return Verdict{Action: Skipped, MemoryID: existing.ID, URI: existing.URI, Reason: fmt.Sprintf(format, args...)}
}

// named reports whether a memory has an address that a caller chose.
func named(m memory.Memory) bool { return m.URI != "" && !journal(m.URI) }

// journal reports whether a URI addresses an entry by its minute.
func journal(uri string) bool {
	_, path, found := strings.Cut(uri, "://")
	return found && strings.HasPrefix(path, "journal/") && strings.Contains(path, "#")
}

func oneOf(s memory.Status, statuses []memory.Status) bool {
	for _, want := range statuses {
		if s == want {
			return true
		}
	}
	return false
}

func sameFields(a, b []memory.Field) bool {
	if len(a) != len(b) {
		return false
	}
	for i := range a {
		if a[i] != b[i] {
			return false
		}
	}
	return true
}
