//go:build !mutant_one_namespace

package main

// ownNamespace is the namespace that an agent reads and writes.
func ownNamespace(configured string) string { return configured }
