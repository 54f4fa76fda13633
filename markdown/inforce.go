package markdown

import "strings"

// InForce returns the text of a file as a conversation is to begin with it:
// what was superseded, archived or held back is left out, and so are the
// comments by which entries are known. The file itself keeps both.
func (d *Document) InForce() string {
	kept := make([]string, len(d.lines))
	copy(kept, d.lines)
	for _, e := range d.entries {
		first := e.Line - 1
		if !e.Status.Recallable() && e.Status != "" {
			end := first + e.Lines
			if end < len(kept) && isCard(e.Form) && isBlank(kept[end]) {
				end++ // the blank line that sets the section apart
			}
			clear(kept[first:end])
			continue
		}
		kept[first] = withoutOurs(kept[first], d.eol)
	}
	for _, h := range d.heads {
		if kept[h.line] != "" {
			kept[h.line] = withoutOurs(kept[h.line], d.eol)
		}
	}
	return strings.Join(kept, "")
}

func withoutOurs(line, eol string) string {
	t := cutTrailer(bare(line), ours)
	if t.ours == "" {
		return line
	}
	return join(t.text, t.host) + eol
}
