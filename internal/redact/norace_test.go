//go:build !race

package redact_test

// slowdown makes room for machines that are busy with other tests.
const slowdown = 3
