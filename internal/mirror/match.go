package mirror

import "strings"

// similar is the least similarity at which a changed line, standing where a
// known one stood, is taken for its new wording.
const similar = .6

// known is a memory that should stand in the file.
type known struct {
	ID   string
	Text string
	// Unseen says that the file's last editor had not loaded the line: an entry of
	// theirs may repeat it, but cannot be its new wording.
	Unseen bool
}

// found is an entry that stands in the file. The id of a line without our
// comment follows from its text.
type found struct {
	ID        string
	Annotated bool
	Text      string
}

// match pairs the entries of a file, in their order, with the memories that
// should stand there, in theirs: by id, then by exact text, then by position
// together with similarity. It returns for each entry the index of its memory
// or -1. No memory is paired twice.
func match(memories []known, entries []found) []int {
	m := &matching{memories: memories, entries: entries, of: make([]int, len(entries)), taken: make([]bool, len(memories))}
	for i := range m.of {
		m.of[i] = -1
	}
	m.byID()
	m.byText()
	m.byPosition()
	return m.of
}

type matching struct {
	memories []known
	entries  []found
	of       []int // memory of each entry, or -1
	taken    []bool
}

func (m *matching) pair(entry, mem int) {
	m.of[entry] = mem
	m.taken[mem] = true
}

func (m *matching) byID() {
	index := make(map[string]int, len(m.memories))
	for i, k := range m.memories {
		index[k.ID] = i
	}
	for _, annotated := range []bool{true, false} {
		for i, e := range m.entries {
			if mem, ok := index[e.ID]; ok && e.Annotated == annotated && !m.taken[mem] {
				m.pair(i, mem)
			}
		}
	}
}

// byText pairs unannotated entries with the memories of the same text, in order.
func (m *matching) byText() {
	index := map[string][]int{}
	for i, k := range m.memories {
		if !m.taken[i] {
			index[k.Text] = append(index[k.Text], i)
		}
	}
	for i, e := range m.entries {
		if same := index[e.Text]; !e.Annotated && m.of[i] < 0 && len(same) > 0 {
			m.pair(i, same[0])
			index[e.Text] = same[1:]
		}
	}
}

// byPosition pairs what is left between the same two paired neighbours.
func (m *matching) byPosition() {
	for i, e := range m.entries {
		if e.Annotated || m.of[i] >= 0 {
			continue
		}
		low, high := m.between(i)
		best, score := -1, similar
		for k := low; k < high; k++ {
			if m.taken[k] || m.memories[k].Unseen {
				continue
			}
			if s := similarity(m.memories[k].Text, e.Text); s >= score && (best < 0 || s > score) {
				best, score = k, s
			}
		}
		if best >= 0 {
			m.pair(i, best)
		}
	}
}

// between returns the range of memories that may stand at entry i: after the
// memory of the nearest paired entry above, before that of the one below.
func (m *matching) between(i int) (low, high int) {
	high = len(m.memories)
	for k := i - 1; k >= 0; k-- {
		if m.of[k] >= 0 {
			low = m.of[k] + 1
			break
		}
	}
	for k := i + 1; k < len(m.entries); k++ {
		if m.of[k] >= 0 {
			high = m.of[k]
			break
		}
	}
	return low, high
}

// similarity is the Dice coefficient of two texts' character bigrams, 0 to 1:
// it needs no words, so it serves every script.
func similarity(a, b string) float64 {
	if a == b {
		return 1
	}
	x, y := bigrams(a), bigrams(b)
	total := 0
	for _, n := range x {
		total += n
	}
	shared := 0
	for pair, n := range y {
		total += n
		shared += min(n, x[pair])
	}
	if total == 0 {
		return 0
	}
	return 2 * float64(shared) / float64(total)
}

func bigrams(s string) map[[2]rune]int {
	pairs := map[[2]rune]int{}
	var last rune
	for i, r := range strings.ToLower(s) {
		if i > 0 {
			pairs[[2]rune{last, r}]++
		}
		last = r
	}
	return pairs
}
