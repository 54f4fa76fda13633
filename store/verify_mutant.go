//go:build mutant_no_checksum

package store

// verifiesRows is wrong on purpose: bench/promises has to notice.
const verifiesRows = false
