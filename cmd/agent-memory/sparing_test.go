package main

import (
	"context"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"testing"
	"time"
)

// What a burst needed goes back to the system, and not only after minutes.
func TestWhatABurstNeededIsGivenBack(t *testing.T) {
	burst()
	runtime.GC()
	before := unusedBytes()
	if before <= 32<<20 {
		t.Skipf("the runtime has given back all but %d bytes by itself", before)
	}
	giveBack()
	if after := unusedBytes(); after > before/2 {
		t.Errorf("%d bytes were not in use, and %d still are not", before, after)
	}
}

// The growth of a small heap is bounded in bytes, that of a large one in percent.
func TestASmallHeapMayGrowByMore(t *testing.T) {
	for used, want := range map[uint64]int{0: 200, 1 << 20: 200, 4 << 20: 150, 5 << 20: 120, 8 << 20: 70, 15 << 20: 40, 100 << 20: 40} {
		if got := growthAt(used); got != want {
			t.Errorf("%d MB in use may grow by %d %%, want %d", used>>20, got, want)
		}
	}
}

// Collections that come later see what is in use by then.
func TestTheGrowthFollowsWhatIsInUse(t *testing.T) {
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	a := &app{}
	ctx, end := context.WithCancel(t.Context())
	defer end()
	a.pace(ctx, collectAtStart)
	large := make([]*[1 << 10]byte, 64<<10)
	for i := range large {
		large[i] = new([1 << 10]byte)
	}
	for range 400 {
		runtime.GC()
		if allowedGrowth() == collectAt {
			runtime.KeepAlive(large)
			return
		}
		time.Sleep(5 * time.Millisecond)
	}
	t.Errorf("with %d MB in use the heap may grow by %d %%, want %d", len(large)>>10, allowedGrowth(), collectAt)
}

func allowedGrowth() uint64 {
	sample := []metrics.Sample{{Name: "/gc/gogc:percent"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}

func burst() {
	needed := make([][]byte, 64)
	for i := range needed {
		needed[i] = make([]byte, 1<<20)
		needed[i][0] = 1
	}
	runtime.KeepAlive(needed)
}

func unusedBytes() uint64 {
	sample := []metrics.Sample{{Name: "/memory/classes/heap/free:bytes"}}
	metrics.Read(sample)
	return sample[0].Value.Uint64()
}
