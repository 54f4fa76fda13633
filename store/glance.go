package store

import (
	"context"
	"fmt"

	"agentmemory/internal/memory"
)

// glance is what every question asks of the store first, as of one commit or a
// later one.
type glance struct {
	version int64 // data_version
	changed int64 // last transaction
	whole   extent
	extents map[string]extent       // by namespace
	serving map[string]memory.Model // likewise
}

// extent is how much there is of something.
type extent struct {
	memories int
	length   int64 // terms in all of them
}

// of returns the extent of a namespace, "" of all of them.
func (g *glance) of(namespace string) extent {
	if namespace == "" {
		return g.whole
	}
	return g.extents[namespace]
}

// glanceAt returns one as of a data_version or later: while nobody commits, the same.
func (s *Store) glanceAt(ctx context.Context, version int64) (*glance, error) {
	if g := s.glanced.Load(); g != nil && g.version == version {
		return g, nil
	}
	g, err := s.readGlance(ctx)
	if err != nil {
		return nil, fmt.Errorf("reading the size of the store: %w", err)
	}
	g.version = version // read before the rest, which may be of a later commit
	s.glanced.Store(g)
	return g, nil
}

const glanceQuery = "SELECT namespace, name, value, '', '', 0 FROM sums UNION ALL" +
	" SELECT namespace, '', generation, provider, model, dimension FROM generations WHERE state = 'serving'"

func (s *Store) readGlance(ctx context.Context) (*glance, error) {
	rows, err := s.db.Query(ctx, glanceQuery)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	g := &glance{extents: map[string]extent{}, serving: map[string]memory.Model{}}
	for rows.Next() {
		var namespace, name string
		var value int64
		var m memory.Model
		if err := rows.Scan(&namespace, &name, &value, &m.Provider, &m.Name, &m.Dimension); err != nil {
			return nil, err
		}
		e := g.extents[namespace]
		switch name {
		case "transactions":
			g.changed += value
		case "memories":
			e.memories = int(value)
			g.whole.memories += int(value)
		case "length":
			e.length = value
			g.whole.length += value
		default:
			m.Generation = value
			g.serving[namespace] = m
		}
		g.extents[namespace] = e
	}
	return g, rows.Err()
}

// look brings what is kept in memory of single memories up to the last commit.
func (s *Store) look(ctx context.Context) (*glance, error) {
	g, err := s.glance(ctx)
	if err != nil {
		return nil, err
	}
	return g, s.followTerms(ctx, g.changed)
}
