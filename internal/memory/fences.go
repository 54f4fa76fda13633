//go:build !mutant_unfenced

package memory

// fencesHold: who was overtaken cannot commit.
const fencesHold = true
