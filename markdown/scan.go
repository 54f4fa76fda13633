package markdown

import "strings"

// blockKind says what a run of lines is at the top level of a document.
type blockKind int

const (
	blankBlock blockKind = iota
	proseBlock
	headingBlock
	itemBlock
)

// block is a run of lines of one kind. Only what matters to us is told apart:
// headings, depth-1 list items, and everything else as prose.
type block struct {
	kind   blockKind
	first  int // index of its first line
	count  int
	level  int    // of a heading
	text   string // of a heading, without marks
	offset int    // column at which an item's content starts
	marker int    // bytes before an item's text in its first line
}

// scanner splits lines into blocks by the rules of CommonMark 0.31 for
// container starts. Where they make one slip swallow the rest of a file (a fence or an
// HTML block that is never closed), the opener counts as prose instead: a
// person's half-typed line must not make entries vanish.
type scanner struct {
	lines     []string
	at        int
	paragraph bool           // the line before at can be continued as a paragraph
	halfOpen  bool           // some opener had no end, so that an edit far away can give it one
	endless   map[string]int // for each kind of end the line up to which there is none
	blocks    []block
}

func scan(lines []string) *scanner {
	s := &scanner{lines: lines, endless: map[string]int{}}
	s.take(proseBlock, frontMatter(lines))
	for s.at < len(s.lines) {
		s.step(bare(s.lines[s.at]))
	}
	return s
}

func (s *scanner) step(line string) {
	if isBlank(line) {
		s.take(blankBlock, 1)
		return
	}
	indent, _ := indentation(line)
	if indent >= tabStop {
		open := s.paragraph
		s.take(proseBlock, 1)
		s.paragraph = open
		return
	}
	if !s.heading(line) && !s.raw(line) && !s.item(line) {
		s.take(proseBlock, 1)
		s.paragraph = !isRule(line) && !strings.HasPrefix(strings.TrimLeft(line, " "), ">")
	}
}

// take records n lines as one block; runs of prose are joined.
func (s *scanner) take(kind blockKind, n int) {
	if n == 0 {
		return
	}
	s.paragraph = false
	last := len(s.blocks) - 1
	if last >= 0 && s.blocks[last].kind == kind && (kind == proseBlock || kind == blankBlock) {
		s.blocks[last].count += n
	} else {
		s.blocks = append(s.blocks, block{kind: kind, first: s.at, count: n})
	}
	s.at += n
}

func (s *scanner) heading(line string) bool {
	level, text, ok := atxHeading(line)
	count := 1
	if !ok && s.paragraph && underline(line) > 0 {
		level, text, ok = underline(line), strings.TrimSpace(bare(s.lines[s.at-1])), true
		count += s.giveBack()
	}
	if !ok {
		return false
	}
	s.take(headingBlock, count)
	last := &s.blocks[len(s.blocks)-1]
	last.level, last.text = level, text
	return true
}

// giveBack undoes the last block, the paragraph that an underline makes a heading.
func (s *scanner) giveBack() int {
	last := s.blocks[len(s.blocks)-1]
	s.blocks = s.blocks[:len(s.blocks)-1]
	s.at = last.first
	return last.count
}

// raw takes fenced code and HTML blocks, in which nothing is an entry.
func (s *scanner) raw(line string) bool {
	n := 0
	f, fenced := openFence(line)
	end, html := openHTML(line, s.paragraph)
	switch {
	case fenced:
		n = s.until(strings.Repeat(string(f.mark), f.length), 1, f.closedBy)
	case html:
		n = s.htmlLength(end)
	}
	s.halfOpen = s.halfOpen || (fenced || html) && n == 0
	s.take(proseBlock, n)
	return n > 0
}

// CodeBlocks returns the blocks of fenced code of a text that are closed, in list
// items as well: the number of the last line of each by that of its first.
func CodeBlocks(text string) map[int]int {
	blocks := map[int]int{}
	var under *fence
	first, number := 0, 0
	for line := range strings.Lines(text) {
		number++
		line = strings.TrimLeft(bare(line), " \t")
		switch f, opens := openFence(line); {
		case under == nil && opens:
			under, first = &f, number
		case under != nil && under.closedBy(line):
			blocks[first], under = number, nil
		}
	}
	return blocks
}

func (s *scanner) htmlLength(end htmlEnd) int {
	if !end.blank {
		return s.until(end.marks[0], 0, end.in)
	}
	n := 1
	for s.at+n < len(s.lines) && !isBlank(s.lines[s.at+n]) && !annotatedItem(bare(s.lines[s.at+n])) {
		n++
	}
	return n
}

// until counts the lines up to and with the one that done accepts; 0 if none
// does before an entry of ours, whose content might close what a person left
// open, or before the next comment. What was sought in vain is not sought again,
// so that a file of openers costs no more than another.
func (s *scanner) until(end string, skip int, done func(string) bool) int {
	if s.endless[end] > s.at {
		return 0
	}
	i := s.at + skip
	for ; i < len(s.lines); i++ {
		line := bare(s.lines[i])
		if annotatedItem(line) || i > s.at && strings.HasPrefix(line, openComment) {
			break
		}
		if done(line) {
			return i - s.at + 1
		}
	}
	s.endless[end] = i
	return 0
}

// annotatedItem reports whether a line begins an entry with our comment.
func annotatedItem(line string) bool {
	if !strings.Contains(line, openOurs) {
		return false
	}
	_, ok := listMarker(line)
	return ok && cutTrailer(line, ours).ours != ""
}

func (s *scanner) item(line string) bool {
	m, ok := listMarker(line)
	if !ok || s.paragraph && !m.interrupts {
		return false
	}
	n := itemLength(s.lines[s.at:], m)
	s.take(itemBlock, n)
	last := &s.blocks[len(s.blocks)-1]
	last.offset, last.marker = m.offset, m.size
	return true
}

// itemLength counts the lines of the list item that starts lines: those that are
// indented to its content, blank lines between them, and lazy continuations of
// its last paragraph.
func itemLength(lines []string, m marker) int {
	t := tracker{}
	t.see(bare(lines[0])[m.size:])
	length := 1
	for i := 1; i < len(lines); i++ {
		line := bare(lines[i])
		if isBlank(line) {
			if i == 1 && m.empty {
				break
			}
			t.paragraph = false
			continue
		}
		indent, _ := indentation(line)
		switch {
		case indent >= m.offset:
			t.see(dedent(line, m.offset))
		case !t.paragraph || length < i || startsBlock(line):
			return length
		}
		length = i + 1
	}
	return length
}

// tracker follows the blocks inside an item just closely enough to know whether
// its last line is a paragraph, which an unindented line would continue.
type tracker struct {
	paragraph bool
	fence     *fence
}

func (t *tracker) see(line string) {
	if t.fence != nil {
		if t.fence.closedBy(strings.TrimLeft(line, " ")) {
			t.fence = nil
		}
		return
	}
	indent, _ := indentation(line)
	if indent >= tabStop {
		return
	}
	line = innermost(line)
	f, fenced := openFence(line)
	if fenced {
		t.fence = &f
	}
	_, _, heading := atxHeading(line)
	_, html := openHTML(line, true)
	t.paragraph = !fenced && !heading && !html && !isBlank(line) && !isRule(line)
}

// maxNesting bounds the markers that innermost strips.
const maxNesting = 32

// innermost strips the markers of nested items and quotes from a line.
func innermost(line string) string {
	for range maxNesting {
		trimmed := strings.TrimLeft(line, " \t")
		if isRule(trimmed) {
			return trimmed
		}
		if rest, ok := strings.CutPrefix(trimmed, ">"); ok {
			line = rest
			continue
		}
		m, ok := listMarker(trimmed)
		if !ok {
			return trimmed
		}
		line = trimmed[m.size:]
	}
	return line
}

// startsBlock reports whether a line may not be the lazy continuation of a paragraph.
func startsBlock(line string) bool {
	indent, _ := indentation(line)
	if indent >= tabStop {
		return false
	}
	if _, _, ok := atxHeading(line); ok || isRule(line) {
		return true
	}
	if _, ok := openFence(line); ok {
		return true
	}
	if _, ok := openHTML(line, true); ok {
		return true
	}
	_, item := listMarker(line)
	return item || strings.HasPrefix(strings.TrimLeft(line, " "), ">")
}
