package main

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	mathrand "math/rand/v2"
	"os"
	"strings"
	"time"

	"agentmemory/internal/embed/lsa"
	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
	"agentmemory/store"
)

const (
	batch     = 2_000
	session   = 20  // entries of one
	rarely    = 100 // one memory in so many passes the filter, or is in the other namespace
	namespace = "main"
	elsewhere = "elsewhere"
)

// words are as unevenly frequent as those of a language (Zipf's law): sixty
// thousand made-up Latin words and two thousand Chinese characters.
type words struct {
	r            *mathrand.Rand
	latin, hanzi *mathrand.Zipf
}

func wordsOf(seed uint64) words {
	r := mathrand.New(mathrand.NewPCG(seed, 7))
	return words{r, mathrand.NewZipf(r, 1.1, 8, 60_000), mathrand.NewZipf(r, 1.2, 20, 2_000)}
}

// next makes a word; every fourth text is Chinese.
func (w words) next(chinese bool) string {
	if chinese {
		return string(rune(0x4e00 + 7*w.hanzi.Uint64()))
	}
	const consonants, vowels = "bcdfghjklmnprtvwz", "aeiou"
	var b strings.Builder
	for n := w.latin.Uint64() + 17; n > 0; n /= uint64(len(consonants) * len(vowels)) {
		b.WriteByte(consonants[n%uint64(len(consonants))])
		b.WriteByte(vowels[n/uint64(len(consonants))%uint64(len(vowels))])
	}
	return b.String() + "k"
}

func (w words) text(from, to int) string {
	chinese := w.r.IntN(4) == 0
	list := make([]string, from+w.r.IntN(to-from))
	for i := range list {
		list[i] = w.next(chinese)
	}
	if chinese {
		return strings.Join(list, "")
	}
	return strings.Join(list, " ")
}

// content is the text of one memory, the same in every run.
func content(i int) string { return wordsOf(uint64(i)).text(12, 36) }

// question asks with some words of one memory and one that is not in it.
func question(i, size int) string {
	r := mathrand.New(mathrand.NewPCG(99, uint64(i)))
	about := content(r.IntN(size))
	parts := strings.Fields(about)
	if len(parts) == 1 {
		runes := []rune(about)
		start := r.IntN(len(runes) - 6)
		return string(runes[start : start+6])
	}
	start := r.IntN(len(parts) - 5)
	return strings.Join(parts[start:start+5], " ") + " " + wordsOf(uint64(1_000_000_000+i)).next(false)
}

func fill(ctx context.Context, o options) error {
	if err := os.MkdirAll(o.dir, 0o700); err != nil {
		return fmt.Errorf("making the folder: %w", err)
	}
	_, err := os.Stat(o.plain())
	filled := err == nil // before; its vectors may be of an earlier analysis of texts
	s, err := open(ctx, o)
	if err != nil {
		return err
	}
	if err := errors.Join(fillStore(ctx, o, s, filled), s.Close()); err != nil || filled {
		return err
	}
	return fillPlain(ctx, o)
}

func fillStore(ctx context.Context, o options, s *store.Store, filled bool) error {
	memories := progress{what: "memories", total: o.size, now: time.Now, out: os.Stderr}
	for from := 0; from < o.size && !filled; from += batch {
		if err := add(ctx, s, from, min(batch, o.size-from)); err != nil {
			return fmt.Errorf("adding memories: %w", err)
		}
		memories.add(min(batch, o.size-from))
	}
	if err := vectors(ctx, o, s); err != nil {
		return fmt.Errorf("making vectors: %w", err)
	}
	return nil
}

func open(ctx context.Context, o options) (*store.Store, error) {
	s, err := store.Open(ctx, store.Options{Path: o.store(), Now: time.Now, IDs: memory.NewIDSource(time.Now, rand.Reader)})
	if err != nil {
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	return s, nil
}

func add(ctx context.Context, s *store.Store, from, n int) error {
	changes := make([]memory.Change, n)
	for i := range changes {
		at := from + i
		m := memory.Memory{
			ID: fmt.Sprintf("m%d", at), Namespace: namespace, Type: memory.Knowledge, Form: memory.Note, Status: memory.Active,
			Trust: memory.TrustAgent, Confidence: 1, Content: content(at), Actor: fmt.Sprintf("speaker%d", at%50),
			URI: fmt.Sprintf("knowledge://scale/m%d", at), SessionID: fmt.Sprintf("s%d", at/session), Seq: at % session,
			ObservedAt: time.Date(2024, 1, 1, 0, 0, at, 0, time.UTC), Home: memory.Place{File: "memory/2024-01-01.md"},
		}
		if at%rarely == 0 {
			m.Namespace = elsewhere
		}
		if at%rarely == 1 {
			m.Type = memory.Event
		}
		m.ContentHash = memory.Hash(m.Content)
		changes[i] = memory.Change{Op: memory.OpAdd, Memory: m, Import: true}
	}
	_, err := s.Apply(ctx, changes)
	return err
}

// vectors lets the built-in embedder learn, or makes random ones of another length.
func vectors(ctx context.Context, o options, s *store.Store) error {
	made := progress{what: "vectors", total: o.size, now: time.Now, out: os.Stderr}
	if o.dimension == lsa.Dimension {
		k := keeper(o, s)
		k.Contents = &counted{s, &made}
		return k.Update(ctx)
	}
	serving, err := s.ServingModel(ctx, namespace)
	if err != nil || serving.Dimension == o.dimension {
		return err
	}
	m, err := s.BeginGeneration(ctx, namespace, memory.Model{Provider: "random", Name: "random", Dimension: o.dimension}, nil)
	if err != nil {
		return err
	}
	for {
		pending, err := s.PendingVectors(ctx, m, batch)
		if err != nil {
			return err
		}
		if len(pending) == 0 {
			return s.SwitchGeneration(ctx, m)
		}
		list := make([]memory.Vector, len(pending))
		for i, p := range pending {
			list[i] = memory.Vector{ContentHash: p.ContentHash, Values: random(p.ContentHash, o.dimension)}
		}
		if err := s.PutVectors(ctx, m, list); err != nil {
			return err
		}
		made.add(len(list))
	}
}

// counted tells how far the built-in embedder has come.
type counted struct {
	*store.Store
	made *progress
}

func (c *counted) PutVectors(ctx context.Context, m memory.Model, vectors []memory.Vector) error {
	err := c.Store.PutVectors(ctx, m, vectors)
	c.made.add(len(vectors))
	return err
}

func keeper(o options, s *store.Store) *lsa.Keeper {
	return &lsa.Keeper{Generations: s, Contents: s, Hold: nobodyElse, Namespace: namespace}
}

// nobodyElse is the lock of a process that is alone.
func nobodyElse(ctx context.Context) (context.Context, func(), bool) { return ctx, func() {}, true }

// random makes a vector from a text, the same every time.
func random(seed string, dimension int) []float32 {
	var key [32]byte
	copy(key[:], hex.EncodeToString([]byte(seed)))
	r := mathrand.New(mathrand.NewChaCha8(key))
	v := make([]float32, dimension)
	for i := range v {
		v[i] = float32(r.NormFloat64())
	}
	return v
}

// fillPlain makes what the ratios are taken against: an FTS5 table with its own
// tokenizer and nothing else.
func fillPlain(ctx context.Context, o options) error {
	db, err := sqlite.Open(sqlite.Options{Path: o.plain()})
	if err != nil {
		return fmt.Errorf("opening the plain table: %w", err)
	}
	err = db.Write(ctx, func(tx *sqlite.Tx) error {
		if _, err := tx.Exec("CREATE VIRTUAL TABLE plain USING fts5 (content)"); err != nil {
			return err
		}
		for i := range o.size {
			if _, err := tx.Exec("INSERT INTO plain (content) VALUES (?)", content(i)); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return fmt.Errorf("filling the plain table: %w", err)
	}
	return db.Close()
}
