//go:build unix

package main

import (
	"os"
	"runtime"
	"syscall"
)

// resident is the most memory that a process had resident, in MB.
func resident(p *os.ProcessState) (int64, bool) {
	usage, ok := p.SysUsage().(*syscall.Rusage)
	if !ok {
		return 0, false
	}
	if runtime.GOOS == "darwin" { // which counts bytes
		return usage.Maxrss >> 20, true
	}
	return usage.Maxrss >> 10, true
}
