package main

import "golang.org/x/sys/unix"

// remoteFileSystem names the network or user-space file system that holds dir,
// by the type name of statfs(2), or returns "".
func remoteFileSystem(dir string) string {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return ""
	}
	switch name := unix.ByteSliceToString(s.Fstypename[:]); name {
	case "nfs", "smbfs", "afpfs", "webdav", "macfuse", "osxfuse", "fuse-t", "virtiofs":
		return "a " + name + " file system"
	}
	return ""
}
