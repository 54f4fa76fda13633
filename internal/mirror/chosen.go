//go:build !mutant_newest_base

package mirror

// basesAreChosen says that an edit is compared with the version that its author
// had loaded.
const basesAreChosen = true
