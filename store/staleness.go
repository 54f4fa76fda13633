//go:build !mutant_stale_cache

package store

// followsOthers says that caches follow the commits of other processes.
const followsOthers = true
