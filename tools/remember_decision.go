package tools

import (
	"slices"
	"strconv"
	"strings"

	"agentmemory/internal/memory"
)

// placeDecisionFields takes the fields of a decision that a memory keeps in
// places of its own from where agents write them who fill in the card of the
// journal: {"id": "DECISION-…", "status": "proposed", "confidence": "0.4"}. An
// argument of the call wins over a field of the same name.
func placeDecisionFields(m *memory.Memory, confidenceGiven bool) error {
	if m.Form != memory.Decision {
		return nil
	}
	for _, own := range []struct {
		field string
		place *string
	}{{"session_id", &m.SessionID}, {"session_path", &m.SessionPath}, {"message_range", &m.MessageRange}, {"supersedes", &m.Supersedes}} {
		if value := takeField(m, own.field); *own.place == "" {
			*own.place = value
		}
	}
	m.Supersedes = decisionAddress(m.Supersedes)
	if id := m.Field("id"); m.URI == "" && strings.HasPrefix(id, decisionPrefix) {
		m.URI = decisionAddress(id)
	}
	if err := placeStatus(m, takeField(m, "status")); err != nil {
		return err
	}
	return placeConfidence(m, takeField(m, "confidence"), confidenceGiven)
}

const decisionPrefix = "DECISION-"

// decisionAddress returns the address of the decision with an id of the
// journal; any other text stays as it is.
func decisionAddress(id string) string {
	if slug, is := strings.CutPrefix(id, decisionPrefix); is && slug != "" {
		return "decision://" + slug
	}
	return id
}

func takeField(m *memory.Memory, name string) string {
	value := strings.TrimSpace(m.Field(name))
	m.Fields = slices.DeleteFunc(m.Fields, func(f memory.Field) bool { return f.Name == name })
	return value
}

// placeStatus lets a caller say whether a decision is made; the other states
// follow from what is done with it.
func placeStatus(m *memory.Memory, status string) error {
	switch s := memory.Status(strings.ToLower(status)); s {
	case "":
		return nil
	case memory.Active, memory.Proposed:
		m.Status = s
		return nil
	}
	return memory.Errorf(memory.InvalidArgument, "the status of a new decision cannot be %s", quoteShort(status)).
		WithHint("proposed or active; a decision is superseded by another one that names it in supersedes")
}

func placeConfidence(m *memory.Memory, value string, given bool) error {
	if value == "" || given {
		return nil
	}
	c, err := strconv.ParseFloat(value, 64)
	if err != nil || !(c >= 0 && c <= 1) {
		return memory.Errorf(memory.InvalidArgument, "confidence %s is not a number from 0 to 1", quoteShort(value))
	}
	m.Confidence = c
	return nil
}
