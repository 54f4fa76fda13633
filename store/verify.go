//go:build !mutant_no_checksum

package store

// verifiesRows says that a row that is read is compared with its checksum.
const verifiesRows = true
