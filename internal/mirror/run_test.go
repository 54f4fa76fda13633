package mirror_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"agentmemory/internal/mirror"
)

// A running mirror writes what is committed and reads what people change.
func TestRunKeepsBothSidesInStep(t *testing.T) {
	b := newBench(t, func(o *mirror.Options) {
		o.Now, o.Settle, o.Poll = time.Now, 50*time.Millisecond, 200*time.Millisecond
	})
	b.clock.now = time.Now()
	defer goleak.VerifyNone(t, goleak.IgnoreCurrent())
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- b.Run(ctx) }()
	m := b.remember("committed while running")
	b.Notify()
	b.eventually("the memory stands in its journal", func() bool {
		return strings.Contains(b.read(m.Home.File), m.Content)
	})
	b.save(m.Home.File, b.read(m.Home.File)+"- typed while running\n")
	b.eventually("the typed line is a memory", func() bool {
		for _, m := range b.all() {
			if m.Content == "typed while running" {
				return true
			}
		}
		return false
	})
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}

func (b *bench) eventually(what string, holds func() bool) {
	b.t.Helper()
	for range 200 {
		if holds() {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	b.t.Fatalf("after 4 seconds it is not so that %s", what)
}

// A person's edit of an entity's facts is announced as one of a journal is.
func TestRunReadsFactsWithoutWaitingForTheNextPoll(t *testing.T) {
	const items = "memory/life/projects/harbour/items.json"
	b := newBench(t, func(o *mirror.Options) {
		o.Now, o.Settle, o.Poll = time.Now, 50*time.Millisecond, time.Hour
	})
	b.clock.now = time.Now().Add(-time.Minute)
	b.save(items, `[{"id": "f1", "fact": "berths are booked by phone", "status": "active"}]`)
	b.sync()
	b.clock.now = time.Now()
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error)
	go func() { done <- b.Run(ctx) }()
	m := b.remember("committed while running")
	b.Notify()
	b.eventually("the first look is over, and a drain after it", func() bool {
		return strings.Contains(b.read(m.Home.File), m.Content)
	})
	b.save(items, strings.Replace(b.read(items), "by phone", "online", 1))
	b.eventually("the fact says what the file says", func() bool {
		for _, m := range b.all() {
			if m.Content == "berths are booked online" {
				return true
			}
		}
		return false
	})
	cancel()
	if err := <-done; err != nil {
		t.Error(err)
	}
}
