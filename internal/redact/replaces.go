//go:build !mutant_tells

package redact

// replaces: secrets give way to the names of their rules.
const replaces = true
