package mirror

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// record is one line of records.jsonl: all that is known of a memory but its
// text, which the Markdown files and the archive hold. The last line of an id
// is the valid one.
type record struct {
	ID        string      `json:"id"`
	Op        memory.Op   `json:"op"`
	At        time.Time   `json:"at"`
	Tombstone string      `json:"tombstone,omitempty"` // keyed hash, of removals only
	Memory    *attributes `json:"memory,omitempty"`    // nil for removals
	Namespace string      `json:"namespace,omitempty"` // of removals
}

// attributes are the fields of a memory without its text.
type attributes struct {
	URI          string         `json:"uri,omitempty"`
	Namespace    string         `json:"namespace,omitempty"`
	Type         memory.Type    `json:"type"`
	Form         memory.Form    `json:"form"`
	Title        string         `json:"title,omitempty"`
	Fields       []memory.Field `json:"fields,omitempty"`
	FieldNames   []string       `json:"field_names,omitempty"` // of those that the Markdown holds
	Status       memory.Status  `json:"status"`
	Supersedes   string         `json:"supersedes,omitempty"`
	SupersededBy string         `json:"superseded_by,omitempty"`
	Links        []memory.Link  `json:"links,omitempty"`
	Confidence   float64        `json:"confidence,omitempty"`
	Initial      float64        `json:"initial_importance,omitempty"`
	Importance   float64        `json:"importance,omitempty"`
	ImportSet    time.Time      `json:"importance_set,omitzero"`
	Density      float64        `json:"density,omitempty"`
	Pinned       bool           `json:"pinned,omitempty"`
	Stability    float64        `json:"stability,omitempty"`
	Accesses     int            `json:"access_count,omitempty"`
	Retrievals   int            `json:"retrieval_count,omitempty"`
	LastAccess   time.Time      `json:"last_access,omitzero"`
	EmotionVal   float64        `json:"emotion_val,omitempty"`
	Actor        string         `json:"actor,omitempty"`
	Target       string         `json:"target,omitempty"`
	Domain       string         `json:"domain,omitempty"`
	Source       string         `json:"source,omitempty"`
	SessionID    string         `json:"session_id,omitempty"`
	SessionPath  string         `json:"session_path,omitempty"`
	MessageRange string         `json:"message_range,omitempty"`
	Seq          int            `json:"seq,omitempty"`
	Trust        memory.Trust   `json:"trust"`
	ObservedAt   time.Time      `json:"observed_at,omitzero"`
	CreatedAt    time.Time      `json:"created_at"`
	UpdatedAt    time.Time      `json:"updated_at,omitzero"`
	Revision     int64          `json:"revision,omitempty"`
	File         string         `json:"file,omitempty"`
}

// attributesOf drops the text. Title and fields are kept only where the form's
// Markdown has no place for them.
func attributesOf(m memory.Memory) *attributes {
	a := &attributes{
		URI: m.URI, Namespace: m.Namespace, Type: m.Type, Form: m.Form, Status: m.Status,
		Supersedes: m.Supersedes, SupersededBy: m.SupersededBy, Links: m.Links,
		Confidence: m.Confidence, Initial: m.InitialImportance, Importance: m.Importance, ImportSet: m.ImportanceSet,
		Density: m.Density, Pinned: m.Pinned, Stability: m.Stability, Accesses: m.AccessCount, Retrievals: m.RetrievalCount,
		LastAccess: m.LastAccess, EmotionVal: m.EmotionVal, Actor: m.Actor, Target: m.Target, Domain: m.Domain,
		Source: m.Source, SessionID: m.SessionID, SessionPath: m.SessionPath, MessageRange: m.MessageRange, Seq: m.Seq,
		Trust: m.Trust, ObservedAt: m.ObservedAt, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, Revision: m.Revision,
		File: m.Home.File,
	}
	switch m.Form {
	case memory.Decision, memory.Task, memory.State:
		for _, f := range m.Fields {
			a.FieldNames = append(a.FieldNames, f.Name)
		}
		if m.Form == memory.State {
			a.Title = m.Title
		}
	default:
		a.Title, a.Fields = m.Title, m.Fields
	}
	return a
}

// fieldsOf picks the fields that the memory had among those that its Markdown
// shows, which may derive some for the reader.
func (a *attributes) fieldsOf(shown []memory.Field) []memory.Field {
	if len(shown) == 0 {
		return a.Fields
	}
	if a.FieldNames == nil {
		return nil
	}
	var fields []memory.Field
	for _, name := range a.FieldNames {
		if i := slices.IndexFunc(shown, func(f memory.Field) bool { return f.Name == name }); i >= 0 {
			fields = append(fields, shown[i])
		}
	}
	return fields
}

// restore gives a memory read from a file everything that its text does not
// tell. Title and fields found in the file win.
func (a *attributes) restore(m memory.Memory) memory.Memory {
	headed := a.Form == memory.Note && m.Title != ""
	if !headed && a.Form != memory.Decision && a.Form != memory.Task { // else the file says it
		m.Title = a.Title
	}
	m.Fields = a.fieldsOf(m.Fields)
	m.URI, m.Namespace, m.Type, m.Form, m.Status = a.URI, a.Namespace, a.Type, a.Form, a.Status
	m.Supersedes, m.SupersededBy, m.Links = a.Supersedes, a.SupersededBy, a.Links
	m.Confidence, m.InitialImportance, m.Importance, m.ImportanceSet = a.Confidence, a.Initial, a.Importance, a.ImportSet
	m.Density, m.Pinned, m.Stability = a.Density, a.Pinned, a.Stability
	m.AccessCount, m.RetrievalCount, m.LastAccess = a.Accesses, a.Retrievals, a.LastAccess
	m.EmotionVal, m.Actor, m.Target, m.Domain = a.EmotionVal, a.Actor, a.Target, a.Domain
	m.Source, m.SessionID, m.SessionPath, m.MessageRange, m.Seq = a.Source, a.SessionID, a.SessionPath, a.MessageRange, a.Seq
	m.Trust, m.ObservedAt, m.CreatedAt, m.UpdatedAt, m.Revision = a.Trust, a.ObservedAt, a.CreatedAt, a.UpdatedAt, a.Revision
	return m
}

// recordOf turns a pending change into its line.
func recordOf(p memory.Pending) record {
	r := record{ID: p.MemoryID, Op: p.Op, At: p.At, Tombstone: p.Tombstone}
	if p.Memory.ID == "" {
		r.Namespace = p.Namespace
		return r
	}
	r.Memory = attributesOf(p.Memory)
	return r
}

// gone reports whether the memory was removed.
func (r record) gone() bool { return r.Memory == nil }

// encodeRecords renders one line for each record.
func encodeRecords(records []record) ([]byte, error) {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, r := range records {
		if err := enc.Encode(r); err != nil {
			return nil, fmt.Errorf("encoding the record of %s: %w", r.ID, err)
		}
	}
	return b.Bytes(), nil
}

// decodeRecords calls each for every whole line. Torn or foreign lines, which
// a crash may leave, are counted and passed over.
func decodeRecords(r io.Reader, each func(record)) (skipped int, err error) {
	return eachLine(r, func(line []byte) bool {
		var rec record
		if json.Unmarshal(line, &rec) != nil || !memory.ValidID(rec.ID) {
			return false
		}
		each(rec)
		return true
	})
}

// eachLine hands every non-empty line of a JSONL file to use, which says
// whether it understood it. A line is valid until use returns.
func eachLine(r io.Reader, use func([]byte) bool) (skipped int, err error) {
	return eachSpan(r, func(_ int64, line []byte) bool { return use(line) })
}

// eachSpan is eachLine that tells where a line begins, too.
func eachSpan(r io.Reader, use func(at int64, line []byte) bool) (skipped int, err error) {
	reader := bufio.NewReaderSize(r, 64<<10)
	var long []byte // a line that the reader's buffer cannot hold
	for at := int64(0); ; {
		part, readErr := reader.ReadSlice('\n')
		if errors.Is(readErr, bufio.ErrBufferFull) {
			long = append(long, part...)
			continue
		}
		whole := part
		if len(long) > 0 {
			long = append(long, part...)
			whole = long
		}
		line := bytes.TrimLeft(whole, " \t\r\n")
		begin := at + int64(len(whole)-len(line))
		if line = bytes.TrimSpace(line); len(line) > 0 && !use(begin, line) {
			skipped++
		}
		at, long = at+int64(len(whole)), long[:0]
		if readErr == io.EOF {
			return skipped, nil
		}
		if readErr != nil {
			return skipped, fmt.Errorf("reading a line: %w", readErr)
		}
	}
}

// appendRecords adds lines and makes them durable. The caller holds the lock.
func appendRecords(root *os.Root, records []record) error {
	text, err := encodeRecords(records)
	if err != nil || len(text) == 0 {
		return err
	}
	return markdown.Append(root, recordsFile, text)
}
