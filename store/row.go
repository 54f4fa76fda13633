package store

import (
	"crypto/sha256"
	"database/sql"
	"encoding/binary"
	"encoding/hex"
	"encoding/json"
	"fmt"
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

func (s *Store) timeOf(v sql.NullInt64) time.Time { return timeIn(s.zone, v) }

func timeIn(zone *time.Location, v sql.NullInt64) time.Time {
	if !v.Valid {
		return time.Time{}
	}
	return time.UnixMicro(v.Int64).In(zone)
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
	text := make([]byte, 0, 1024)
	for _, list := range values {
		for _, v := range list {
			text = appendValue(text, v)
		}
	}
	digest := sha256.Sum256(text)
	return digest[:16]
}

// appendValue renders a value so that no two different lists give the same bytes.
func appendValue(text []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(text, 0)
	case int64:
		return binary.LittleEndian.AppendUint64(append(text, 1), uint64(v)) //nolint:gosec // the bits matter, not the sign
	case float64:
		return binary.LittleEndian.AppendUint64(append(text, 2), math.Float64bits(v))
	case string:
		return append(binary.LittleEndian.AppendUint64(append(text, 3), uint64(len(v))), v...)
	case []byte:
		return append(binary.LittleEndian.AppendUint64(append(text, 4), uint64(len(v))), v...)
	}
	return text
}

// scanner is a result row.
type scanner interface{ Scan(dest ...any) error }

// reading reads the rows of a query that begins with selected, one after the other.
type reading struct {
	row
	zone                                  *time.Location
	set, last, observed, created, updated sql.NullInt64
	kind, form, status, trust             string
	digest                                []byte
	fields, links                         string
	dest                                  []any
}

func (s *Store) reading() *reading {
	x := &reading{zone: s.zone}
	r := &x.row
	x.dest = []any{
		&r.key, &r.ID, &r.Namespace, &r.URI, &r.uriKey, &x.kind, &x.form, &x.status, &x.trust,
		&r.Supersedes, &r.SupersededBy, &r.Confidence, &r.InitialImportance, &r.Importance, &x.set,
		&r.Density, &r.Pinned, &r.Stability, &r.AccessCount, &r.RetrievalCount, &x.last,
		&r.EmotionVal, &r.Actor, &r.Target, &r.Domain, &r.Source, &r.SessionID, &r.SessionPath, &r.MessageRange, &r.Seq,
		&x.observed, &x.created, &x.updated, &x.digest, &r.Revision, &r.Home.File,
		&r.Home.Line, &r.group, &r.groupSeq, &r.indexed, &r.checksum, &r.Title, &r.Content, &x.fields, &x.links,
	}
	return x
}

// next reads a row and checks it: a damaged row is an error, never wrong content.
func (x *reading) next(from scanner) (row, error) {
	x.row = row{}
	if err := from.Scan(x.dest...); err != nil {
		return row{}, fmt.Errorf("reading a memory: %w", err)
	}
	r := &x.row
	r.Type, r.Form, r.Status, r.Trust = memory.Type(x.kind), memory.Form(x.form), memory.Status(x.status), memory.Trust(x.trust)
	r.ImportanceSet, r.LastAccess = x.timeOf(x.set), x.timeOf(x.last)
	r.ObservedAt, r.CreatedAt, r.UpdatedAt = x.timeOf(x.observed), x.timeOf(x.created), x.timeOf(x.updated)
	r.ContentHash = hex.EncodeToString(x.digest)
	err := r.complete(x.fields, x.links)
	return x.row, err
}

func (x *reading) timeOf(v sql.NullInt64) time.Time { return timeIn(x.zone, v) }

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
		WithHint("move the database away (`agent-memory doctor` tells where it is) and run `agent-memory sync`: it is rebuilt from the files")
}

// cold reports whether a file belongs to the cold layer: the second brain and archives.
func cold(file string) bool {
	return strings.HasPrefix(file, "second-brain/") || strings.HasPrefix(file, "memory/archive/") ||
		strings.HasPrefix(file, "memory/life/archives/") ||
		strings.Contains(file, "/second-brain/") || strings.Contains(file, "/memory/archive/")
}
