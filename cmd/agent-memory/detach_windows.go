package main

import (
	"syscall"

	"golang.org/x/sys/windows"
)

// detached lets a process outlive the one that starts it, and its console.
func detached() *syscall.SysProcAttr {
	return &syscall.SysProcAttr{CreationFlags: windows.DETACHED_PROCESS | windows.CREATE_NEW_PROCESS_GROUP}
}
