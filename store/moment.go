package store

import (
	"context"
	"sync"
)

// moment is what one call, which asks several times, sees of the store.
type moment struct {
	mu      sync.Mutex
	looked  bool
	version int64 // data_version
	glance  *glance
}

// momentOf tells the moments of stores apart.
type momentOf struct{ store *Store }

// At returns a context in which the store is asked only once whether anybody has
// committed: at the first question, so that what was committed before is seen.
// It is meant for one call; later commits may be seen or not.
func (s *Store) At(ctx context.Context) context.Context {
	return context.WithValue(ctx, momentOf{s}, &moment{})
}

// version is DataVersion as of the moment of the context.
func (s *Store) version(ctx context.Context) (int64, error) {
	m, ok := ctx.Value(momentOf{s}).(*moment)
	if !ok {
		return s.db.DataVersion(ctx)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.looked {
		return m.version, nil
	}
	var err error
	m.version, err = s.db.DataVersion(ctx)
	m.looked = err == nil
	return m.version, err
}

// glance returns what the store holds as of the moment of the context, or else of now.
func (s *Store) glance(ctx context.Context) (*glance, error) {
	version, err := s.version(ctx)
	if err != nil {
		return nil, err
	}
	m, ok := ctx.Value(momentOf{s}).(*moment)
	if !ok {
		return s.glanceAt(ctx, version)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.glance == nil {
		m.glance, err = s.glanceAt(ctx, version)
	}
	return m.glance, err
}
