//go:build !mutant_reads_first

package server

// closesUnread says that a refusal comes before the body is read: without
// closing the connection, net/http would wait for the body first.
const closesUnread = true
