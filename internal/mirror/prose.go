package mirror

import (
	"strings"

	"agentmemory/markdown"
)

// passageTokens is about how long a passage is; longer prose is cut between
// paragraphs.
const passageTokens = 400

// proseOf cuts text into passages: under each heading, paragraphs together up
// to passageTokens. Lines for which skip is true (they belong to entries) and
// comments are left out.
func proseOf(text string, skip func(line int) bool) []markdown.Passage {
	c := cutter{}
	number := 0
	for line := range strings.Lines(text) {
		number++
		c.line(strings.TrimRight(line, "\r\n"), number, skip(number))
	}
	c.flush()
	return c.out
}

// cutter collects the lines of one passage after the other.
type cutter struct {
	out      []markdown.Passage
	headings []string // by level, from 1
	lines    []string
	first    int
	tokens   int
	fenced   bool
}

func (c *cutter) line(line string, number int, skip bool) {
	trimmed := strings.TrimSpace(line)
	if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
		c.fenced = !c.fenced
	}
	level := len(line) - len(strings.TrimLeft(line, "#"))
	switch {
	case skip:
		c.flush()
	case !c.fenced && level > 0 && level <= 6 && strings.HasPrefix(line[level:], " "):
		c.flush()
		c.heading(level, strings.TrimSpace(line[level:]))
	case trimmed == "" && (c.tokens >= passageTokens || len(c.lines) == 0):
		c.flush()
	case c.tokens >= 2*passageTokens:
		c.flush()
		c.add(line, number)
	default:
		c.add(line, number)
	}
}

func (c *cutter) add(line string, number int) {
	if len(c.lines) == 0 {
		c.first = number
	}
	c.lines = append(c.lines, line)
	c.tokens += tokens(line)
}

func (c *cutter) heading(level int, text string) {
	for len(c.headings) < level {
		c.headings = append(c.headings, "")
	}
	c.headings = append(c.headings[:level-1], text)
}

func (c *cutter) flush() {
	text := strings.TrimSpace(strings.Join(c.lines, "\n"))
	if text != "" && text != "---" && !isComment(text) {
		c.out = append(c.out, markdown.Passage{Heading: c.path(), Text: strings.TrimRight(strings.Join(c.lines, "\n"), " \t\n"), Line: c.first, Lines: len(c.lines)})
	}
	c.lines, c.tokens = nil, 0
}

func (c *cutter) path() string {
	var parts []string
	for _, h := range c.headings {
		if h != "" {
			parts = append(parts, h)
		}
	}
	return strings.Join(parts, " › ")
}

func isComment(text string) bool {
	return strings.HasPrefix(text, "<!--") && strings.Index(text, "-->") == len(text)-len("-->")
}

// tokens estimates the length of a line as language models count it: four
// bytes of a Latin script, one character of a wide one.
func tokens(line string) int {
	narrow, wide := 0, 0
	for _, r := range line {
		if r >= 0x2e80 {
			wide++
		} else {
			narrow++
		}
	}
	return wide + (narrow+3)/4
}

// between reports for each line whether an entry takes it.
func between(doc *markdown.Document) func(line int) bool {
	taken := map[int]bool{}
	for _, e := range doc.Entries() {
		for i := range e.Lines {
			taken[e.Line+i] = true
		}
	}
	return func(line int) bool { return taken[line] }
}
