package markdown

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

const (
	openComment  = "<!--"
	openOurs     = "<!-- am:"
	closeComment = "-->"
)

// metadata is what an entry's comment says:
// <!-- am:ID n=2 t=knowledge u=URI o=TIME s=STATUS -->.
type metadata struct {
	id       string
	n        int
	typ      memory.Type
	uri      string
	observed time.Time
	status   memory.Status
	extra    []string // fields of later versions, kept as they are
}

// render writes the comment; a type equal to usual and the status active are
// left out.
func (m metadata) render(usual memory.Type) string {
	fields := []string{openOurs + m.id}
	if m.n > 0 {
		fields = append(fields, "n="+strconv.Itoa(m.n))
	}
	if m.typ != "" && m.typ != usual {
		fields = append(fields, "t="+string(m.typ))
	}
	if m.uri != "" {
		fields = append(fields, "u="+encodeValue(m.uri))
	}
	if !m.observed.IsZero() {
		fields = append(fields, "o="+m.observed.Format(time.RFC3339Nano))
	}
	if m.status != "" && m.status != memory.Active {
		fields = append(fields, "s="+string(m.status))
	}
	fields = append(fields, m.extra...)
	return strings.Join(append(fields, closeComment), " ")
}

// readMetadata reads a comment of ours; ok is false for any other comment.
func readMetadata(comment string, usual memory.Type) (m metadata, ok bool) {
	inner, found := strings.CutPrefix(comment, openOurs)
	fields := strings.Fields(strings.TrimSuffix(inner, closeComment))
	if !found || len(fields) == 0 || !strings.HasPrefix(inner, fields[0]) || !memory.ValidID(fields[0]) {
		return metadata{}, false
	}
	id := fields[0]
	m = metadata{id: id, typ: usual, status: memory.Active}
	for _, f := range fields[1:] {
		if !m.set(f) {
			m.extra = append(m.extra, f)
		}
	}
	return m, true
}

func (m *metadata) set(field string) bool {
	name, value, _ := strings.Cut(field, "=")
	var err error
	switch name {
	case "n":
		var n int
		if n, err = strconv.Atoi(value); err != nil || n < 1 {
			return false
		}
		m.n = n
	case "t":
		if !slices.Contains(memory.Types(), memory.Type(value)) {
			return false
		}
		m.typ = memory.Type(value)
	case "u":
		m.uri = decodeValue(value)
	case "o":
		var t time.Time
		if t, err = time.Parse(time.RFC3339Nano, value); err != nil {
			return false
		}
		m.observed = t
	case "s":
		if !slices.Contains(memory.Statuses(), memory.Status(value)) {
			return false
		}
		m.status = memory.Status(value)
	default:
		return false
	}
	return true
}

// encodeValue keeps a value free of white space and of "--", which could end
// or break the comment, by percent-encoding.
func encodeValue(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		c := s[i]
		if c <= ' ' || c == '%' || c == '<' || c == '>' || c == 0x7f || c == '-' && i > 0 && s[i-1] == '-' {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
			continue
		}
		b.WriteByte(c)
	}
	return encodeWideSpace(b.String())
}

// encodeWideSpace also encodes white space outside ASCII, at which fields would be cut.
func encodeWideSpace(s string) string {
	fields := strings.Fields(s)
	if len(fields) == 1 && len(fields[0]) == len(s) {
		return s
	}
	var b strings.Builder
	for _, r := range s {
		if strings.TrimSpace(string(r)) != "" {
			b.WriteRune(r)
			continue
		}
		for _, c := range []byte(string(r)) {
			b.WriteString("%" + strings.ToUpper(strconv.FormatUint(uint64(c)|0x100, 16)[1:]))
		}
	}
	return b.String()
}

func decodeValue(s string) string {
	var b strings.Builder
	for i := 0; i < len(s); i++ {
		if s[i] == '%' && i+2 < len(s) {
			if c, err := strconv.ParseUint(s[i+1:i+3], 16, 8); err == nil {
				b.WriteByte(byte(c))
				i += 2
				continue
			}
		}
		b.WriteByte(s[i])
	}
	return b.String()
}

// trailer is the end of an entry's first line: the text before it, our
// comment if there is one, and the host's comments after that, verbatim.
type trailer struct {
	text string
	ours string
	host string
}

// cutTrailer separates the comments at the end of a line from its text. Of the
// chain of comments there, the first that is ours counts; without one only
// comments that a host understands are taken off.
func cutTrailer(line string, ours func(comment string) bool) trailer {
	end := strings.TrimRight(line, " \t")
	starts := commentChain(end)
	for _, at := range starts {
		comment := end[at : strings.Index(end[at:], closeComment)+at+len(closeComment)]
		if ours(comment) {
			return trailer{strings.TrimSuffix(end[:at], " "), comment, strings.TrimSpace(end[at+len(comment):])}
		}
	}
	at := len(end)
	for i := len(starts) - 1; i >= 0 && hostComment(end[starts[i]:]); i-- {
		at = starts[i]
	}
	return trailer{text: strings.TrimRight(end[:at], " \t"), host: strings.TrimSpace(end[at:])}
}

// commentChain returns the starts of the comments that end a line, in order.
func commentChain(line string) []int {
	var starts []int
	for strings.HasSuffix(line, closeComment) {
		at := strings.LastIndex(line[:len(line)-len(closeComment)], openComment)
		if at < 0 || strings.Contains(line[at:len(line)-len(closeComment)], closeComment) {
			break
		}
		starts = append(starts, at)
		line = strings.TrimRight(line[:at], " \t")
	}
	slices.Reverse(starts)
	return starts
}

// hostComment recognises the line metadata of OpenClaw.
func hostComment(comment string) bool {
	inner := strings.TrimSpace(strings.TrimPrefix(comment, openComment))
	return strings.HasPrefix(inner, "trigger:") || strings.HasPrefix(inner, "importance:")
}
