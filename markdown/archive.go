package markdown

import (
	"encoding/json"
	"slices"
	"time"

	"agentmemory/internal/memory"
)

// ArchiveRecord is one removed memory in memory/archive/YYYY-MM-DD.jsonl, with
// all that is needed to restore it.
type ArchiveRecord struct {
	At     time.Time // of the removal
	Reason string
	Line   string // its lines as they stood, "" if it had none
	Memory memory.Memory
}

// archived is the JSON form of an ArchiveRecord.
type archived struct {
	At     time.Time `json:"archived_at"`
	Reason string    `json:"reason"`
	Line   string    `json:"line,omitempty"`

	ID            string         `json:"id"`
	URI           string         `json:"uri,omitempty"`
	Namespace     string         `json:"namespace,omitempty"`
	Type          memory.Type    `json:"type"`
	Form          memory.Form    `json:"form,omitempty"`
	Title         string         `json:"title,omitempty"`
	Content       string         `json:"content"`
	Fields        []memory.Field `json:"fields,omitempty"`
	Status        memory.Status  `json:"status"`
	Supersedes    string         `json:"supersedes,omitempty"`
	SupersededBy  string         `json:"superseded_by,omitempty"`
	Links         []memory.Link  `json:"links,omitempty"`
	Confidence    float64        `json:"confidence,omitempty"`
	InitialWeight float64        `json:"initial_importance,omitempty"`
	Importance    float64        `json:"importance,omitempty"`
	ImportanceSet time.Time      `json:"importance_set,omitzero"`
	Density       float64        `json:"density,omitempty"`
	Pinned        bool           `json:"pinned,omitempty"`
	Stability     float64        `json:"stability,omitempty"`
	Accesses      int            `json:"access_count,omitempty"`
	Retrievals    int            `json:"retrieval_count,omitempty"`
	LastAccess    time.Time      `json:"last_access,omitzero"`
	Emotion       float64        `json:"emotion_val,omitempty"`
	Actor         string         `json:"actor,omitempty"`
	Target        string         `json:"target,omitempty"`
	Domain        string         `json:"domain,omitempty"`
	Source        string         `json:"source,omitempty"`
	SessionID     string         `json:"session_id,omitempty"`
	SessionPath   string         `json:"session_path,omitempty"`
	MessageRange  string         `json:"message_range,omitempty"`
	Seq           int            `json:"seq,omitempty"`
	Trust         memory.Trust   `json:"trust,omitempty"`
	ObservedAt    time.Time      `json:"observed_at,omitzero"`
	CreatedAt     time.Time      `json:"created_at,omitzero"`
	UpdatedAt     time.Time      `json:"updated_at,omitzero"`
	Hash          string         `json:"content_hash,omitempty"`
	Revision      int64          `json:"revision,omitempty"`
	Home          memory.Place   `json:"home,omitzero"`
}

// EncodeArchive returns a record as one line of JSON, with its line feed.
func EncodeArchive(r ArchiveRecord) ([]byte, error) {
	m := r.Memory
	line, err := json.Marshal(archived{
		At: r.At, Reason: r.Reason, Line: r.Line,
		ID: m.ID, URI: m.URI, Namespace: m.Namespace, Type: m.Type, Form: m.Form, Title: m.Title, Content: m.Content,
		Fields: m.Fields, Status: m.Status, Supersedes: m.Supersedes, SupersededBy: m.SupersededBy, Links: m.Links,
		Confidence: m.Confidence, InitialWeight: m.InitialImportance, Importance: m.Importance, ImportanceSet: m.ImportanceSet,
		Density: m.Density, Pinned: m.Pinned, Stability: m.Stability, Accesses: m.AccessCount, Retrievals: m.RetrievalCount,
		LastAccess: m.LastAccess, Emotion: m.EmotionVal, Actor: m.Actor, Target: m.Target, Domain: m.Domain, Source: m.Source,
		SessionID: m.SessionID, SessionPath: m.SessionPath, MessageRange: m.MessageRange, Seq: m.Seq, Trust: m.Trust,
		ObservedAt: m.ObservedAt, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt, Hash: m.ContentHash, Revision: m.Revision, Home: m.Home,
	})
	if err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "encoding memory %s for the archive: %w", m.ID, err)
	}
	return append(line, '\n'), nil
}

// DecodeArchive reads one line of an archive file.
func DecodeArchive(line []byte) (ArchiveRecord, error) {
	var a archived
	if err := json.Unmarshal(line, &a); err != nil {
		return ArchiveRecord{}, memory.Errorf(memory.InvalidArgument, "archive line: %w", err)
	}
	return ArchiveRecord{At: a.At, Reason: a.Reason, Line: a.Line, Memory: memory.Memory{
		ID: a.ID, URI: a.URI, Namespace: a.Namespace, Type: a.Type, Form: a.Form, Title: a.Title, Content: a.Content,
		Fields: a.Fields, Status: a.Status, Supersedes: a.Supersedes, SupersededBy: a.SupersededBy, Links: a.Links,
		Confidence: a.Confidence, InitialImportance: a.InitialWeight, Importance: a.Importance, ImportanceSet: a.ImportanceSet,
		Density: a.Density, Pinned: a.Pinned, Stability: a.Stability, AccessCount: a.Accesses, RetrievalCount: a.Retrievals,
		LastAccess: a.LastAccess, EmotionVal: a.Emotion, Actor: a.Actor, Target: a.Target, Domain: a.Domain, Source: a.Source,
		SessionID: a.SessionID, SessionPath: a.SessionPath, MessageRange: a.MessageRange, Seq: a.Seq, Trust: a.Trust,
		ObservedAt: a.ObservedAt, CreatedAt: a.CreatedAt, UpdatedAt: a.UpdatedAt, ContentHash: a.Hash, Revision: a.Revision, Home: a.Home,
	}}, nil
}

// ParseArchive reads an archive file. Lines that cannot be read are counted and
// left out: the tail of a file may be torn by a crash.
func ParseArchive(src []byte) (records []ArchiveRecord, unreadable int) {
	for _, raw := range splitLines(string(src)) {
		if isBlank(raw) {
			continue
		}
		r, err := DecodeArchive([]byte(raw))
		if err != nil {
			unreadable++
			continue
		}
		records = append(records, r)
	}
	return records, unreadable
}

// WithoutArchived returns an archive file without the records of these ids, for
// undo and purge, and how many there were. Unreadable lines stay.
func WithoutArchived(src []byte, ids ...string) (text []byte, removed int) {
	for _, raw := range splitLines(string(src)) {
		r, err := DecodeArchive([]byte(raw))
		if err == nil && slices.Contains(ids, r.Memory.ID) {
			removed++
			continue
		}
		text = append(text, raw...)
	}
	return text, removed
}
