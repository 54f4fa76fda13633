package markdown

import (
	"slices"
	"strings"
)

// unit is what the line merge moves about: a line with the blank lines after
// it, or a whole entry.
type unit struct {
	key   string // compared; an annotated entry's is its id
	text  string // with terminators
	entry bool   // an annotated entry: content is merged by id, apart
	item  bool   // a list item
	copy  bool   // an annotated entry whose id stands twice in some version: merged as text
	place int    // its position in its document, from 1; negative for ours
}

// prose merges the lines outside annotated entries, which are only anchors here,
// and sets the result. Most often nothing but entries has changed on our side.
func (m *merger) prose() {
	base, ours := m.base.units(m.twice), m.ours.units(m.twice)
	ours = withoutNewMinutes(base, ours)
	m.result = m.theirs
	if slices.Equal(proseKeys(base), proseKeys(ours)) {
		return
	}
	j := joiner{base: base, ours: ours, theirs: m.theirs.units(m.twice), eol: m.theirs.eol}
	j.run()
	text := strings.Join(j.out, "")
	if m.theirs.bom {
		text = bom + text
	}
	m.result = Parse(m.theirs.path, []byte(text))
	m.conflicts = append(m.conflicts, j.conflicts...)
}

// units cuts a document into units; twice holds the ids that do not tell which
// entry is meant.
func (d *Document) units(twice map[string]bool) []unit {
	starts := map[int]Entry{}
	for _, e := range d.entries {
		starts[e.Line-1] = e
	}
	var out []unit
	for at := 0; at < len(d.lines); {
		u, n := unit{key: bare(d.lines[at])}, 1
		if e, ok := starts[at]; ok && (e.Annotated || !isCard(e.Form)) {
			u, n = entryUnit(e, twice), e.Lines
		}
		for at+n < len(d.lines) && isBlank(d.lines[at+n]) {
			n++
		}
		u.text = strings.Join(d.lines[at:at+n], "")
		u.place = len(out) + 1
		out = append(out, u)
		at += n
	}
	return out
}

// entryUnit returns the unit of an entry. Cards without a comment have none: they
// are taken line by line, as people edit them.
func entryUnit(e Entry, twice map[string]bool) unit {
	if e.Annotated && !twice[e.ID] {
		return unit{key: "am:" + e.ID, entry: true, item: true}
	}
	return unit{key: e.bareRaw(), item: true, copy: e.Annotated}
}

// withoutNewMinutes drops the minute headings that we added: they come with the
// entries, which are put under the right heading one by one.
func withoutNewMinutes(base, ours []unit) []unit {
	known := counts(base)
	return slices.DeleteFunc(ours, func(u unit) bool {
		level, text, ok := atxHeading(u.key)
		return ok && level == 2 && text != "" && minuteOf(text) == text && known[u.key] == 0
	})
}

// proseKeys lists the keys of what is not an annotated entry.
func proseKeys(units []unit) []string {
	var out []string
	for _, u := range units {
		if !u.entry && u.key != "" {
			out = append(out, u.key)
		}
	}
	return out
}

func keys(units []unit) []string {
	out := make([]string, len(units))
	for i, u := range units {
		out[i] = u.key
	}
	return out
}

// joiner merges three sequences of units (diff3): stretches on which base and
// both sides agree separate the stretches where at least one side differs.
type joiner struct {
	base, ours, theirs []unit
	eol                string
	out                []string
	last               unit
	conflicts          []Conflict
}

func (j *joiner) run() {
	inOurs := map[int]int{}
	for _, p := range align(keys(j.base), keys(j.ours)) {
		inOurs[p.a] = p.b
	}
	var b, o, t int
	for _, p := range align(keys(j.base), keys(j.theirs)) {
		at, ok := inOurs[p.a]
		if !ok {
			continue
		}
		j.stretch(j.base[b:p.a], j.ours[o:at], j.theirs[t:p.b])
		j.emit(j.theirs[p.b])
		b, o, t = p.a+1, at+1, p.b+1
	}
	j.stretch(j.base[b:], j.ours[o:], j.theirs[t:])
}

// stretch resolves one stretch: all that they added or changed stays, what we
// removed goes if they left it alone, what we added comes after, unless both
// replaced the same lines.
func (j *joiner) stretch(base, ours, theirs []unit) {
	copies := copiesContested(base, ours, theirs)
	kept, old := counts(ours), counts(base)
	for _, u := range theirs {
		removed := !u.entry && old[u.key] > 0 && kept[u.key] == 0 && !copies
		old[u.key]--
		if !removed {
			kept[u.key]--
			j.emit(u)
		}
	}
	contested := copies || bothReplaced(base, ours, theirs)
	for _, u := range added(base, ours, theirs) {
		if contested {
			j.conflicts = append(j.conflicts, Conflict{Ours: u.text})
			continue
		}
		u.place = -u.place
		j.emit(u)
	}
}

// added lists what ours has beyond base and theirs, entries apart.
func added(base, ours, theirs []unit) []unit {
	have, old := counts(theirs), counts(base)
	var out []unit
	for _, u := range ours {
		switch {
		case u.entry:
		case have[u.key] > 0:
			have[u.key]--
			old[u.key]--
		case old[u.key] > 0:
			old[u.key]--
		default:
			out = append(out, u)
		}
	}
	return out
}

// copiesContested reports whether both sides changed a stretch in which we touch
// an entry whose id stands twice: then nothing says which of them is meant.
func copiesContested(base, ours, theirs []unit) bool {
	touched := func(u unit) bool { return u.copy }
	return !slices.Equal(keys(base), keys(theirs)) && !slices.Equal(keys(base), keys(ours)) &&
		(slices.ContainsFunc(base, touched) || slices.ContainsFunc(ours, touched))
}

// bothReplaced reports whether some line of base is gone from both sides while
// each has something new instead.
func bothReplaced(base, ours, theirs []unit) bool {
	o, t, b := counts(ours), counts(theirs), counts(base)
	isNew := func(u unit) bool { return !u.entry && b[u.key] == 0 }
	gone := slices.ContainsFunc(base, func(u unit) bool { return !u.entry && o[u.key] == 0 && t[u.key] == 0 })
	return gone && slices.ContainsFunc(theirs, isNew) && slices.ContainsFunc(ours, isNew)
}

func counts(units []unit) map[string]int {
	n := map[string]int{}
	for _, u := range units {
		n[u.key]++
	}
	return n
}

// emit adds a unit, apart from the one before if they did not stand together.
func (j *joiner) emit(u unit) {
	if n := len(j.out); n > 0 {
		if !strings.HasSuffix(j.out[n-1], "\n") {
			j.out[n-1] += j.eol
		}
		together := u.place == j.last.place+1 && u.place > 1 || u.place == j.last.place-1 && u.place < -1
		switch {
		case u.place < 0 && isBullet(u) && isBullet(j.last) && !(together && endsBlank(j.last.text)):
			j.out = append(j.out, j.continued(u))
			j.last = u
			return
		case !together:
			j.out = append(j.out, j.gap(u)...)
		}
	}
	j.out = append(j.out, u.text)
	j.last = u
}

func isBullet(u unit) bool { return strings.HasPrefix(u.text, "- ") }

func endsBlank(text string) bool {
	lines := splitLines(text)
	return len(lines) > 0 && isBlank(lines[len(lines)-1])
}

// continued makes u, which is ours, the next item of the list whose last item was
// emitted, and returns its text: the blank lines that ended the list end it now.
func (j *joiner) continued(u unit) string {
	lines := splitLines(j.out[len(j.out)-1])
	end := len(lines)
	for end > 0 && isBlank(lines[end-1]) {
		end--
	}
	j.out[len(j.out)-1] = strings.Join(lines[:end], "")
	if endsBlank(u.text) {
		return u.text
	}
	return u.text + strings.Join(lines[end:], "")
}

// gap returns the lines that keep u from running into the unit before it.
func (j *joiner) gap(u unit) []string {
	if columns, _ := indentation(u.text); columns >= 2 {
		return []string{j.eol, separator + j.eol, j.eol}
	}
	if u.item && j.last.item || endsBlank(j.out[len(j.out)-1]) {
		return nil
	}
	return []string{j.eol}
}
