//go:build mutant_trusts

package tools

// quarantines is wrong on purpose: bench/promises has to notice.
const quarantines = false
