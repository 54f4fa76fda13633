package markdown

import "strings"

// trail follows the headings that are open in a journal: what a person writes
// over a list says what its items are about. In other files the address of an
// entry says that.
type trail struct {
	day   string // of the journal, "" for any other file
	begun bool   // some heading was seen
	open  []heading
}

// enter takes the next heading. The first one of level 1 is the file's title.
func (t *trail) enter(h heading) {
	if t.day == "" {
		return
	}
	for len(t.open) > 0 && t.open[len(t.open)-1].level >= h.level {
		t.open = t.open[:len(t.open)-1]
	}
	h.text = subject(h.text, t.day)
	if !t.begun && h.level == 1 {
		h.text = ""
	}
	t.begun = true
	t.open = append(t.open, h)
}

// names joins the headings that say more than a time.
func (t *trail) names() string {
	var names []string
	for _, h := range t.open {
		if h.text != "" {
			names = append(names, h.text)
		}
	}
	return strings.Join(names, " › ")
}

// headingOver is what the headings above the line at index at say.
func (d *Document) headingOver(at int) string {
	above := trail{day: d.day}
	for _, h := range d.heads {
		if h.line < at {
			above.enter(h)
		}
	}
	return above.names()
}

// subject is what a heading says beside the day of its journal and the time of day.
func subject(text, day string) string {
	rest, dated := strings.CutPrefix(text, day)
	if minuteOf(rest) != "" {
		_, rest, _ = strings.Cut(rest, " ")
		dated = true
	}
	if !dated {
		return oneLine(text)
	}
	return oneLine(strings.TrimLeft(rest, " -–—:：·,，|"))
}
