//go:build mutant_stale_cache

package store

// followsOthers is wrong on purpose: bench/promises has to notice.
const followsOthers = false
