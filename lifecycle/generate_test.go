package lifecycle

import (
	"fmt"
	"strings"
	"time"

	"pgregory.net/rapid"

	"agentmemory/internal/memory"
)

// phrases that meet often, so that generated stores hold duplicates,
// contradictions and everything that the policies look for.
func drawContent(t *rapid.T) string {
	subject := rapid.SampledFrom([]string{"The gateway port", "账本", "Ann", "The ledger migration", "用户", "部署", "Bob's team", "The backup"}).Draw(t, "subject")
	verb := rapid.SampledFrom([]string{" is ", "用", " uses ", " prefers ", "喜欢", "不喜欢", " is not ", " must be ", " was "}).Draw(t, "verb")
	object := rapid.SampledFrom([]string{
		"8080", "9090", "SQLite", "Postgres", "in progress", "done", "香菜", "dark mode in the editor", "决定周五 14:00 发布",
		"at https://example.org/a?b=1", "`make release`", "2026-02-21", "happy", "just now restarted", "",
	}).Draw(t, "object")
	extra := rapid.SampledFrom([]string{"", "", ".", " on Friday", "，但是周一例外", "; never on Monday", "\n- second line", " !REMEMBER"}).Draw(t, "extra")
	return subject + verb + object + extra
}

func drawMemory(t *rapid.T, i int) memory.Memory {
	content := drawContent(t)
	if rapid.IntRange(0, 30).Draw(t, "emptied") == 0 {
		content = ""
	}
	hours := rapid.IntRange(-24, 24*200).Draw(t, "hours ago")
	created := today().Add(-time.Duration(hours) * time.Hour)
	m := memory.Memory{
		ID: fmt.Sprintf("m%03d", i), Namespace: rapid.SampledFrom([]string{"main", "main", "other"}).Draw(t, "namespace"),
		Type: rapid.SampledFrom(memory.Types()).Draw(t, "type"), Content: content,
		Form:              rapid.SampledFrom([]memory.Form{memory.Note, memory.Note, memory.Note, memory.Decision, memory.Task, memory.Fact, memory.State, memory.Passage}).Draw(t, "form"),
		Status:            rapid.SampledFrom([]memory.Status{memory.Active, memory.Active, memory.Active, memory.Proposed, memory.Superseded, memory.Archived, memory.Forgotten, memory.Quarantined, memory.Missing}).Draw(t, "status"),
		Trust:             rapid.SampledFrom([]memory.Trust{memory.TrustAgent, memory.TrustAgent, memory.TrustUser, memory.TrustExternal}).Draw(t, "trust"),
		Confidence:        rapid.Float64Range(0, 1).Draw(t, "confidence"),
		InitialImportance: rapid.Float64Range(0, 1).Draw(t, "importance"),
		AccessCount:       rapid.IntRange(0, 9).Draw(t, "uses"), CreatedAt: created, UpdatedAt: created, Revision: int64(rapid.IntRange(1, 9).Draw(t, "revision")),
		ContentHash: memory.Hash(content), Home: memory.Place{File: "memory/2026-02-21.md"},
	}
	m.Importance, m.ImportanceSet = m.InitialImportance, created
	m.URI = fmt.Sprintf("%s://journal/2026-02-21#0900-%d", m.Type, i)
	if rapid.IntRange(0, 4).Draw(t, "named") == 0 {
		m.URI = fmt.Sprintf("knowledge://preferences/p%d", i)
	}
	if m.Form == memory.Fact {
		m.URI = fmt.Sprintf("fact://projects/ledger/f%d", i)
	}
	if m.AccessCount > 0 {
		m.LastAccess = created.Add(time.Duration(rapid.IntRange(0, max(0, hours)).Draw(t, "used after")) * time.Hour)
	}
	return m
}

func drawStore(t *rapid.T) []memory.Memory {
	n := rapid.IntRange(0, 40).Draw(t, "memories")
	store := make([]memory.Memory, n)
	for i := range store {
		store[i] = drawMemory(t, i)
	}
	for i := range store {
		other := store[rapid.IntRange(0, n-1).Draw(t, "other")].ID
		switch rapid.IntRange(0, 9).Draw(t, "relation") {
		case 0:
			store[i].SupersededBy = other
		case 1:
			store[i].Supersedes = other
		case 2:
			store[i].SupersededBy = "gone"
		case 3:
			store[i].Links = []memory.Link{{Target: other, Relation: Contradicts}, {Target: "gone", Relation: "related"}}
		}
	}
	return store
}

func drawProfile(t *rapid.T) Profile {
	p := rapid.SampledFrom(Profiles()).Draw(t, "profile")
	p.Tidy.Keep = rapid.IntRange(0, 5).Draw(t, "keep")
	p.Govern.MaxActive = rapid.SampledFrom([]int{0, 0, 3, 20}).Draw(t, "max active")
	return p
}

func drawOutline(t *rapid.T, store []memory.Memory) memory.Outline {
	o := memory.Outline{Exists: true}
	n := rapid.IntRange(0, 60).Draw(t, "lines")
	for i := range n {
		l := memory.OutlineLine{Number: i + 1, Heading: rapid.SampledFrom([]string{"", "Rules", "身份"}).Draw(t, "heading")}
		switch k := rapid.IntRange(0, 5).Draw(t, "line"); {
		case k == 0:
			l.Text = ""
		case k == 1:
			l.Text = "## " + l.Heading
		case k == 2 && len(store) > 0:
			m := rapid.SampledFrom(store).Draw(t, "ours")
			l.MemoryID, l.Text = m.ID, "- "+flat(m.Content)
		default:
			l.Text = "- " + flat(drawContent(t)) + strings.Repeat(" 很长", rapid.SampledFrom([]int{0, 1, 200}).Draw(t, "length"))
		}
		o.Lines = append(o.Lines, l)
	}
	return o
}
