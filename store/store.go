// Package store keeps memories in SQLite: rows with their analysed terms in an
// FTS5 index, vectors, history, and the outbox of changes that the files do not
// show yet. The files are the truth; whatever is here can be rebuilt from them.
//
// Any number of processes may use one store. Writing is one transaction a call;
// caches follow the commits of others by SQLite's data_version.
package store

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
	"agentmemory/internal/text"
)

// Options say which store to open. Path, Now and IDs are needed, but IDs not for reading.
type Options struct {
	Path     string
	Now      func() time.Time
	IDs      *memory.IDSource
	Zone     *time.Location // in which times are returned and minutes numbered; nil: UTC
	ReadOnly bool
	// Progress is told of long work at opening, such as analysing all texts
	// again; it may be nil.
	Progress func(done, total int, what string)
}

// Store is an open store. It may be used by many goroutines.
type Store struct {
	db       *sqlite.DB
	now      func() time.Time
	ids      *memory.IDSource
	zone     *time.Location
	secret   atomic.Pointer[[]byte] // keys the hashes of tombstones
	terms    termIndex
	shown    candidateCache
	glanced  atomic.Pointer[glance]
	masks    maskCache
	vectors  vectorCache
	indexers sync.Pool // of *text.Indexer, for what is written
	lengths  sync.Map  // how many memories a long listing had the last time, by its query

	alive  context.Context //nolint:containedctx // of tasks, which outlive the call that started them
	cancel context.CancelFunc
	tasks  sync.WaitGroup
}

// Open opens the store, creating it when missing, and applies the migrations
// that it lacks. A store written by a newer program is refused with
// memory.NewerStore and left untouched; one that cannot be opened is
// Unavailable, ReadOnly or PermissionDenied.
func Open(ctx context.Context, o Options) (*Store, error) {
	if err := refuseNewer(ctx, o.Path); err != nil {
		return nil, err
	}
	// What is only read may lie where not even a lock file can be made.
	db, err := sqlite.Open(sqlite.Options{Path: o.Path, Glance: o.ReadOnly})
	if err != nil {
		return nil, fmt.Errorf("opening the store: %w", err)
	}
	s := &Store{db: db, now: o.Now, ids: o.IDs, zone: o.Zone}
	s.vectors.few = flatAbove
	s.alive, s.cancel = context.WithCancel(context.WithoutCancel(ctx))
	if s.zone == nil {
		s.zone = time.UTC
	}
	if err := s.prepare(ctx, o); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *Store) prepare(ctx context.Context, o Options) error {
	if err := s.migrate(ctx); err != nil {
		return err
	}
	key, err := s.Meta(ctx, "tombstone_key")
	if err != nil {
		return fmt.Errorf("reading the key of the tombstones: %w", err)
	}
	s.secret.Store(&key)
	return s.reindex(ctx, o)
}

// Alone runs f while no other process can commit to the database.
func (s *Store) Alone(ctx context.Context, f func() error) error {
	if err := s.db.Write(ctx, func(*sqlite.Tx) error { return f() }); err != nil {
		return fmt.Errorf("keeping others from the database: %w", err)
	}
	return nil
}

// Close waits for writers that are under way and closes the store. It may be called again.
func (s *Store) Close() error {
	s.cancel()
	s.tasks.Wait()
	if err := s.db.Close(); err != nil {
		return fmt.Errorf("closing the store: %w", err)
	}
	return nil
}

// Path returns the absolute path of the database.
func (s *Store) Path() string { return s.db.Path() }

// Work tells how many statements and commits this process has asked of the store.
func (s *Store) Work() sqlite.Work { return s.db.Work() }

// DataVersion returns a number that moves with every commit of any process: the
// signal to refresh what was derived from the store.
func (s *Store) DataVersion(ctx context.Context) (int64, error) { return s.db.DataVersion(ctx) }

// first fills what a new store needs before its first row.
func first(tx *sqlite.Tx) error {
	key := make([]byte, 32)
	if _, err := rand.Read(key); err != nil {
		return fmt.Errorf("making the key of the tombstones: %w", err)
	}
	if err := setMeta(tx, "tombstone_key", key); err != nil {
		return err
	}
	return setMeta(tx, "text_version", fmt.Append(nil, text.Version))
}
