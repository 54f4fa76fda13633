//go:build !mutant_false_commit

package sqlite

// reportsCommits says that a commit which failed is reported.
const reportsCommits = true
