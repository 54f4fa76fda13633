//go:build !linux && !darwin && !windows

package main

// remoteFileSystem knows nothing of the file systems of this operating system.
func remoteFileSystem(string) string { return "" }
