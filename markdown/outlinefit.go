package markdown

import (
	"slices"
	"strings"

	"agentmemory/internal/memory"
)

// MaxParagraph is the number of lines beyond which an explanation does not belong
// into MEMORY.md (seed 000 §5).
const MaxParagraph = 5

// shrink brings the text within the limits.
func (o *outliner) shrink() {
	limits := o.edit.Limits
	if limits.fits(o.text()) {
		return
	}
	for i := range o.rows {
		if o.rows[i].ours {
			o.rows[i].text = o.rows[i].stripped
		}
	}
	for !limits.fits(o.text()) {
		i := lastIndex(o.rows, func(r outlineRow) bool { return r.ours })
		if i < 0 {
			break
		}
		o.drop(i)
	}
	for !limits.fits(o.text()) && o.demoteLast() {
		o.linkOverflow()
	}
}

// drop removes a row of ours, and the heading that it leaves empty if we made it.
func (o *outliner) drop(i int) {
	o.rows = slices.Delete(o.rows, i, i+1)
	for i--; i >= 0 && o.rows[i].line == 0 && (isBlank(o.rows[i].text) || o.rows[i].isHead && strings.HasPrefix(o.rows[i].text, "##")); i-- {
		if i+1 < len(o.rows) && !o.rows[i+1].isHead && !isBlank(o.rows[i+1].text) {
			return
		}
		o.rows = slices.Delete(o.rows, i, i+1)
	}
}

// demoteLast moves the last block of people's lines that is no heading into the
// overflow. It reports whether there was one.
func (o *outliner) demoteLast() bool {
	blocks := o.blocks()
	i := lastIndex(blocks, func(b block) bool {
		return (b.kind == itemBlock || b.kind == proseBlock) && !strings.Contains(o.rows[b.first].text, "]("+o.edit.Overflow+")")
	})
	if i < 0 {
		return false
	}
	b := blocks[i]
	var moved []memory.Demotion
	for _, r := range o.rows[b.first : b.first+b.count] {
		line := memory.OutlineLine{Number: r.line, Text: bare(r.text), Heading: r.heading, Link: linkOf(r.text)}
		moved = append(moved, memory.Demotion{Line: line, Reason: "over the limit of MEMORY.md"})
	}
	o.overflow = append(moved, o.overflow...)
	end := b.first + b.count
	for end < len(o.rows) && isBlank(o.rows[end].text) && (b.first == 0 || isBlank(o.rows[b.first-1].text)) {
		end++
	}
	o.rows = slices.Delete(o.rows, b.first, end)
	return true
}

// linkOverflow adds the line that leads to the overflow file, once.
func (o *outliner) linkOverflow() {
	link := "](" + o.edit.Overflow + ")"
	if o.edit.Overflow == "" || strings.Contains(o.text(), link) {
		return
	}
	o.closeLine(len(o.rows))
	blank := outlineRow{text: o.doc.eol, stripped: o.doc.eol}
	text := "- [" + o.edit.Language.pick("移出的条目", "lines moved out") + link + o.doc.eol
	if n := len(o.rows); n > 0 && !isBlank(o.rows[n-1].text) {
		o.rows = append(o.rows, blank)
	}
	o.rows = append(o.rows, outlineRow{text: text, stripped: text})
}

func lastIndex[T any](s []T, match func(T) bool) int {
	for i, v := range slices.Backward(s) {
		if match(v) {
			return i
		}
	}
	return -1
}

// LongParagraphs returns the numbers of the lines, from 1, at which a paragraph
// or item of more than MaxParagraph lines starts.
func LongParagraphs(src []byte) []int {
	var out []int
	for _, b := range scan(splitLines(strings.TrimPrefix(string(src), bom))).blocks {
		if b.count > MaxParagraph && (b.kind == proseBlock || b.kind == itemBlock) {
			out = append(out, b.first+1)
		}
	}
	return out
}

// RenderDemoted writes the lines that left MEMORY.md at the end of the file that
// keeps them, verbatim, under a heading that says when and why. The reason
// stands above the lines that share it.
func RenderDemoted(day string, demoted []memory.Demotion) []byte {
	lines := []string{"", "## " + day}
	reason := ""
	for _, d := range demoted {
		if d.Reason != reason {
			reason = d.Reason
			lines = append(lines, "", "_"+plainLine(reason, RecentLine)+"_", "")
		}
		lines = append(lines, d.Line.Text)
	}
	return document(lines)
}
