//go:build mutant_reads_first

package server

// closesUnread is wrong on purpose: bench/promises has to notice.
const closesUnread = false
