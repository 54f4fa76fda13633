package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash"
	"math"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// The columns in the order of bind and scan. Those of checked are covered by
// the row's checksum; the line of the home is not, for it moves with every
// edit of the file.
const (
	checked = "id, namespace, uri, uri_key, type, form, status, trust, supersedes, superseded_by, confidence, " +
		"initial_importance, importance, importance_set, density, pinned, stability, access_count, retrieval_count, " +
		"last_access, emotion_val, actor, target, domain, source, session_id, session_path, message_range, seq, " +
		"observed_at, created_at, updated_at, content_hash, revision, home_file"
	derived  = "home_line, observed, group_name, group_seq, cold, length, changed, indexed, checksum"
	textual  = "title, content, fields, links"
	selected = "SELECT m.key, " + checked + ", home_line, group_name, group_seq, indexed, checksum, " + textual +
		" FROM memories m JOIN texts x ON x.key = m.key "
)

// row is a memory as it stands in the store.
type row struct {
	memory.Memory
	key      int64
	uriKey   string
	group    string
	groupSeq int64
	indexed  int64
	checksum []byte
}

// micros renders a time for the database; the zero time is NULL.
func micros(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixMicro()
}

func (s *Store) timeOf(v sql.NullInt64) time.Time {
	if !v.Valid {
		return time.Time{}
	}
	return time.UnixMicro(v.Int64).In(s.zone)
}

// normalise gives times the precision and the zone in which they are read back.
func (s *Store) normalise(m *memory.Memory) {
	for _, t := range []*time.Time{&m.ImportanceSet, &m.LastAccess, &m.ObservedAt, &m.CreatedAt, &m.UpdatedAt} {
		if !t.IsZero() {
			*t = time.UnixMicro(t.UnixMicro()).In(s.zone)
		}
	}
	m.ContentHash = memory.Hash(m.Content)
}

// checkedValues are the values of the checked columns.
func (r *row) checkedValues() ([]any, error) {
	digest, err := hex.DecodeString(r.ContentHash)
	if err != nil {
		return nil, fmt.Errorf("decoding the hash of memory %s: %w", r.ID, err)
	}
	return []any{
		r.ID, r.Namespace, r.URI, r.uriKey, string(r.Type), string(r.Form), string(r.Status), string(r.Trust),
		r.Supersedes, r.SupersededBy, r.Confidence, r.InitialImportance, r.Importance, micros(r.ImportanceSet),
		r.Density, flag(r.Pinned), r.Stability, int64(r.AccessCount), int64(r.RetrievalCount), micros(r.LastAccess),
		r.EmotionVal, r.Actor, r.Target, r.Domain, r.Source, r.SessionID, r.SessionPath, r.MessageRange, int64(r.Seq),
		micros(r.ObservedAt), micros(r.CreatedAt), micros(r.UpdatedAt), digest, r.Revision, r.Home.File,
	}, nil
}

// textValues are the values of the textual columns.
func (r *row) textValues() ([]any, error) {
	fields, err := encodeList(r.Fields)
	if err != nil {
		return nil, fmt.Errorf("encoding the fields of memory %s: %w", r.ID, err)
	}
	links, err := encodeList(r.Links)
	if err != nil {
		return nil, fmt.Errorf("encoding the links of memory %s: %w", r.ID, err)
	}
	return []any{r.Title, r.Content, fields, links}, nil
}

func encodeList[T any](list []T) (string, error) {
	if len(list) == 0 {
		return "", nil
	}
	raw, err := json.Marshal(list)
	return string(raw), err
}

func decodeList[T any](raw string) (list []T, err error) {
	if raw == "" {
		return nil, nil
	}
	err = json.Unmarshal([]byte(raw), &list)
	return list, err
}

func flag(b bool) int64 {
	if b {
		return 1
	}
	return 0
}

// sum returns the checksum over the values of a row: SHA-256, cut to 16 bytes.
func sum(values ...[]any) []byte {
	h := sha256.New()
	for _, list := range values {
		for _, v := range list {
			writeValue(h, v)
		}
	}
	return h.Sum(nil)[:16]
}

// writeValue hashes a value so that no two different lists hash the same bytes.
func writeValue(h hash.Hash, v any) {
	var b [9]byte
	switch v := v.(type) {
	case nil:
		h.Write(b[:1])
	case int64:
		b[0] = 1
		binary.LittleEndian.PutUint64(b[1:], uint64(v)) //nolint:gosec // the bits matter, not the sign
		h.Write(b[:])
	case float64:
		b[0] = 2
		binary.LittleEndian.PutUint64(b[1:], math.Float64bits(v))
		h.Write(b[:])
	case string:
		b[0] = 3
		binary.LittleEndian.PutUint64(b[1:], uint64(len(v)))
		h.Write(b[:])
		h.Write([]byte(v))
	case []byte:
		b[0] = 4
		binary.LittleEndian.PutUint64(b[1:], uint64(len(v)))
		h.Write(b[:])
		h.Write(v)
	}
}

// scanner is a result row.
type scanner interface{ Scan(dest ...any) error }

// scan reads a row of a query that begins with selected, and checks it: a
// damaged row is an error, never wrong content.
func (s *Store) scan(from scanner) (row, error) {
	var (
		r                                     row
		set, last, observed, created, updated sql.NullInt64
		kind, form, status, trust             string
		digest, checksum                      []byte
		fields, links                         string
	)
	err := from.Scan(&r.key, &r.ID, &r.Namespace, &r.URI, &r.uriKey, &kind, &form, &status, &trust,
		&r.Supersedes, &r.SupersededBy, &r.Confidence, &r.InitialImportance, &r.Importance, &set,
		&r.Density, &r.Pinned, &r.Stability, &r.AccessCount, &r.RetrievalCount, &last,
		&r.EmotionVal, &r.Actor, &r.Target, &r.Domain, &r.Source, &r.SessionID, &r.SessionPath, &r.MessageRange, &r.Seq,
		&observed, &created, &updated, &digest, &r.Revision, &r.Home.File,
		&r.Home.Line, &r.group, &r.groupSeq, &r.indexed, &checksum, &r.Title, &r.Content, &fields, &links)
	if err != nil {
		return r, fmt.Errorf("reading a memory: %w", err)
	}
	r.Type, r.Form, r.Status, r.Trust = memory.Type(kind), memory.Form(form), memory.Status(status), memory.Trust(trust)
	r.ImportanceSet, r.LastAccess = s.timeOf(set), s.timeOf(last)
	r.ObservedAt, r.CreatedAt, r.UpdatedAt = s.timeOf(observed), s.timeOf(created), s.timeOf(updated)
	r.ContentHash, r.checksum = hex.EncodeToString(digest), checksum
	return r, r.complete(fields, links)
}

// complete decodes the lists and compares the checksum.
func (r *row) complete(fields, links string) (err error) {
	if r.Fields, err = decodeList[memory.Field](fields); err != nil {
		return &DamagedError{ID: r.ID, Key: r.key}
	}
	if r.Links, err = decodeList[memory.Link](links); err != nil {
		return &DamagedError{ID: r.ID, Key: r.key}
	}
	values, err := r.checkedValues()
	if err != nil {
		return err
	}
	found := sum(values, []any{r.Title, r.Content, fields, links})
	if verifiesRows && (string(found) != string(r.checksum) || memory.Hash(r.Content) != r.ContentHash) {
		return &DamagedError{ID: r.ID, Key: r.key}
	}
	return nil
}

// DamagedError says that the bytes of a row are not those that were written.
type DamagedError struct {
	ID  string
	Key int64
}

func (e *DamagedError) Error() string {
	return fmt.Sprintf("memory %s is damaged in the database", e.ID)
}

// Unwrap makes it an Internal error with advice for the caller.
func (e *DamagedError) Unwrap() error {
	return memory.Errorf(memory.Internal, "memory %s is damaged in the database", e.ID).
		WithHint("delete the database file and run `sync`: it is rebuilt from the files")
}

// cold reports whether a file belongs to the cold layer: the second brain and archives.
func cold(file string) bool {
	return strings.HasPrefix(file, "second-brain/") || strings.HasPrefix(file, "memory/archive/") ||
		strings.HasPrefix(file, "memory/life/archives/") ||
		strings.Contains(file, "/second-brain/") || strings.Contains(file, "/memory/archive/")
}
