//go:build mutant_unfenced

package memory

// fencesHold is false in this mutant: who was overtaken goes on as if nothing had happened.
const fencesHold = false
