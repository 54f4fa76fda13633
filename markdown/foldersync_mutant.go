//go:build mutant_no_folder_sync

package markdown

// syncsFolders is wrong on purpose: bench/promises has to notice.
const syncsFolders = false
