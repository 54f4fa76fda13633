package main

import (
	"path/filepath"

	"golang.org/x/sys/windows"
)

// remoteFileSystem names the network drive that holds dir, or returns "".
func remoteFileSystem(dir string) string {
	root, err := windows.UTF16PtrFromString(filepath.VolumeName(dir) + `\`)
	if err != nil {
		return ""
	}
	if windows.GetDriveType(root) == windows.DRIVE_REMOTE {
		return "a network drive"
	}
	return ""
}
