package lifecycle

import (
	"slices"
	"time"

	"agentmemory/internal/memory"
)

// rounds bounds how often All repeats its phases until nothing changes.
const rounds = 4

// Reflection is what the phases of a reflection found.
type Reflection struct {
	Decay  DecayCounts
	Tidy   TidyCounts
	Govern GovernCounts
}

// All plans decay, tidy and govern, in this order, each on what the one before
// leaves, again when that brought a memory back into use: run again right after it was applied, it
// plans nothing. memories must be those of the whole store, whatever their
// status; since is when the last decay was reported (zero: never).
func All(memories []memory.Memory, now, since time.Time, p Profile) (memory.Plan, Reflection) {
	plan, decayed := Decay(memories, now, since)
	plan.Phase = "all"
	found := Reflection{Decay: decayed}
	for range rounds {
		tidied, t := Tidy(memories, now, p)
		memories = After(memories, tidied.Changes) // ours from here on, if anything changed
		governed, g := Govern(memories, now, p)
		if len(tidied.Changes) > 0 {
			memories = Advance(memories, governed.Changes)
		} else {
			memories = After(memories, governed.Changes)
		}
		found.Tidy, found.Govern = found.Tidy.plus(t), found.Govern.plus(g)
		plan.Changes = slices.Concat(plan.Changes, tidied.Changes, governed.Changes)
		plan.Notes = append(append(plan.Notes, tidied.Notes...), governed.Notes...)
		if !revives(governed.Changes) {
			break
		}
	}
	return plan, found
}

// revives reports whether changes bring a memory back into use, so that it has
// to be compared with the others again.
func revives(changes []memory.Change) bool {
	for _, c := range changes {
		if c.Memory.Status == memory.Active {
			return true
		}
	}
	return false
}

// After returns the memories as they will be once the changes were applied,
// revisions included. The given slice is left as it is.
func After(memories []memory.Memory, changes []memory.Change) []memory.Memory {
	if len(changes) == 0 {
		return memories
	}
	result := make([]memory.Memory, len(memories), len(memories)+len(changes))
	copy(result, memories)
	return Advance(result, changes)
}

// Advance is After for who needs the given slice no more: it is changed.
func Advance(memories []memory.Memory, changes []memory.Change) []memory.Memory {
	if len(changes) == 0 {
		return memories
	}
	place := make(map[string]int, len(changes)) // of those that are concerned
	for _, c := range changes {
		place[c.Memory.ID] = -1
	}
	for i := range memories {
		if _, concerned := place[memories[i].ID]; concerned {
			place[memories[i].ID] = i
		}
	}
	gone := map[string]bool{}
	for _, c := range changes {
		i := place[c.Memory.ID]
		switch {
		case c.Op == memory.OpAdd:
			place[c.Memory.ID] = len(memories)
			memories = append(memories, c.Memory)
		case c.Op == memory.OpRemove || c.Op == memory.OpPurge:
			gone[c.Memory.ID] = true
		case i >= 0:
			memories[i] = changed(memories[i], c)
		}
	}
	return withoutIDs(memories, gone)
}

// changed applies one change to a memory, in the way of its operation.
func changed(m memory.Memory, c memory.Change) memory.Memory {
	w := c.Memory
	revision := m.Revision + 1
	switch c.Op {
	case memory.OpStatus:
		m.Status, m.Supersedes, m.SupersededBy, m.Trust = w.Status, w.Supersedes, w.SupersededBy, w.Trust
	case memory.OpMove:
		m.Home = w.Home
	default:
		m = w
	}
	m.Revision = revision
	return m
}

func withoutIDs(memories []memory.Memory, gone map[string]bool) []memory.Memory {
	if len(gone) == 0 {
		return memories
	}
	kept := memories[:0]
	for _, m := range memories {
		if !gone[m.ID] {
			kept = append(kept, m)
		}
	}
	return kept
}

// toStatus is the change that puts a memory into another status.
func toStatus(m memory.Memory, s memory.Status, reason string) memory.Change {
	revision := m.Revision
	m.Status = s
	return memory.Change{Op: memory.OpStatus, Memory: m, Revision: revision, Reason: reason}
}
