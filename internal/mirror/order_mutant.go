//go:build mutant_wrong_order

package mirror

// filesFirst is wrong on purpose: bench/promises has to notice.
const filesFirst = false
