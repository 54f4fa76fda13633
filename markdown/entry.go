package markdown

import (
	"strconv"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Entry is one memory as it stands in a file: a depth-1 list item, or a section
// whose list items are the fields of a decision or a task card.
type Entry struct {
	ID        string // from its comment, else memory.DerivedID of file, text and occurrence
	Annotated bool   // it carries our comment
	Number    int    // n of its minute's URI; 0: none
	Type      memory.Type
	Form      memory.Form // note, decision or task
	URI       string      // full address; "" for a person's line
	Observed  time.Time   // zero: not said
	Status    memory.Status
	Title     string // of a decision or task card
	Content   string // unescaped
	Fields    []memory.Field
	Comments  string   // comments of the host after ours, verbatim
	Extra     []string // fields of our comment that this version does not know
	Section   string   // "22:00", the minute under whose heading it stands; "" if none
	Heading   string   // of a journal's note: people's headings above it, joined by " › "
	Line      int      // of its first line, from 1
	Lines     int      // how many it takes
	Fact      *Fact    // of an entry of an items.json, and of a memory that is a fact

	learned string // day on which its memory was learned, under which it stands in a topic file

	raw    string // its lines as they stand
	offset int    // column of its content
	marker int    // bytes before the text of its first line

	replacedBy, replaces string // ids of memories, of facts that replace each other
}

// Raw returns the lines of an entry exactly as they stand in the file.
func (e Entry) Raw() string { return e.raw }

// FromMemory returns the entry that stands for m. Its minute comes from m's
// journal address, else from the time at which it was learned, as given.
func FromMemory(m memory.Memory) Entry {
	e := Entry{
		ID: m.ID, Annotated: true, Type: m.Type, Form: m.Form, URI: m.URI, Observed: m.ObservedAt,
		Status: m.Status, Title: m.Title, Content: m.Content, Fields: cardFields(m),
	}
	if !m.CreatedAt.IsZero() {
		e.Section, e.learned = m.CreatedAt.Format("15:04"), m.CreatedAt.Format(time.DateOnly)
	}
	if a, ok := readAddress(m.URI); ok {
		e.Section, e.Number = a.section(), a.number
	}
	if m.Form == memory.Fact {
		f := FactOf(m)
		e.Fact = &f
	}
	return e
}

// Memory returns what the entry says of its memory; trust, provenance and
// counters are kept elsewhere and left empty, apart from those of a fact.
func (e Entry) Memory() memory.Memory {
	m := memory.Memory{
		ID: e.ID, URI: e.URI, Type: e.Type, Form: e.Form, Title: e.Title, Content: e.Content,
		Status: e.Status, ObservedAt: e.Observed, ContentHash: memory.Hash(e.Content),
	}
	setCardFields(&m, e.Fields)
	if e.Fact != nil {
		m.CreatedAt, m.LastAccess, m.AccessCount = e.Fact.CreatedAt, e.Fact.LastAccessed, max(0, e.Fact.AccessCount)
		m.SupersededBy, m.Supersedes = e.replacedBy, e.replaces
		m.Trust, m.Source, m.Links = e.Fact.Meta.Trust, e.Fact.Meta.Source, e.Fact.Meta.Links
	}
	return m
}

// address is a journal URI taken apart: type://journal/2026-02-21#2200-1.
type address struct {
	typ    memory.Type
	day    string
	minute string
	number int
}

func (a address) section() string { return a.minute[:2] + ":" + a.minute[2:] }

func (a address) String() string {
	return string(a.typ) + "://journal/" + a.day + "#" + a.minute + "-" + strconv.Itoa(a.number)
}

func readAddress(uri string) (address, bool) {
	scheme, rest, _ := strings.Cut(uri, "://journal/")
	day, fragment, _ := strings.Cut(rest, "#")
	minute, number, _ := strings.Cut(fragment, "-")
	a := address{typ: memory.Type(scheme), day: day, minute: minute}
	var err error
	if a.number, err = strconv.Atoi(number); err != nil || len(minute) != 4 {
		return address{}, false
	}
	if _, err := time.Parse("1504", minute); err != nil {
		return address{}, false
	}
	return a, a.String() == uri
}

// usualType is the type that an entry of this form has when its comment says none.
func usualType(f memory.Form) memory.Type {
	if f == memory.Decision {
		return memory.Knowledge
	}
	return memory.Event
}

// comment renders the metadata of e for a file that covers day ("" if none). The
// URI is written only where it does not follow from type, day, minute and number.
func (e Entry) comment(day string) string {
	m := metadata{id: e.ID, n: e.Number, typ: e.Type, observed: e.Observed, status: e.Status, extra: e.Extra}
	if e.URI != e.impliedURI(day) {
		m.uri = e.URI
	}
	return m.render(usualType(e.Form))
}

func (e Entry) impliedURI(day string) string {
	if e.Form == memory.Decision {
		return decisionURI(fieldValue(e.Fields, "id"))
	}
	if day == "" || e.Number == 0 || len(e.Section) != len("15:04") {
		return ""
	}
	return address{e.Type, day, strings.Replace(e.Section, ":", "", 1), e.Number}.String()
}

// describe fills e from the metadata in a comment.
func (e *Entry) describe(m metadata, day string) {
	e.ID, e.Annotated, e.Number, e.Type = m.id, true, m.n, m.typ
	e.Observed, e.Status, e.Extra, e.URI = m.observed, m.status, m.extra, m.uri
	if e.URI == "" {
		e.URI = e.impliedURI(day)
	}
}

// render returns the lines of e without terminators.
func (e Entry) render(day string) []string {
	if isCard(e.Form) {
		return e.renderCard(day)
	}
	return listItem(Escape(Sanitise(e.Content)), join(e.comment(day), e.Comments))
}

// listItem lays text out as one depth-1 item with comments at the end of its first line.
func listItem(text, comments string) []string {
	lines := strings.Split(text, "\n")
	first := "- "
	if !needsOwnLine(lines) {
		first += lines[0]
		lines = lines[1:]
		if text != "" && comments != "" {
			first += " "
		}
	}
	return append([]string{first + comments}, indented(lines)...)
}

func indented(lines []string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		if l != "" {
			out[i] = "  " + l
		}
	}
	return out
}

// needsOwnLine reports whether text begins with a block construct, which a
// comment on the same line would break.
func needsOwnLine(lines []string) bool {
	first := lines[0]
	if first == "" {
		return false
	}
	if first[0] == ' ' || first[0] == '\t' || first[0] == '|' || first[0] == '<' || startsBlock(first) {
		return true
	}
	return len(lines) > 1 && isTableRule(lines[1])
}

// isTableRule recognises the line under the head of a table.
func isTableRule(line string) bool {
	return strings.Contains(line, "-") && strings.Trim(line, "|:- \t") == "" && strings.ContainsAny(line, "|:")
}

func join(parts ...string) string {
	var out []string
	for _, p := range parts {
		if p != "" {
			out = append(out, p)
		}
	}
	return strings.Join(out, " ")
}

// readItem reads a list item: its lines without terminators.
func readItem(lines []string, b block, day string, e *Entry) {
	t := cutTrailer(lines[0][min(b.marker, len(lines[0])):], ours)
	e.Form, e.Comments, e.offset, e.marker = memory.Note, t.host, b.offset, b.marker
	e.Type, e.Status = memory.Event, memory.Active
	if m, ok := readMetadata(t.ours, memory.Event); ok {
		e.describe(m, day)
	}
	e.Content = itemText(t.text, lines[1:], b.offset)
	if e.Annotated {
		e.Content = Unescape(e.Content)
	}
}

func ours(comment string) bool {
	_, ok := readMetadata(comment, "")
	return ok
}

// itemText joins the text of an item's first line and its dedented further lines.
func itemText(first string, further []string, offset int) string {
	var lines []string
	if first != "" || len(further) == 0 {
		lines = append(lines, first)
	}
	for _, l := range further {
		lines = append(lines, dedent(l, offset))
	}
	return Sanitise(strings.Join(lines, "\n"))
}
