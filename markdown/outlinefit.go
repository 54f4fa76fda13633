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
	if limits.allow(o.size(0, len(o.rows))) {
		return
	}
	for i := range o.rows {
		if o.rows[i].ours {
			o.rows[i].text = o.rows[i].stripped
		}
	}
	for !limits.allow(o.size(0, len(o.rows))) {
		i := lastIndex(o.rows, func(r outlineRow) bool { return r.ours })
		if i < 0 {
			break
		}
		o.drop(i)
	}
	o.demote()
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

// demote moves people's blocks that are no headings into the overflow, from the
// end, until the text and the link to them fit.
func (o *outliner) demote() {
	size := o.size(0, len(o.rows))
	if o.edit.Limits.allow(size) {
		return
	}
	link := len(o.edit.Overflow) + 24
	size = size.plus(outlineSize{lines: 2, characters: link, bytes: link})
	blocks := o.blocks()
	for i, b := range slices.Backward(blocks) {
		if o.edit.Limits.allow(size) {
			break
		}
		if b.kind != itemBlock && b.kind != proseBlock || strings.Contains(o.rows[b.first].text, "]("+o.edit.Overflow+")") {
			continue
		}
		end := b.first + b.count
		if i+1 < len(blocks) && blocks[i+1].kind == blankBlock {
			end += blocks[i+1].count
		}
		size = size.minus(o.size(b.first, end))
		for r := b.first; r < end; r++ {
			o.rows[r].out, o.rows[r].spacing = true, r >= b.first+b.count
		}
	}
	o.moveOut()
}

// moveOut takes the marked rows out, into the overflow unless they are spacing.
func (o *outliner) moveOut() {
	for _, r := range o.rows {
		if r.out && !r.spacing {
			line := memory.OutlineLine{Number: r.line, Text: bare(r.text), Heading: r.heading, Link: linkOf(r.text)}
			o.overflow = append(o.overflow, memory.Demotion{Line: line, Reason: "over the limit of MEMORY.md"})
		}
	}
	o.rows = slices.DeleteFunc(o.rows, func(r outlineRow) bool { return r.out })
	if len(o.overflow) > 0 {
		o.linkOverflow()
	}
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
