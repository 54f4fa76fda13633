package mirror

import (
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Limits of one file; the next entry goes to the next part.
const (
	maxFileEntries = 500
	maxFileBytes   = 256 << 10
)

// Home returns the file in which a memory has its line, as a slash-separated
// path within the workspace: the journal of its local day, the topic file of
// a named URI, the file of its form, its import batch, or, while nobody vouches
// for it, a place that no host loads by itself. A file that the memory already
// has wins, unless trust moved it. zone decides which day it is.
func Home(m memory.Memory, zone *time.Location) string {
	if m.Home.File != "" && untrusted(m) == strings.Contains(m.Home.File, "/untrusted/") {
		return m.Home.File
	}
	return namespaceDir(m.Namespace) + homeInTree(m, zone)
}

func homeInTree(m memory.Memory, zone *time.Location) string {
	day := m.CreatedAt.In(zone)
	if untrusted(m) {
		return markdown.UntrustedPath(day)
	}
	uri, err := memory.ParseURI(strings.TrimSuffix(m.URI, "-"))
	if area, entity, ok := entityIn(uri); ok && m.Form == memory.Fact {
		return markdown.EntityPath(area, entity, factsName)
	}
	if batch, found := strings.CutPrefix(m.Source, "import:"); found {
		return markdown.ImportPath(batch, 1)
	}
	switch {
	case m.Form == memory.State && (err != nil || uri.String() == currentState):
		return markdown.StatePath
	case m.Form == memory.Task:
		return markdown.TasksPath(dayOf(uri.Path, day))
	case m.Form == memory.Decision || err != nil:
		return markdown.JournalPath(day, 1)
	case uri.Journal():
		return markdown.JournalPath(dayOf(strings.TrimPrefix(uri.Path, "journal/"), day), 1)
	}
	return markdown.TopicPath(topic(uri.Scheme))
}

// untrusted reports whether a memory must stay out of what hosts load.
func untrusted(m memory.Memory) bool {
	return m.Trust == memory.TrustExternal || m.Status == memory.Quarantined
}

// topic merges the scheme that is an alias of another.
func topic(scheme string) string {
	if scheme == "core" {
		return "identity"
	}
	return scheme
}

// dayOf returns the day that begins a URI's path, else fallback.
func dayOf(uriPath string, fallback time.Time) time.Time {
	text, _, _ := strings.Cut(uriPath, "/")
	day, err := readDay(text, fallback.Location())
	if err != nil {
		return fallback
	}
	return day
}

// namespaceDir is the folder of another agent's tree; the main one is at the root.
func namespaceDir(namespace string) string {
	if namespace == "" || namespace == memory.DefaultNamespace {
		return ""
	}
	return markdown.AgentFolder(namespace) + "/"
}

// nextPart returns the name of the file that continues a full one:
// memory/2026-02-21.md → memory/2026-02-21-p2.md → …-p3.md.
func nextPart(name string) string {
	stem := strings.TrimSuffix(name, ".md")
	if i := strings.LastIndex(stem, "-p"); i > 0 {
		if n, ok := importPart(stem[i:]); ok {
			return fmt.Sprintf("%s-p%d.md", stem[:i], n+1)
		}
	}
	return stem + "-p2.md"
}

func importPart(suffix string) (int, bool) {
	if suffix == "-p1" {
		return 1, true
	}
	return partNumber(suffix)
}

// splits reports whether a full file continues in a next part; the others
// (topics, state) hold what is in force and stay whole.
func splits(name string) bool {
	kind := markdown.Classify(name, memory.TrustUser).Kind
	return kind == markdown.KindJournal || kind == markdown.KindImported
}
