package store

import (
	"database/sql"
	"encoding/hex"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// packed selects a whole row in seven columns: crossing from SQLite to Go costs
// more for each column than reading it. The first holds the numbers and the sizes
// of the texts, separated by commas, and then the texts themselves.
const packed = "concat_ws(',', m.key, pinned, access_count, retrieval_count, seq, revision, home_line, group_seq, indexed, " +
	"ifnull(importance_set, ''), ifnull(last_access, ''), ifnull(observed_at, ''), ifnull(created_at, ''), ifnull(updated_at, ''), " +
	"octet_length(id), octet_length(namespace), octet_length(uri), octet_length(uri_key), octet_length(type), octet_length(form), " +
	"octet_length(status), octet_length(trust), octet_length(supersedes), octet_length(superseded_by), octet_length(actor), " +
	"octet_length(target), octet_length(domain), octet_length(source), octet_length(session_id), octet_length(session_path), " +
	"octet_length(message_range), octet_length(home_file), octet_length(group_name), octet_length(title), octet_length(content), " +
	"octet_length(fields), octet_length(links), octet_length(content_hash)) || ',' || " +
	"id || namespace || uri || uri_key || type || form || status || trust || supersedes || superseded_by || actor || " +
	"target || domain || source || session_id || session_path || message_range || home_file || group_name || title || content || " +
	"fields || links || content_hash || checksum, " +
	"confidence, initial_importance, importance, density, stability, emotion_val"

// scanner is a result row.
type scanner interface{ Scan(dest ...any) error }

// reading reads the rows of a query that selects packed, one after the other.
type reading struct {
	row
	zone                 *time.Location
	text                 string
	kind, form           string
	status, trust        string
	fields, links        string
	digest, checksum     string
	numbers              [9]int64
	times                [5]time.Time
	dest                 []any
	strings              []*string
	scratch, digestBytes []byte
}

func (s *Store) reading() *reading {
	x := &reading{zone: s.zone}
	r := &x.row
	x.dest = []any{&x.text, &r.Confidence, &r.InitialImportance, &r.Importance, &r.Density, &r.Stability, &r.EmotionVal}
	x.strings = []*string{
		&r.ID, &r.Namespace, &r.URI, &r.uriKey, &x.kind, &x.form, &x.status, &x.trust, &r.Supersedes, &r.SupersededBy, &r.Actor,
		&r.Target, &r.Domain, &r.Source, &r.SessionID, &r.SessionPath, &r.MessageRange, &r.Home.File, &r.group, &r.Title, &r.Content,
		&x.fields, &x.links, &x.digest,
	}
	return x
}

// next reads a row and checks it: a damaged row is an error, never wrong content.
func (x *reading) next(from scanner) (row, error) {
	err := x.read(from)
	return x.row, err
}

// read is next, for who takes what he needs from x.row.
func (x *reading) read(from scanner) error {
	x.row = row{}
	if err := from.Scan(x.dest...); err != nil {
		x.row = row{}
		return fmt.Errorf("reading a memory: %w", err)
	}
	r := &x.row
	if err := x.unpack(); err != nil {
		return &DamagedError{ID: r.ID, Key: r.key}
	}
	n := x.numbers
	r.Pinned, r.AccessCount, r.RetrievalCount, r.Seq = n[1] != 0, int(n[2]), int(n[3]), int(n[4])
	r.Revision, r.Home.Line, r.groupSeq, r.indexed = n[5], int(n[6]), n[7], n[8]
	r.Type, r.Form, r.Status, r.Trust = memory.Type(x.kind), memory.Form(x.form), memory.Status(x.status), memory.Trust(x.trust)
	r.ImportanceSet, r.LastAccess = x.times[0], x.times[1]
	r.ObservedAt, r.CreatedAt, r.UpdatedAt = x.times[2], x.times[3], x.times[4]
	return x.complete()
}

// errPacked says that a row has other columns than it should have.
var errPacked = errors.New("the row is not as it was packed")

// unpack takes the first column apart.
func (x *reading) unpack() error {
	rest := x.text
	for i := range x.numbers {
		if err := cutNumber(&rest, &x.numbers[i]); err != nil {
			return err
		}
		x.key = x.numbers[0]
	}
	for i := range x.times {
		if err := cutTime(&rest, x.zone, &x.times[i]); err != nil {
			return err
		}
	}
	var sizes [24]int64
	for i := range x.strings {
		if err := cutNumber(&rest, &sizes[i]); err != nil {
			return err
		}
	}
	for i, s := range x.strings {
		if sizes[i] < 0 || sizes[i] > int64(len(rest)) {
			return errPacked
		}
		*s, rest = rest[:sizes[i]], rest[sizes[i]:]
	}
	x.checksum = rest
	return nil
}

// cutTime takes the time before the next comma off a text; nothing is none.
func cutTime(text *string, zone *time.Location, t *time.Time) error {
	at := sql.NullInt64{Valid: !strings.HasPrefix(*text, ",")}
	err := cutNumber(text, &at.Int64)
	*t = timeIn(zone, at)
	return err
}

// cutNumber takes the number before the next comma off a text; nothing is 0.
func cutNumber(text *string, n *int64) (err error) {
	digits, rest, found := strings.Cut(*text, ",")
	if !found {
		return errPacked
	}
	if *text, *n = rest, 0; digits != "" {
		*n, err = strconv.ParseInt(digits, 10, 64)
	}
	return err
}

// complete decodes the lists and compares the checksum.
func (x *reading) complete() (err error) {
	r := &x.row
	damaged := &DamagedError{ID: r.ID, Key: r.key}
	if r.Fields, err = decodeList[memory.Field](x.fields); err != nil {
		return damaged
	}
	if r.Links, err = decodeList[memory.Link](x.links); err != nil {
		return damaged
	}
	x.digestBytes = append(x.digestBytes[:0], x.digest...)
	r.ContentHash = hex.EncodeToString(x.digestBytes)
	var found []byte
	found, x.scratch = r.sum(x.scratch, x.digestBytes, x.fields, x.links)
	if verifiesRows && (string(found) != x.checksum || memory.Hash(r.Content) != r.ContentHash) {
		return damaged
	}
	return nil
}
