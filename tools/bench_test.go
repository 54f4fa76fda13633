package tools_test

import "testing"

// BenchmarkRemember measures one remember on a store of ten thousand memories,
// full durability included, without the files.
func BenchmarkRemember(b *testing.B) {
	k := newKit(b)
	fill(b, k, 10_000)
	i := 0
	for b.Loop() {
		i++
		measured(b, k, i)
	}
}
