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

// keptCandidates is how many candidates are kept in memory; each takes a few
// hundred bytes, most of them terms.
const keptCandidates = 1 << 13

// candidateCache keeps candidates that were read. One is good as long as its
// row has the same number of its last transaction, and after follow until the
// next commit in any case.
type candidateCache struct {
	mu    sync.Mutex
	kept  map[int64]keptCandidate
	looks int // grows with every follow
}

type keptCandidate struct {
	changed   int64
	namespace string
	memory.Candidate
}

// version names one state of a row.
type version struct{ key, changed int64 }

const candidateColumns = "m.changed, m.namespace, m.key, m.id, m.group_name, m.group_seq, m.type, m.form, m.status, m.trust, m.actor, m.cold," +
	" m.pinned, m.confidence, m.stability, m.importance, m.access_count, m.last_access, m.observed, m.created_at, x.terms"

// Candidates returns what ranking needs of the memories with these keys, in
// the order asked; keys that are gone are left out.
func (s *Store) Candidates(ctx context.Context, keys []int64) ([]memory.Candidate, error) {
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, fmt.Errorf("encoding keys: %w", err)
	}
	rows, err := s.db.Query(ctx, "SELECT m.key, m.changed FROM json_each(?) k CROSS JOIN memories m ON m.key = k.value", string(list))
	if err != nil {
		return nil, fmt.Errorf("reading candidates: %w", err)
	}
	return s.candidatesOf(ctx, rows)
}

// candidatesOf turns the rows (key, changed) into candidates, in their order:
// those in the cache, and the others from the database.
func (s *Store) candidatesOf(ctx context.Context, rows *sql.Rows) ([]memory.Candidate, error) {
	versions, err := readVersions(rows)
	if err != nil {
		return nil, fmt.Errorf("reading candidates: %w", err)
	}
	found := make([]memory.Candidate, len(versions))
	look := s.shown.look()
	missing := s.shown.get(versions, found)
	if len(missing) > 0 {
		read, err := s.readCandidates(ctx, missing)
		if err != nil {
			return nil, fmt.Errorf("reading candidates: %w", err)
		}
		s.shown.put(read, look)
		for i, v := range versions {
			if found[i].Key == 0 {
				found[i] = read[v.key].Candidate
			}
		}
	}
	present := found[:0] // a row may have gone between the two reads
	for _, c := range found {
		if c.Key != 0 {
			present = append(present, c)
		}
	}
	return present, nil
}

func readVersions(rows *sql.Rows) ([]version, error) {
	defer rows.Close()
	var versions []version
	for rows.Next() {
		var v version
		if err := rows.Scan(&v.key, &v.changed); err != nil {
			return nil, err
		}
		versions = append(versions, v)
	}
	return versions, rows.Err()
}

// get fills in what is kept and returns the keys of the rest.
func (c *candidateCache) get(versions []version, into []memory.Candidate) (missing []int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, v := range versions {
		if k, ok := c.kept[v.key]; ok && k.changed == v.changed {
			into[i] = k.Candidate
		} else {
			missing = append(missing, v.key)
		}
	}
	return missing
}

// put keeps what was read after the given look.
func (c *candidateCache) put(read map[int64]keptCandidate, look int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if look != c.looks {
		return // it may be older than what the last look has dropped
	}
	if c.kept == nil || len(c.kept)+len(read) > keptCandidates {
		c.kept = make(map[int64]keptCandidate, len(read))
	}
	for key, k := range read {
		c.kept[key] = k
	}
}

// look returns the number of the last look, for put.
func (c *candidateCache) look() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.looks
}

// follow drops the candidates whose rows were written after a transaction.
func (c *candidateCache) follow(ctx context.Context, tx reader, since int64) error {
	rows, err := tx.QueryContext(ctx, "SELECT key FROM memories INDEXED BY memories_by_change WHERE changed > ?1"+
		" UNION ALL SELECT key FROM removals WHERE changed > ?1 LIMIT ?2", since, followedRows+1)
	if err != nil {
		return err
	}
	defer rows.Close()
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	for seen := 0; rows.Next(); seen++ {
		var key int64
		if err := rows.Scan(&key); err != nil {
			return err
		}
		if delete(c.kept, key); seen >= followedRows {
			c.kept = nil
		}
	}
	return rows.Err()
}

// drop forgets the candidates whose rows this process has just written.
func (c *candidateCache) drop(rows []written) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.looks++
	for _, w := range rows {
		delete(c.kept, w.key)
	}
}

// fresh returns the candidates with these keys as of the last follow, in order;
// those of keys that are gone have none.
func (s *Store) fresh(ctx context.Context, keys []scored) ([]keptCandidate, error) {
	found := make([]keptCandidate, len(keys))
	missing, look := s.shown.fresh(keys, found)
	if len(missing) == 0 {
		return found, nil
	}
	read, err := s.readCandidates(ctx, missing)
	if err != nil {
		return nil, err
	}
	s.shown.put(read, look)
	for i, k := range keys {
		if found[i].Key == 0 {
			found[i] = read[int64(k.key)]
		}
	}
	return found, nil
}

func (c *candidateCache) fresh(keys []scored, into []keptCandidate) (missing []int64, look int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	for i, k := range keys {
		var ok bool
		if into[i], ok = c.kept[int64(k.key)]; !ok {
			missing = append(missing, int64(k.key))
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

func (s *Store) readCandidates(ctx context.Context, keys []int64) (map[int64]keptCandidate, error) {
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.Query(ctx, "SELECT "+candidateColumns+" FROM json_each(?) k CROSS JOIN memories m ON m.key = k.value"+
		" CROSS JOIN texts x ON x.key = m.key", string(list))
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	read := make(map[int64]keptCandidate, len(keys))
	for rows.Next() {
		c, err := s.scanCandidate(rows)
		if err != nil {
			return nil, err
		}
		read[c.Key] = c
	}
	return read, rows.Err()
}

func (s *Store) scanCandidate(from scanner) (keptCandidate, error) {
	var c keptCandidate
	var last, observed, created sql.NullInt64
	err := from.Scan(&c.changed, &c.namespace, &c.Key, &c.ID, &c.Group, &c.Seq, &c.Type, &c.Form, &c.Status, &c.Trust, &c.Actor, &c.Cold, &c.Pinned,
		&c.Confidence, &c.Stability, &c.Importance, &c.Accesses, &last, &observed, &created, &c.Terms)
	c.LastAccess, c.Observed, c.Created = s.timeOf(last), s.timeOf(observed), s.timeOf(created)
	return c, err
}

// Around returns the recallable memories that stand up to distance places
// before or after the given ones in their session or journal, each once,
// without the given ones.
func (s *Store) Around(ctx context.Context, keys []int64, distance int) ([]memory.Candidate, error) {
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, fmt.Errorf("encoding keys: %w", err)
	}
	rows, err := s.db.Query(ctx, aroundQuery, string(list), distance)
	if err != nil {
		return nil, fmt.Errorf("reading neighbours: %w", err)
	}
	found, err := s.candidatesOf(ctx, rows)
	if err != nil {
		return nil, fmt.Errorf("reading neighbours: %w", err)
	}
	return found, nil
}

const aroundQuery = "WITH given AS MATERIALIZED (SELECT m.key, m.namespace, m.group_name, m.group_seq" +
	" FROM json_each(?1) k CROSS JOIN memories m ON m.key = k.value WHERE m.group_name != '')" +
	" SELECT DISTINCT n.key, n.changed FROM given g CROSS JOIN memories n INDEXED BY memories_by_group" +
	" ON n.namespace = g.namespace AND n.group_name = g.group_name" +
	" AND n.group_seq BETWEEN g.group_seq - ?2 AND g.group_seq + ?2 AND n.status IN ('active', 'proposed', 'missing')" +
	" WHERE n.key NOT IN (SELECT key FROM given)"
