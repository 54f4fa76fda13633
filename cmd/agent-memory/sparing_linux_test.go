package main

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// Only what can be read again from the file is let go of.
func TestOnlyUntouchedPartsOfTheProgramAreLetGoOf(t *testing.T) {
	smaps := `00400000-00d7e000 r-xp 00000000 fe:01 1234 /usr/bin/agent-memory
Size:               9720 kB
Anonymous:             0 kB
Swap:                  0 kB
AnonHugePages:         0 kB
00d7e000-01700000 r--p 0097e000 fe:01 1234 /usr/bin/agent-memory
Size:               9736 kB
Anonymous:             8 kB
Swap:                  0 kB
01700000-01800000 rw-p 01300000 fe:01 1234 /usr/bin/agent-memory
Anonymous:             0 kB
Swap:                  0 kB
01700000-01800000 r--p 01300000 fe:01 1234 /usr/bin/agent-memory
Anonymous:             0 kB
Swap:                  4 kB
01800000-01900000 r--p 00000000 fe:01 1234 /usr/bin/agent-memory
Anonymous:             0 kB
Swap:                  0 kB
c000000000-c004000000 rw-p 00000000 00:00 0
Anonymous:             0 kB
Swap:                  0 kB
7f0000000000-7f0000100000 r--p 00000000 fe:01 99 /usr/lib/other-agent-memory
Anonymous:             0 kB
Swap:                  0 kB
7f0000200000-7f0000300000 r-xp 00000000 00:00 0 [vdso]
Anonymous:             0 kB
Swap:                  0 kB
`
	want := []part{{0x400000, 0xd7e000}, {0x1800000, 0x1900000}}
	if got := untouched(strings.NewReader(smaps), "/usr/bin/agent-memory"); !slices.Equal(got, want) {
		t.Errorf("%x, want %x", got, want)
	}
}

// The program goes on as before, and Linux counts less of it.
func TestAProgramRunsOnWithoutThePagesOfItsStart(t *testing.T) {
	counted := func() (kilobytes string) {
		status, err := os.ReadFile("/proc/self/status")
		if err != nil {
			t.Fatal(err)
		}
		_, after, _ := strings.Cut(string(status), "RssFile:")
		kilobytes, _, _ = strings.Cut(strings.TrimSpace(after), " ")
		return kilobytes
	}
	before := counted()
	unmapProgram()
	if after := counted(); len(after) > len(before) || len(after) == len(before) && after >= before {
		t.Errorf("%s kB of files are counted, %s before", after, before)
	}
}
