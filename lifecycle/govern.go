package lifecycle

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// GovernCounts is what a govern plan found, under the names of the lineage
// where it has one.
type GovernCounts struct {
	OrphanLinks   int `json:"orphanLinks"` // links to ids that the store does not hold; only reported
	EmptyMemories int `json:"emptyMemories"`
	BrokenChains  int `json:"brokenChains"`
	OverCap       int `json:"overCap"`
}

func (c GovernCounts) plus(d GovernCounts) GovernCounts {
	return GovernCounts{d.OrphanLinks, c.EmptyMemories + d.EmptyMemories, c.BrokenChains + d.BrokenChains, c.OverCap + d.OverCap}
}

// Govern repairs what should not be: memories without any text, supersessions
// that lead nowhere or in circles, more active notes than the profile allows.
// Only status and supersession change. memories must be those of the whole
// store, whatever their status: what is not among them counts as gone.
func Govern(memories []memory.Memory, now time.Time, p Profile) (memory.Plan, GovernCounts) {
	g := governor{plan: memory.Plan{Phase: "govern", Changes: []memory.Change{}}, memories: memories, places: make(map[string]int, len(memories)), done: map[string]bool{}}
	for i := range memories {
		g.places[memories[i].ID] = i
	}
	for _, m := range memories {
		g.empty(m)
		g.links(m)
		g.chain(m)
	}
	g.cap(memories, now, p)
	return g.plan, g.counts
}

type governor struct {
	plan     memory.Plan
	counts   GovernCounts
	memories []memory.Memory
	places   map[string]int  // of the memories, by id
	done     map[string]bool // changed by this plan
}

func (g *governor) byID(id string) (memory.Memory, bool) {
	i, known := g.places[id]
	if !known {
		return memory.Memory{}, false
	}
	return g.memories[i], true
}

func (g *governor) change(c memory.Change) {
	if !g.done[c.Memory.ID] {
		g.done[c.Memory.ID] = true
		g.plan.Changes = append(g.plan.Changes, c)
	}
}

func (g *governor) empty(m memory.Memory) {
	if m.Status.Recallable() && m.Form != memory.Passage && strings.TrimSpace(m.Content+m.Title) == "" && len(m.Fields) == 0 {
		g.counts.EmptyMemories++
		g.change(toStatus(m, memory.Archived, "holds no text"))
	}
}

// links reports links to ids that are gone. They stay: what was removed can be
// brought back, and a URI may name what is yet to be written.
func (g *governor) links(m memory.Memory) {
	for _, l := range m.Links {
		if _, known := g.places[l.Target]; known || strings.Contains(l.Target, "://") {
			continue
		}
		if g.counts.OrphanLinks++; g.counts.OrphanLinks <= maxNotes {
			g.plan.Notes = append(g.plan.Notes, fmt.Sprintf("%s links to %s, which is not in the store", m.URI, l.Target))
		}
	}
}

// chain repairs the supersession that a memory takes part in.
func (g *governor) chain(m memory.Memory) {
	switch {
	case m.SupersededBy != "":
		g.successor(m)
	case m.Supersedes != "" && m.Status == memory.Active:
		g.predecessor(m)
	}
}

func (g *governor) successor(m memory.Memory) {
	next, known := g.byID(m.SupersededBy)
	switch {
	case m.Status == memory.Superseded && (!known || m.SupersededBy == m.ID):
		g.counts.BrokenChains++
		m.SupersededBy = ""
		g.change(toStatus(m, memory.Archived, "what superseded it is gone"))
	case m.Status == memory.Superseded && g.newestOfCircle(m):
		g.counts.BrokenChains++
		m.SupersededBy = ""
		g.change(toStatus(m, memory.Active, "the newest of memories that superseded each other in a circle"))
	case m.Status == memory.Active && known && next.Status == memory.Active && next.ID != m.ID && !next.CreatedAt.Before(m.UpdatedAt) && !g.leadsBack(next, m.ID):
		g.counts.BrokenChains++
		g.change(toStatus(m, memory.Superseded, fmt.Sprintf("superseded by %s already", next.URI)))
	}
}

// predecessor finishes a supersession of which only one half was written down.
func (g *governor) predecessor(m memory.Memory) {
	old, known := g.byID(m.Supersedes)
	if !known || old.ID == m.ID || old.Status != memory.Active || old.SupersededBy != "" || m.CreatedAt.Before(old.UpdatedAt) || !m.CreatedAt.After(old.CreatedAt) {
		return
	}
	g.counts.BrokenChains++
	c := replaced(old, m.ID, fmt.Sprintf("%s supersedes it", m.URI))
	c.Revision = old.Revision
	g.change(c)
}

// leadsBack reports whether what this plan has superseded already leads from m to
// the memory: one of a circle stays active.
func (g *governor) leadsBack(m memory.Memory, id string) bool {
	known := true
	for range len(g.places) {
		if !known || !g.done[m.ID] {
			return false
		}
		if m.SupersededBy == id {
			return true
		}
		m, known = g.byID(m.SupersededBy)
	}
	return false
}

// newestOfCircle reports whether m's successors lead back to it, all of them
// superseded, and m is the one learned last.
func (g *governor) newestOfCircle(m memory.Memory) bool {
	next, known := g.byID(m.SupersededBy)
	for range len(g.places) {
		if !known || next.Status != memory.Superseded {
			return false
		}
		if next.ID == m.ID {
			return true
		}
		if cmp.Or(next.CreatedAt.Compare(m.CreatedAt), cmp.Compare(next.ID, m.ID)) > 0 {
			return false
		}
		next, known = g.byID(next.SupersededBy)
	}
	return false
}

// cap archives the least of the active notes when there are more than the profile allows.
func (g *governor) cap(memories []memory.Memory, now time.Time, p Profile) {
	limit := p.Govern.MaxActive
	if limit <= 0 {
		return
	}
	active := []memory.Memory{}
	fading := []memory.Memory{}
	for _, m := range memories {
		if m.Status != memory.Active || m.Form == memory.Passage || g.done[m.ID] {
			continue
		}
		active = append(active, m)
		if mayFade(m) {
			fading = append(fading, m)
		}
	}
	over := min(len(active)-limit, len(fading))
	if over <= 0 {
		return
	}
	p.Measure.Sort(fading, now)
	slices.Reverse(fading)
	for _, m := range fading[:over] {
		g.counts.OverCap++
		g.change(toStatus(m, memory.Archived, fmt.Sprintf("more than %d active memories, and its %s is among the lowest (%.3f)", limit, p.Measure, p.Measure.Score(m, now))))
	}
}
