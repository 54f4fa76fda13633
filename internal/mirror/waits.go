//go:build !mutant_endless_wait

package mirror

// waitsLonger is by how much the patience with a frozen process is longer.
const waitsLonger = 1
