//go:build mutant_remembers

package store

// dropsLearned is wrong on purpose: a test has to notice.
const dropsLearned = false
