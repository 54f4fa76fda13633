//go:build !mutant_unbounded_bodies

package server

// bodyMemory is what large bodies may take together, in bytes: room for six of the largest.
const bodyMemory = 12 << 20
