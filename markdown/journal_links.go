package markdown

import (
	"path"
	"slices"
	"strings"
)

// A journal that held too many decisions names the topic files to which they
// moved, in one line below its title (seed 000 §4.1): "→ [parser](recent/parser.md)".
const (
	linksMark   = "→ ["
	linksJoint  = " · ["
	linksHere   = "](recent/"
	linksAbroad = "](../../recent/" // from an archived journal
)

// Leads reports whether entries that moved from one file to another leave a
// link: they went from a journal to the file of a topic.
func Leads(from, to string) bool {
	return dayOf(from) != "" && Classify(from, "").Kind == KindJournal && strings.HasPrefix(WithinTree(to), overflowFolder+"/")
}

// LinkTo names a topic file in the journal; once is enough.
func (d *Document) LinkTo(topic string) {
	name := path.Base(topic)
	target := linksHere + escapeTarget(name) + ")"
	link := plainLine(strings.TrimSuffix(name, ".md"), RecentLine) + target
	i := slices.IndexFunc(d.lines, linksLine)
	switch {
	case i >= 0 && strings.Contains(d.lines[i], target):
		return
	case i >= 0:
		d.splice(i, 1, terminate([]string{bare(d.lines[i]) + linksJoint + link}, d.eol))
	default:
		d.insertBlock(d.belowTitle(), []string{linksMark + link})
	}
	d.reread()
}

// belowTitle returns the index of the first line after the title.
func (d *Document) belowTitle() int {
	if len(d.heads) == 0 || d.heads[0].level != 1 {
		return 0
	}
	at := d.heads[0].end
	for at < len(d.lines) && isBlank(d.lines[at]) {
		at++
	}
	return at
}

// linksLine recognises the line, whatever else a person made of it.
func linksLine(line string) bool {
	return strings.HasPrefix(line, linksMark) && (strings.Contains(line, linksHere) || strings.Contains(line, linksAbroad))
}

// Relinked returns the text of a journal as it stands in the archive: its links
// lead from there.
func Relinked(text string) string {
	lines := splitLines(text)
	for i, line := range lines {
		if linksLine(line) {
			lines[i] = strings.ReplaceAll(line, linksHere, linksAbroad)
		}
	}
	return strings.Join(lines, "")
}
