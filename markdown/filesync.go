//go:build !mutant_no_file_sync

package markdown

// syncsFiles says that bytes are synced before a file gets its name.
const syncsFiles = true
