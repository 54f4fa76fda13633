//go:build unix

package main

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// crowded fills a store with n notes of the last 300 days, as people write them.
func crowded(b *testing.B, n int) *life {
	b.Helper()
	l := newLife(b, "openclaw")
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.2, 4, 20_000)
	var changes []memory.Change
	for i := range n {
		words := make([]string, 8+random.IntN(12))
		for j := range words {
			words[j] = fmt.Sprintf("word%d", zipf.Uint64())
		}
		at := l.at.Add(-time.Duration(random.IntN(300*24)) * time.Hour)
		m := memory.Memory{
			Namespace: memory.DefaultNamespace, Type: memory.Types()[1+random.IntN(3)], Form: memory.Note, Status: memory.Active, Trust: memory.TrustAgent,
			Content: fmt.Sprintf("%s %d", strings.Join(words, " "), i), Confidence: .8, InitialImportance: .5, Importance: .5, Density: .5, ImportanceSet: at, CreatedAt: at,
		}
		m.ContentHash = memory.Hash(m.Content)
		m.URI = memory.JournalURI(m.Type, at)
		m.Home.File = l.home(m)
		if changes = append(changes, memory.Change{Op: memory.OpAdd, Memory: m, Reason: "bench"}); len(changes) == 2000 || i == n-1 {
			if _, err := l.store.Apply(b.Context(), changes); err != nil {
				b.Fatal(err)
			}
			changes = changes[:0]
		}
	}
	if err := l.mirror.Drain(b.Context()); err != nil {
		b.Fatal(err)
	}
	return l
}

// used returns the CPU time of this process so far.
func used() time.Duration {
	var u syscall.Rusage
	_ = syscall.Getrusage(syscall.RUSAGE_SELF, &u)
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// writes remembers until ctx ends and returns how long each call waited.
func (l *life) writes(ctx context.Context, prefix string) []time.Duration {
	remember := l.remember()
	var waits []time.Duration
	for i := 0; ctx.Err() == nil; i++ {
		start := time.Now()
		if _, err := remember.Run(context.WithoutCancel(ctx), tools.RememberArgs{RememberItem: tools.RememberItem{Content: fmt.Sprintf("%s note %d about the harbour of town %d", prefix, i, i*7)}}); err != nil {
			l.t.Error(err)
			return waits
		}
		waits = append(waits, time.Since(start))
		time.Sleep(20 * time.Millisecond)
	}
	slices.Sort(waits)
	return waits
}

func BenchmarkReflectAll100kStored(b *testing.B) { benchmarkPhase(b, "all", 100_000) }

func BenchmarkCompound10kStored(b *testing.B) { benchmarkPhase(b, "compound", 10_000) }

// benchmarkPhase runs a phase while somebody else remembers: CPU seconds of the
// phase, and the longest wait of a remember beside it and without it.
// The first run of the phase, which finds the whole past, is timed apart.
func benchmarkPhase(b *testing.B, phase string, n int) {
	l := crowded(b, n)
	began, clock, dry := used(), time.Now(), false
	if _, err := l.reflect().Run(b.Context(), tools.ReflectArgs{Phase: phase, DryRun: &dry}); err != nil {
		b.Fatal(err)
	}
	first, firstByClock := used()-began, time.Since(clock)
	l.at = l.at.Add(7 * 24 * time.Hour)
	quiet, stop := context.WithTimeout(b.Context(), 3*time.Second)
	before := l.writes(quiet, "quiet")
	stop()
	b.ResetTimer()
	for b.Loop() {
		busy, stop := context.WithCancel(b.Context())
		waits := make(chan []time.Duration)
		go func() { waits <- l.writes(busy, fmt.Sprint("busy ", l.at.Unix())) }()
		start := used()
		report, err := l.reflect().Run(b.Context(), tools.ReflectArgs{Phase: phase, DryRun: &dry})
		if err != nil {
			b.Fatal(err)
		}
		cpu := used() - start
		stop()
		during := <-waits
		b.ReportMetric(first.Seconds(), "cpu-s-first")
		b.ReportMetric(firstByClock.Seconds(), "s-first")
		b.ReportMetric(cpu.Seconds(), "cpu-s")
		b.ReportMetric(float64(report.Changed), "changes")
		b.ReportMetric(float64(before[len(before)-1].Milliseconds()), "ms-max-quiet")
		b.ReportMetric(float64(during[len(during)-1].Milliseconds()), "ms-max-beside")
		b.ReportMetric(float64(during[len(during)*99/100].Milliseconds()), "ms-p99-beside")
		l.at = l.at.Add(7 * 24 * time.Hour)
	}
}
