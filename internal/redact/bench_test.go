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
