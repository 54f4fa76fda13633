package text

// Shared counts what texts have in common with one text, terms as often as both
// hold them. It is used by one goroutine.
type Shared struct {
	place  map[string]int // in the others
	wanted []int
	met    []int
	size   int
}

// SharedWith makes one for the text that consists of these terms.
func SharedWith(terms []string) *Shared {
	s := &Shared{place: make(map[string]int, len(terms)), wanted: make([]int, 0, len(terms)), size: len(terms)}
	for _, t := range terms {
		i, known := s.place[t]
		if !known {
			i = len(s.wanted)
			s.place[t] = i
			s.wanted = append(s.wanted, 0)
		}
		s.wanted[i]++
	}
	s.met = make([]int, len(s.wanted))
	return s
}

// Size is how many terms the text has.
func (s *Shared) Size() int { return s.size }

// Begin begins the next one of the other texts.
func (s *Shared) Begin() { clear(s.met) }

// Meets takes the next term of the other text, and reports whether both hold it
// so often.
func (s *Shared) Meets(term string) bool {
	i, held := s.place[term]
	if !held || s.met[i] == s.wanted[i] {
		return false
	}
	s.met[i]++
	return true
}
