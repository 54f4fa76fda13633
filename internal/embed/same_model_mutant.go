//go:build mutant_believes

package embed

// holdsToModel is wrong on purpose: bench/promises has to notice.
const holdsToModel = false
