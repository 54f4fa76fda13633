//go:build linux

package main

// serviceRigs are about use over a long time, callers from outside, and what
// the program is made of.
func serviceRigs() []rig {
	return []rig{
		{name: "build", promise: 20, try: sameBinary, seconds: 90},
		{name: "soak", promise: 19, try: soaked, mutant: "mutant_leak", tries: 1, slow: true, lane: beside},
		{name: "links", promise: 11, try: swappedForLinks, mutant: "mutant_follows_links", tries: 2, slow: true, seconds: 50},
		{name: "callers", promise: 10, try: refusedUnread, mutant: "mutant_reads_first", tries: 1, slow: true, seconds: 10},
		{name: "floods", promise: 10, try: flooded, mutant: "mutant_unbounded_bodies", tries: 2, slow: true, lane: calm},
		{name: "embedder", promise: 13, try: badEmbedder, mutant: "mutant_believes", tries: 1, slow: true, lane: calm},
		{name: "model", promise: 13, try: badModel, mutant: "mutant_gullible", tries: 1, slow: true, seconds: 60},
		{name: "secrets", promise: 15, try: hiddenSecrets, mutant: "mutant_tells", tries: 1, slow: true, seconds: 20},
		{name: "zones", promise: 16, try: zonesAndJumps, mutant: "mutant_midnight", tries: 1, slow: true, seconds: 60},
		{name: "tests", promise: 5, try: testsNotice, seconds: 60},
	}
}
