//go:build mutant_gullible

package lifecycle

// holdsToText is wrong on purpose: bench/promises has to notice.
const holdsToText = false
