package text

// Jaccard measures how much two analysed texts have in common, from 0 (nothing)
// to 1 (the same terms equally often): the Jaccard index of their multisets of
// terms. From about .9 on, two texts say the same.
func Jaccard(a, b []string) float64 {
	if len(a)+len(b) == 0 {
		return 1
	}
	with, common := SharedWith(a), 0
	for _, t := range b {
		if with.Meets(t) {
			common++
		}
	}
	return float64(common) / float64(len(a)+len(b)-common)
}
