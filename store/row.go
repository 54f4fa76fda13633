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
	selected = "SELECT " + packed + " FROM memories m JOIN texts x ON x.key = m.key "
)

// row is a memory as it stands in the store.
type row struct {
	memory.Memory
	key      int64
	uriKey   string
	group    string
	groupSeq int64
	indexed  int64
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

// sumSize is the size of a checksum.
const sumSize = 16

// sum returns the checksum over the checked columns and the texts: SHA-256, cut
// to 16 bytes. No two different rows give the same bytes. scratch is reused.
func (r *row) sum(scratch, digest []byte, fields, links string) (sum, used []byte) {
	t := sealed(scratch[:0])
	t = t.text(r.ID, r.Namespace, r.URI, r.uriKey, string(r.Type), string(r.Form), string(r.Status), string(r.Trust), r.Supersedes, r.SupersededBy)
	t = t.real(r.Confidence, r.InitialImportance, r.Importance).moment(r.ImportanceSet).real(r.Density).whole(flag(r.Pinned)).real(r.Stability)
	t = t.whole(int64(r.AccessCount), int64(r.RetrievalCount)).moment(r.LastAccess).real(r.EmotionVal)
	t = t.text(r.Actor, r.Target, r.Domain, r.Source, r.SessionID, r.SessionPath, r.MessageRange).whole(int64(r.Seq))
	t = t.moment(r.ObservedAt, r.CreatedAt, r.UpdatedAt).bytes(digest).whole(r.Revision).text(r.Home.File)
	t = t.text(r.Title, r.Content, fields, links)
	whole := sha256.Sum256(t)
	return whole[:sumSize], t
}

// sealed is what a checksum is taken of: each value with its kind and size.
type sealed []byte

func (t sealed) moment(list ...time.Time) sealed {
	for _, v := range list {
		if v.IsZero() {
			t = append(t, 0)
			continue
		}
		t = t.whole(v.UnixMicro())
	}
	return t
}

func (t sealed) whole(list ...int64) sealed {
	for _, v := range list {
		t = binary.LittleEndian.AppendUint64(append(t, 1), uint64(v)) //nolint:gosec // the bits matter, not the sign
	}
	return t
}

func (t sealed) real(list ...float64) sealed {
	for _, v := range list {
		t = binary.LittleEndian.AppendUint64(append(t, 2), math.Float64bits(v))
	}
	return t
}

func (t sealed) text(list ...string) sealed {
	for _, v := range list {
		t = append(binary.LittleEndian.AppendUint64(append(t, 3), uint64(len(v))), v...)
	}
	return t
}

func (t sealed) bytes(v []byte) sealed {
	return append(binary.LittleEndian.AppendUint64(append(t, 4), uint64(len(v))), v...)
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
		WithHint("end agent-memory and start it again: it puts the damaged database aside, and makes it again from the files")
}

// cold reports whether a file belongs to the cold layer: the second brain and archives.
// What is remembered in a journal stays warm when the journal is archived: only
// its prose becomes cold.
func cold(file string) bool {
	return strings.HasPrefix(file, "second-brain/") || strings.HasPrefix(file, "memory/archive/") ||
		strings.HasPrefix(file, "memory/life/archives/") ||
		strings.Contains(file, "/second-brain/") || strings.Contains(file, "/memory/archive/")
}

// coldRow and coldIn tell of a memory m whether it is in the cold layer; rows of
// earlier versions have the same column.
const coldRow = "(m.cold AND NOT (m.form <> 'passage' AND m.home_file GLOB '*memory/archive/[0-9][0-9][0-9][0-9]/*'))"

func coldIn(file string, form memory.Form) bool {
	return cold(file) && (form == memory.Passage || !inYearOfArchive(file))
}

// inYearOfArchive reports whether a file is in memory/archive/YYYY, where journals go.
func inYearOfArchive(file string) bool {
	_, rest, found := strings.Cut(file, "memory/archive/")
	year, _, folder := strings.Cut(rest, "/")
	return found && folder && len(year) == 4 && strings.Trim(year, "0123456789") == ""
}
