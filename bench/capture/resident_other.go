//go:build !unix

package main

import "os"

// resident is not told by this system.
func resident(*os.ProcessState) (int64, bool) { return 0, false }
