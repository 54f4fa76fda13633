package main

import (
	"context"
	"path/filepath"
	"sync/atomic"
	"testing"
	"time"

	"agentmemory/internal/lease"
)

// While compound works no process makes vectors, of new memories neither; they
// are made when it has ended, and writing and asking go on meanwhile.
func TestVectorsWaitForCompound(t *testing.T) {
	var asked atomic.Int64
	url := fakeOllama(t, &asked)
	env, home := surround(t, "AGENT_MEMORY_EMBEDDING_PROVIDER=ollama", "AGENT_MEMORY_EMBEDDING_MODEL=fake", "AGENT_MEMORY_EMBEDDING_BASE_URL="+url)
	l := startLive(t, env)
	defer l.close()
	pending := func() float64 {
		n, _ := dig[map[string]any](t, l.call("status", `{}`), "health", "vectors")["pending"].(float64)
		return n
	}
	until := func(want float64) {
		t.Helper()
		for deadline := time.Now().Add(20 * time.Second); pending() != want; time.Sleep(50 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%v memories wait for a vector, want %v", pending(), want)
			}
		}
	}
	l.call("remember", `{"content":"Green tea is what Marta drinks","type":"knowledge"}`)
	until(0)
	other := pauser{lease.Lock{Path: filepath.Join(home, ".agent-memory", stateFolder, pauseLock)}} // another process's compound
	release := other.hold(context.Background())
	time.Sleep(2 * pausePoll) // who looked before the pause began may still ask for one batch
	l.call("remember", `{"content":"The deploy takes six minutes","type":"knowledge"}`)
	if got := l.call("recall", `{"query":"deploy takes six minutes"}`); got["count"] == 0.0 {
		t.Errorf("found by its words: %v", got)
	}
	for range 10 {
		time.Sleep(100 * time.Millisecond)
		if n := pending(); n != 1 {
			t.Fatalf("%v memories wait for a vector while compound works", n)
		}
	}
	release()
	until(0)
}

// A command that ends beside a compound leaves its vectors to the next one.
func TestCommandsDoNotWaitForCompound(t *testing.T) {
	env, home := surround(t)
	answer[map[string]any](t, env, "remember", "The deploy takes six minutes")
	defer pauser{lease.Lock{Path: filepath.Join(home, ".agent-memory", stateFolder, pauseLock)}}.hold(context.Background())()
	began := time.Now()
	answer[map[string]any](t, env, "sync", "files")
	if d := time.Since(began); d > 10*time.Second {
		t.Errorf("sync took %s", d)
	}
}
