package tools

import (
	"errors"

	"agentmemory/internal/memory"
	"agentmemory/internal/redact"
)

// clean makes every text of a memory safe to keep, and quarantines what reads
// like an instruction. It returns the names of the rules whose secrets were
// redacted, and the grounds for a quarantine.
func clean(c TextCleaner, m *memory.Memory) (redacted []string, suspicious []redact.Reason) {
	redacted = []string{}
	one := func(s *string, judged bool) {
		if *s == "" {
			return
		}
		result := c.Clean(*s)
		*s = result.Text
		for _, f := range result.Secrets {
			redacted = append(redacted, f.Rule)
		}
		if judged {
			suspicious = append(suspicious, result.Reasons...)
		}
	}
	one(&m.Content, true)
	one(&m.Title, true)
	for i := range m.Fields {
		one(&m.Fields[i].Name, true)
		one(&m.Fields[i].Value, true)
	}
	for i := range m.Links {
		one(&m.Links[i].Target, true)
		one(&m.Links[i].Relation, true)
	}
	for _, label := range []*string{&m.Source, &m.Actor, &m.Target, &m.SessionID, &m.SessionPath, &m.MessageRange} {
		one(label, false)
	}
	if len(suspicious) > 0 && quarantines {
		m.Status, m.Trust = memory.Quarantined, memory.TrustExternal
	}
	return redacted, suspicious
}

// shown is an error as a caller may see it.
func shown(err error) *memory.Error {
	var e *memory.Error
	if errors.As(err, &e) {
		return e
	}
	return memory.Errorf(memory.Internal, "internal error").WithHint("the log of the server has the cause")
}
