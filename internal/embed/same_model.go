//go:build !mutant_believes

package embed

// holdsToModel says that answers of another model than the first are refused.
const holdsToModel = true
