package main

import "golang.org/x/sys/unix"

// remoteFileSystem names the network or user-space file system that holds dir,
// by the magic numbers of statfs(2), or returns "".
func remoteFileSystem(dir string) string {
	var s unix.Statfs_t
	if err := unix.Statfs(dir, &s); err != nil {
		return ""
	}
	switch uint32(s.Type) { //nolint:gosec // the magic numbers are 32 bits wide
	case unix.NFS_SUPER_MAGIC:
		return "NFS"
	case unix.SMB_SUPER_MAGIC, unix.CIFS_SUPER_MAGIC, unix.SMB2_SUPER_MAGIC:
		return "an SMB share"
	case unix.FUSE_SUPER_MAGIC:
		return "a FUSE file system"
	case unix.V9FS_MAGIC:
		return "a 9p file system"
	case unix.AFS_SUPER_MAGIC, unix.CEPH_SUPER_MAGIC:
		return "a network file system"
	}
	return ""
}
