package markdown

import (
	"strings"
	"unicode/utf8"
)

// passageTokens is the size at which a passage ends, in tokens as estimateTokens
// counts them; a paragraph is only cut when it alone is twice as long.
const passageTokens = 400

// Passage is prose that people own: read and indexed, never rewritten.
type Passage struct {
	Heading string // the headings above it, joined by " › "
	Text    string
	Line    int // of its first line, from 1
	Lines   int
}

// Passages returns the prose between the entries of a document, cut at headings
// and at about 400 tokens.
func (d *Document) Passages() []Passage {
	c := cutter{doc: d}
	entry := 0
	for at := 0; at < len(d.lines); {
		for entry < len(d.entries) && d.entries[entry].Line-1 < at {
			entry++
		}
		if entry < len(d.entries) && d.entries[entry].Line-1 == at {
			c.cut(at)
			at += d.entries[entry].Lines
			c.from = at
			continue
		}
		if d.day != "" && linksLine(d.lines[at]) { // ours: it says nothing of its own
			c.cut(at)
			at++
			c.from = at
			continue
		}
		at = c.line(at)
	}
	c.cut(len(d.lines))
	return c.out
}

// Passages cuts a whole file of people's prose, bullets included.
func Passages(path string, src []byte) []Passage {
	d := Parse(path, src)
	d.entries = nil
	return d.Passages()
}

// cutter collects passages while it walks over the lines of a document.
type cutter struct {
	doc    *Document
	from   int // first line of the passage under way
	tokens int
	head   int       // next heading
	trail  []heading // headings that are open
	out    []Passage
}

// line takes the line at index at, or a whole heading, and returns the next index.
func (c *cutter) line(at int) int {
	heads := c.doc.heads
	for c.head < len(heads) && heads[c.head].line < at {
		c.open(heads[c.head])
	}
	if c.head < len(heads) && heads[c.head].line == at {
		c.cut(at)
		end := heads[c.head].end
		c.open(heads[c.head])
		c.from = end
		return end
	}
	line := bare(c.doc.lines[at])
	c.tokens += estimateTokens(line)
	if c.tokens >= passageTokens && isBlank(line) || c.tokens >= 2*passageTokens {
		c.cut(at + 1)
	}
	return at + 1
}

func (c *cutter) open(h heading) {
	for len(c.trail) > 0 && c.trail[len(c.trail)-1].level >= h.level {
		c.trail = c.trail[:len(c.trail)-1]
	}
	c.trail = append(c.trail, h)
	c.head++
}

// cut ends the passage under way before index end.
func (c *cutter) cut(end int) {
	from := c.from
	c.from, c.tokens = end, 0
	for from < end && isBlank(c.doc.lines[from]) {
		from++
	}
	for end > from && isBlank(c.doc.lines[end-1]) {
		end--
	}
	text := strings.TrimSpace(Sanitise(strings.Join(c.doc.lines[from:end], "")))
	if text == "" || strings.Trim(text, "-*_=<!> \n") == "" {
		return
	}
	var names []string
	for _, h := range c.trail {
		names = append(names, h.text)
	}
	c.out = append(c.out, Passage{strings.Join(names, " › "), text, from + 1, end - from})
}

// estimateTokens counts about one token for four bytes of ASCII or for one
// other character.
func estimateTokens(s string) int {
	runes := utf8.RuneCountInString(s)
	wide := (len(s) - runes) / 2
	return wide + (runes-min(wide, runes))/4 + 1
}
