package memory

import (
	"sync"
	"sync/atomic"
	"testing"
)

// Whoever takes what another one has seen first goes away without it; nothing is
// taken twice, and nothing is lost.
func TestNobodyWaitsForWhatAnotherHasTaken(t *testing.T) {
	queue := make(chan int, 4)
	var sent, taken atomic.Int64
	var takers sync.WaitGroup
	for range 4 {
		takers.Go(func() { // with len and a plain receive, one of them would not come back
			for range 100_000 {
				select {
				case queue <- 1:
					sent.Add(1)
				default:
				}
				taken.Add(int64(len(Waiting(queue))))
			}
		})
	}
	takers.Wait()
	if left := int64(len(Waiting(queue))); sent.Load() != taken.Load()+left {
		t.Errorf("%d were sent, %d taken, %d left", sent.Load(), taken.Load(), left)
	}
}
