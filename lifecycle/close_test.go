package lifecycle

import (
	"slices"
	"testing"

	"pgregory.net/rapid"
)

// Two lists are as close as counting what they share says, wherever the
// comparison ends.
func TestCloseIsTheOverlapOfSortedTerms(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		terms := rapid.SliceOf(rapid.Int32Range(0, 12))
		a := terms.Draw(t, "a")
		b := append(slices.Clone(a), terms.Draw(t, "more")...)
		if rapid.Bool().Draw(t, "apart") {
			b = terms.Draw(t, "b")
		}
		slices.Sort(a)
		slices.Sort(b)
		f := finder{same: rapid.SampledFrom([]float64{.5, .75, .9, 1}).Draw(t, "same")}
		rest, common := slices.Clone(b), 0
		for _, term := range a {
			if i := slices.Index(rest, term); i >= 0 {
				rest = slices.Delete(rest, i, i+1)
				common++
			}
		}
		wanted := float64(min(len(a), len(b))) >= f.same*float64(max(len(a), len(b))) && float64(common) >= f.same*float64(len(a)+len(b)-common)
		if got := f.close(a, b); got != wanted {
			t.Fatalf("close(%v, %v) is %v at %.2f with %d in common", a, b, got, f.same, common)
		}
	})
}
