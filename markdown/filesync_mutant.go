//go:build mutant_no_file_sync

package markdown

// syncsFiles is wrong on purpose: bench/promises has to notice.
const syncsFiles = false
