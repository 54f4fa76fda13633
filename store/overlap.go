package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
	"agentmemory/internal/text"
)

// Overlapping returns the oldest recallable memory that holds a text, and those
// that share most terms with it, the most first. The rarest terms of the text
// say where to look; of what they find only the terms are read, and whole
// memories only where these agree.
func (s *Store) Overlapping(ctx context.Context, o memory.Overlap) (found []memory.Memory, err error) {
	err = s.db.Current(ctx, func(r *sqlite.Reads) error {
		keys, err := s.overlapping(ctx, r, o)
		if err != nil || len(keys) == 0 {
			return err
		}
		found, err = s.loadBy(r.Query, keys)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("looking for texts that overlap: %w", err)
	}
	return found, nil
}

const askSame = "SELECT coalesce((SELECT value FROM sums WHERE namespace = '' AND name = 'transactions'), 0)," +
	" coalesce((SELECT min(key) FROM memories WHERE namespace = ? AND content_hash = ? AND form != 'passage'" +
	" AND status IN ('active', 'proposed', 'missing')), 0)"

func (s *Store) overlapping(ctx context.Context, r *sqlite.Reads, o memory.Overlap) ([]int64, error) {
	var changed, same int64
	if _, err := r.Row(askSame, []any{o.Namespace, digestOf(o.Hash)}, &changed, &same); err != nil {
		return nil, fmt.Errorf("looking for the same text: %w", err)
	}
	var keys []int64
	if same != 0 {
		keys = append(keys, same)
	}
	if len(o.Terms) == 0 {
		return keys, nil
	}
	if err := s.followTerms(ctx, changed); err != nil {
		return nil, err
	}
	near, err := s.sharing(r, o)
	if err != nil {
		return nil, fmt.Errorf("searching the rarest terms: %w", err)
	}
	close, err := compared(r, o, near)
	if err != nil {
		return nil, fmt.Errorf("comparing terms: %w", err)
	}
	return append(keys, slices.DeleteFunc(close, func(k int64) bool { return k == same })...), nil
}

// sharing returns the memories that hold the rarest terms, those that hold most
// of them first, then the newest.
func (s *Store) sharing(r *sqlite.Reads, o memory.Overlap) ([]scored, error) {
	terms := slices.Compact(slices.Sorted(slices.Values(o.Terms)))
	df, err := s.rarities(r.Query, terms, o.Postings+1)
	if err != nil {
		return nil, err
	}
	rare := rarest(terms, df, o)
	if len(rare) == 0 {
		return nil, nil
	}
	lists, err := s.postings(r.Query, rare)
	if err != nil {
		return nil, err
	}
	known := s.startExtents()
	all := s.terms.score(query{terms: rare, lists: lists, namespace: o.Namespace, corpus: memory.Corpus{DF: df}, anyLength: true})
	defer s.terms.spare.release(all)
	n := min(len(all.found), o.Compared*compareSpare)
	if !known {
		return within(r, o.Namespace, all.found, n)
	}
	selectBest(all.found, n)
	return slices.Clone(all.found[:n]), nil
}

// within returns the n best in a namespace, asking of each where it is: as long
// as that is not in memory.
func within(r *sqlite.Reads, namespace string, found []scored, n int) ([]scored, error) {
	slices.SortFunc(found, better)
	scores, keys := make(map[uint32]float32, len(found)), make([]uint32, len(found))
	for i, c := range found {
		scores[c.key], keys[i] = c.score, c.key
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	rows, err := r.Query(keysWithin, string(list), namespace, n)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	best := make([]scored, 0, n)
	for rows.Next() {
		var key uint32
		if err := rows.Scan(&key); err != nil {
			return nil, err
		}
		best = append(best, scored{key, scores[key]})
	}
	return best, rows.Err()
}

const keysWithin = "SELECT m.key FROM json_each(?1) k CROSS JOIN memories m ON m.key = k.value WHERE m.namespace = ?2 LIMIT ?3 + 0"

// compareSpare times as many memories are looked at as may be compared: some
// are of another type or form, or not recalled any more.
const compareSpare = 3

// rarest chooses the terms that some memory holds, rarest first, within the bounds.
func rarest(terms []string, df map[string]int, o memory.Overlap) []string {
	known := slices.DeleteFunc(terms, func(t string) bool { return df[t] == 0 })
	slices.SortFunc(known, func(a, b string) int { return cmp.Or(cmp.Compare(df[a], df[b]), cmp.Compare(a, b)) })
	postings := 0
	for i, t := range known {
		if postings += df[t]; i == o.Rare || postings > o.Postings {
			return known[:i]
		}
	}
	return known
}

// compared keeps those that share enough terms.
func compared(r *sqlite.Reads, o memory.Overlap, all []scored) ([]int64, error) {
	if len(all) == 0 {
		return nil, nil
	}
	keys := make([]uint32, len(all))
	for i, c := range all {
		keys[i] = c.key
	}
	list, err := json.Marshal(keys)
	if err != nil {
		return nil, err
	}
	rows, err := r.Query(comparedTerms, string(list), string(o.Type), string(o.Form), o.Compared)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	counts := make(map[string]int, len(o.Terms))
	for _, t := range o.Terms {
		counts[t]++
	}
	var near []likeness
	about := labels{}
	for rows.Next() {
		var key int64
		var d described
		if err := rows.Scan(&key, &d.terms, &d.actor, &d.target, &d.title, &d.fields, &d.dated); err != nil {
			return nil, err
		}
		if share := d.share(counts, len(o.Terms), about); share >= o.Share {
			near = append(near, likeness{key, share})
		}
	}
	return nearest(near, o.Limit), rows.Err()
}

// A bare parameter as limit would make SQLite plan anew whenever its value changes.
const comparedTerms = "SELECT m.key, x.terms, m.actor, m.target, x.title, x.fields, m.observed_at IS NOT NULL" +
	" FROM json_each(?1) k CROSS JOIN memories m ON m.key = k.value CROSS JOIN texts x ON x.key = m.key" +
	" WHERE m.type = ?2 AND m.form = ?3 AND m.status IN ('active', 'proposed', 'missing') LIMIT ?4 + 0"

// likeness is how much of the shorter text a memory and a text share.
type likeness struct {
	key   int64
	share float64
}

func nearest(near []likeness, limit int) []int64 {
	slices.SortStableFunc(near, func(a, b likeness) int { return cmp.Compare(b.share, a.share) })
	keys := make([]int64, min(limit, len(near)))
	for i := range keys {
		keys[i] = near[i].key
	}
	return keys
}

// described is what a memory's terms are made of, its content left out.
type described struct {
	terms, actor, target, title, fields string
	dated                               bool
}

// share returns at least the share of the shorter text's terms that a text,
// given by how often it holds each of its terms, has in common with the content.
func (d *described) share(counts map[string]int, size int, about labels) float64 {
	if d.fields != "" {
		return 1 // their terms cannot be told from the content's
	}
	shared, own := 0, -d.about(about)
	met := make(map[string]int, len(counts))
	for t := range strings.FieldsSeq(d.terms) {
		own++
		if n := counts[t]; n > 0 && met[t] < n {
			met[t]++
			shared++
		}
	}
	shorter := min(size, own)
	if shorter <= 0 {
		return 1
	}
	return float64(shared) / float64(shorter)
}

// dateTerms is how many terms a date has that is spelled out, one more the mark
// of a question.
const (
	dateTerms    = 3
	questionMark = 1
)

// about returns how many of the terms can be those of who said it, when, and
// under which title.
func (d *described) about(known labels) int {
	n := questionMark + known.terms(d.actor) + known.terms(d.target) + known.terms(d.title)
	if d.dated {
		n += dateTerms
	}
	return n
}

// labels knows how many terms a label has: the same few come again and again.
type labels map[string]int

func (l labels) terms(label string) int {
	if label == "" {
		return 0
	}
	n, known := l[label]
	if !known {
		n = len(text.Index(label))
		l[label] = n
	}
	return n
}
