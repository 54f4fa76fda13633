package store

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

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
	labels labels
	misses int // reads of what was not kept
}

// keptCandidate is never changed once it is in the cache.
type keptCandidate struct {
	namespace string
	about     int16 // how many of its terms can be those of its labels; unknownAbout: nobody can tell
	memory.Candidate
}

// candidateColumns are four, as packed is few: the numbers and the sizes of the
// texts, separated by commas, and then the texts.
const candidateColumns = "concat_ws(',', m.key, m.group_seq, " + coldRow + ", m.pinned, m.access_count, (x.fields != '') * 2 + (m.observed_at IS NOT NULL), " +
	"ifnull(m.last_access, ''), ifnull(m.observed, ''), ifnull(m.created_at, ''), " +
	"octet_length(m.namespace), octet_length(m.group_name), octet_length(m.type), octet_length(m.form), octet_length(m.status), " +
	"octet_length(m.trust), octet_length(m.actor), octet_length(m.target), octet_length(x.title), octet_length(m.id)) || ',' || " +
	"m.namespace || m.group_name || m.type || m.form || m.status || m.trust || m.actor || m.target || x.title || m.id || x.terms, " +
	"m.confidence, m.stability, m.importance"

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

// put keeps what was read after the given look, in a store of so many memories,
// and reports whether it was read since the last one.
func (c *candidateCache) put(read map[int64]*keptCandidate, look, memories int) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	if look != c.looks {
		return false // it may be older than what the last look has dropped
	}
	c.kept.most = keptCandidates / 2
	if memories <= keptCandidates {
		c.kept.most = keptCandidates // all of them have room, none need be forgotten
	}
	for key, k := range read {
		k.intern(&c.words)
		c.kept.put(key, k, 1)
	}
	return true
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

// clear forgets everything.
func (c *candidateCache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	c.kept.clear()
	c.groups.clear()
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
	highest := s.terms.highestKey()
	s.shown.put(read, look, int(highest))
	if s.shown.readsAhead(int(highest)) {
		s.tasks.Go(func() { _ = s.readAhead(s.alive, int64(highest)) }) // what could not be read is read when it is needed
	}
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
	return f.Target == "" && f.Domain == "" && f.SourceGlob == "" && f.URIPrefix == "" && f.SessionID == "" && f.File == "" && len(f.Holding) == 0 && f.Since.IsZero()
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
	return s.scanCandidates(rows, len(keys))
}

func (s *Store) scanCandidates(rows *sql.Rows, size int) (map[int64]*keptCandidate, error) {
	defer rows.Close()
	read := make(map[int64]*keptCandidate, size)
	for rows.Next() {
		c, err := s.scanCandidate(rows)
		if err != nil {
			return nil, err
		}
		read[c.Key] = c
	}
	return read, rows.Err()
}

func (s *Store) scanCandidate(from scanner) (*keptCandidate, error) {
	c := &keptCandidate{}
	var rest string
	if err := from.Scan(&rest, &c.Confidence, &c.Stability, &c.Importance); err != nil {
		return nil, err
	}
	var numbers [6]int64
	for i := range numbers {
		if err := cutNumber(&rest, &numbers[i]); err != nil {
			return nil, err
		}
	}
	c.Key, c.Seq, c.Cold, c.Pinned, c.Accesses = numbers[0], int(numbers[1]), numbers[2] != 0, numbers[3] != 0, int(numbers[4])
	for _, at := range []*time.Time{&c.LastAccess, &c.Observed, &c.Created} {
		if err := cutTime(&rest, s.zone, at); err != nil {
			return nil, err
		}
	}
	target, title, err := c.cutTexts(rest)
	c.about = s.shown.labels.about(c.Actor, target, title, int(numbers[5]))
	return c, err
}

// cutTexts takes the sizes of the texts off, and parts them. Only the last two
// are not shared with other candidates.
func (k *keptCandidate) cutTexts(rest string) (target, title string, err error) {
	shared := [...]*string{&k.namespace, &k.Group, (*string)(&k.Type), (*string)(&k.Form), (*string)(&k.Status), (*string)(&k.Trust), &k.Actor,
		&target, &title, &k.ID}
	var sizes [len(shared)]int64
	for i := range sizes {
		if err := cutNumber(&rest, &sizes[i]); err != nil {
			return "", "", err
		}
	}
	for i, s := range shared {
		if sizes[i] < 0 || sizes[i] > int64(len(rest)) {
			return "", "", errPacked
		}
		if s == &k.ID {
			rest = strings.Clone(rest)
		}
		*s, rest = rest[:sizes[i]], rest[sizes[i]:]
	}
	k.Terms = rest
	return target, title, nil
}
