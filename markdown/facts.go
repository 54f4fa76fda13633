package markdown

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"time"

	"agentmemory/internal/memory"
)

// Fact is one atomic fact of an items.json: the eight fields of seed 004 §2, and
// what we add, under one name.
type Fact struct {
	ID           string
	Fact         string
	Status       string    // active or superseded
	CreatedAt    time.Time // zero: null
	LastAccessed time.Time // zero: null
	AccessCount  int
	SupersededBy string    // "": null
	SupersededAt time.Time // zero: null
	Meta         FactMeta
	extra        map[string]json.RawMessage // fields of others, kept
	source       []byte                     // as it stands in the file, if it was read
}

// FactMeta is the one object that we add to a fact.
type FactMeta struct {
	ID     string        `json:"id,omitempty"` // of the memory, where it differs from the fact's
	Trust  memory.Trust  `json:"trust,omitempty"`
	Source string        `json:"source,omitempty"`
	Links  []memory.Link `json:"links,omitempty"`
	Status memory.Status `json:"status,omitempty"` // where the fact's own two do not tell: forgotten, proposed, archived
	Purged bool          `json:"purged,omitempty"` // the content was removed on request; the place is kept
}

// Facts is the content of an items.json. Facts are never deleted.
type Facts struct {
	List    []Fact
	wrapper string                     // the field that holds the list, if the file is an object
	others  map[string]json.RawMessage // its other fields
}

// factFields is the order of the fields of a fact.
func factFields() []string {
	return []string{"id", "fact", "status", "createdAt", "lastAccessed", "accessCount", "supersededBy", "supersededAt", "meta"}
}

// ParseFacts reads an items.json: a list of facts, or an object of which one
// field is the list. An empty file is an empty list.
func ParseFacts(src []byte) (Facts, error) {
	src = bytes.TrimSpace(bytes.TrimPrefix(src, []byte(bom)))
	if len(src) == 0 {
		return Facts{}, nil
	}
	var f Facts
	var list []json.RawMessage
	if src[0] == '{' {
		if err := json.Unmarshal(src, &f.others); err != nil {
			return Facts{}, memory.Errorf(memory.InvalidArgument, "items.json is not JSON: %w", err)
		}
		for _, name := range []string{"items", "facts"} {
			if raw, ok := f.others[name]; ok {
				src, f.wrapper = raw, name
				delete(f.others, name)
				break
			}
		}
	}
	if err := json.Unmarshal(src, &list); err != nil {
		return Facts{}, memory.Errorf(memory.InvalidArgument, "items.json holds no list of facts: %w", err)
	}
	for i, raw := range list {
		fact, err := readFact(raw)
		if err != nil {
			return Facts{}, memory.Errorf(memory.InvalidArgument, "fact %d of items.json: %w", i+1, err)
		}
		f.List = append(f.List, fact)
	}
	return f, nil
}

func readFact(raw json.RawMessage) (Fact, error) {
	fields := map[string]json.RawMessage{}
	if err := json.Unmarshal(raw, &fields); err != nil {
		return Fact{}, fmt.Errorf("not an object: %w", err)
	}
	f := Fact{source: raw}
	for name, target := range map[string]any{
		"id": &f.ID, "fact": &f.Fact, "status": &f.Status, "accessCount": &f.AccessCount, "supersededBy": &f.SupersededBy,
		"createdAt": (*looseTime)(&f.CreatedAt), "lastAccessed": (*looseTime)(&f.LastAccessed), "supersededAt": (*looseTime)(&f.SupersededAt), "meta": &f.Meta,
	} {
		value, ok := fields[name]
		if !ok {
			continue
		}
		if err := json.Unmarshal(value, target); err != nil {
			return Fact{}, fmt.Errorf("field %s: %w", name, err)
		}
		delete(fields, name)
	}
	if len(fields) > 0 {
		f.extra = fields
	}
	return f, nil
}

// looseTime reads ISO 8601 times and dates, and null as zero.
type looseTime time.Time

func (t *looseTime) UnmarshalJSON(raw []byte) error {
	var s *string
	if err := json.Unmarshal(raw, &s); err != nil || s == nil || *s == "" {
		return err
	}
	for _, layout := range []string{time.RFC3339Nano, "2006-01-02T15:04:05", time.DateOnly} {
		if parsed, err := time.Parse(layout, *s); err == nil {
			*t = looseTime(parsed)
			return nil
		}
	}
	return fmt.Errorf("%q is no ISO 8601 time", *s)
}

// Render writes the items.json, fields in the order of the seed.
func (f Facts) Render() []byte {
	list := make([]json.RawMessage, len(f.List))
	for i, fact := range f.List {
		list[i] = fact.render()
	}
	var whole any = list
	if f.wrapper != "" {
		object := maps.Clone(f.others)
		object[f.wrapper] = encode(list)
		whole = object
	}
	var b bytes.Buffer
	_ = json.Indent(&b, encode(whole), "", "  ") // valid by construction
	b.WriteByte('\n')
	return b.Bytes()
}

func (f Fact) render() json.RawMessage {
	values := map[string]any{
		"id": f.ID, "fact": f.Fact, "status": f.Status, "createdAt": nullTime(f.CreatedAt), "lastAccessed": nullTime(f.LastAccessed),
		"accessCount": f.AccessCount, "supersededBy": nullString(f.SupersededBy), "supersededAt": nullTime(f.SupersededAt), "meta": f.Meta,
	}
	var b bytes.Buffer
	b.WriteByte('{')
	for _, name := range factFields() {
		b.Write(encode(name))
		b.WriteByte(':')
		b.Write(encode(values[name]))
		b.WriteByte(',')
	}
	for _, name := range slices.Sorted(maps.Keys(f.extra)) {
		b.Write(encode(name))
		b.WriteByte(':')
		b.Write(f.extra[name])
		b.WriteByte(',')
	}
	b.Truncate(b.Len() - 1)
	b.WriteByte('}')
	return b.Bytes()
}

// encode writes JSON without escaping HTML. The values here always encode: no
// channels, no functions, no special floats.
func encode(v any) json.RawMessage {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	_ = e.Encode(v)
	return bytes.TrimRight(b.Bytes(), "\n")
}

func nullTime(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.Format(time.RFC3339Nano)
}

func nullString(s string) any {
	if s == "" {
		return nil
	}
	return s
}

// ByID returns the position of a fact, by its own id or its memory's, or -1.
func (f Facts) ByID(id string) int {
	return slices.IndexFunc(f.List, func(x Fact) bool { return x.ID == id || x.Meta.ID == id })
}

// Put adds a fact, or writes it in place of the one with its id.
func (f *Facts) Put(fact Fact) {
	i := f.ByID(fact.ID)
	if i < 0 {
		f.List = append(f.List, fact)
		return
	}
	fact.extra = f.List[i].extra
	f.List[i] = fact
}

// Supersede marks the fact old as replaced by another at a time; it stays.
func (f *Facts) Supersede(old, by string, at time.Time) bool {
	i := f.ByID(old)
	if i < 0 {
		return false
	}
	f.List[i].Status, f.List[i].SupersededBy, f.List[i].SupersededAt = "superseded", by, at
	return true
}

// Purge empties the fact at a position and leaves its place, so that ids stay known.
func (f *Facts) Purge(i int) {
	f.List[i] = Fact{ID: f.List[i].ID, Status: "superseded", Meta: FactMeta{ID: f.List[i].Meta.ID, Purged: true}}
}

// MergeFacts joins two versions of an items.json by fact: ours where only we
// changed it, theirs where a person did; ours is then returned as a conflict.
// A fact that is gone from one side only is kept.
func MergeFacts(base, ours, theirs []byte) (Merged, error) {
	b, err := ParseFacts(base)
	if err != nil {
		return Merged{}, err
	}
	o, err := ParseFacts(ours)
	if err != nil {
		return Merged{}, err
	}
	t, err := ParseFacts(theirs)
	if err != nil {
		return Merged{}, err
	}
	var m Merged
	for _, fact := range o.List {
		was, now := b.text(fact.ID), t.text(fact.ID)
		switch ours := string(fact.render()); {
		case ours == was || ours == now:
		case now == "" || now == was:
			t.Put(fact)
		default:
			m.Conflicts = append(m.Conflicts, Conflict{ID: fact.ID, Ours: ours})
		}
	}
	m.Text = t.Render()
	return m, nil
}

func (f Facts) text(id string) string {
	if i := f.ByID(id); i >= 0 {
		return string(f.List[i].render())
	}
	return ""
}
