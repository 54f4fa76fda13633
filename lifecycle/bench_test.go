package lifecycle

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

// crowd makes a store of n memories with texts as people write them: sentences
// of eight to twenty words of a vocabulary in which few words are frequent.
func crowd(n int) []memory.Memory {
	random := rand.New(rand.NewPCG(1, 2))
	zipf := rand.NewZipf(random, 1.2, 4, 20_000)
	store := make([]memory.Memory, n)
	for i := range store {
		words := make([]string, 8+random.IntN(12))
		for j := range words {
			if w := zipf.Uint64(); w%5 == 0 {
				words[j] = string([]rune{rune(0x4e00 + w%3000), rune(0x4e00 + w%1700)})
			} else {
				words[j] = fmt.Sprintf("w%cx%d", 'a'+w%26, w)
			}
		}
		age := time.Duration(random.IntN(300*24)) * time.Hour
		store[i] = stored(fmt.Sprintf("m%06d", i), strings.Join(words, " "), func(m *memory.Memory) {
			m.Type = memory.Types()[1+random.IntN(3)]
			m.CreatedAt = today().Add(-age)
			m.UpdatedAt = m.CreatedAt
		})
	}
	return store
}

func BenchmarkReflectAll100k(b *testing.B) {
	store := crowd(100_000)
	p, err := ProfileByName("openclaw")
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		All(store, today(), time.Time{}, p)
	}
}

func BenchmarkCompound10k(b *testing.B) {
	store := crowd(10_000)
	p, err := ProfileByName("openclaw")
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		Compound(memory.Outline{}, store, today(), p, nil)
	}
}

func BenchmarkSurface100k(b *testing.B) {
	store := crowd(100_000)
	p, err := ProfileByName("openclaw")
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		Surface(store, today(), p, nil)
	}
}

func BenchmarkGuardWith20Candidates(b *testing.B) {
	var similar []Similar
	for _, m := range crowd(MaxCandidates) {
		similar = append(similar, Similar{Memory: m})
	}
	in := crowd(21)[20]
	p, err := ProfileByName("openclaw")
	if err != nil {
		b.Fatal(err)
	}
	b.ResetTimer()
	for b.Loop() {
		Guard(Arrival{Memory: in, Now: today()}, similar, p.Guard)
	}
}
