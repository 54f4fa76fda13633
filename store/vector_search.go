package store

import (
	"cmp"
	"context"
	"fmt"
	"runtime"
	"slices"
	"strconv"
	"sync"

	"github.com/philippgille/chromem-go"
	"gonum.org/v1/gonum/blas/blas32"

	"agentmemory/internal/memory"
)

// vectorSearch finds the nearest of the unit vectors that it was given. Both
// kinds answer alike, within rounding, ties by key.
type vectorSearch interface {
	put(ctx context.Context, key int64, unit []float32) error // copies unit
	drop(ctx context.Context, key int64) error
	count() int
	// nearest looks only at what is allowed, if that is not nil.
	nearest(ctx context.Context, unit []float32, limit int, allowed *mask) ([]memory.Neighbour, error)
}

// chromemSearch keeps the vectors in a chromem collection in memory. Its own
// persistence is never used: the vectors' home is SQLite.
type chromemSearch struct{ collection *chromem.Collection }

func newChromemSearch() (*chromemSearch, error) {
	c, err := chromem.NewDB().CreateCollection("memories", nil, func(context.Context, string) ([]float32, error) {
		return nil, memory.Errorf(memory.Internal, "the index was asked to embed a text")
	})
	if err != nil {
		return nil, fmt.Errorf("creating a collection: %w", err)
	}
	return &chromemSearch{c}, nil
}

func (c *chromemSearch) put(ctx context.Context, key int64, unit []float32) error {
	return c.collection.AddDocument(ctx, chromem.Document{ID: strconv.FormatInt(key, 10), Embedding: slices.Clone(unit)})
}

func (c *chromemSearch) drop(ctx context.Context, key int64) error {
	// Without conditions: an empty one would delete everything.
	return c.collection.Delete(ctx, nil, nil, strconv.FormatInt(key, 10))
}

func (c *chromemSearch) count() int { return c.collection.Count() }

func (c *chromemSearch) nearest(ctx context.Context, unit []float32, limit int, allowed *mask) ([]memory.Neighbour, error) {
	wanted := min(limit, c.count())
	if wanted <= 0 {
		return nil, nil
	}
	if allowed != nil {
		wanted = c.count() // a collection has no filter by key
	}
	results, err := c.collection.QueryEmbedding(ctx, unit, wanted, nil, nil)
	if err != nil {
		return nil, fmt.Errorf("searching the collection: %w", err)
	}
	found := make([]memory.Neighbour, 0, len(results))
	for _, r := range results {
		key, err := strconv.ParseInt(r.ID, 10, 64)
		if err != nil {
			return nil, fmt.Errorf("reading a key of the collection: %w", err)
		}
		if allowed == nil || allowed.has(uint32(key)) { //nolint:gosec // keys are positive and small
			found = append(found, memory.Neighbour{Key: key, Cosine: float64(r.Similarity)})
		}
	}
	slices.SortFunc(found, nearer)
	return found[:min(limit, len(found))], nil
}

// nearer orders by similarity, ties by key.
func nearer(a, b memory.Neighbour) int {
	return cmp.Or(cmp.Compare(b.Cosine, a.Cosine), cmp.Compare(a.Key, b.Key))
}

// flatSearch keeps the vectors one after the other and looks at all of them:
// for many vectors several times faster than a collection of single ones.
type flatSearch struct {
	dimension int
	keys      []int64
	values    []float32
	at        []uint32 // by key: its place in keys, counted from 1; 0: it has none
}

func newFlatSearch(dimension, capacity int) *flatSearch {
	return &flatSearch{
		dimension: dimension, keys: make([]int64, 0, capacity),
		values: make([]float32, 0, capacity*dimension), at: make([]uint32, capacity+1),
	}
}

// place returns where a key stands in keys, or -1.
func (f *flatSearch) place(key int64) int {
	if key >= int64(len(f.at)) {
		return -1
	}
	return int(f.at[key]) - 1
}

func (f *flatSearch) put(_ context.Context, key int64, unit []float32) error {
	if i := f.place(key); i >= 0 {
		copy(f.values[i*f.dimension:], unit)
		return nil
	}
	f.keys = append(f.keys, key)
	f.values = append(f.values, unit...)
	if missing := int(key) + 1 - len(f.at); missing > 0 {
		f.at = append(f.at, make([]uint32, missing)...)
	}
	f.at[key] = uint32(len(f.keys)) //nolint:gosec // vectors are fewer
	return nil
}

// drop moves the last vector into the gap.
func (f *flatSearch) drop(_ context.Context, key int64) error {
	i := f.place(key)
	if i < 0 {
		return nil
	}
	last := len(f.keys) - 1
	f.at[f.keys[last]], f.keys[i] = f.at[key], f.keys[last]
	copy(f.values[i*f.dimension:(i+1)*f.dimension], f.values[last*f.dimension:])
	f.at[key] = 0
	f.keys, f.values = f.keys[:last], f.values[:last*f.dimension]
	return nil
}

func (f *flatSearch) count() int { return len(f.keys) }

// apiece is how many vectors are worth a processor of their own: fewer are scanned
// before the arm that searches words, which runs beside, is done.
const apiece = 16_384

// nearest scans many vectors in as many pieces as there are processors.
func (f *flatSearch) nearest(ctx context.Context, unit []float32, limit int, allowed *mask) ([]memory.Neighbour, error) {
	pieces := max(1, min(runtime.GOMAXPROCS(0), len(f.keys)/apiece))
	best := make([]worstFirst, pieces)
	var wait sync.WaitGroup
	for p := range pieces {
		piece := span{p * len(f.keys) / pieces, (p + 1) * len(f.keys) / pieces}
		wait.Go(func() { best[p] = f.scan(unit, piece, limit, allowed) })
	}
	wait.Wait()
	found := slices.Concat(best...)
	slices.SortFunc(found, nearer)
	return found[:min(limit, len(found))], ctx.Err()
}

// span is a piece of the keys.
type span struct{ from, to int }

func (f *flatSearch) scan(unit []float32, s span, limit int, allowed *mask) worstFirst {
	best := make(worstFirst, 0, min(limit, s.to-s.from))
	for i := s.from; i < s.to && limit > 0; i++ {
		if allowed != nil && !allowed.has(uint32(f.keys[i])) { //nolint:gosec // keys are positive and small
			continue
		}
		cosine := float64(dot(unit, f.values[i*f.dimension:(i+1)*f.dimension]))
		if len(best) == limit && cosine < best[0].Cosine {
			continue
		}
		n := memory.Neighbour{Key: f.keys[i], Cosine: cosine}
		switch {
		case len(best) < limit:
			if best = append(best, n); len(best) == limit {
				best.order()
			}
		case nearer(n, best[0]) < 0:
			best[0] = n
			best.sink(0)
		}
	}
	return best
}

// dot is the inner product of two vectors of the same length.
func dot(a, b []float32) float32 {
	return blas32.Implementation().Sdot(len(a), a, 1, b, 1)
}

// worstFirst is a binary heap with the farthest neighbour on top. (One of
// container/heap takes a fifth of the time of a scan, for its calls.)
type worstFirst []memory.Neighbour

func (w worstFirst) order() {
	for i := len(w)/2 - 1; i >= 0; i-- {
		w.sink(i)
	}
}

// sink moves a neighbour down until none below it is farther.
func (w worstFirst) sink(i int) {
	for {
		child := 2*i + 1
		if child >= len(w) {
			return
		}
		if other := child + 1; other < len(w) && nearer(w[other], w[child]) > 0 {
			child = other
		}
		if nearer(w[child], w[i]) <= 0 {
			return
		}
		w[i], w[child] = w[child], w[i]
		i = child
	}
}
