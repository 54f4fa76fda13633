package main

import (
	"runtime"
	"runtime/metrics"
	"testing"
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
