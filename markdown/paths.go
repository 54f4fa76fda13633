package markdown

import (
	"crypto/sha256"
	"fmt"
	"path"
	"slices"
	"strings"
	"time"
	"unicode"

	"agentmemory/internal/memory"
)

// Fixed files and folders of a workspace.
const (
	MemoryFile = "MEMORY.md"
	RecentFile = "RECENT.md"
	StatePath  = "memory/CURRENT_STATE.md"
	IndexPath  = "memory/INDEX.md"
	TacitPath  = "memory/life/resources/system/tacit_knowledge.md"
	PrivateDir = ".agent-memory"

	memoryFolder    = "memory"
	tasksFolder     = "memory/tasks"
	topicsFolder    = "memory/topics"
	overflowFolder  = "memory/recent"
	importedFolder  = "memory/imported"
	weeklyFolder    = "memory/weekly"
	archiveFolder   = "memory/archive"
	lifeFolder      = "memory/life"
	wrapupFolder    = "second-brain/summaries"
	untrustedFolder = PrivateDir + "/untrusted"
)

// JournalPath names the journal of a local day; parts count from 1, and the
// second is memory/2026-02-21-p2.md.
func JournalPath(day time.Time, part int) string {
	return dated(memoryFolder, day, part, "")
}

func dated(folder string, day time.Time, part int, suffix string) string {
	name := day.Format(time.DateOnly) + suffix
	if part > 1 {
		name = fmt.Sprintf("%s-p%d", name, part)
	}
	return folder + "/" + name + ".md"
}

// TopicPath names the home of the named URIs of a scheme.
func TopicPath(scheme string) string { return topicsFolder + "/" + Slug(scheme) + ".md" }

// ImportPath names the home of an imported batch; parts count from 1.
func ImportPath(batch string, part int) string {
	return fmt.Sprintf("%s/%s-p%d.md", importedFolder, Slug(batch), max(part, 1))
}

// TasksPath names the task cards of a local day.
func TasksPath(day time.Time) string { return dated(tasksFolder, day, 1, "") }

// WeeklyPath names the summary of the week of any of its days: by its Monday.
func WeeklyPath(day time.Time) string { return dated(weeklyFolder, monday(day), 1, "") }

func monday(day time.Time) time.Time {
	return day.AddDate(0, 0, -(int(day.Weekday())+6)%7)
}

// WeeklyLogPath names the log of promotions and demotions of an ISO week.
func WeeklyLogPath(day time.Time) string {
	year, week := day.ISOWeek()
	return fmt.Sprintf("%s/weekly-%04d-W%02d.md", archiveFolder, year, week)
}

// ArchivedJournalPath names a journal that compound has put away.
func ArchivedJournalPath(day time.Time, part int) string {
	return dated(archiveFolder+"/"+day.Format("2006"), day, part, "")
}

// DemotedPath names the file of the lines that left MEMORY.md in a month.
func DemotedPath(day time.Time) string {
	return archiveFolder + "/demoted-" + day.Format("2006-01") + ".md"
}

// WrapupPath names the summary of the day that it covers; parts count from 1.
func WrapupPath(day time.Time, part int) string { return dated(wrapupFolder, day, part, "-wrapup") }

// UntrustedPath names the home of external and quarantined memories of a day.
func UntrustedPath(day time.Time) string { return dated(untrustedFolder, day, 1, "") }

// Areas lists the four folders of entities (seed 004 §1).
func Areas() []string { return []string{"projects", "areas", "resources", "archives"} }

// EntityPath names a file (items.json, summary.md) of an entity; an unknown
// area counts as resources.
func EntityPath(area, entity, file string) string {
	if !slices.Contains(Areas(), area) {
		area = "resources"
	}
	if !folderName(entity) {
		entity = Slug(entity)
	}
	return path.Join(lifeFolder, area, entity, file)
}

// folderName reports whether people's name of an entity can be its folder on
// every system.
func folderName(s string) bool {
	bad := func(r rune) bool { return unicode.IsControl(r) || strings.ContainsRune(`<>:"/\|?*`, r) }
	edge := strings.HasPrefix(s, ".") || strings.HasSuffix(s, ".") || strings.TrimSpace(s) != s
	return s != "" && len(s) <= 100 && !edge && !strings.ContainsFunc(s, bad) && !deviceName(strings.ToLower(s))
}

// agentsFolder holds the trees of other agents than the main one.
const agentsFolder = "agents"

// AgentFolder names the tree of an agent's namespace: the same files as at the root.
func AgentFolder(namespace string) string {
	sum := sha256.Sum256([]byte(strings.TrimSpace(namespace)))
	return fmt.Sprintf("%s/%s-%x", agentsFolder, memory.Slug(namespace), sum[:4])
}

// OfAgent reports whether a file lies in the tree of another agent than the main one.
func OfAgent(name string) bool { return WithinTree(name) != name }

// WithinTree returns a path relative to the tree of the agent that it belongs to.
func WithinTree(name string) string {
	rest, other := strings.CutPrefix(name, agentsFolder+"/")
	folder, inner, deep := strings.Cut(rest, "/")
	if i := strings.LastIndex(folder, "-"); !other || !deep || i < 0 || len(folder)-i != len("-01234567") {
		return name
	}
	return inner
}

// Slug makes a file name of any text: lower-case ASCII, digits, Han characters
// and hyphens. What was more than that gets a hash of the text, so that two
// texts never share a name, also where case or Unicode forms are not told apart.
func Slug(text string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(text) {
		switch {
		case r >= 'a' && r <= 'z' || r >= '0' && r <= '9' || r == '_' || unicode.Is(unicode.Han, r):
			b.WriteRune(r)
		default:
			b.WriteByte('-')
		}
	}
	slug := strings.Join(strings.FieldsFunc(b.String(), func(r rune) bool { return r == '-' }), "-")
	if runes := []rune(slug); len(runes) > 48 {
		slug = strings.Trim(string(runes[:48]), "-")
	}
	if slug == text && slug != "" && !deviceName(slug) {
		return slug
	}
	sum := sha256.Sum256([]byte(text))
	return strings.TrimPrefix(fmt.Sprintf("%s-%x", slug, sum[:4]), "-")
}

// deviceName recognises the names that Windows reserves.
func deviceName(s string) bool {
	if slices.Contains([]string{"con", "prn", "aux", "nul"}, s) {
		return true
	}
	return len(s) == 4 && (strings.HasPrefix(s, "com") || strings.HasPrefix(s, "lpt")) && s[3] >= '0' && s[3] <= '9'
}

// dayPart reads a base name such as 2026-02-21 or 2026-02-21-p2.
func dayPart(name string) bool {
	day := dayOf(name)
	rest, found := strings.CutPrefix(strings.TrimSuffix(name, ".md"), day)
	if day == "" || !found {
		return false
	}
	n := 0
	if _, err := fmt.Sscanf(rest, "-p%d", &n); err == nil && rest == fmt.Sprintf("-p%d", n) {
		return n > 1
	}
	return rest == ""
}

// Kind says whose a file is and what stands in it (DESIGN §6).
type Kind string

// The kinds of files.
const (
	KindMemory          Kind = "memory"           // MEMORY.md
	KindRecent          Kind = "recent"           // RECENT.md
	KindJournal         Kind = "journal"          // memory/2026-02-21.md and its parts
	KindOverflow        Kind = "overflow"         // memory/recent/<topic>.md
	KindTopic           Kind = "topic"            // memory/topics/<scheme>.md
	KindImported        Kind = "imported"         // memory/imported/
	KindState           Kind = "state"            // memory/CURRENT_STATE.md
	KindTasks           Kind = "tasks"            // memory/tasks/
	KindIndex           Kind = "index"            // memory/INDEX.md
	KindWeekly          Kind = "weekly"           // memory/weekly/
	KindArchiveLog      Kind = "archive-log"      // memory/archive/weekly-… and demoted-…
	KindArchivedJournal Kind = "archived-journal" // memory/archive/2026/
	KindArchive         Kind = "archive"          // memory/archive/*.jsonl
	KindFacts           Kind = "facts"            // memory/life/…/items.json
	KindSummary         Kind = "summary"          // memory/life/…/summary.md
	KindWrapup          Kind = "wrapup"           // second-brain/summaries/*-wrapup.md
	KindPeople          Kind = "people"           // read and indexed, never written
	KindExternal        Kind = "external"         // written by the host from conversations
	KindUntrusted       Kind = "untrusted"        // .agent-memory/untrusted/
	KindConflict        Kind = "conflict"         // *.conflict-<UTC>.md, conflicted copies
	KindJobs            Kind = "jobs"             // memory/state, locks, reports
	KindPrivate         Kind = "private"          // the rest of .agent-memory/
	KindOther           Kind = "other"            // not ours to read
)

// Class is what the path of a file says about it.
type Class struct {
	Kind Kind
	Cold bool         // read only when warm files do not answer
	Day  string       // "2026-02-21" of a dated file
	Host memory.Trust // trust of text without metadata
}

// Home reports whether memories can have their one home line in such a file.
func (c Class) Home() bool {
	switch c.Kind {
	case KindJournal, KindOverflow, KindTopic, KindImported, KindState, KindTasks, KindFacts, KindArchivedJournal, KindUntrusted:
		return true
	}
	return false
}

// Projection reports whether the file only shows memories that live elsewhere.
func (c Class) Projection() bool {
	switch c.Kind {
	case KindMemory, KindRecent, KindIndex, KindWeekly, KindSummary, KindArchiveLog:
		return true
	}
	return false
}

// Managed reports whether we write the file at all; only from such files may a
// purge delete.
func (c Class) Managed() bool {
	return c.Home() || c.Projection() || c.Kind == KindWrapup || c.Kind == KindConflict || c.Kind == KindArchive
}

// Classify says what kind of file stands at name, a path relative to the
// workspace. base is the trust of text without metadata in this workspace: user
// where only we and people write, agent in an OpenClaw workspace; what the host
// writes from conversations is external in either.
func Classify(name string, base memory.Trust) Class {
	name = WithinTree(name)
	c := Class{Kind: kindOf(name), Day: dayOf(name), Host: base}
	c.Cold = strings.HasPrefix(name, "second-brain/") || strings.HasPrefix(name, archiveFolder+"/")
	switch c.Kind {
	case KindExternal, KindUntrusted:
		c.Host = memory.TrustExternal
	case KindImported, KindWrapup: // a wrap-up repeats what agents said
		c.Host = base.Lowest(memory.TrustAgent)
	}
	return c
}

func kindOf(name string) Kind {
	name = WithinTree(name)
	folder, file := path.Split(name)
	folder = strings.TrimSuffix(folder, "/")
	switch {
	case strings.Contains(file, ".conflict-") || strings.Contains(file, "conflicted copy") || strings.Contains(file, ".sync-conflict-"):
		return KindConflict
	case name == PrivateDir || strings.HasPrefix(name, PrivateDir+"/"):
		return privateKind(folder, file)
	case folder == "":
		return rootKind(file)
	case folder == memoryFolder:
		return memoryKind(file)
	case strings.HasPrefix(name, memoryFolder+"/"):
		return folderKind(folder, file)
	case folder == wrapupFolder && strings.Contains(file, "-wrapup") && strings.HasSuffix(file, ".md"):
		return KindWrapup
	case strings.HasPrefix(name, "second-brain/") && strings.HasSuffix(file, ".md"):
		return KindPeople
	}
	return KindOther
}

func privateKind(folder, file string) Kind {
	if folder == untrustedFolder && strings.HasSuffix(file, ".md") {
		return KindUntrusted
	}
	return KindPrivate
}

func rootKind(file string) Kind {
	switch file {
	case MemoryFile:
		return KindMemory
	case RecentFile:
		return KindRecent
	case "DREAMS.md":
		return KindExternal
	case "SOUL.md", "USER.md", "IDENTITY.md", "AGENTS.md":
		return KindPeople
	}
	return KindOther
}

func memoryKind(file string) Kind {
	switch {
	case file == path.Base(StatePath):
		return KindState
	case file == path.Base(IndexPath):
		return KindIndex
	case slices.Contains([]string{"failures.json", "pain-points.md", "retrieval-audit.json"}, file):
		return KindJobs
	case !strings.HasSuffix(file, ".md"):
		return KindOther
	case dayPart(file):
		return KindJournal
	case dayOf(file) != "":
		return KindExternal
	}
	return KindPeople
}

// folderKind classifies what lies deeper below memory/.
func folderKind(folder, file string) Kind {
	md := strings.HasSuffix(file, ".md")
	top := strings.Split(folder, "/")[1]
	switch {
	case top == "life":
		return lifeKind(file)
	case top == "archive":
		return archiveKind(folder, file)
	case slices.Contains([]string{"state", ".locks", "failure-reports"}, top):
		return KindJobs
	case !md || strings.HasPrefix(top, "."):
		return KindOther
	}
	kinds := map[string]Kind{
		"tasks": KindTasks, "topics": KindTopic, "recent": KindOverflow, "imported": KindImported,
		"weekly": KindWeekly, "dreaming": KindExternal, "imports": KindExternal,
	}
	if k, ok := kinds[top]; ok {
		return k
	}
	return KindPeople
}

func lifeKind(file string) Kind {
	switch {
	case file == "items.json":
		return KindFacts
	case file == "summary.md":
		return KindSummary
	case strings.HasSuffix(file, ".md"):
		return KindPeople
	}
	return KindOther
}

func archiveKind(folder, file string) Kind {
	switch {
	case folder == archiveFolder && strings.HasSuffix(file, ".jsonl"):
		return KindArchive
	case !strings.HasSuffix(file, ".md"):
		return KindOther
	case folder == archiveFolder && (strings.HasPrefix(file, "weekly-") || strings.HasPrefix(file, "demoted-")):
		return KindArchiveLog
	case dayPart(file):
		return KindArchivedJournal
	}
	return KindPeople
}
