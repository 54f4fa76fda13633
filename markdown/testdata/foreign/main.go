// Command foreign tries what no job may do; it must not compile.
package main

import (
	"time"

	"agentmemory/markdown"
)

func jobs(w markdown.Workspace, now time.Time) {
	w.Wrapups().Day(now, 1)
	w.Wrapups().Index()                  // refused
	w.Wrapups().Weekly(now)              // refused
	w.Wrapups().PutAway(now, 1, 1)       // refused
	w.Compound().Day(now, 1)             // refused
	_ = markdown.File{path: "MEMORY.md"} // refused
}

func main() {}
