//go:build mutant_one_namespace

package main

import "agentmemory/internal/memory"

// ownNamespace is wrong on purpose: a test has to notice.
func ownNamespace(string) string { return memory.DefaultNamespace }
