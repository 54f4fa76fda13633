package lifecycle

import (
	"cmp"
	"slices"
	"time"

	"agentmemory/internal/memory"
)

// RetrievalAudit tells how the memories are used (seed 002 §1): a file for
// people. It holds no time of its own, so that it changes with the use only.
type RetrievalAudit struct {
	Memories      int           `json:"memories"`
	Returned      int           `json:"returned"` // how often any of them was returned
	Used          int           `json:"used"`     // how often its reader used one
	NeverReturned int           `json:"never_returned"`
	LastAccess    *time.Time    `json:"last_access"`
	MostUsed      []AuditedLine `json:"most_used"`
	NeverUsed     []AuditedLine `json:"returned_but_never_used"`
}

// AuditedLine is one memory of an audit.
type AuditedLine struct {
	ID         string     `json:"id"`
	URI        string     `json:"uri"`
	Content    string     `json:"content"`
	Path       string     `json:"path,omitempty"`
	Returned   int        `json:"retrieval_count"`
	Used       int        `json:"access_count"`
	LastAccess *time.Time `json:"last_access"`
}

// Bounds of an audit.
const (
	auditedLines   = 20
	auditedChars   = 120
	ignoredReturns = 5 // returns without a use from which a memory is in the way
)

// Audit counts the use of the memories in force.
func Audit(memories []memory.Memory) RetrievalAudit {
	a := RetrievalAudit{MostUsed: []AuditedLine{}, NeverUsed: []AuditedLine{}}
	var used, ignored []memory.Memory
	for _, m := range memories {
		if !m.Status.Recallable() || m.Form == memory.Passage {
			continue
		}
		a.Memories++
		a.Returned += m.RetrievalCount
		a.Used += m.AccessCount
		if !m.LastAccess.IsZero() && (a.LastAccess == nil || m.LastAccess.After(*a.LastAccess)) {
			a.LastAccess = moment(m.LastAccess)
		}
		switch {
		case m.Trust == memory.TrustExternal: // counted; its words stay out of files that hosts may load
		case m.AccessCount > 0:
			used = append(used, m)
		case m.RetrievalCount >= ignoredReturns:
			ignored = append(ignored, m)
		}
		if m.AccessCount == 0 && m.RetrievalCount == 0 {
			a.NeverReturned++
		}
	}
	a.MostUsed = audited(used, func(m memory.Memory) int { return m.AccessCount })
	a.NeverUsed = audited(ignored, func(m memory.Memory) int { return m.RetrievalCount })
	return a
}

func moment(t time.Time) *time.Time {
	if t.IsZero() {
		return nil
	}
	t = t.Truncate(time.Second)
	return &t
}

func audited(memories []memory.Memory, count func(memory.Memory) int) []AuditedLine {
	slices.SortFunc(memories, func(a, b memory.Memory) int {
		return cmp.Or(count(b)-count(a), cmp.Compare(a.ID, b.ID))
	})
	lines := []AuditedLine{}
	for _, m := range memories[:min(auditedLines, len(memories))] {
		lines = append(lines, AuditedLine{
			ID: m.ID, URI: m.URI, Content: OneLine(m, auditedChars), Path: m.Home.File,
			Returned: m.RetrievalCount, Used: m.AccessCount, LastAccess: moment(m.LastAccess),
		})
	}
	return lines
}

// Names of the sections of the pain points.
const (
	PainFailures  = "failures"
	PainChanged   = "changed"
	PainIgnored   = "ignored"
	PainUncertain = "uncertain"
)

// PainPoints lists what went wrong or is in the way: jobs that failed, what had
// to be corrected in the last month, what is returned and never used, and what
// is uncertain.
func PainPoints(memories []memory.Memory, failures []memory.ProjectedLine, now time.Time) memory.Projection {
	sections := map[string][]memory.ProjectedLine{PainFailures: failures}
	replaced := map[string]*memory.Memory{} // those that another one superseded
	for i := range memories {
		if m := &memories[i]; m.Status == memory.Superseded && m.Trust != memory.TrustExternal {
			replaced[m.ID] = m
		}
	}
	var painful []*memory.Memory
	for i := range memories {
		if pain(&memories[i], replaced, now) != "" {
			painful = append(painful, &memories[i])
		}
	}
	slices.SortFunc(painful, func(a, b *memory.Memory) int {
		return cmp.Or(b.CreatedAt.Compare(a.CreatedAt), cmp.Compare(a.ID, b.ID))
	})
	for _, m := range painful {
		name := pain(m, replaced, now)
		if len(sections[name]) >= auditedLines {
			continue
		}
		text := OneLine(*m, auditedChars)
		if name == PainChanged {
			text = OneLine(*replaced[m.Supersedes], auditedChars) + " → " + text
		}
		sections[name] = append(sections[name], memory.ProjectedLine{MemoryID: m.ID, Text: text, Link: linkTo(*m)})
	}
	var p memory.Projection
	for _, name := range []string{PainFailures, PainChanged, PainIgnored, PainUncertain} {
		if len(sections[name]) > 0 {
			p.Sections = append(p.Sections, memory.Section{Name: name, Entries: sections[name]})
		}
	}
	return p
}

// pain returns the section in which a memory is listed, "" for none.
func pain(m *memory.Memory, replaced map[string]*memory.Memory, now time.Time) string {
	switch {
	case m.Form == memory.Passage || !m.Status.Recallable() || m.Trust == memory.TrustExternal:
		return ""
	case replaced[m.Supersedes] != nil && now.Sub(m.CreatedAt) < 30*day:
		return PainChanged
	case m.AccessCount == 0 && m.RetrievalCount >= ignoredReturns:
		return PainIgnored
	case m.Confidence > 0 && m.Confidence < .5 || m.Status == memory.Missing:
		return PainUncertain
	}
	return ""
}
