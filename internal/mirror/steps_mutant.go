//go:build mutant_one_step

package mirror

// notesBothSteps is wrong on purpose: bench/promises has to notice.
const notesBothSteps = false
