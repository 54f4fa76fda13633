package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"agentmemory/internal/memory"
)

// maxPath bounds the path of a conversation, in bytes.
const maxPath = 4096

// tooLong tells which text of a memory is longer than remember takes, or "".
// What describes a memory may be shortened; what it says may not.
func tooLong(m memory.Memory) string {
	if len(m.Content) > memory.MaxContent {
		return fmt.Sprintf("has %d bytes, more than %d", len(m.Content), memory.MaxContent)
	}
	for _, f := range m.Fields[:min(len(m.Fields), memory.MaxFields)] {
		if len(f.Value) > memory.MaxContent {
			return fmt.Sprintf("field %s has %d bytes, more than %d", quoteShort(f.Name), len(f.Value), memory.MaxContent)
		}
	}
	return ""
}

// label is a short text of a memory and what bounds it.
type label struct {
	name string
	text *string
	most int
}

func labelsOf(m *memory.Memory) []label {
	list := []label{
		{"title", &m.Title, memory.MaxLabel},
		{"actor", &m.Actor, memory.MaxLabel},
		{"target", &m.Target, memory.MaxLabel},
		{"domain", &m.Domain, memory.MaxLabel},
		{"source", &m.Source, memory.MaxLabel},
		{"session_id", &m.SessionID, memory.MaxLabel},
		{"session_path", &m.SessionPath, maxPath},
		{"message_range", &m.MessageRange, memory.MaxLabel},
		{"supersedes", &m.Supersedes, memory.MaxLabel},
		{"superseded_by", &m.SupersededBy, memory.MaxLabel},
	}
	for i := range m.Fields {
		list = append(list, label{"the name of a field", &m.Fields[i].Name, memory.MaxLabel})
	}
	for i := range m.Links {
		list = append(list,
			label{"the target of a link", &m.Links[i].Target, memory.MaxURI},
			label{"the relation of a link", &m.Links[i].Relation, memory.MaxLabel})
	}
	return list
}

// shortened bounds what describes a memory, which is no reason to lose it, and
// tells what was too much.
func shortened(m *memory.Memory) (notes []string) {
	if n := len(m.Links); n > memory.MaxLinks {
		m.Links = m.Links[:memory.MaxLinks]
		notes = append(notes, fmt.Sprintf("%d links: the first %d are kept", n, memory.MaxLinks))
	}
	if n := len(m.Fields); n > memory.MaxFields {
		m.Fields = m.Fields[:memory.MaxFields]
		notes = append(notes, fmt.Sprintf("%d fields: the first %d are kept", n, memory.MaxFields))
	}
	for _, l := range labelsOf(m) {
		if n := len(*l.text); n > l.most {
			*l.text = strings.ToValidUTF8((*l.text)[:l.most], "")
			notes = append(notes, fmt.Sprintf("%s has %d bytes: %d at most are kept", l.name, n, l.most))
		}
	}
	return notes
}

// labels cleans the short texts, and bounds them.
func (r *importRun) labels(m *memory.Memory) []string {
	for _, text := range []*string{&m.Title, &m.Actor, &m.Target, &m.Source, &m.SessionID, &m.MessageRange} {
		*text = strings.Join(strings.Fields(r.Text.Clean(*text).Text), " ")
	}
	if !utf8.ValidString(m.SessionPath) {
		m.SessionPath = ""
	}
	return shortened(m)
}
