package store

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"slices"
	"strings"
	"sync"

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

const askSame = askBefore + ", coalesce((SELECT min(key) FROM memories WHERE namespace = ? AND content_hash = ? AND form != 'passage'" +
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
	close, err := s.compared(r, o, near)
	if err != nil {
		return nil, fmt.Errorf("comparing terms: %w", err)
	}
	return append(keys, slices.DeleteFunc(close, func(k int64) bool { return k == same })...), nil
}

// sharing returns the memories that hold the rarest terms, those that hold most
// of them first, then the newest.
func (s *Store) sharing(r *sqlite.Reads, o memory.Overlap) ([]scored, error) {
	terms := slices.Compact(slices.Sorted(slices.Values(o.Terms)))
	df, err := s.rareFrequencies(r.Query, terms, o)
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
	type held struct {
		term string
		by   int // memories
	}
	known := make([]held, 0, len(terms))
	for _, t := range terms {
		if n := df[t]; n > 0 {
			known = append(known, held{t, n})
		}
	}
	slices.SortFunc(known, func(a, b held) int { return cmp.Or(cmp.Compare(a.by, b.by), cmp.Compare(a.term, b.term)) })
	rare := terms[:0]
	postings := 0
	for i, k := range known {
		if postings += k.by; i == o.Rare || postings > o.Postings {
			break
		}
		rare = append(rare, k.term)
	}
	return rare
}

// compared keeps those that share enough terms.
func (s *Store) compared(r *sqlite.Reads, o memory.Overlap, all []scored) ([]int64, error) {
	keys := make([]int64, len(all))
	for i, c := range all {
		keys[i] = int64(c.key)
	}
	var near []likeness
	var decisions []int64
	with := compareWith(o)
	for left := o.Compared; left > 0 && len(keys) > 0; {
		some := keys[:min(o.Compared, len(keys))]
		keys = keys[len(some):]
		found, err := s.freshBy(r.Query, some)
		if err != nil {
			return nil, err
		}
		for _, k := range found {
			if k != nil && k.Form == memory.Decision && o.Form != memory.Decision && len(decisions) < o.Decisions && k.Status == memory.Active {
				decisions = append(decisions, k.Key)
				continue
			}
			if k == nil || k.Type != o.Type || k.Form != o.Form || !k.Status.Recallable() || left == 0 {
				continue
			}
			left--
			if share, close := with.of(k); close {
				near = append(near, likeness{k.Key, share})
			}
		}
	}
	return append(nearest(near, o.Limit), decisions...), nil
}

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

// comparison of one text with many memories, by the terms that these carry.
type comparison struct {
	memory.Overlap
	terms, topic *text.Shared
}

func compareWith(o memory.Overlap) comparison {
	return comparison{o, text.SharedWith(o.Terms), text.SharedWith(o.Topic)}
}

// of returns at least the share of the shorter text's terms that the text has in
// common with the content of a memory, and whether it has enough in common.
func (c comparison) of(k *keptCandidate) (share float64, enough bool) {
	if k.about == unknownAbout {
		return 1, true
	}
	c.terms.Begin()
	c.topic.Begin()
	shared, topic, own := 0, 0, -int(k.about)
	for t := range strings.FieldsSeq(k.Terms) {
		own++
		if c.terms.Meets(t) {
			shared++
			if c.topic.Meets(t) {
				topic++
			}
		}
	}
	shorter := min(c.terms.Size(), own)
	if shorter <= 0 {
		return 1, true
	}
	share = float64(shared) / float64(shorter)
	return share, share >= c.Share && (float64(topic) >= c.OfTopic*float64(c.topic.Size()) || float64(shared) >= c.OfTerms*float64(c.terms.Size()))
}

// dateTerms is how many terms a date has that is spelled out, one more the mark
// of a question.
const (
	dateTerms    = 3
	questionMark = 1
)

// unknownAbout is said of a memory with fields, whose terms cannot be told from the content's.
const unknownAbout = -1

// about returns how many of a memory's terms can be those of who said it, when,
// and under which title. marks say whether the memory has fields (2), and a date (1).
func (l *labels) about(actor, target, title string, marks int) int16 {
	if marks&2 != 0 {
		return unknownAbout
	}
	n := questionMark + l.terms(actor) + l.terms(target) + l.terms(title)
	if marks&1 != 0 {
		n += dateTerms
	}
	return int16(min(n, math.MaxInt16)) //nolint:gosec // bounded
}

// labels knows how many terms a label has: the same few come again and again.
type labels struct {
	mu    sync.Mutex
	known map[string]int
}

func (l *labels) terms(label string) int {
	if label == "" {
		return 0
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	n, known := l.known[label]
	if !known {
		n = len(text.Index(label))
		if l.known == nil || len(l.known) >= manyWords {
			l.known = map[string]int{}
		}
		l.known[strings.Clone(label)] = n
	}
	return n
}
