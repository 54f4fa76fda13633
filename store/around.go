package store

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"agentmemory/internal/memory"
)

// groupName names a session or journal of a namespace.
type groupName struct{ namespace, name string }

// place is where a memory stands in its group.
type place struct {
	seq int
	key int64
}

// largeGroup is the number of memories from which a group is not kept: of its
// neighbours, only those that are asked for are read.
const largeGroup = 256

// Around returns the recallable memories that stand up to distance places
// before or after the given ones in their session or journal, each once,
// without the given ones.
func (s *Store) Around(ctx context.Context, keys []int64, distance int) ([]memory.Candidate, error) {
	if _, err := s.look(ctx); err != nil {
		return nil, err
	}
	found, err := s.around(ctx, keys, distance)
	if err != nil {
		return nil, fmt.Errorf("reading neighbours: %w", err)
	}
	return found, nil
}

func (s *Store) around(ctx context.Context, keys []int64, distance int) ([]memory.Candidate, error) {
	given, err := s.fresh(ctx, keys)
	if err != nil {
		return nil, err
	}
	given = slices.DeleteFunc(given, func(k *keptCandidate) bool { return k == nil || k.Group == "" })
	groups, err := s.groupsOf(ctx, given)
	if err != nil {
		return nil, err
	}
	beside, err := s.beside(ctx, given, groups, distance)
	if err != nil {
		return nil, err
	}
	kept, err := s.fresh(ctx, beside)
	if err != nil {
		return nil, err
	}
	for i, k := range kept {
		if k != nil && !(k.Status.Recallable() && k.near(given, distance)) {
			kept[i] = nil
		}
	}
	return appendPresent(make([]memory.Candidate, 0, len(kept)), kept), nil
}

// near tells what stands near one of the given candidates from what has left
// its group since the group was read.
func (k *keptCandidate) near(given []*keptCandidate, distance int) bool {
	return slices.ContainsFunc(given, func(g *keptCandidate) bool {
		return k.Seq >= g.Seq-distance && k.Seq <= g.Seq+distance && k.groupName() == g.groupName()
	})
}

func (k *keptCandidate) groupName() groupName { return groupName{k.namespace, k.Group} }

// groupsOf returns the groups of the candidates; a large one is nil.
func (s *Store) groupsOf(ctx context.Context, given []*keptCandidate) (map[groupName][]place, error) {
	groups := make(map[groupName][]place, len(given))
	var missing [][2]string
	s.shown.mu.Lock()
	look := s.shown.looks
	for _, k := range given {
		name := k.groupName()
		if _, seen := groups[name]; seen {
			continue
		}
		places, ok := s.shown.groups.get(name)
		if groups[name] = places; !ok {
			missing = append(missing, [2]string{name.namespace, name.name})
		}
	}
	s.shown.mu.Unlock()
	if len(missing) == 0 {
		return groups, nil
	}
	read, err := s.readGroups(ctx, missing)
	if err != nil {
		return nil, err
	}
	s.shown.putGroups(read, look)
	for name, places := range read {
		groups[name] = places
	}
	return groups, nil
}

func (c *candidateCache) putGroups(read map[groupName][]place, look int) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if look != c.looks {
		return
	}
	c.groups.most = keptPlaces / 2
	for name, places := range read {
		c.groups.put(name, places, 1+len(places))
	}
}

const groupsQuery = "SELECT k.value ->> 0, k.value ->> 1, (SELECT group_concat(group_seq || ':' || key) FROM" +
	" (SELECT group_seq, key FROM memories INDEXED BY memories_by_group WHERE namespace = k.value ->> 0 AND group_name = k.value ->> 1 LIMIT ?2 + 0))" +
	" FROM json_each(?1) k"

func (s *Store) readGroups(ctx context.Context, names [][2]string) (map[groupName][]place, error) {
	list, err := json.Marshal(names)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.Query(ctx, groupsQuery, string(list), largeGroup)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	read := make(map[groupName][]place, len(names))
	for rows.Next() {
		var name groupName
		var list sql.NullString
		if err := rows.Scan(&name.namespace, &name.name, &list); err != nil {
			return nil, err
		}
		places, err := parsePlaces(list.String)
		if err != nil {
			return nil, err
		}
		if read[name] = places; len(places) == largeGroup {
			read[name] = nil
		}
	}
	return read, rows.Err()
}

// parsePlaces reads places as groupsQuery writes them, in order.
func parsePlaces(list string) ([]place, error) {
	places := []place{}
	for part := range strings.SplitSeq(list, ",") {
		seq, key, found := strings.Cut(part, ":")
		if !found {
			continue
		}
		n, err := strconv.Atoi(seq)
		if err != nil {
			return nil, fmt.Errorf("reading a place in a group: %w", err)
		}
		k, err := strconv.ParseInt(key, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("reading a place in a group: %w", err)
		}
		places = append(places, place{n, k})
	}
	slices.SortFunc(places, func(a, b place) int { return cmp.Or(cmp.Compare(a.seq, b.seq), cmp.Compare(a.key, b.key)) })
	return places, nil
}

// beside returns the keys that stand near the given candidates, in their order.
func (s *Store) beside(ctx context.Context, given []*keptCandidate, groups map[groupName][]place, distance int) ([]int64, error) {
	large, err := s.besideInLarge(ctx, given, groups, distance)
	if err != nil {
		return nil, err
	}
	seen := make(map[int64]bool, 5*len(given))
	for _, k := range given {
		seen[k.Key] = true
	}
	var keys []int64
	add := func(places []place) {
		for _, p := range places {
			if !seen[p.key] {
				seen[p.key] = true
				keys = append(keys, p.key)
			}
		}
	}
	for _, k := range given {
		places := groups[k.groupName()]
		from, _ := slices.BinarySearchFunc(places, k.Seq-distance, func(p place, seq int) int { return cmp.Compare(p.seq, seq) })
		to, _ := slices.BinarySearchFunc(places, k.Seq+distance+1, func(p place, seq int) int { return cmp.Compare(p.seq, seq) })
		add(places[from:to])
		add(large[k.Key])
	}
	return keys, nil
}

const besideQuery = "SELECT g.key, n.group_seq, n.key FROM json_each(?1) k CROSS JOIN memories g ON g.key = k.value" +
	" CROSS JOIN memories n INDEXED BY memories_by_group ON n.namespace = g.namespace AND n.group_name = g.group_name" +
	" AND n.group_seq BETWEEN g.group_seq - ?2 AND g.group_seq + ?2"

// besideInLarge asks for those that stand near the candidates of large groups.
func (s *Store) besideInLarge(ctx context.Context, given []*keptCandidate, groups map[groupName][]place, distance int) (map[int64][]place, error) {
	var keys []int64
	for _, k := range given {
		if groups[k.groupName()] == nil {
			keys = append(keys, k.Key)
		}
	}
	if len(keys) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	rows, err := s.db.Query(ctx, besideQuery, string(list), distance)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	near := make(map[int64][]place, len(keys))
	for rows.Next() {
		var key int64
		var p place
		if err := rows.Scan(&key, &p.seq, &p.key); err != nil {
			return nil, err
		}
		near[key] = append(near[key], p)
	}
	return near, rows.Err()
}
