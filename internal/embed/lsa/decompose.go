package lsa

import (
	"context"
	"errors"
	"fmt"
	"math"

	"gonum.org/v1/gonum/mat"
)

// Sizes of the randomised decomposition (Halko, Martinsson and Tropp 2011):
// a few dimensions more than wanted, and power iterations, which sharpen them.
const (
	oversampling = 16
	iterations   = 3
	width        = Dimension + oversampling
)

// spectrum is the power of the eigenvalues (squares of the singular values) by
// which directions are scaled: 0 would make a store whose texts are few and all
// different know only identity, ½ would leave little but the main subjects.
const spectrum = 0.25

// negligible is the share of the largest eigenvalue below which a direction is noise.
const negligible = 1e-9

// decompose returns the leading right singular vectors of the windows, one row
// of Dimension values for each term, by subspace iteration on the term side:
// memory is terms × width, whatever the number of windows.
func decompose(ctx context.Context, windows []row, terms int) ([]float32, error) {
	if terms == 0 || len(windows) == 0 {
		return nil, nil
	}
	q := seeded(terms)
	for range iterations {
		if err := ctx.Err(); err != nil {
			return nil, fmt.Errorf("training stopped: %w", err)
		}
		z := multiply(windows, q)
		if err := orthonormalise(z, z); err != nil {
			return nil, err
		}
		q = z
	}
	// Rayleigh–Ritz: rotate the subspace onto the singular vectors.
	rotated, err := rotate(windows, q)
	if err != nil {
		return nil, err
	}
	return rotated, nil
}

// seeded fills the starting subspace with the same pseudo-random values every time.
func seeded(terms int) []float64 {
	q := make([]float64, terms*width)
	x := uint64(1)
	for i := range q {
		x = scramble(x + uint64(i))
		q[i] = float64(x>>11)/(1<<52) - 1
	}
	return q
}

// multiply returns WᵀW·q without ever holding W·q: one window at a time.
func multiply(windows []row, q []float64) []float64 {
	z := make([]float64, len(q))
	var t [width]float64
	for _, w := range windows {
		project(w, q, &t)
		for i, term := range w.terms {
			v := float64(w.values[i])
			out := z[int(term)*width : (int(term)+1)*width]
			for d := range out {
				out[d] += v * t[d]
			}
		}
	}
	return z
}

// project sets t to w·q.
func project(w row, q []float64, t *[width]float64) {
	clear(t[:])
	for i, term := range w.terms {
		v := float64(w.values[i])
		in := q[int(term)*width : (int(term)+1)*width]
		for d, x := range in {
			t[d] += v * x
		}
	}
}

// orthonormalise replaces the columns of z by orthonormal ones that span the
// same space: z·V·Λ^(−½), with the eigenvectors of zᵀz.
func orthonormalise(z, out []float64) error {
	gram := mat.NewSymDense(width, nil)
	accumulate(gram, len(z)/width, func(i int) []float64 { return z[i*width : (i+1)*width] })
	values, vectors, err := eigen(gram)
	if err != nil {
		return err
	}
	largest := values[0]
	var transform [width][width]float64
	for j := range width {
		if values[j] <= negligible*largest {
			continue
		}
		scale := 1 / math.Sqrt(values[j])
		for i := range width {
			transform[i][j] = vectors.At(i, width-1-j) * scale
		}
	}
	apply(z, out, &transform)
	return nil
}

// accumulate sums the outer products of n vectors into the upper triangle of gram.
func accumulate(gram *mat.SymDense, n int, vector func(i int) []float64) {
	raw := gram.RawSymmetric().Data
	for i := range n {
		v := vector(i)
		for a, x := range v {
			if x == 0 {
				continue
			}
			line := raw[a*width : (a+1)*width]
			for b := a; b < width; b++ {
				line[b] += x * v[b]
			}
		}
	}
}

// eigen returns the eigenvalues in descending order; column width−1−j of the
// vectors belongs to the j-th.
func eigen(gram *mat.SymDense) ([]float64, *mat.Dense, error) {
	var e mat.EigenSym
	if !e.Factorize(gram, true) {
		return nil, nil, errors.New("the eigenvalue iteration did not converge")
	}
	ascending := e.Values(nil)
	values := make([]float64, width)
	for i, v := range ascending {
		values[width-1-i] = v
	}
	var vectors mat.Dense
	e.VectorsTo(&vectors)
	return values, &vectors, nil
}

// apply multiplies each row of in by the transform.
func apply(in, out []float64, transform *[width][width]float64) {
	var line [width]float64
	for i := 0; i < len(in); i += width {
		clear(line[:])
		for a, x := range in[i : i+width] {
			for b := range width {
				line[b] += x * transform[a][b]
			}
		}
		copy(out[i:i+width], line[:])
	}
}

// rotate returns the leading directions of the subspace q: those that explain
// most of the windows. The sign of each is fixed by its largest value.
func rotate(windows []row, q []float64) ([]float32, error) {
	gram := mat.NewSymDense(width, nil)
	var t [width]float64
	accumulate(gram, len(windows), func(i int) []float64 {
		project(windows[i], q, &t)
		return t[:]
	})
	values, vectors, err := eigen(gram)
	if err != nil {
		return nil, err
	}
	terms := len(q) / width
	basis := make([]float32, terms*Dimension)
	for j := range Dimension {
		if values[j] <= negligible*values[0] {
			break
		}
		direction(q, vectors, j, math.Pow(values[j]/values[0], spectrum), basis)
	}
	return basis, nil
}

func direction(q []float64, vectors *mat.Dense, j int, scale float64, basis []float32) {
	var column [width]float64
	for i := range width {
		column[i] = vectors.At(i, width-1-j)
	}
	largest := 0.0
	for i := 0; i < len(q); i += width {
		sum := 0.0
		for d, x := range q[i : i+width] {
			sum += x * column[d]
		}
		basis[i/width*Dimension+j] = float32(scale * sum)
		if math.Abs(sum) > math.Abs(largest) {
			largest = sum
		}
	}
	if largest < 0 {
		for i := j; i < len(basis); i += Dimension {
			basis[i] = -basis[i]
		}
	}
}
