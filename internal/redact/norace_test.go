//go:build !race

package redact_test

// slowdown is what the race detector costs.
const slowdown = 1
