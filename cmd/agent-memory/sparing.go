package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"time"
)

// collectAt is the growth of the heap, in percent, at which a server collects
// garbage: it lives as long as its client and mostly waits, so that memory counts
// more than the few percent of time. Before its first answers time counts more.
//
// A small heap may grow by growthFree anyway: at a share of a few megabytes the
// collector would run at every other call.
const (
	collectAt      = 40
	collectAtStart = 200
	growthFree     = 6 << 20 // bytes
)

// What loading leaves behind, and how often to look for it. Collecting and giving
// back takes some milliseconds of one core, a tenth of a second in a store of
// 100,000 memories.
const (
	loadedAfter = 2 * time.Second
	spareAgain  = 30 * time.Second
	spareFrom   = 4 << 20 // bytes
	spareShare  = 4       // one part in this of what is in use
)

// growthAt is the growth, in steps of ten percent, that a heap may have in which so
// many bytes are used.
func growthAt(used uint64) int {
	free := 10 * growthFree / max(1, used) * 10
	return int(min(collectAtStart, max(collectAt, free))) //nolint:gosec // bounded
}

// pace keeps the growth in line with what is used, after every collection, until
// ctx ends.
func (a *app) pace(ctx context.Context, growth int) {
	if ctx.Err() != nil {
		return
	}
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	if now := growthAt(sample[0].Value.Uint64()); now != growth {
		a.collect(now)
		growth = now
	}
	type collected struct{ by *app } // by the next collection, after which the cleanup runs
	runtime.AddCleanup(&collected{a}, func(growth int) { a.pace(ctx, growth) }, growth)
}

// collect leaves the choice to GOGC where that is set.
func (a *app) collect(at int) {
	if a.env.get("GOGC") == "" {
		debug.SetGCPercent(at)
	}
}

// spareMemory keeps a server small until ctx ends. The runtime gives memory back
// so slowly that what a burst needed would stay for minutes.
func (a *app) spareMemory(ctx context.Context) error {
	a.pace(ctx, collectAtStart)
	unmapped := false
	for wait := loadedAfter; ; wait = spareAgain {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
			giveBack()
			if !unmapped {
				unmapProgram()
				unmapped = true
			}
		}
	}
}

// giveBack returns memory to the system if there is much to return.
func giveBack() {
	const unused, inUse = "/memory/classes/heap/free:bytes", "/memory/classes/heap/objects:bytes"
	sample := []metrics.Sample{{Name: unused}, {Name: inUse}}
	metrics.Read(sample)
	if n := sample[0].Value.Uint64(); n > spareFrom && n > sample[1].Value.Uint64()/spareShare {
		debug.FreeOSMemory()
	}
}
