//go:build mutant_false_commit

package sqlite

// reportsCommits is wrong on purpose: bench/promises has to notice.
const reportsCommits = false
