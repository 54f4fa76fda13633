package lifecycle

import (
	"cmp"
	"iter"
	"math"
	"runtime"
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
	notes := make([]note, 0, len(memories))
	for i := range memories {
		if m := &memories[i]; comparedNote(*m) {
			notes = append(notes, note{m, merit(*m)})
		}
	}
	slices.SortFunc(notes, better)
	f := finder{same: same, notes: notes, buckets: map[bucket]int32{}, kept: map[placed][]int32{}, exact: map[exactKey]int32{}, said: map[int32]statement{}}
	f.analyse(now)
	return f.find()
}

// note is a compared memory with what speaks for keeping it.
type note struct {
	*memory.Memory
	merit int
}

// merit weighs what speaks for keeping a memory: vouched for by a person, then
// pinned, then named.
func merit(m memory.Memory) int {
	n := m.Trust.Rank() << 2
	if m.Pinned {
		n |= 2
	}
	if named(m) {
		n |= 1
	}
	return n
}

// better orders memories by how much they deserve to stay: by merit, then the
// more used, then the older.
func better(a, b note) int {
	if c := cmp.Or(cmp.Compare(b.merit, a.merit), cmp.Compare(b.AccessCount, a.AccessCount)); c != 0 {
		return c
	}
	return cmp.Or(a.CreatedAt.Compare(b.CreatedAt), cmp.Compare(a.ID, b.ID))
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

// placed is a term in a bucket.
type placed struct{ bucket, term int32 }

type exactKey struct {
	bucket int32
	hash   string
}

type finder struct {
	same    float64
	notes   []note    // the best first
	terms   [][]int32 // of each note: numbers of its terms, the rarest first, with repeats
	places  []int32   // bucket of each note
	buckets map[bucket]int32
	kept    map[placed][]int32
	exact   map[exactKey]int32
	said    map[int32]statement // of notes that others were compared with lately
}

// analyse numbers the terms of all notes by rarity and sorts each note's terms.
func (f *finder) analyse(now time.Time) {
	numbers := map[string]int32{}
	df := []int32{}
	f.terms, f.places = make([][]int32, len(f.notes)), make([]int32, len(f.notes))
	for i, terms := range indexed(f.notes) {
		f.places[i] = f.place(bucketOf(*f.notes[i].Memory, now))
		f.terms[i] = make([]int32, len(terms))
		for j, t := range terms {
			n, known := numbers[t]
			if !known {
				n = int32(len(df))
				numbers[t] = n
				df = append(df, 0)
			}
			df[n]++
			f.terms[i][j] = n
		}
	}
	rank := ranksOf(df)
	for _, terms := range f.terms {
		for j, n := range terms {
			terms[j] = rank[n]
		}
		slices.Sort(terms)
	}
}

// indexedAtOnce is how many notes are analysed together: the words of so many are
// few, and each is looked up once.
const indexedAtOnce = 1024

// indexed goes through the terms of notes. All processors analyse them, some ahead
// of what is asked for: it is the longest part of a reflection over many memories.
func indexed(notes []note) iter.Seq2[int, []string] {
	return func(yield func(int, []string) bool) {
		var ahead []chan [][]string
		next := 0
		for from := 0; from < len(notes); from += indexedAtOnce {
			for next < len(notes) && len(ahead) <= runtime.GOMAXPROCS(0) {
				some := notes[next:min(next+indexedAtOnce, len(notes))]
				done := make(chan [][]string, 1)
				go func() { done <- termsOf(some) }()
				ahead, next = append(ahead, done), next+len(some)
			}
			for i, terms := range <-ahead[0] {
				if !yield(from+i, terms) {
					return
				}
			}
			ahead = ahead[1:]
		}
	}
}

func termsOf(notes []note) [][]string {
	indexer, terms := text.NewIndexer(), make([][]string, len(notes))
	for i := range notes {
		terms[i] = indexer.Index(notes[i].Content)
		runtime.Gosched() // whoever remembers meanwhile is not to wait for a turn of 10 ms
	}
	return terms
}

// ranksOf numbers terms again, the rarest 0.
func ranksOf(df []int32) []int32 {
	order := make([]int32, len(df))
	for i := range order {
		order[i] = int32(i)
	}
	slices.SortFunc(order, func(a, b int32) int { return cmp.Or(cmp.Compare(df[a], df[b]), cmp.Compare(a, b)) })
	rank := make([]int32, len(df))
	for r, n := range order {
		rank[n] = int32(r)
	}
	return rank
}

func (f *finder) place(b bucket) int32 {
	n, known := f.buckets[b]
	if !known {
		n = int32(len(f.buckets))
		f.buckets[b] = n
	}
	return n
}

func (f *finder) find() []memory.Change {
	changes := []memory.Change{}
	for i, m := range f.notes {
		keeper, how := f.keeperOf(i)
		if keeper < 0 || m.Trust == memory.TrustUser || m.Pinned {
			f.keep(int32(i))
			continue
		}
		k := f.notes[keeper]
		c := replaced(*m.Memory, k.ID, how+" "+k.URI)
		c.Revision = m.Revision
		changes = append(changes, c)
	}
	return changes
}

// keeperOf returns the kept note that note i repeats, or -1.
func (f *finder) keeperOf(i int) (int32, string) {
	m := f.notes[i]
	if k, found := f.exact[exactKey{f.places[i], m.ContentHash}]; found && m.ContentHash != "" {
		return k, "repeats"
	}
	if len(f.terms[i]) < 3 {
		return -1, ""
	}
	var seen []int32 // a handful
	var mine statement
	for _, term := range f.prefix(i) {
		for _, k := range f.kept[placed{f.places[i], term}] {
			if slices.Contains(seen, k) || !f.close(f.terms[i], f.terms[k]) {
				continue
			}
			if seen = append(seen, k); len(seen) == 1 {
				mine = analyse(m.Content)
			}
			if f.statement(k).says(mine) {
				return k, "says the same as"
			}
		}
	}
	return -1, ""
}

// saidAtOnce bounds how many statements are kept, each a few kilobytes.
const saidAtOnce = 2048

// statement is what a kept note says. Lines of one kind, such as a meter's
// readings, are compared with the same few notes again and again.
func (f *finder) statement(k int32) statement {
	s, known := f.said[k]
	if !known {
		if len(f.said) >= saidAtOnce {
			clear(f.said)
		}
		s = analyse(f.notes[k].Content)
		f.said[k] = s
	}
	return s
}

// close reports whether two sorted lists of terms overlap as much as wanted. It
// ends where they cannot any more, after a few terms of most pairs.
func (f *finder) close(a, b []int32) bool {
	if float64(min(len(a), len(b))) < f.same*float64(max(len(a), len(b))) {
		return false
	}
	enough := func(common int) bool { return float64(common) >= f.same*float64(len(a)+len(b)-common) }
	common := 0
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			common++
			i++
			j++
			continue
		case a[i] < b[j]:
			i++
		default:
			j++
		}
		if !enough(common + min(len(a)-i, len(b)-j)) {
			return false
		}
	}
	return enough(common)
}

func (f *finder) keep(i int32) {
	key := exactKey{f.places[i], f.notes[i].ContentHash}
	if _, found := f.exact[key]; !found {
		f.exact[key] = i
	}
	for _, term := range f.prefix(int(i)) {
		at := placed{f.places[i], term}
		if len(f.kept[at]) < maxPostings {
			f.kept[at] = append(f.kept[at], i)
		}
	}
}

// prefix returns the rarest terms of a note, as many as two notes of the wanted
// overlap cannot both do without.
func (f *finder) prefix(i int) []int32 {
	terms := f.terms[i]
	n := len(terms) - int(math.Ceil(f.same*float64(len(terms)))) + 1
	return slices.Compact(slices.Clone(terms[:min(max(1, n), len(terms))]))
}
