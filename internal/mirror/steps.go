//go:build !mutant_one_step

package mirror

// notesBothSteps says that a file which gets its ids before it moves is noted
// for an undo as it is in between, too.
const notesBothSteps = true
