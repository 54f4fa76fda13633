package text

// Jaccard measures how much two analysed texts have in common, from 0 (nothing)
// to 1 (the same terms equally often): the Jaccard index of their multisets of
// terms. From about .9 on, two texts say the same.
func Jaccard(a, b []string) float64 {
	return SharedWith(a).Jaccard(b)
}

// Jaccard is Jaccard of the text and another one.
func (s *Shared) Jaccard(other []string) float64 {
	if s.size+len(other) == 0 {
		return 1
	}
	s.Begin()
	common := 0
	for _, t := range other {
		if s.Meets(t) {
			common++
		}
	}
	return float64(common) / float64(s.size+len(other)-common)
}

// Resembles reports whether Jaccard of the text and another one is greater than
// a bound. Most texts are told apart by their lengths.
func (s *Shared) Resembles(other []string, bound float64) bool {
	short, long := min(s.size, len(other)), max(s.size, len(other))
	if long > 0 && float64(short)/float64(long) <= bound { // Jaccard is no greater
		return false
	}
	return s.Jaccard(other) > bound
}
