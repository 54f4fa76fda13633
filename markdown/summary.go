package markdown

import (
	"slices"
	"strings"
)

// Summary is the summary.md of an entity (seed 004 §2): what is read first. Cold
// facts are left to items.json.
type Summary struct {
	Name     string
	Status   string
	Deadline string
	Focus    string
	Hot      []string // one line each
	Warm     []string
	Notes    []string // lines of people, verbatim
}

// summaryLabels are the three fields, in order.
func summaryLabels() []namedHeading {
	return []namedHeading{{"status", "状态", "Status"}, {"deadline", "截止日期", "Deadline"}, {"focus", "当前焦点", "Focus"}}
}

func temperatureHeadings() []namedHeading {
	return []namedHeading{{"hot", "🔥 热", "🔥 Hot"}, {"warm", "♨️ 温", "♨️ Warm"}}
}

// ShowsFact reports whether a line that stands under a heading has the form in which
// a summary shows a fact.
func ShowsFact(heading, line string) bool {
	return strings.HasPrefix(line, "- ") && slices.ContainsFunc(temperatureHeadings(), func(h namedHeading) bool { return heading == h.zh || heading == h.en })
}

// Render writes the summary; people's lines come last, as they were.
func (s Summary) Render(lang Language) []byte {
	lines := []string{"# " + plainLine(s.Name, RecentLine)}
	for _, l := range summaryLabels() {
		if label := s.Label(l.name, lang); label != "" {
			if len(lines) == 1 {
				lines = append(lines, "")
			}
			lines = append(lines, label)
		}
	}
	facts := [][]string{s.Hot, s.Warm}
	for i, h := range temperatureHeadings() {
		if len(facts[i]) > 0 {
			lines = append(lines, "", "## "+lang.pick(h.zh, h.en), "")
		}
		for _, f := range facts[i] {
			lines = append(lines, SummaryLine(f))
		}
	}
	if len(s.Notes) > 0 {
		lines = append(append(lines, ""), s.Notes...)
	}
	return document(lines)
}

// SummaryLine is the line of the file that shows a fact.
func SummaryLine(fact string) string { return "- " + plainLine(fact, RecentLine) }

// Label is the line of the file for one of status, deadline and focus, "" if
// there is nothing to say.
func (s Summary) Label(name string, lang Language) string {
	for _, l := range summaryLabels() {
		if l.name == name && s.Get(name) != "" {
			return "- " + lang.pick(l.zh+"：", l.en+": ") + Escape(oneLine(s.Get(name)))
		}
	}
	return ""
}

// Get returns the status, deadline or focus.
func (s Summary) Get(name string) string {
	switch name {
	case "status":
		return s.Status
	case "deadline":
		return s.Deadline
	case "focus":
		return s.Focus
	}
	return ""
}

// Set changes the status, deadline or focus.
func (s *Summary) Set(name, value string) {
	switch name {
	case "status":
		s.Status = value
	case "deadline":
		s.Deadline = value
	case "focus":
		s.Focus = value
	}
}

// ParseSummary reads a summary.md in either language. What is not in its
// sections are the notes of people.
func ParseSummary(src []byte) Summary {
	var s Summary
	section := ""
	for _, raw := range splitLines(strings.TrimPrefix(string(src), bom)) {
		line := bare(raw)
		level, text, head := atxHeading(line)
		item, isItem := listMarker(line)
		switch {
		case head && level == 1 && s.Name == "" && len(s.Notes) == 0:
			s.Name = fromPlainLine(text)
		case head && summarySection(text) != "":
			section = summarySection(text)
		case isItem && section == "" && s.field(line[item.size:]):
		case isItem && section == "hot":
			s.Hot = append(s.Hot, fromPlainLine(line[item.size:]))
		case isItem && section == "warm":
			s.Warm = append(s.Warm, fromPlainLine(line[item.size:]))
		case !isBlank(line) || len(s.Notes) > 0:
			section = "notes"
			s.Notes = append(s.Notes, line)
		}
	}
	for len(s.Notes) > 0 && isBlank(s.Notes[len(s.Notes)-1]) {
		s.Notes = s.Notes[:len(s.Notes)-1]
	}
	return s
}

func summarySection(heading string) string {
	for _, h := range temperatureHeadings() {
		if heading == h.zh || heading == h.en {
			return h.name
		}
	}
	return ""
}

func (s *Summary) field(line string) bool {
	name, value, found := cutColon(line)
	targets := []*string{&s.Status, &s.Deadline, &s.Focus}
	for i, l := range summaryLabels() {
		if found && (strings.EqualFold(name, l.en) || name == l.zh) {
			*targets[i] = Unescape(strings.TrimSpace(value))
			return true
		}
	}
	return false
}
