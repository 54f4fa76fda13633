package main

import (
	"bufio"
	"fmt"
	"io"
	"os"
	"strings"

	"golang.org/x/sys/unix"
)

// unmapProgram lets go of the pages of the program itself that were only needed
// to start, which Linux counts as this process's memory for as long as they are
// mapped. They stay in the system's cache; what is needed again comes from there
// in microseconds.
func unmapProgram() {
	program, err := os.Readlink("/proc/self/exe")
	if err != nil {
		return
	}
	smaps, err := os.Open("/proc/self/smaps")
	if err != nil {
		return
	}
	defer smaps.Close()
	for _, p := range untouched(smaps, program) {
		_, _, _ = unix.Syscall(unix.SYS_MADVISE, p.from, p.to-p.from, unix.MADV_DONTNEED) // what stays is no harm
	}
}

// part of what a process has mapped.
type part struct{ from, to uintptr }

// untouched lists the parts of a file that nobody can write and of which no page
// was changed since it was read: not by a loader that put addresses in, nor by a
// debugger. A changed page counts as anonymous, or as swapped out. smaps is as in
// /proc/self/smaps.
func untouched(smaps io.Reader, file string) (parts []part) {
	var p part
	changed := 0
	for lines := bufio.NewScanner(smaps); lines.Scan(); {
		line := lines.Text()
		var at part
		var mode string
		if _, err := fmt.Sscanf(line, "%x-%x %s", &at.from, &at.to, &mode); err == nil {
			if p = at; !strings.HasSuffix(line, " "+file) || mode != "r-xp" && mode != "r--p" {
				p = part{}
			}
			changed = -1
			continue
		}
		size := 0
		if n, _ := fmt.Sscanf(line, "Anonymous: %d kB", &size); n == 1 {
			changed = size
		}
		if n, _ := fmt.Sscanf(line, "Swap: %d kB", &size); n == 1 && size == 0 && changed == 0 && p.to > p.from {
			parts = append(parts, p) // Swap comes after Anonymous
		}
	}
	return parts
}
