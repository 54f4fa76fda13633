//go:build !mutant_wrong_order

package mirror

// filesFirst says that a change leaves the outbox when the files show it.
const filesFirst = true
