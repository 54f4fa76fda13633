// Package testdata holds example workspaces as files of the program, so that
// the demonstration works wherever the binary is.
package testdata

import (
	"embed"
	"io/fs"
)

//go:embed demo
var files embed.FS

// Demo returns a workspace as a person and an agent leave it after ten days:
// MEMORY.md, USER.md, journals and a research note, in Chinese and English.
func Demo() (fs.FS, error) { return fs.Sub(files, "demo") }
