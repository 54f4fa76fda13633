package store

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/sqlite"
)

// The states of a generation of vectors.
const (
	Building = "building" // vectors are being added; it is not searched yet
	Serving  = "serving"  // it is searched
	Retired  = "retired"  // another one serves; its vectors are being deleted
)

// Generation is one set of vectors of one namespace, all made by one model
// with one set of parameters.
type Generation struct {
	memory.Model
	Namespace string
	State     string
	Params    []byte // what the model learned, if it learns
	At        time.Time
}

const generationColumns = "SELECT generation, namespace, provider, model, dimension, state, learned, at FROM generations JOIN parameters USING (generation)"

func (s *Store) scanGeneration(from scanner) (Generation, error) {
	var g Generation
	var at int64
	err := from.Scan(&g.Generation, &g.Namespace, &g.Provider, &g.Name, &g.Dimension, &g.State, &g.Params, &at)
	g.At = time.UnixMicro(at).In(s.zone)
	return g, err
}

// Generations returns the generations of a namespace, oldest first.
func (s *Store) Generations(ctx context.Context, namespace string) ([]Generation, error) {
	rows, err := s.db.Query(ctx, generationColumns+" WHERE namespace = ? ORDER BY generation", namespace)
	if err != nil {
		return nil, fmt.Errorf("reading the generations of vectors: %w", err)
	}
	defer rows.Close()
	var found []Generation
	for rows.Next() {
		g, err := s.scanGeneration(rows)
		if err != nil {
			return nil, fmt.Errorf("reading the generations of vectors: %w", err)
		}
		found = append(found, g)
	}
	return found, rows.Err()
}

// Serving returns the model whose vectors are searched in a namespace and its
// parameters; a model with generation 0 if there is none.
func (s *Store) Serving(ctx context.Context, namespace string) (memory.Model, []byte, error) {
	return s.inState(ctx, namespace, Serving)
}

// ServingModel is Serving without the parameters, which may be megabytes: for
// those who only want to know whether they have changed.
func (s *Store) ServingModel(ctx context.Context, namespace string) (memory.Model, error) {
	g, err := s.glance(ctx)
	if err != nil {
		return memory.Model{}, fmt.Errorf("reading the serving model: %w", err)
	}
	return g.serving[namespace], nil
}

// BuildingGeneration returns the model whose vectors are being made for a
// namespace, by this process or by one that may have died meanwhile; a model
// with generation 0 if there is none.
func (s *Store) BuildingGeneration(ctx context.Context, namespace string) (memory.Model, []byte, error) {
	return s.inState(ctx, namespace, Building)
}

func (s *Store) inState(ctx context.Context, namespace, state string) (memory.Model, []byte, error) {
	var m memory.Model
	var params []byte
	err := s.db.Row(ctx, "SELECT generation, provider, model, dimension, learned FROM generations JOIN parameters USING (generation) WHERE namespace = ? AND state = ?",
		[]any{namespace, state}, &m.Generation, &m.Provider, &m.Name, &m.Dimension, &params)
	if errors.Is(err, sql.ErrNoRows) {
		return memory.Model{}, nil, nil
	}
	if err != nil {
		return memory.Model{}, nil, fmt.Errorf("reading the %s generation of vectors: %w", state, err)
	}
	return m, params, nil
}

// BeginGeneration starts the vectors of a model and returns it with their
// generation. If exactly these (same model, same parameters) are being made
// already, that generation goes on; any other one being made is dropped. The
// first generation of a namespace serves at once, for there is none to keep.
func (s *Store) BeginGeneration(ctx context.Context, namespace string, m memory.Model, params []byte) (memory.Model, error) {
	if m.Dimension <= 0 {
		return m, memory.Errorf(memory.InvalidArgument, "model %s has %d dimensions", m.Name, m.Dimension)
	}
	if params == nil {
		params = []byte{}
	}
	err := s.db.Write(ctx, func(tx *sqlite.Tx) error {
		found, err := tx.Row("SELECT generation FROM generations JOIN parameters USING (generation) WHERE namespace = ? AND state = 'building'"+
			" AND provider = ? AND model = ? AND dimension = ? AND learned = ?",
			[]any{namespace, m.Provider, m.Name, m.Dimension, params}, &m.Generation)
		if err != nil || found {
			return err
		}
		return s.insertGeneration(tx, namespace, &m, params)
	})
	if err != nil {
		return m, fmt.Errorf("beginning a generation of vectors: %w", err)
	}
	return m, nil
}

func (s *Store) insertGeneration(tx *sqlite.Tx, namespace string, m *memory.Model, params []byte) error {
	if _, err := tx.Exec("UPDATE generations SET state = 'retired' WHERE namespace = ? AND state = 'building'", namespace); err != nil {
		return err
	}
	var one int
	serves, err := tx.Row("SELECT 1 FROM generations WHERE namespace = ? AND state = 'serving'", []any{namespace}, &one)
	if err != nil {
		return err
	}
	state := Serving
	if serves {
		state = Building
	}
	result, err := tx.Exec("INSERT INTO generations (namespace, provider, model, dimension, state, at) VALUES (?, ?, ?, ?, ?, ?)",
		namespace, m.Provider, m.Name, m.Dimension, state, s.now().UnixMicro())
	if err != nil {
		return err
	}
	if m.Generation, err = result.LastInsertId(); err != nil {
		return err
	}
	_, err = tx.Exec("INSERT INTO parameters (generation, learned) VALUES (?, ?)", m.Generation, params)
	return err
}

// SwitchGeneration lets a generation serve in place of the one that does, whose
// vectors DropRetired then deletes. It fails with Conflicting while contents
// lack a vector of the new one: generations are switched whole.
func (s *Store) SwitchGeneration(ctx context.Context, m memory.Model) error {
	// The long look is outside the transaction; inside, only what changed since.
	if err := s.advance(ctx, m.Generation); err != nil {
		return err
	}
	return s.db.Write(ctx, func(tx *sqlite.Tx) error {
		var namespace string
		found, err := tx.Row("SELECT namespace FROM generations WHERE generation = ? AND state != 'retired'", []any{m.Generation}, &namespace)
		if err != nil {
			return fmt.Errorf("reading generation %d: %w", m.Generation, err)
		}
		if !found {
			return memory.Errorf(memory.Conflicting, "generation %d of the vectors is gone", m.Generation)
		}
		var key int64
		lacking, err := tx.Row("SELECT m.key "+lackingVectors+" LIMIT 1", []any{m.Generation}, &key)
		if err != nil {
			return fmt.Errorf("looking for contents without a vector: %w", err)
		}
		if lacking {
			return memory.Errorf(memory.Conflicting, "generation %d of the vectors is not complete", m.Generation)
		}
		return switchTo(tx, namespace, m.Generation)
	})
}

func switchTo(tx *sqlite.Tx, namespace string, generation int64) error {
	_, err := tx.Exec("UPDATE generations SET state = 'retired' WHERE namespace = ? AND state = 'serving' AND generation != ?", namespace, generation)
	if err != nil {
		return fmt.Errorf("retiring the old vectors: %w", err)
	}
	if _, err := tx.Exec("UPDATE generations SET state = 'serving' WHERE generation = ?", generation); err != nil {
		return fmt.Errorf("switching to generation %d: %w", generation, err)
	}
	return nil
}

// DropRetired deletes up to limit vectors of retired generations, and the
// generations that have none left. It reports whether there is more to delete.
func (s *Store) DropRetired(ctx context.Context, limit int) (more bool, err error) {
	err = s.db.Write(ctx, func(tx *sqlite.Tx) error {
		result, err := tx.Exec("DELETE FROM vectors WHERE seq IN (SELECT v.seq FROM generations g"+
			" CROSS JOIN vectors v ON v.generation = g.generation WHERE g.state = 'retired' LIMIT ?)", limit)
		if err != nil {
			return fmt.Errorf("deleting retired vectors: %w", err)
		}
		deleted, err := result.RowsAffected()
		if err != nil || deleted >= int64(limit) {
			more = deleted >= int64(limit)
			return err
		}
		_, err = tx.Exec("DELETE FROM generations WHERE state = 'retired'")
		return err
	})
	return more, err
}
