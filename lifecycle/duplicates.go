package lifecycle

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// maxPostings bounds how many kept texts that share a rare term one text is
// compared with, so that a flood of similar lines costs no more than others.
const maxPostings = 32

// bucket holds the texts that can be duplicates of each other.
type bucket struct {
	namespace string
	kind      memory.Type
	day       int // of events only
}

func bucketOf(m memory.Memory, now time.Time) bucket {
	b := bucket{namespace: m.Namespace, kind: m.Type}
	if m.Type == memory.Event {
		b.day = civilDay(m.Observed().In(now.Location()))
	}
	return b
}

// comparedNote reports whether tidy compares a memory with others: notes that are
// recalled, but not the turns of an imported conversation, which only make
// sense together.
func comparedNote(m memory.Memory) bool {
	turn := m.SessionID != "" && m.Seq > 0
	return m.Status == memory.Active && (m.Form == memory.Note || m.Form == "") && !turn && len(m.Content) <= comparedBytes
}

// duplicates finds memories that repeat a better one, exactly or nearly, and
// returns the changes by which they give way to it. It finds candidates by
// prefix filtering (Chaudhuri et al. 2006): two sets that share 90 % of their
// terms share at least one of the rarest tenth of either.
func duplicates(memories []memory.Memory, now time.Time, same float64) []memory.Change {
	notes := make([]memory.Memory, 0, len(memories))
	for _, m := range memories {
		if comparedNote(m) {
			notes = append(notes, m)
		}
	}
	slices.SortStableFunc(notes, better)
	f := finder{same: same, df: map[string]int32{}, kept: map[prefixKey][]int32{}, exact: map[exactKey]int32{}, notes: notes}
	return f.find(now)
}

// better orders memories by how much they deserve to stay: vouched for by a
// person, pinned, named, used, then the oldest.
func better(a, b memory.Memory) int {
	return cmp.Or(
		cmp.Compare(b.Trust.Rank(), a.Trust.Rank()),
		compareBool(b.Pinned, a.Pinned),
		compareBool(named(b), named(a)),
		cmp.Compare(b.AccessCount, a.AccessCount),
		a.CreatedAt.Compare(b.CreatedAt),
		cmp.Compare(a.ID, b.ID),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

type prefixKey struct {
	bucket bucket
	term   string
}

type exactKey struct {
	bucket bucket
	hash   string
}

type finder struct {
	same  float64
	notes []memory.Memory
	terms [][]string // of each note, sorted
	df    map[string]int32
	kept  map[prefixKey][]int32
	exact map[exactKey]int32
}

func (f *finder) find(now time.Time) []memory.Change {
	f.terms = make([][]string, len(f.notes))
	for i, m := range f.notes {
		f.terms[i] = text.Index(m.Content)
		slices.Sort(f.terms[i])
		for _, t := range slices.Compact(slices.Clone(f.terms[i])) {
			f.df[t]++
		}
	}
	changes := []memory.Change{}
	for i := range f.notes {
		b := bucketOf(f.notes[i], now)
		keeper, how := f.keeperOf(i, b)
		if keeper < 0 || f.notes[i].Trust == memory.TrustUser || f.notes[i].Pinned {
			f.keep(i, b)
			continue
		}
		k := f.notes[keeper]
		c := replaced(f.notes[i], k.ID, fmt.Sprintf("%s %s", how, k.URI))
		c.Revision = f.notes[i].Revision
		changes = append(changes, c)
	}
	return changes
}

// keeperOf returns the kept note that note i repeats, or -1.
func (f *finder) keeperOf(i int, b bucket) (int32, string) {
	if k, found := f.exact[exactKey{b, f.notes[i].ContentHash}]; found && f.notes[i].ContentHash != "" {
		return k, "repeats"
	}
	if len(f.terms[i]) < 3 {
		return -1, ""
	}
	var mine *statement
	for _, term := range f.prefix(i) {
		for _, k := range f.kept[prefixKey{b, term}] {
			if text.Jaccard(f.terms[i], f.terms[k]) < f.same {
				continue
			}
			if mine == nil {
				st := analyse(f.notes[i].Content)
				mine = &st
			}
			if analyse(f.notes[k].Content).says(*mine) {
				return k, "says the same as"
			}
		}
	}
	return -1, ""
}

func (f *finder) keep(i int, b bucket) {
	key := exactKey{b, f.notes[i].ContentHash}
	if _, found := f.exact[key]; !found {
		f.exact[key] = int32(i)
	}
	for _, term := range f.prefix(i) {
		pk := prefixKey{b, term}
		if len(f.kept[pk]) < maxPostings {
			f.kept[pk] = append(f.kept[pk], int32(i))
		}
	}
}

// prefix returns the rarest terms of a note, as many as two notes of the wanted
// overlap cannot both do without.
func (f *finder) prefix(i int) []string {
	terms := slices.Compact(slices.Clone(f.terms[i]))
	slices.SortFunc(terms, func(a, b string) int {
		return cmp.Or(cmp.Compare(f.df[a], f.df[b]), cmp.Compare(a, b))
	})
	n := len(terms) - int(math.Ceil(f.same*float64(len(terms)))) + 1
	return terms[:min(max(1, n), len(terms))]
}
