//go:build !mutant_gullible

package lifecycle

// holdsToText says that a wording which is not true to its text is refused.
const holdsToText = true
