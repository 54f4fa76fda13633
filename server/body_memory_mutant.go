//go:build mutant_unbounded_bodies

package server

// bodyMemory is wrong on purpose: bench/promises has to notice.
const bodyMemory = 1 << 40
