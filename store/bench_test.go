package store_test

import (
	"crypto/rand"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// corpusOf makes texts whose words are as unevenly frequent as those of a
// language (Zipf's law), the same for the same seed.
func corpusOf(seed uint64) func() string {
	r := mathrand.New(mathrand.NewPCG(seed, 7))
	z := mathrand.NewZipf(r, 1.07, 3, 40_000)
	return func() string {
		words := make([]string, 14+r.IntN(24))
		for i := range words {
			words[i] = "w" + strconv.FormatUint(z.Uint64(), 36) + "k"
		}
		return strings.Join(words, " ")
	}
}

// sized returns the path of a store with n memories, made once a run of the
// benchmarks, or once for all runs if STORE_BENCH_DIR names a folder.
func sized(b *testing.B, n int) string {
	b.Helper()
	dir := os.Getenv("STORE_BENCH_DIR")
	if dir == "" {
		dir = b.TempDir()
	}
	path := filepath.Join(dir, fmt.Sprintf("%d.db", n))
	if _, err := os.Stat(path); err == nil {
		return path
	}
	s := openBench(b, path)
	next := corpusOf(1)
	for done := 0; done < n; done += 500 {
		changes := make([]memory.Change, min(500, n-done))
		for i := range changes {
			m := note(next())
			m.SessionID, m.Seq = fmt.Sprintf("s%d", (done+i)/100), (done+i)%100+1
			m.Actor = fmt.Sprintf("actor%d", (done+i)%50)
			m.ObservedAt = time.Date(2026, 1, 1, 0, done+i, 0, 0, time.UTC)
			changes[i] = memory.Change{Op: memory.OpAdd, Memory: m, FromFile: true}
		}
		if _, err := s.Apply(b.Context(), changes); err != nil {
			b.Fatal(err)
		}
	}
	return path
}

func openBench(b *testing.B, path string) *store.Store {
	b.Helper()
	clock := storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))
	s, err := store.Open(b.Context(), store.Options{Path: path, Now: clock.Now, IDs: memory.NewIDSource(clock.Now, rand.Reader)})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() {
		if err := s.Close(); err != nil {
			b.Error(err)
		}
	})
	return s
}

func sizes(b *testing.B, run func(b *testing.B, path string)) {
	for _, n := range []int{1_000, 10_000, 100_000} {
		b.Run(strconv.Itoa(n), func(b *testing.B) { run(b, sized(b, n)) })
	}
}

// copied returns the path of a copy that a benchmark may write to.
func copied(b *testing.B, path string) string {
	b.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		b.Fatal(err)
	}
	to := filepath.Join(filepath.Dir(path), "copy-"+filepath.Base(path))
	for _, suffix := range []string{"", "-wal", "-shm"} {
		_ = os.Remove(to + suffix)
	}
	if err := os.WriteFile(to, raw, 0o600); err != nil {
		b.Fatal(err)
	}
	return to
}

func BenchmarkAdd(b *testing.B) {
	sizes(b, func(b *testing.B, path string) {
		s := openBench(b, copied(b, path))
		next := corpusOf(uint64(time.Now().UnixNano()))
		took := make([]time.Duration, 0, b.N)
		b.ResetTimer()
		for range b.N {
			start := time.Now()
			if _, err := s.Apply(b.Context(), []memory.Change{add(note(next()))}); err != nil {
				b.Fatal(err)
			}
			took = append(took, time.Since(start))
		}
		reportPercentiles(b, took)
	})
}

func reportPercentiles(b *testing.B, took []time.Duration) {
	b.Helper()
	sorted := append([]time.Duration(nil), took...)
	for i := range sorted {
		for j := i; j > 0 && sorted[j] < sorted[j-1]; j-- {
			sorted[j], sorted[j-1] = sorted[j-1], sorted[j]
		}
	}
	b.ReportMetric(float64(sorted[len(sorted)/2].Microseconds()), "p50-µs")
	b.ReportMetric(float64(sorted[len(sorted)*95/100].Microseconds()), "p95-µs")
}

func BenchmarkSearch(b *testing.B) {
	for _, kind := range []string{"frequent", "mixed", "rare"} {
		b.Run(kind, func(b *testing.B) {
			sizes(b, func(b *testing.B, path string) {
				s := openBench(b, path)
				queries := queriesOf(kind)
				for i := 0; b.Loop(); i++ {
					if _, _, err := s.Search(b.Context(), text.Index(queries[i%len(queries)]), memory.Filter{Namespace: "main"}, 300); err != nil {
						b.Fatal(err)
					}
				}
			})
		})
	}
}

// queriesOf makes questions of eight words: the most frequent ones, the rare
// ones, or drawn as texts draw them.
func queriesOf(kind string) []string {
	r := mathrand.New(mathrand.NewPCG(3, 3))
	z := mathrand.NewZipf(r, 1.07, 3, 40_000)
	queries := make([]string, 50)
	for i := range queries {
		words := make([]string, 8)
		for j := range words {
			n := z.Uint64()
			switch kind {
			case "frequent":
				n = r.Uint64N(40)
			case "rare":
				n = 200 + r.Uint64N(5000)
			}
			words[j] = "w" + strconv.FormatUint(n, 36) + "k"
		}
		queries[i] = strings.Join(words, " ")
	}
	return queries
}

func BenchmarkOpen(b *testing.B) {
	sizes(b, func(b *testing.B, path string) {
		clock := storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))
		for b.Loop() {
			s, err := store.Open(b.Context(), store.Options{Path: path, Now: clock.Now})
			if err != nil {
				b.Fatal(err)
			}
			if err := s.Close(); err != nil {
				b.Fatal(err)
			}
		}
	})
}

// withVectors gives every memory of a store a vector and returns their model.
func withVectors(b *testing.B, s *store.Store, dimension int) memory.Model {
	b.Helper()
	model, _, err := s.Serving(b.Context(), "main")
	if err == nil && model.Generation == 0 {
		model, err = s.BeginGeneration(b.Context(), "main", memory.Model{Provider: "bench", Name: "random", Dimension: dimension}, nil)
	}
	if err != nil {
		b.Fatal(err)
	}
	for {
		pending, err := s.PendingVectors(b.Context(), model, 1000)
		if err != nil {
			b.Fatal(err)
		}
		if len(pending) == 0 {
			return model
		}
		vectors := make([]memory.Vector, len(pending))
		for i, p := range pending {
			vectors[i] = memory.Vector{ContentHash: p.ContentHash, Values: embedding(p.ContentHash, dimension)}
		}
		if err := s.PutVectors(b.Context(), model, vectors); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkNearest(b *testing.B) {
	for name, f := range map[string]memory.Filter{"unfiltered": {Namespace: "main"}, "actor": {Namespace: "main", Actor: "actor7"}} {
		b.Run(name, func(b *testing.B) {
			sizes(b, func(b *testing.B, path string) {
				s := openBench(b, path)
				model := withVectors(b, s, 128)
				start := time.Now()
				query := embedding("query", 128)
				if _, err := s.Nearest(b.Context(), model, query, f, 1); err != nil {
					b.Fatal(err)
				}
				loaded := time.Since(start)
				for b.Loop() {
					if _, err := s.Nearest(b.Context(), model, query, f, 100); err != nil {
						b.Fatal(err)
					}
				}
				b.ReportMetric(float64(loaded.Milliseconds()), "load-ms")
			})
		})
	}
}

// BenchmarkGuard does what a write asks of the store before it: the weights of
// all terms of a new text, then the memories that share its rarest ones.
func BenchmarkGuard(b *testing.B) {
	sizes(b, func(b *testing.B, path string) {
		s := openBench(b, path)
		next := corpusOf(4)
		for b.Loop() {
			terms := text.Index(next())
			corpus, err := s.Corpus(b.Context(), "main", terms)
			if err != nil {
				b.Fatal(err)
			}
			slices.SortFunc(terms, func(x, y string) int { return corpus.DF[x] - corpus.DF[y] })
			if _, _, err := s.Search(b.Context(), terms[:6], memory.Filter{Namespace: "main"}, 20); err != nil {
				b.Fatal(err)
			}
		}
	})
}
