package markdown

import (
	"bytes"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// The limits of RECENT.md (seed 001 §4.3.3).
const (
	RecentLines     = 80  // in all
	RecentLine      = 200 // characters of one line
	recentEmotions  = 8
	recentKnowledge = 15
	recentEvents    = 15
	stampPrefix     = "_auto-updated: "
	stampLayout     = "2006-01-02 15:04"
)

// recentSection is one of the three sections of RECENT.md.
type recentSection struct {
	zh, en string
	limit  int
}

func recentSections() []recentSection {
	return []recentSection{
		{"最近情感", "Recent emotions", recentEmotions},
		{"最近决策/知识", "Recent decisions / knowledge", recentKnowledge},
		{"最近事件", "Recent events", recentEvents},
	}
}

// recentIndex maps the name of a projection's section to its place in the file.
func recentIndex(name string) int {
	switch name {
	case string(memory.Emotion):
		return 0
	case string(memory.Knowledge), string(memory.Identity), string(memory.Decision), string(memory.Fact):
		return 1
	}
	return 2
}

// RenderRecent writes RECENT.md as of the local time at. Entries stay in the
// order given; those beyond a section's limit are left out.
func RenderRecent(p memory.Projection, lang Language, at time.Time) []byte {
	lines := []string{"# " + RecentFile, "", stampPrefix + at.Format(stampLayout) + "_"}
	sections := recentSections()
	listed := make([][]string, len(sections))
	for _, s := range p.Sections {
		i := recentIndex(s.Name)
		for _, e := range s.Entries {
			if text := plainLine(e.Text, RecentLine-len("- ")); text != "" && len(listed[i]) < sections[i].limit {
				listed[i] = append(listed[i], "- "+text)
			}
		}
	}
	for i, s := range sections {
		lines = append(lines, "", "## "+lang.pick(s.zh, s.en))
		lines = append(lines, listed[i]...)
	}
	return document(lines[:min(len(lines), RecentLines)])
}

// SameRecent reports whether two texts of RECENT.md differ in their stamp at
// most: then there is nothing to write.
func SameRecent(a, b []byte) bool {
	return bytes.Equal(withoutStamp(a), withoutStamp(b))
}

func withoutStamp(src []byte) []byte {
	lines := splitLines(string(src))
	lines = slices.DeleteFunc(lines, func(l string) bool { return strings.HasPrefix(l, stampPrefix) })
	return []byte(strings.Join(lines, ""))
}

// ForeignRecent returns the lines of RECENT.md on disk that are not ours: neither
// in the version that we published last nor part of the template in any
// language. List marks are taken off. They belong into today's journal.
func ForeignRecent(published, disk []byte) []string {
	ours := recentTexts(published)
	var out []string
	for _, l := range splitLines(strings.TrimPrefix(string(disk), bom)) {
		text := strings.TrimSpace(bare(l))
		if text == "" || ours[text] > 0 || templateLine(text) {
			ours[text]--
			continue
		}
		if m, ok := listMarker(text); ok && !m.empty {
			text = text[m.size:]
		}
		out = append(out, text)
	}
	return out
}

func recentTexts(src []byte) map[string]int {
	n := map[string]int{}
	for _, l := range splitLines(string(src)) {
		n[strings.TrimSpace(bare(l))]++
	}
	return n
}

func templateLine(text string) bool {
	if text == "# "+RecentFile || strings.HasPrefix(text, stampPrefix) {
		return true
	}
	return slices.ContainsFunc(recentSections(), func(s recentSection) bool {
		return text == "## "+s.zh || text == "## "+s.en
	})
}
