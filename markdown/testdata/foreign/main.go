// Command foreign tries what no job may do; it must not compile.
package main

import (
	"time"

	"agentmemory/markdown"
)

func jobs(w markdown.Workspace, now time.Time) {
	w.Journals().Day(now, 1)
	w.Journals().Memory()                      // refused
	w.Journals().Recent()                      // refused
	w.Wrapups().Memory()                       // refused
	w.Surface().Memory()                       // refused
	w.Surface().Day(now, 1)                    // refused
	w.Compound().Day(now, 1)                   // refused
	w.Compound().Recent()                      // refused
	w.Tasks().Scheme("knowledge")              // refused
	w.Eraser().Replace("", nil, nil)           // refused
	w.Eraser().Append(nil)                     // refused
	w.Reader(markdown.KindMemory).Replace("x") // refused
	_ = markdown.File{path: "MEMORY.md"}       // refused
}

func main() {}
