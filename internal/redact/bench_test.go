package redact_test

import (
	"fmt"
	"strings"
	"testing"

	"agentmemory/internal/redact"
)

func BenchmarkClean(b *testing.B) {
	r := redact.New()
	for _, piece := range hostilePieces() {
		text := strings.Repeat(piece, 1<<20/len(piece))
		b.Run(fmt.Sprintf("%.20q", piece), func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			for b.Loop() {
				r.Clean(text)
			}
		})
	}
}

// BenchmarkOrdinaryTexts is what a remember pays: one text a turn.
func BenchmarkOrdinaryTexts(b *testing.B) {
	r, all := redact.New(), lines(b, "clean.txt")
	bytes := 0
	for _, line := range all {
		bytes += len(line)
	}
	b.SetBytes(int64(bytes / len(all)))
	for i := 0; b.Loop(); i++ {
		r.Secrets(all[i%len(all)])
	}
}
