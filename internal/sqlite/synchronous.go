//go:build !mutant_normal_sync

package sqlite

// synchronous is when SQLite syncs its log: before every commit returns.
const synchronous = "synchronous(FULL)"
