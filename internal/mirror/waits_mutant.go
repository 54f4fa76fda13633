//go:build mutant_endless_wait

package mirror

// waitsLonger is wrong on purpose: bench/promises has to notice.
const waitsLonger = 1000
