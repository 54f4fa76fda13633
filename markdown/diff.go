package markdown

import "sort"

// match pairs the index of a line in one text with its index in another.
type match struct{ a, b int }

// maxTable bounds the cells of the exact comparison of a stretch without unique
// common lines; a larger stretch counts as replaced.
const maxTable = 1 << 20

// align returns the common lines of two texts in order: a patience diff, whose
// anchors are lines unique in both, so that moved paragraphs and repeated
// brackets do not confuse it.
func align(a, b []string) []match {
	var out []match
	alignInto(&out, a, b, match{})
	return out
}

func alignInto(out *[]match, a, b []string, at match) {
	for len(a) > 0 && len(b) > 0 && a[0] == b[0] {
		*out = append(*out, at)
		a, b, at = a[1:], b[1:], match{at.a + 1, at.b + 1}
	}
	tail := 0
	for tail < len(a) && tail < len(b) && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	alignMiddle(out, a[:len(a)-tail], b[:len(b)-tail], at)
	for i := tail; i > 0; i-- {
		*out = append(*out, match{at.a + len(a) - i, at.b + len(b) - i})
	}
}

func alignMiddle(out *[]match, a, b []string, at match) {
	if len(a) == 0 || len(b) == 0 {
		return
	}
	anchors := increasing(uniqueCommon(a, b))
	if len(anchors) == 0 {
		longestCommon(out, a, b, at)
		return
	}
	from := match{}
	for _, m := range anchors {
		alignInto(out, a[from.a:m.a], b[from.b:m.b], match{at.a + from.a, at.b + from.b})
		*out = append(*out, match{at.a + m.a, at.b + m.b})
		from = match{m.a + 1, m.b + 1}
	}
	alignInto(out, a[from.a:], b[from.b:], match{at.a + from.a, at.b + from.b})
}

// uniqueCommon pairs the lines that occur exactly once in each text, in a's order.
func uniqueCommon(a, b []string) []match {
	type seen struct{ na, nb, ib int }
	count := map[string]*seen{}
	for _, l := range a {
		if count[l] == nil {
			count[l] = &seen{}
		}
		count[l].na++
	}
	for i, l := range b {
		if s := count[l]; s != nil {
			s.nb++
			s.ib = i
		}
	}
	var out []match
	for i, l := range a {
		if s := count[l]; s.na == 1 && s.nb == 1 {
			out = append(out, match{i, s.ib})
		}
	}
	return out
}

// increasing returns the longest subsequence whose b also grows (patience sorting).
func increasing(ms []match) []match {
	var piles []int // index of the top of each pile
	before := make([]int, len(ms))
	for i, m := range ms {
		p := sort.Search(len(piles), func(k int) bool { return ms[piles[k]].b >= m.b })
		before[i] = -1
		if p > 0 {
			before[i] = piles[p-1]
		}
		if p == len(piles) {
			piles = append(piles, i)
		} else {
			piles[p] = i
		}
	}
	out := make([]match, len(piles))
	for k, i := len(piles)-1, last(piles); k >= 0; k, i = k-1, before[i] {
		out[k] = ms[i]
	}
	return out
}

func last(piles []int) int {
	if len(piles) == 0 {
		return -1
	}
	return piles[len(piles)-1]
}

// longestCommon aligns by the longest common subsequence, by dynamic programming.
func longestCommon(out *[]match, a, b []string, at match) {
	if len(a)*len(b) > maxTable {
		return
	}
	width := len(b) + 1
	table := make([]int32, (len(a)+1)*width)
	for i := len(a) - 1; i >= 0; i-- {
		for j := len(b) - 1; j >= 0; j-- {
			if a[i] == b[j] {
				table[i*width+j] = table[(i+1)*width+j+1] + 1
			} else {
				table[i*width+j] = max(table[(i+1)*width+j], table[i*width+j+1])
			}
		}
	}
	for i, j := 0, 0; i < len(a) && j < len(b); {
		switch {
		case a[i] == b[j]:
			*out = append(*out, match{at.a + i, at.b + j})
			i, j = i+1, j+1
		case table[(i+1)*width+j] >= table[i*width+j+1]:
			i++
		default:
			j++
		}
	}
}
