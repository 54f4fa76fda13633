package tools

import (
	"fmt"
	"sort"
	"strings"
	"time"
	"unicode/utf8"

	"agentmemory/internal/memory"
)

// RememberItem is one thing to remember, as callers give it.
type RememberItem struct {
	Content      string            `json:"content"`
	Type         string            `json:"type"`
	URI          string            `json:"uri"`
	Title        string            `json:"title"`
	Source       string            `json:"source"`
	SessionID    string            `json:"session_id"`
	SessionPath  string            `json:"session_path"`
	MessageRange string            `json:"message_range"`
	ObservedAt   string            `json:"observed_at"`
	Actor        string            `json:"actor"`
	Target       string            `json:"target"`
	Domain       string            `json:"domain"`
	Importance   *float64          `json:"importance"`
	Confidence   *float64          `json:"confidence"`
	EmotionVal   float64           `json:"emotion_val"`
	Form         string            `json:"form"`
	Fields       map[string]string `json:"fields"`
	Supersedes   string            `json:"supersedes"`
	Links        []string          `json:"links"`
	AgentID      string            `json:"agent_id"`
	Context      string            `json:"context"`
	Invalid      *memory.Error     `json:"invalid"` // what was wrong with its arguments; set by the schema, no caller can
}

// itemSchema lists the arguments of one item, the most used first: some
// clients show only the first few.
func itemSchema(contentRequired bool) Schema {
	return Schema{
		{Name: "content", Kind: Text, Required: contentRequired},
		{Name: "type", Kind: String, Enum: names(memory.Types())},
		{Name: "uri", Kind: String, Description: "stable address; same uri = new content"},
		{Name: "source", Kind: String},
		{Name: "session_id", Kind: String},
		{Name: "session_path", Kind: String},
		{Name: "message_range", Kind: String},
		{Name: "observed_at", Kind: String, Description: "when it was true, RFC 3339"},
		{Name: "actor", Kind: String},
		{Name: "target", Kind: String},
		{Name: "domain", Kind: String, Enum: []string{"World", "Role", "User"}},
		{Name: "importance", Kind: Number, Min: 0, Max: 1},
		{Name: "confidence", Kind: Number, Min: 0, Max: 1},
		{Name: "emotion_val", Kind: Number, Min: -1, Max: 1},
		{Name: "form", Kind: String, Enum: []string{"note", "decision", "task", "fact", "state"}},
		{Name: "fields", Kind: Object, Description: "named parts of decision, task, state"},
		{Name: "supersedes", Kind: String},
		{Name: "links", Kind: Strings, Description: "ids or uris"},
		{Name: "title", Kind: String, Hidden: true},
		{Name: "agent_id", Kind: String, Hidden: true},
		{Name: "context", Kind: String, Hidden: true},
		{Name: "emotion_tag", Kind: String, Hidden: true},
	}
}

func names[T ~string](values []T) []string {
	out := make([]string, 0, len(values))
	for _, v := range values {
		out = append(out, string(v))
	}
	return out
}

// memory turns an item into the memory that it asks for. Text is not cleaned yet.
func (it RememberItem) memory(namespace string, now time.Time) (memory.Memory, error) {
	m := memory.Memory{
		Namespace: namespace, Content: it.Content, URI: it.URI, Title: it.Title,
		Type: memory.Type(it.Type), Form: memory.Form(it.Form), Status: memory.Active,
		Source: it.Source, SessionID: it.SessionID, SessionPath: it.SessionPath, MessageRange: it.MessageRange,
		Actor: it.Actor, Target: it.Target, Domain: it.Domain, EmotionVal: it.EmotionVal,
		Confidence: 0.8, InitialImportance: 0.5, Density: 0.5, Trust: memory.TrustAgent,
		Supersedes: it.Supersedes, CreatedAt: now, UpdatedAt: now, ImportanceSet: now,
		Fields: fieldsOf(it.Fields), Links: linksOf(it.Links),
	}
	if m.Source == "" {
		m.Source = it.Context
	}
	if m.Actor == "" {
		m.Actor = it.AgentID
	}
	if it.Confidence != nil {
		m.Confidence = *it.Confidence
	}
	if it.Importance != nil {
		m.InitialImportance = *it.Importance
	}
	m.Importance = m.InitialImportance
	var err error
	if m.ObservedAt, err = parseTime("observed_at", it.ObservedAt, now.Location()); err != nil {
		return m, err
	}
	if err := fillFromURI(&m); err != nil {
		return m, err
	}
	nameFields(&m)
	if err := placeDecisionFields(&m, it.Confidence != nil); err != nil {
		return m, err
	}
	if err := checkMemory(m); err != nil {
		return m, err
	}
	tellState(&m)
	return m, nil
}

// fillFromURI takes type and form from the address where the caller gave none.
func fillFromURI(m *memory.Memory) error {
	if m.URI != "" {
		u, err := memory.ParseURI(m.URI)
		if err != nil {
			return err
		}
		if m.Type == "" {
			m.Type = u.TypeOf()
		}
		if m.Form == "" {
			m.Form = u.FormOf()
		}
	}
	if m.Form == "" {
		m.Form = memory.Note
	}
	if m.Type == "" {
		m.Type = defaultType(m.Form)
	}
	return nil
}

func defaultType(f memory.Form) memory.Type {
	if f == memory.Task || f == memory.State {
		return memory.Event
	}
	return memory.Knowledge
}

func checkMemory(m memory.Memory) error {
	if strings.TrimSpace(m.Content) == "" && len(m.Fields) == 0 {
		return memory.Errorf(memory.InvalidArgument, "content is empty").WithHint("say what to remember in content")
	}
	if len(m.Content) > memory.MaxContent {
		return memory.Errorf(memory.TooLarge, "content has %d bytes, more than %d", len(m.Content), memory.MaxContent).
			WithHint("put the text into a file of the workspace and remember one sentence with the file's path")
	}
	if len(m.Fields) > memory.MaxFields || len(m.Links) > memory.MaxLinks {
		return memory.Errorf(memory.TooLarge, "more than %d fields or %d links", memory.MaxFields, memory.MaxLinks)
	}
	for name, value := range map[string]string{
		"source": m.Source, "session_id": m.SessionID, "message_range": m.MessageRange, "actor": m.Actor,
		"target": m.Target, "title": m.Title, "supersedes": m.Supersedes,
	} {
		if len(value) > memory.MaxLabel {
			return memory.Errorf(memory.TooLarge, "%s has %d bytes, more than %d", name, len(value), memory.MaxLabel)
		}
	}
	for _, f := range m.Fields {
		if len(f.Name) > memory.MaxLabel {
			return memory.Errorf(memory.TooLarge, "the name of a field has %d bytes, more than %d", len(f.Name), memory.MaxLabel)
		}
		if len(f.Value) > memory.MaxContent {
			return memory.Errorf(memory.TooLarge, "field %s has %d bytes, more than %d", f.Name, len(f.Value), memory.MaxContent)
		}
	}
	if !utf8.ValidString(m.SessionPath) || len(m.SessionPath) > 4096 {
		return memory.Errorf(memory.InvalidArgument, "session_path is not a path")
	}
	return checkLinks(m.Links)
}

// parseTime reads a time as people and programs write it: RFC 3339, or a date
// with or without a time in the workspace's zone.
func parseTime(name, s string, zone *time.Location) (time.Time, error) {
	if s = strings.TrimSpace(s); s == "" {
		return time.Time{}, nil
	}
	if t, err := time.Parse(time.RFC3339Nano, s); err == nil {
		return t, nil
	}
	for _, layout := range []string{
		"2006-01-02T15:04:05", "2006-01-02 15:04:05", "2006-01-02 15:04:05Z07:00", "2006-01-02T15:04", "2006-01-02 15:04", "2006-01-02T15:04Z07:00", time.DateOnly,
	} {
		if t, err := time.ParseInLocation(layout, s, zone); err == nil {
			if date := s[:len(time.DateOnly)]; t.Format(time.DateOnly) != date {
				return memory.ParseDay(date, zone) // clocks were set forward over that minute
			}
			return t, nil
		}
	}
	return time.Time{}, memory.Errorf(memory.InvalidArgument, "%s %s is not a time", name, quoteShort(s)).
		WithHint("write 2026-02-21, 2026-02-21 14:00 or 2026-02-21T14:00:00+08:00")
}

func fieldsOf(named map[string]string) []memory.Field {
	fields := make([]memory.Field, 0, len(named))
	for name, value := range named {
		fields = append(fields, memory.Field{Name: fieldName(name), Value: value})
	}
	sort.Slice(fields, func(i, j int) bool { return fields[i].Name < fields[j].Name })
	return fields
}

// fieldName writes "Next step" and "next-step" as next_step, the way cards name
// their parts in files.
func fieldName(name string) string {
	return strings.NewReplacer(" ", "_", "-", "_").Replace(strings.ToLower(strings.TrimSpace(name)))
}

// linksOf reads "target" or "relation=target". What stands before the sign in an
// address is no relation.
func linksOf(written []string) []memory.Link {
	links := make([]memory.Link, 0, len(written))
	for _, s := range written {
		if strings.TrimSpace(s) == "" {
			continue
		}
		relation, target, found := strings.Cut(s, "=")
		if !found || strings.ContainsAny(relation, ":/") {
			relation, target = "related", s
		}
		links = append(links, memory.Link{Target: strings.TrimSpace(target), Relation: strings.TrimSpace(relation)})
	}
	return links
}

func checkLinks(links []memory.Link) error {
	for _, l := range links {
		switch {
		case l.Target == "" || l.Relation == "":
			return memory.Errorf(memory.InvalidArgument, "a link leads nowhere").WithHint("links are ids or uris, or relation=uri, such as caused=knowledge://lessons/deploy")
		case len(l.Target) > memory.MaxURI || len(l.Relation) > memory.MaxLabel:
			return memory.Errorf(memory.TooLarge, "a link has more than %d bytes, or its relation more than %d", memory.MaxURI, memory.MaxLabel)
		}
	}
	return nil
}

// currentState is the address of the one state that is in force.
const currentState = "state://current"

// taskURI and decision addresses follow from date and title when none is given.
func formURI(m memory.Memory, at time.Time) string {
	slug := memory.Slug(titleOf(m))
	switch m.Form {
	case memory.Decision:
		return fmt.Sprintf("decision://%s-%s", at.Format("20060102"), slug)
	case memory.Task:
		return fmt.Sprintf("task://%s/%s", at.Format(time.DateOnly), slug)
	case memory.State:
		return currentState
	}
	return ""
}

// titleChars bounds the title of a card that was given none.
const titleChars = 60

func titleOf(m memory.Memory) string {
	if m.Title != "" {
		return m.Title
	}
	first, _, _ := strings.Cut(strings.TrimSpace(m.Content), "\n")
	return first
}
