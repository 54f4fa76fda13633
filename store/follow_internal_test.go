package store

import (
	"context"
	"crypto/rand"
	"database/sql"
	"errors"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// cutShort is a reader whose reads fail that ask for something, as those of a
// call do whose time is over.
type cutShort struct {
	reader
	at string
}

func (c cutShort) QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	if strings.Contains(query, c.at) {
		return nil, errors.New("cut short")
	}
	return c.reader.QueryContext(ctx, query, args...)
}

func opened(t *testing.T) *Store {
	t.Helper()
	at := func() time.Time { return time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC) }
	s, err := Open(t.Context(), Options{Path: filepath.Join(t.TempDir(), "memory.db"), Now: at, IDs: memory.NewIDSource(at, rand.Reader)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// elsewhere writes a memory by another connection, which this store has to follow.
func elsewhere(t *testing.T, s *Store, change memory.Change) memory.Memory {
	t.Helper()
	other, err := Open(t.Context(), Options{Path: s.Path(), Now: s.now, IDs: s.ids})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	applied, err := other.Apply(t.Context(), []memory.Change{change})
	if err != nil || applied[0].Conflict != "" {
		t.Fatal(applied, err)
	}
	return applied[0].Memory
}

func plainNote(content string) memory.Memory {
	return memory.Memory{Namespace: "main", Type: memory.Event, Form: memory.Note, Status: memory.Active, Content: content}
}

// A call that ends while what is kept follows others' commits must not have it
// taken for up to date.
func TestAFollowCutShortIsMadeUpForByTheNext(t *testing.T) {
	s := opened(t)
	m := elsewhere(t, s, memory.Change{Op: memory.OpAdd, Memory: plainNote("the limit is 100")})
	candidates := func() []memory.Candidate {
		t.Helper()
		found, _, err := s.Search(t.Context(), []string{"limit"}, memory.Filter{Namespace: "main"}, 5)
		if err != nil {
			t.Fatal(err)
		}
		return found
	}
	if found := candidates(); len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	m.Status = memory.Superseded
	elsewhere(t, s, memory.Change{Op: memory.OpStatus, Memory: m})
	for _, at := range []string{"SELECT m.key, m.namespace, x.terms", "SELECT key, namespace, group_name FROM memories"} {
		s.terms.mu.Lock()
		err := s.db.View(t.Context(), func(v *sqlite.View) error { return s.follow(t.Context(), cutShort{v, at}) })
		s.terms.mu.Unlock()
		if err == nil {
			t.Fatalf("it was not cut short at %s", at)
		}
	}
	if found := candidates(); len(found) != 0 {
		t.Errorf("what was superseded is found: %+v", found)
	}
}

func TestAFollowOfVectorsCutShortIsMadeUpForByTheNext(t *testing.T) {
	for _, at := range []string{"FROM removals", "LEFT JOIN vectors", "WHERE v.seq >"} {
		t.Run(at, func(t *testing.T) {
			s := opened(t)
			model, err := s.BeginGeneration(t.Context(), "main", memory.Model{Provider: "test", Name: "test", Dimension: 2}, nil)
			if err != nil {
				t.Fatal(err)
			}
			index, err := s.index(t.Context(), "main", model)
			if err != nil {
				t.Fatal(err)
			}
			m := elsewhere(t, s, memory.Change{Op: memory.OpAdd, Memory: plainNote("the limit is 100")})
			if err := s.PutVectors(t.Context(), model, []memory.Vector{{ContentHash: m.ContentHash, Values: []float32{1, 0}}}); err != nil {
				t.Fatal(err)
			}
			err = s.db.View(t.Context(), func(v *sqlite.View) error { return index.follow(t.Context(), cutShort{v, at}) })
			if err == nil {
				t.Fatal("it was not cut short")
			}
			found, err := s.Nearest(t.Context(), model, []float32{1, 0}, memory.Filter{Namespace: "main"}, 5)
			if err != nil || len(found) != 1 {
				t.Errorf("the new vector is not found: %v, %v", found, err)
			}
		})
	}
}
