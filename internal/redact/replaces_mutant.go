//go:build mutant_tells

package redact

// replaces is wrong on purpose: bench/promises has to notice.
const replaces = false
