//go:build !mutant_remembers

package store

// dropsLearned is whether a purge takes away what was learned from the store's words.
const dropsLearned = true
