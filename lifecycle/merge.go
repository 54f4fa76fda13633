package lifecycle

import (
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Merge joins two texts on one subject into one that loses nothing: the fuller
// text when it holds everything that the other one says, else the older one
// followed by those lines or sentences of the newer one that it lacks. No clause
// is cut, so that no number, date, name, negation, code or URL can go missing.
func Merge(older, newer string) string {
	a, b := analyse(older), analyse(newer)
	switch {
	case a.says(b):
		return older
	case b.says(a):
		return newer
	}
	return union(older, newer)
}

// union appends the sentences of newer that do not stand in older word for word.
func union(older, newer string) string {
	present := map[string]bool{}
	for _, s := range sentences(older) {
		present[sentence(s)] = true
	}
	joined := strings.TrimRight(older, " \t\n")
	for _, s := range sentences(newer) {
		if present[sentence(s)] {
			continue
		}
		joined += separator(joined) + strings.TrimSpace(s)
	}
	return joined
}

// sentence returns a sentence without what does not belong to its meaning.
func sentence(s string) string { return strings.Trim(s, " \t\r\n.;。；") }

// separator returns what stands between a text and the sentence appended to it.
func separator(joined string) string {
	if strings.Count(joined, "`")%2 == 1 { // an open mark must not make code of what follows
		return "\n\n"
	}
	if strings.Contains(joined, "\n") {
		return "\n"
	}
	switch last := []rune(joined); {
	case len(last) == 0:
		return ""
	case strings.ContainsRune("。！？；", last[len(last)-1]):
		return ""
	case text.IsCJK(last[len(last)-1]):
		return "；"
	case strings.ContainsRune(".!?;", last[len(last)-1]):
		return " "
	}
	return "; "
}

// sentences splits a text after its sentence marks and line ends. A text with
// code in it is one piece: its marks mean something else.
func sentences(s string) []string {
	if strings.Contains(s, "`") {
		return []string{s}
	}
	var list []string
	start := 0
	for i, r := range s {
		end := i + len(string(r))
		if !sentenceEnd(r, s[end:]) || r == '.' && end < len(s) && s[end] == ' ' && text.Abbreviated(s[start:i]) {
			continue
		}
		list = appendText(list, s[start:end])
		start = end
	}
	return appendText(list, s[start:])
}

// sentenceEnd reports whether r ends a sentence; a Latin mark does so only
// before white space, because it stands inside URLs and versions too.
func sentenceEnd(r rune, rest string) bool {
	switch r {
	case '\n', '。', '！', '？', '；':
		return true
	case '.', '!', '?', ';':
		return rest == "" || rest[0] == ' ' || rest[0] == '\n' || rest[0] == '\t' || rest[0] == '\r'
	}
	return false
}

func appendText(list []string, s string) []string {
	if strings.TrimSpace(s) == "" {
		return list
	}
	return append(list, s)
}

// combined returns the memory that holds the texts of both: it may claim no
// more trust than the lower of the two, and is observed when the newer was.
func combined(existing, incoming memory.Memory) memory.Memory {
	m := existing
	m.Content = Merge(existing.Content, incoming.Content)
	m.ContentHash = memory.Hash(m.Content)
	m.Trust = existing.Trust.Lowest(incoming.Trust)
	m.Confidence = max(existing.Confidence, incoming.Confidence)
	m.Links = joinLinks(existing.Links, incoming.Links)
	if !incoming.ObservedAt.IsZero() {
		m.ObservedAt = incoming.ObservedAt
	}
	return m
}

func joinLinks(a, b []memory.Link) []memory.Link {
	joined := append([]memory.Link(nil), a...)
	for _, l := range b {
		if !hasLink(joined, l) && len(joined) < memory.MaxLinks {
			joined = append(joined, l)
		}
	}
	return joined
}

func hasLink(links []memory.Link, l memory.Link) bool {
	for _, have := range links {
		if have == l {
			return true
		}
	}
	return false
}
