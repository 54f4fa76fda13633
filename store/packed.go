package store

import (
	"crypto/sha256"
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
// more for each column than reading it. The first holds the numbers and texts,
// separated by a byte that no UTF-8 has, and then the two digests.
const packed = separated + ", " + reals

const separated = "concat_ws(x'ff', " + numbers + ", " + texts + ", content_hash || checksum)"

// measured is packed for rows whose texts hold that byte after all: the first
// column begins with the numbers and the sizes of the texts. Measuring costs
// SQLite two thirds as much as all the rest.
const measured = "concat_ws(x'ff', " + numbers + ", " + sizes + ") || x'ff' || concat(" + texts + ", content_hash, checksum)"

const (
	separator = '\xff'
	numbers   = "m.key, pinned, access_count, retrieval_count, seq, revision, home_line, group_seq, indexed, " +
		"ifnull(importance_set, ''), ifnull(last_access, ''), ifnull(observed_at, ''), ifnull(created_at, ''), ifnull(updated_at, '')"
	texts = "id, namespace, uri, uri_key, type, form, status, trust, supersedes, superseded_by, actor, target, domain, source, " +
		"session_id, session_path, message_range, home_file, group_name, title, content, fields, links"
	sizes = "octet_length(id), octet_length(namespace), octet_length(uri), octet_length(uri_key), octet_length(type), octet_length(form), " +
		"octet_length(status), octet_length(trust), octet_length(supersedes), octet_length(superseded_by), octet_length(actor), " +
		"octet_length(target), octet_length(domain), octet_length(source), octet_length(session_id), octet_length(session_path), " +
		"octet_length(message_range), octet_length(home_file), octet_length(group_name), octet_length(title), octet_length(content), " +
		"octet_length(fields), octet_length(links)"
	reals = "confidence, initial_importance, importance, density, stability, emotion_val"
)

// scanner is a result row.
type scanner interface{ Scan(dest ...any) error }

// reading reads the rows of a query that selects packed, one after the other.
type reading struct {
	row
	measured             bool // the query selects measured
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

func (s *Store) reading(measured bool) *reading {
	x := &reading{zone: s.zone, measured: measured}
	r := &x.row
	x.dest = []any{&x.text, &r.Confidence, &r.InitialImportance, &r.Importance, &r.Density, &r.Stability, &r.EmotionVal}
	x.strings = []*string{
		&r.ID, &r.Namespace, &r.URI, &r.uriKey, &x.kind, &x.form, &x.status, &x.trust, &r.Supersedes, &r.SupersededBy, &r.Actor,
		&r.Target, &r.Domain, &r.Source, &r.SessionID, &r.SessionPath, &r.MessageRange, &r.Home.File, &r.group, &r.Title, &r.Content,
		&x.fields, &x.links,
	}
	return x
}

// read reads a row into x.row and checks it: a damaged row is an error, never wrong content.
func (x *reading) read(from scanner) error {
	x.row = row{}
	if err := from.Scan(x.dest...); err != nil {
		x.row = row{}
		return fmt.Errorf("reading a memory: %w", err)
	}
	r := &x.row
	if !x.measured && x.text != "" && x.text[0] == separator {
		if x.unpackBrief() != nil {
			return errUneven
		}
		return nil
	}
	if err := x.unpack(); err != nil {
		if !x.measured {
			return errUneven
		}
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

var (
	// errPacked says that a row has other columns than it should have.
	errPacked = errors.New("the row is not as it was packed")
	// errUneven says that a query has to be asked again with measured columns.
	errUneven = errors.New("a text of the row holds what separates the others")
)

// unpack takes the first column apart.
func (x *reading) unpack() error {
	rest := x.text
	for i := range x.numbers {
		if err := cutNumberAt(separator, &rest, &x.numbers[i]); err != nil {
			return err
		}
		x.key = x.numbers[0]
	}
	for i := range x.times {
		if err := cutTimeAt(separator, &rest, x.zone, &x.times[i]); err != nil {
			return err
		}
	}
	if err := x.cutTexts(&rest); err != nil {
		return err
	}
	if len(rest) != sha256.Size+sumSize {
		return errPacked // a text holds a separator more, or less: what was cut is not what it seems
	}
	x.digest, x.checksum = rest[:sha256.Size], rest[sha256.Size:]
	return nil
}

// cutTexts takes the texts off, which are separated or measured.
func (x *reading) cutTexts(rest *string) error {
	if !x.measured {
		for _, s := range x.strings {
			var found bool
			if *s, *rest, found = cutAt(separator, *rest); !found {
				return errPacked
			}
		}
		return nil
	}
	sizes := make([]int64, len(x.strings))
	for i := range sizes {
		if err := cutNumberAt(separator, rest, &sizes[i]); err != nil {
			return err
		}
	}
	for i, s := range x.strings {
		if sizes[i] < 0 || sizes[i] > int64(len(*rest)) {
			return errPacked
		}
		*s, *rest = (*rest)[:sizes[i]], (*rest)[sizes[i]:]
	}
	return nil
}

// cutTime takes the time before the next comma off a text; nothing is none.
func cutTime(text *string, zone *time.Location, t *time.Time) error {
	return cutTimeAt(',', text, zone, t)
}

func cutTimeAt(separator byte, text *string, zone *time.Location, t *time.Time) error {
	at := sql.NullInt64{Valid: *text == "" || (*text)[0] != separator}
	err := cutNumberAt(separator, text, &at.Int64)
	*t = timeIn(zone, at)
	return err
}

// cutNumber takes the number before the next comma off a text; nothing is 0.
func cutNumber(text *string, n *int64) (err error) { return cutNumberAt(',', text, n) }

// wholeDigits is how many digits make no number that is too large.
const wholeDigits = 18

func cutNumberAt(separator byte, text *string, n *int64) (err error) {
	s := *text
	*n = 0
	for i := 0; i < len(s) && i <= wholeDigits; i++ {
		switch c := s[i]; {
		case c == separator:
			*text = s[i+1:]
			return nil
		case c < '0' || c > '9':
			return cutOddNumber(separator, text, n)
		default:
			*n = *n*10 + int64(c-'0')
		}
	}
	return cutOddNumber(separator, text, n)
}

// cutOddNumber is cutNumberAt for what is not a few digits.
func cutOddNumber(separator byte, text *string, n *int64) (err error) {
	digits, rest, found := cutAt(separator, *text)
	if !found {
		return errPacked
	}
	*text = rest
	*n, err = strconv.ParseInt(digits, 10, 64)
	return err
}

func cutAt(separator byte, s string) (before, after string, found bool) {
	if i := strings.IndexByte(s, separator); i >= 0 {
		return s[:i], s[i+1:], true
	}
	return s, "", false
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
	x.scratch = hex.AppendEncode(x.scratch[:0], x.digestBytes)
	r.ContentHash = string(x.scratch)
	var found, digest []byte
	found, x.scratch = r.sum(x.scratch, x.digestBytes, x.fields, x.links)
	digest, x.scratch = memory.Digest(r.Content, x.scratch)
	if verifiesRows && (string(found) != x.checksum || string(digest) != x.digest) {
		return damaged
	}
	return nil
}
