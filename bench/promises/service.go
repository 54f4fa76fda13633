//go:build linux

package main

// serviceRigs are about use over a long time, callers from outside, and what
// the program is made of.
func serviceRigs() []rig {
	return []rig{
		{"build", 20, sameBinary, "", 0, false},
		{"soak", 19, soaked, "mutant_leak", 1, true},
		{"links", 11, swappedForLinks, "mutant_follows_links", 2, true},
		{"callers", 10, refusedUnread, "mutant_reads_first", 1, true},
		{"floods", 10, flooded, "mutant_unbounded_bodies", 2, true},
		{"embedder", 13, badEmbedder, "mutant_believes", 1, true},
		{"model", 13, badModel, "mutant_gullible", 1, true},
		{"zones", 16, zonesAndJumps, "mutant_midnight", 1, true},
		{"tests", 5, testsNotice, "", 0, false},
	}
}
