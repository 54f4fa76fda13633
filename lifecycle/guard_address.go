package lifecycle

import (
	"fmt"
	"slices"

	"agentmemory/internal/memory"
)

// address handles a URI that is taken: the name comes before any duplicate.
func (g guard) address() (Verdict, bool) {
	existing, found := g.atAddress()
	if !found {
		return Verdict{}, false
	}
	gone := existing.Status == memory.Forgotten
	switch {
	case g.imported && gone:
		return skip(existing, "%s was forgotten; an import does not bring it back", existing.URI), true
	case g.unchanged(existing) && existing.Status.Recallable():
		return skip(existing, "%s holds this text already", existing.URI), true
	case g.in.Trust.Rank() < existing.Trust.Rank() && g.in.Trust == memory.TrustExternal:
		return g.hold(g.in, fmt.Sprintf("quarantined: external text may not change %s, which is trusted more", existing.URI)), true
	case g.lessCertain(existing):
		return g.alternative(existing), true
	case journal(existing.URI):
		return g.newLine(existing), true
	}
	return g.update(existing), true
}

func (g guard) atAddress() (memory.Memory, bool) {
	key := addressKey(g.in.URI)
	if key == "" {
		return memory.Memory{}, false
	}
	for _, s := range g.near {
		if addressKey(s.Memory.URI) == key {
			return s.Memory, true
		}
	}
	return memory.Memory{}, false
}

func addressKey(uri string) string {
	if memory.NeedsNumber(uri) {
		return ""
	}
	u, err := memory.ParseURI(uri)
	if err != nil {
		return ""
	}
	return u.Key()
}

func (g guard) unchanged(existing memory.Memory) bool {
	return memory.Hash(existing.Content) == memory.Hash(g.in.Content) && sameFields(existing.Fields, g.in.Fields) &&
		(g.in.Title == "" || g.in.Title == existing.Title)
}

// lessCertain reports a decision that is held with less confidence than the one
// at its address: then both stay, and a later compound decides.
func (g guard) lessCertain(existing memory.Memory) bool {
	return g.in.Form == memory.Decision && existing.Form == memory.Decision && existing.Status.Recallable() &&
		g.in.Confidence > 0 && g.in.Confidence < existing.Confidence
}

func (g guard) alternative(existing memory.Memory) Verdict {
	m := g.in
	m.Status = memory.Proposed
	m.URI = fmt.Sprintf("%s#alternative-%s", existing.URI, memory.Hash(g.in.Content)[:8])
	m.Links = joinLinks(m.Links, []memory.Link{{Target: existing.ID, Relation: Contradicts}})
	if same, found := (guard{in: m, near: g.near}).atAddress(); found {
		return skip(same, "%s holds this alternative already", same.URI)
	}
	return g.add(Added, m, fmt.Sprintf("both stay: its confidence %.2f is lower than the %.2f of %s", m.Confidence, existing.Confidence, existing.URI))
}

// newLine replaces a journal entry: journals are only appended to.
func (g guard) newLine(existing memory.Memory) Verdict {
	m := g.in
	m.URI = memory.JournalURI(m.Type, g.now)
	return g.supersede(Superseded, m, existing, fmt.Sprintf("new text for %s, which stays in the diary", existing.URI))
}

// update gives the memory at an address its new content; the store keeps the
// old one in the history. What the caller left open stays as it was.
func (g guard) update(existing memory.Memory) Verdict {
	m := existing
	m.Content, m.ContentHash = g.in.Content, memory.Hash(g.in.Content)
	m.Fields, m.Title = orFields(g.in.Fields, existing.Fields), either(g.in.Title, existing.Title)
	m.Type, m.Form = either(g.in.Type, existing.Type), either(g.in.Form, existing.Form)
	if len(g.in.Fields) == 0 && m.ContentHash != memory.Hash(existing.Content) {
		m.Fields = concluded(m)
	}
	m.Status, m.SupersededBy = g.in.Status, ""
	m.Trust = existing.Trust.Lowest(g.in.Trust)
	m.Confidence = either(g.in.Confidence, existing.Confidence)
	m.EmotionVal = either(g.in.EmotionVal, existing.EmotionVal)
	m.Pinned = existing.Pinned || g.in.Pinned
	m.Links = joinLinks(existing.Links, g.in.Links)
	g.takeImportance(&m)
	g.takeProvenance(&m)
	reason := fmt.Sprintf("new content for %s; the old one is in its history", existing.URI)
	return Verdict{
		Action: Updated, MemoryID: m.ID, URI: m.URI, Reason: reason,
		Changes: []memory.Change{{Op: memory.OpUpdate, Memory: m, Revision: existing.Revision, Reason: reason}},
	}
}

// concluded gives a decision that was only said anew its words as the conclusion:
// the old one would speak for it wherever it is shown.
func concluded(m memory.Memory) []memory.Field {
	fields := slices.Clone(m.Fields)
	for i, f := range fields {
		if m.Form == memory.Decision && f.Name == "conclusion" && m.Content != "" {
			fields[i].Value = m.Content
		}
	}
	return fields
}

// takeImportance takes an importance over only if the caller chose one: the
// usual value says that it did not.
func (g guard) takeImportance(m *memory.Memory) {
	if i := g.in.InitialImportance; i == 0 || i == defaultImportance || i == m.InitialImportance {
		return
	}
	m.InitialImportance, m.Importance, m.ImportanceSet = g.in.InitialImportance, g.in.InitialImportance, g.now
}

func (g guard) takeProvenance(m *memory.Memory) {
	m.Source = either(g.in.Source, m.Source)
	m.SessionID = either(g.in.SessionID, m.SessionID)
	m.SessionPath = either(g.in.SessionPath, m.SessionPath)
	m.MessageRange = either(g.in.MessageRange, m.MessageRange)
	m.Actor, m.Target, m.Domain = either(g.in.Actor, m.Actor), either(g.in.Target, m.Target), either(g.in.Domain, m.Domain)
	if !g.in.ObservedAt.IsZero() {
		m.ObservedAt = g.in.ObservedAt
	}
}

// replacement handles what the caller says that the new memory supersedes, by
// id or URI.
func (g guard) replacement() (Verdict, bool) {
	if g.in.Supersedes == "" {
		return Verdict{}, false
	}
	for _, s := range g.near {
		if s.Memory.ID != g.in.Supersedes && s.Memory.URI != g.in.Supersedes {
			continue
		}
		if g.in.Trust == memory.TrustExternal && s.Memory.Trust != memory.TrustExternal {
			return g.hold(g.in, fmt.Sprintf("quarantined: external text may not supersede %s", s.Memory.URI)), true
		}
		return g.supersede(Superseded, g.in, s.Memory, fmt.Sprintf("supersedes %s, as asked", s.Memory.URI)), true
	}
	return Verdict{}, false
}

// either returns the first value unless it is zero.
func either[T comparable](a, b T) T {
	var zero T
	if a == zero {
		return b
	}
	return a
}

func orFields(a, b []memory.Field) []memory.Field {
	if len(a) == 0 {
		return b
	}
	return a
}
