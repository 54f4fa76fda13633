//go:build mutant_newest_base

package mirror

// basesAreChosen is wrong on purpose: bench/promises has to notice.
const basesAreChosen = false
