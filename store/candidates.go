package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"sync"

	"agentmemory/internal/memory"
)

// How many candidates are kept in memory, each of which takes a few hundred
// bytes, most of them terms; and how many places in groups, each a few bytes.
const (
	keptCandidates = 3 << 12
	keptPlaces     = 1 << 17
)

// candidateCache keeps candidates that were read, and which memories stand in
// which group, both as of the last follow.
type candidateCache struct {
	mu     sync.Mutex
	kept   recent[int64, *keptCandidate]
	groups recent[groupName, []place]
	words  interned
	looks  int // grows with every follow
}

// keptCandidate is never changed once it is in the cache.
type keptCandidate struct {
	namespace string
	about     int16 // how many of its terms can be those of its labels; unknownAbout: nobody can tell
	memory.Candidate
}

const candidateColumns = "m.namespace, m.key, m.id, m.group_name, m.group_seq, m.type, m.form, m.status, m.trust, m.actor, m.cold," +
	" m.pinned, m.confidence, m.stability, m.importance, m.access_count, m.last_access, m.observed, m.created_at, x.terms," +
	" (x.fields != '') * 2 + (m.observed_at IS NOT NULL), iif(m.target = '' AND x.title = '', NULL, m.target || char(31) || x.title)"

// Candidates returns what ranking needs of the memories with these keys, in
// the order asked; keys that are gone are left out.
func (s *Store) Candidates(ctx context.Context, keys []int64) ([]memory.Candidate, error) {
	if _, err := s.look(ctx); err != nil {
		return nil, err
	}
	kept, err := s.fresh(ctx, keys)
	if err != nil {
		return nil, fmt.Errorf("reading candidates: %w", err)
	}
	return appendPresent(make([]memory.Candidate, 0, len(kept)), kept), nil
}

// appendPresent appends those candidates whose rows are there.
func appendPresent(to []memory.Candidate, kept []*keptCandidate) []memory.Candidate {
	for _, k := range kept {
		if k != nil {
			to = append(to, k.Candidate)
		}
	}
	return to
}

// intern lets candidates share what many of them have in common.
func (k *keptCandidate) intern(words *interned) {
	k.namespace, k.Group, k.Actor = words.of(k.namespace), words.of(k.Group), words.of(k.Actor)
	k.Type, k.Form = memory.Type(words.of(string(k.Type))), memory.Form(words.of(string(k.Form)))
	k.Status, k.Trust = memory.Status(words.of(string(k.Status))), memory.Trust(words.of(string(k.Trust)))
}

// put keeps what was read after the given look, in a store of so many memories.
func (c *candidateCache) put(read map[int64]*keptCandidate, look, memories int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if look != c.looks {
		return // it may be older than what the last look has dropped
	}
	c.kept.most = keptCandidates / 2
	if memories <= keptCandidates {
		c.kept.most = keptCandidates // all of them have room, none need be forgotten
	}
	for key, k := range read {
		k.intern(&c.words)
		c.kept.put(key, k, 1)
	}
}

// follow drops what is kept of rows that were written after a transaction.
func (c *candidateCache) follow(ctx context.Context, tx reader, since int64) error {
	c.mu.Lock()
	c.looks++
	empty := c.kept.empty() && c.groups.empty()
	c.mu.Unlock()
	if empty {
		return nil
	}
	rows, err := tx.QueryContext(ctx, "SELECT key, namespace, group_name FROM memories INDEXED BY memories_by_change WHERE changed > ?1"+
		" UNION ALL SELECT key, '', '' FROM removals WHERE changed > ?1 LIMIT ?2", since, followedRows+1)
	if err != nil {
		return err
	}
	defer rows.Close()
	var changed []written
	for rows.Next() {
		var w written
		if err := rows.Scan(&w.key, &w.namespace, &w.group); err != nil {
			return err
		}
		changed = append(changed, w)
	}
	c.drop(changed)
	return rows.Err()
}

// drop forgets what is kept of rows that were written.
func (c *candidateCache) drop(rows []written) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	if len(rows) > followedRows { // there may be more
		c.kept.clear()
		c.groups.clear()
	}
	for _, w := range rows {
		c.kept.drop(w.key)
		c.groups.drop(groupName{w.namespace, w.group})
	}
}

// fresh returns the candidates with these keys as of the last follow, in order;
// those of keys that are gone are nil.
func (s *Store) fresh(ctx context.Context, keys []int64) ([]*keptCandidate, error) {
	return s.freshBy(s.asking(ctx), keys)
}

func (s *Store) freshBy(ask ask, keys []int64) ([]*keptCandidate, error) {
	found := make([]*keptCandidate, len(keys))
	missing, look := s.shown.fresh(keys, found)
	if len(missing) == 0 {
		return found, nil
	}
	read, err := s.readCandidates(ask, missing)
	if err != nil {
		return nil, err
	}
	s.shown.put(read, look, int(s.terms.highestKey()))
	for i, k := range keys {
		if found[i] == nil {
			found[i] = read[k]
		}
	}
	return found, nil
}

func (c *candidateCache) fresh(keys []int64, into []*keptCandidate) (missing []int64, look int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, k := range keys {
		var ok bool
		if into[i], ok = c.kept.get(k); !ok {
			missing = append(missing, k)
		}
	}
	return missing, c.looks
}

// plain reports whether a filter asks only for what a candidate tells.
func plain(f memory.Filter) bool {
	return f.Target == "" && f.Domain == "" && f.SourceGlob == "" && f.URIPrefix == "" && f.SessionID == "" && f.File == "" && f.Since.IsZero()
}

// fits decides a plain filter, as conditionOf would.
func (k *keptCandidate) fits(f memory.Filter) bool {
	status := k.Status.Recallable()
	if len(f.Statuses) > 0 {
		status = slices.Contains(f.Statuses, k.Status)
	}
	return status && (f.Namespace == "" || k.namespace == f.Namespace) &&
		(len(f.Types) == 0 || slices.Contains(f.Types, k.Type)) && (len(f.Forms) == 0 || slices.Contains(f.Forms, k.Form)) &&
		(f.Actor == "" || k.Actor == f.Actor) &&
		(f.After.IsZero() || k.Observed.UnixMicro() >= f.After.UnixMicro()) && (f.Before.IsZero() || k.Observed.UnixMicro() < f.Before.UnixMicro()) &&
		(f.Layer != memory.LayerWarm || !k.Cold) && (f.Layer != memory.LayerCold || k.Cold || k.Status == memory.Archived)
}

func (s *Store) readCandidates(ask ask, keys []int64) (map[int64]*keptCandidate, error) {
	slices.Sort(keys) // neighbours are on one page
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	rows, err := ask("SELECT "+candidateColumns+" FROM json_each(?) k CROSS JOIN memories m ON m.key = k.value"+
		" CROSS JOIN texts x ON x.key = m.key", string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	read, known := make(map[int64]*keptCandidate, len(keys)), labels{}
	for rows.Next() {
		c, err := s.scanCandidate(rows, known)
		if err != nil {
			return nil, err
		}
		read[c.Key] = c
	}
	return read, rows.Err()
}

func (s *Store) scanCandidate(from scanner, known labels) (*keptCandidate, error) {
	c := &keptCandidate{}
	var marks int
	var named sql.NullString
	var last, observed, created sql.NullInt64
	err := from.Scan(&c.namespace, &c.Key, &c.ID, &c.Group, &c.Seq, &c.Type, &c.Form, &c.Status, &c.Trust, &c.Actor, &c.Cold, &c.Pinned,
		&c.Confidence, &c.Stability, &c.Importance, &c.Accesses, &last, &observed, &created, &c.Terms, &marks, &named)
	c.about = known.about(c.Actor, named.String, marks)
	c.LastAccess, c.Observed, c.Created = s.timeOf(last), s.timeOf(observed), s.timeOf(created)
	return c, err
}
