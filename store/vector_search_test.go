package store

import (
	"context"
	"math"
	"math/rand/v2"
	"testing"

	"pgregory.net/rapid"

	"agentmemory/internal/memory"
)

// TestFlatAndChromemAnswerAlike lets both kinds of search live through the same
// random puts and drops, and compares every answer.
func TestFlatAndChromemAnswerAlike(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		dimension := rapid.IntRange(1, 40).Draw(t, "dimension")
		r := rand.New(rand.NewPCG(rapid.Uint64().Draw(t, "seed"), 1))
		small, err := newChromemSearch()
		if err != nil {
			t.Fatal(err)
		}
		flat := newFlatSearch(dimension, 0)
		ctx := context.Background()
		for range rapid.IntRange(1, 60).Draw(t, "steps") {
			key := r.Int64N(30)
			if r.IntN(4) == 0 {
				mustAll(t, small.drop(ctx, key), flat.drop(ctx, key))
			} else {
				v := randomUnit(r, dimension)
				mustAll(t, small.put(ctx, key, v), flat.put(ctx, key, v))
				clear(v) // neither may keep the caller's slice
			}
		}
		query := question{unit: randomUnit(r, dimension), limit: r.IntN(40)}
		compare(t, small, flat, query)
		query.allowed = &mask{}
		for range r.IntN(30) {
			query.allowed.set(r.Uint32N(30), true)
		}
		compare(t, small, flat, query)
	})
}

type question struct {
	unit    []float32
	limit   int
	allowed *mask
}

func mustAll(t *rapid.T, errs ...error) {
	for _, err := range errs {
		if err != nil {
			t.Fatal(err)
		}
	}
}

func randomUnit(r *rand.Rand, dimension int) []float32 {
	v := make([]float32, dimension)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	unit, err := unitVector(v, dimension)
	if err != nil {
		return append(make([]float32, dimension-1), 1)
	}
	return unit
}

func compare(t *rapid.T, small, flat vectorSearch, q question) {
	if small.count() != flat.count() {
		t.Fatalf("chromem holds %d, flat %d", small.count(), flat.count())
	}
	a, err := small.nearest(context.Background(), q.unit, q.limit, q.allowed)
	if err != nil {
		t.Fatal(err)
	}
	b, err := flat.nearest(context.Background(), q.unit, q.limit, q.allowed)
	if err != nil || len(a) != len(b) || q.allowed == nil && len(a) != min(q.limit, small.count()) {
		t.Fatalf("chromem answers %d, flat %d, %v; asked for %d of %d", len(a), len(b), err, q.limit, small.count())
	}
	for i := range a {
		if math.Abs(a[i].Cosine-b[i].Cosine) > 1e-5 {
			t.Errorf("rank %d: chromem %v, flat %v", i, a[i], b[i])
		}
		if q.allowed != nil && !q.allowed.has(uint32(a[i].Key)) {
			t.Errorf("rank %d: %v is not allowed", i, a[i])
		}
		if alone(a, i) && a[i].Key != b[i].Key {
			t.Errorf("rank %d: chromem %v, flat %v", i, a[i], b[i])
		}
	}
}

// alone reports whether rounding cannot have changed the rank of a neighbour.
func alone(list []memory.Neighbour, i int) bool {
	const rounding = 1e-5
	return i+1 < len(list) && list[i].Cosine-list[i+1].Cosine > rounding && (i == 0 || list[i-1].Cosine-list[i].Cosine > rounding)
}
