//go:build !mutant_no_folder_sync

package markdown

// syncsFolders says that names are synced as well as bytes.
const syncsFolders = true
