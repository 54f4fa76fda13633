package main

import (
	"context"
	"sync"
	"testing"
	"time"

	"agentmemory/store"
)

// Several calls flush at once where a server has opened its database late; none
// may wait for an entry that another one has taken.
func TestFlushesOfTheAuditLogDoNotWaitForEachOther(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Options{Path: t.TempDir() + "/memory.db", Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	log := newAuditLog(s)
	refused, cancel := context.WithCancel(t.Context())
	cancel() // nothing is written, and what was taken is put back
	log.note("remember", []string{"m1"}, time.Now())
	var flushing sync.WaitGroup
	for range 4 {
		flushing.Go(func() {
			for range 20_000 {
				_ = log.flush(refused)
			}
		})
	}
	ended := make(chan struct{})
	go func() { flushing.Wait(); close(ended) }()
	select {
	case <-ended:
	case <-time.After(20 * time.Second):
		t.Fatal("a flush waits for an entry that is not there any more")
	}
}
