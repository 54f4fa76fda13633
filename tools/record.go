package tools

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"agentmemory/internal/memory"
)

// Record is one memory as a line of JSON: everything that a store holds of it,
// so that an export can be imported without loss. Lines made elsewhere need
// only content; id, actor, session_id, seq and observed_at are understood. What
// other programs read of an export stands in every line, empty where unknown.
type Record struct {
	ID                Label          `json:"id"`
	URI               string         `json:"uri"`
	Content           string         `json:"content"`
	Type              string         `json:"type"`
	Status            string         `json:"status"`
	CreatedAt         string         `json:"created_at"`
	ObservedAt        string         `json:"observed_at"`
	Source            string         `json:"source"`
	Trust             string         `json:"trust"`
	SessionID         Label          `json:"session_id"`
	Namespace         string         `json:"namespace,omitempty"`
	Form              string         `json:"form,omitempty"`
	Title             string         `json:"title,omitempty"`
	Fields            []memory.Field `json:"fields,omitempty"`
	Supersedes        string         `json:"supersedes,omitempty"`
	SupersededBy      string         `json:"superseded_by,omitempty"`
	Links             []memory.Link  `json:"links,omitempty"`
	Confidence        *float64       `json:"confidence,omitempty"`
	InitialImportance *float64       `json:"initial_importance,omitempty"`
	Importance        *float64       `json:"importance,omitempty"`
	ImportanceSet     string         `json:"importance_set,omitempty"`
	Density           *float64       `json:"density,omitempty"`
	Pinned            bool           `json:"pinned,omitempty"`
	Stability         float64        `json:"stability,omitempty"`
	AccessCount       int            `json:"access_count,omitempty"`
	RetrievalCount    int            `json:"retrieval_count,omitempty"`
	LastAccess        string         `json:"last_access,omitempty"`
	EmotionVal        float64        `json:"emotion_val,omitempty"`
	Actor             string         `json:"actor,omitempty"`
	Target            string         `json:"target,omitempty"`
	Domain            string         `json:"domain,omitempty"`
	SessionPath       string         `json:"session_path,omitempty"`
	MessageRange      string         `json:"message_range,omitempty"`
	Seq               int            `json:"seq,omitempty"`
	UpdatedAt         string         `json:"updated_at,omitempty"`
	Path              string         `json:"path,omitempty"`
	Line              int            `json:"line,omitempty"`
	ContentHash       string         `json:"content_hash,omitempty"`
	History           []Version      `json:"history,omitempty"` // oldest first; of an export of everything
	Store             string         `json:"store,omitempty"`   // of evaluation data

	// Names that the index of seed 002 uses for the same things.
	CurrentImportance *float64 `json:"current_importance,omitempty"`
	State             string   `json:"state,omitempty"` // Golden, Silver, Bronze, Dust: of what means something for good
	CreationDate      string   `json:"creation_date,omitempty"`
}

// Version is a memory as it was before one of its changes.
type Version struct {
	Content   string `json:"content"`
	Status    string `json:"status,omitempty"`
	Change    string `json:"change,omitempty"` // what ended it: update, status, move …
	Reason    string `json:"reason,omitempty"`
	ChangedAt string `json:"changed_at"` // when it ended
}

// Label is a short name that some programs write as a number.
type Label string

// UnmarshalJSON reads a string or a number.
func (l *Label) UnmarshalJSON(raw []byte) error {
	var text string
	if json.Unmarshal(raw, &text) == nil {
		*l = Label(text)
		return nil
	}
	var number json.Number
	if err := json.Unmarshal(raw, &number); err != nil {
		return memory.Errorf(memory.InvalidArgument, "%s is neither text nor a number", quoteShort(string(raw)))
	}
	*l = Label(number)
	return nil
}

// RecordOf returns the line of a memory.
func RecordOf(m memory.Memory) Record {
	return Record{
		ID: Label(m.ID), URI: m.URI, Content: m.Content, Type: string(m.Type), Status: string(m.Status),
		CreatedAt: exact(m.CreatedAt), ObservedAt: exact(m.ObservedAt), Source: m.Source, Trust: string(m.Trust), SessionID: Label(m.SessionID),
		Namespace: m.Namespace, Form: string(m.Form), Title: m.Title, Fields: m.Fields,
		Supersedes: m.Supersedes, SupersededBy: m.SupersededBy, Links: m.Links,
		Confidence: &m.Confidence, InitialImportance: &m.InitialImportance, Importance: &m.Importance,
		ImportanceSet: exact(m.ImportanceSet), Density: &m.Density, Pinned: m.Pinned, Stability: m.Stability,
		AccessCount: m.AccessCount, RetrievalCount: m.RetrievalCount, LastAccess: exact(m.LastAccess), EmotionVal: m.EmotionVal,
		Actor: m.Actor, Target: m.Target, Domain: m.Domain, SessionPath: m.SessionPath, MessageRange: m.MessageRange, Seq: m.Seq,
		UpdatedAt: exact(m.UpdatedAt), Path: m.Home.File, Line: m.Home.Line, ContentHash: m.ContentHash,
	}
}

// exact keeps fractions of a second, which a view for people leaves out.
func exact(t time.Time) string {
	if t.IsZero() {
		return ""
	}
	return t.Format(time.RFC3339Nano)
}

// ParseRecord reads one line. Times without a zone are in zone. Unknown names
// are ignored: other programs add their own.
func ParseRecord(line []byte, zone *time.Location) (memory.Imported, error) {
	var r Record
	if err := json.Unmarshal(line, &r); err != nil {
		return memory.Imported{}, memory.Errorf(memory.InvalidArgument, "not a JSON object with content: %w", JSONProblem(line, err))
	}
	return r.imported(zone)
}

func (r Record) imported(zone *time.Location) (memory.Imported, error) {
	m := memory.Memory{
		ID: string(r.ID), URI: r.URI, Content: r.Content, Type: memory.Type(r.Type), Status: memory.Status(r.Status),
		Source: r.Source, Trust: memory.Trust(r.Trust), SessionID: string(r.SessionID), Form: memory.Form(r.Form), Title: r.Title,
		Fields: r.Fields, Supersedes: r.Supersedes, SupersededBy: r.SupersededBy, Links: r.Links,
		Confidence: given(r.Confidence, 0.8), InitialImportance: given(r.InitialImportance, 0.5), Density: given(r.Density, 0.5),
		Pinned: r.Pinned, Stability: max(r.Stability, 0), AccessCount: max(r.AccessCount, 0), RetrievalCount: max(r.RetrievalCount, 0),
		EmotionVal: r.EmotionVal, Actor: r.Actor, Target: r.Target, Domain: r.Domain,
		SessionPath: r.SessionPath, MessageRange: r.MessageRange, Seq: r.Seq,
	}
	m.Importance = given(r.Importance, given(r.CurrentImportance, m.InitialImportance))
	if r.CreatedAt == "" {
		r.CreatedAt = r.CreationDate
	}
	if r.State != "" && m.Type == "" && r.URI == "" {
		m.Type = memory.Knowledge
	}
	imported := memory.Imported{Memory: m, Store: r.Store, Current: r.CurrentImportance != nil, Exact: r.ContentHash != ""}
	return imported, r.finish(&imported, zone)
}

func (r Record) finish(imported *memory.Imported, zone *time.Location) error {
	m := &imported.Memory
	for _, t := range []struct {
		name, text string
		target     *time.Time
	}{
		{"created_at", r.CreatedAt, &m.CreatedAt}, {"observed_at", r.ObservedAt, &m.ObservedAt},
		{"updated_at", r.UpdatedAt, &m.UpdatedAt}, {"last_access", r.LastAccess, &m.LastAccess},
		{"importance_set", r.ImportanceSet, &m.ImportanceSet},
	} {
		at, err := parseTime(t.name, t.text, zone)
		if err != nil {
			return err
		}
		*t.target = at
	}
	for _, v := range r.History {
		earlier, err := v.revision(zone)
		if err != nil {
			return err
		}
		imported.History = append(imported.History, earlier)
	}
	if m.Trust == "" {
		m.Trust = memory.TrustAgent
	}
	if m.Status == "" {
		m.Status = memory.Active
	}
	return checkRecord(*m)
}

func (v Version) revision(zone *time.Location) (memory.Revision, error) {
	at, err := parseTime("history.changed_at", v.ChangedAt, zone)
	if err != nil {
		return memory.Revision{}, err
	}
	h := memory.Revision{Op: memory.Op(v.Change), Content: v.Content, Status: memory.Status(v.Status), Reason: v.Reason, At: at}
	if h.Op == "" {
		h.Op = memory.OpUpdate
	}
	if h.Status == "" {
		h.Status = memory.Active
	}
	switch {
	case !slices.Contains(memory.Statuses(), h.Status):
		return h, memory.Errorf(memory.InvalidArgument, "status of a version in history cannot be %s", quoteShort(v.Status))
	case !slices.Contains(memory.Ops(), h.Op):
		return h, memory.Errorf(memory.InvalidArgument, "change of a version in history cannot be %s", quoteShort(v.Change))
	}
	return h, nil
}

// checkRecord refuses what no store could have written: a guess at its meaning
// would stay unnoticed.
func checkRecord(m memory.Memory) error {
	wrong := func(name, value string) error {
		return memory.Errorf(memory.InvalidArgument, "%s cannot be %s", name, quoteShort(value))
	}
	switch {
	case m.Type != "" && !slices.Contains(memory.Types(), m.Type):
		return wrong("type", string(m.Type))
	case m.Form != "" && !slices.Contains(memory.Forms(), m.Form):
		return wrong("form", string(m.Form))
	case !slices.Contains(memory.Statuses(), m.Status):
		return wrong("status", string(m.Status))
	case m.Trust != memory.TrustUser && m.Trust != memory.TrustAgent && m.Trust != memory.TrustExternal:
		return wrong("trust", string(m.Trust))
	case m.Confidence < 0 || m.Confidence > 1 || m.InitialImportance < 0 || m.Importance < 0 || m.Importance > 2 || m.EmotionVal < -1 || m.EmotionVal > 1:
		return memory.Errorf(memory.InvalidArgument, "confidence, importance or emotion_val is out of bounds")
	}
	return nil
}

func given(v *float64, otherwise float64) float64 {
	if v == nil {
		return otherwise
	}
	return *v
}

// MarshalLine returns the record as one line of JSON, without a line end.
func (r Record) MarshalLine() ([]byte, error) {
	raw, err := json.Marshal(r)
	if err != nil {
		return nil, fmt.Errorf("encoding memory %s: %w", r.ID, err)
	}
	return raw, nil
}
