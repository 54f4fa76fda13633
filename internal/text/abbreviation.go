package text

import "strings"

// Abbreviated reports whether a full stop after s belongs to its last word and
// ends no sentence: Mrs., e.g., No., the initial A.
func Abbreviated(s string) bool {
	word := s[strings.LastIndexAny(s, " \t\n(")+1:]
	switch strings.ToLower(word) {
	case "mr", "mrs", "ms", "dr", "st", "vs", "e.g", "i.e", "etc", "prof", "approx":
		return true
	case "no":
		return word == "No" && len(s) > len(word) // "No. 7" within a sentence, not the answer "No."
	}
	return len(word) == 1 && word[0] >= 'A' && word[0] <= 'Z' && word != "I"
}
