//go:build mutant_normal_sync

package sqlite

// synchronous is wrong on purpose: bench/promises has to notice.
const synchronous = "synchronous(NORMAL)"
