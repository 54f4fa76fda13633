package lsa

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"agentmemory/internal/memory"
)

// Generations is where the keeper keeps what it learned.
type Generations interface {
	ServingModel(ctx context.Context, namespace string) (memory.Model, error)
	Serving(ctx context.Context, namespace string) (memory.Model, []byte, error)
	BuildingGeneration(ctx context.Context, namespace string) (memory.Model, []byte, error)
	BeginGeneration(ctx context.Context, namespace string, m memory.Model, params []byte) (memory.Model, error)
	SwitchGeneration(ctx context.Context, m memory.Model) error
}

// Contents is what the keeper learns from and makes vectors for.
type Contents interface {
	List(ctx context.Context, f memory.Filter) ([]memory.Memory, error)
	Count(ctx context.Context, f memory.Filter) (int, error)
	PendingVectors(ctx context.Context, m memory.Model, limit int) ([]memory.Unembedded, error)
	PutVectors(ctx context.Context, m memory.Model, vectors []memory.Vector) error
	DropRetired(ctx context.Context, limit int) (more bool, err error)
}

// Hold lets one process at a time learn: it does not wait for another one. What
// is committed under the context that it returns is refused once the lock was
// taken away.
type Hold func(ctx context.Context) (guarded context.Context, release func(), held bool)

// Keeper keeps the vectors of one namespace complete and the space that makes
// them fresh: new memories get vectors of the serving generation at once, and
// when the store has grown, a new generation is learned and made beside it and
// takes its place whole.
type Keeper struct {
	Generations Generations
	Contents    Contents
	Hold        Hold
	Namespace   string

	mu      sync.Mutex
	space   *Space // of generation
	of      int64
	counted bool // the store, since this space serves
	added   int  // contents that were embedded since
}

// Bounds of one piece of work, so that the store is never blocked for long.
const (
	batch      = 500     // contents embedded between two commits
	dropped    = 5_000   // retired vectors deleted in one transaction
	maxEntries = 200_000 // newest memories that are learned from
)

// Update brings the vectors up to date: it embeds what has none, and learns
// again if the store has outgrown what was learned. It is meant to be called in
// the background, after writes and by reflect; it may be stopped at any point
// and goes on from there.
func (k *Keeper) Update(ctx context.Context) error {
	serving, space, err := k.serving(ctx)
	if err != nil {
		return err
	}
	if space != nil {
		added, err := k.embed(ctx, serving, space)
		if err != nil {
			return err
		}
		if !k.mayBeStale(space, added) {
			return nil
		}
	}
	stale, err := k.stale(ctx, space)
	if err != nil || !stale {
		return err
	}
	k.countAgain()
	guarded, release, held := k.Hold(ctx)
	if !held {
		return nil
	}
	defer release()
	return k.renew(guarded)
}

// serving returns the serving generation and its space, or no space if there
// is none, or one of another version or provider.
func (k *Keeper) serving(ctx context.Context) (memory.Model, *Space, error) {
	m, err := k.Generations.ServingModel(ctx, k.Namespace)
	if err != nil || m.Generation == 0 || m.Provider != Provider {
		return m, nil, err
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.space != nil && k.of == m.Generation {
		return m, k.space, nil
	}
	m, params, err := k.Generations.Serving(ctx, k.Namespace)
	if err != nil {
		return m, nil, err
	}
	space, err := Decode(params)
	if errors.Is(err, errOutdated) {
		return m, nil, nil
	}
	if err != nil {
		return m, nil, err
	}
	k.space, k.of, k.counted = space, m.Generation, false
	return m, space, nil
}

// Growth of a store from which its space is learned again: by a quarter and a
// few, so that small stores do not learn at every write.
const (
	growthShare = 4
	growthLeast = 20
)

// looksUntilStale is how often a store that grows is counted before it has
// outgrown its space: counting reads all of it.
const looksUntilStale = 16

// mayBeStale reports whether the store has grown enough, since it was last
// counted, to be counted again.
func (k *Keeper) mayBeStale(space *Space, added int) bool {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.added += added
	if k.counted && k.added < space.Entries()/growthShare/looksUntilStale {
		return false
	}
	k.counted, k.added = true, 0
	return true
}

// countAgain makes the next update count, until a new space serves.
func (k *Keeper) countAgain() {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.counted = false
}

func (k *Keeper) stale(ctx context.Context, space *Space) (bool, error) {
	n, err := k.Contents.Count(ctx, memory.Filter{Namespace: k.Namespace})
	if err != nil || n == 0 {
		return false, err
	}
	n = min(n, maxEntries)
	if space == nil {
		return true, nil
	}
	change := max(n-space.Entries(), space.Entries()-n)
	return change >= space.Entries()/growthShare+growthLeast || n >= SmallStore && !space.Learned(), nil
}

// renew learns from the store, or takes up the generation that a killed process
// left half made, completes it and lets it serve.
func (k *Keeper) renew(ctx context.Context) error {
	m, space, err := k.building(ctx)
	if err != nil {
		return err
	}
	if _, err := k.embed(ctx, m, space); err != nil {
		return err
	}
	err = k.Generations.SwitchGeneration(ctx, m)
	if memory.CodeOf(err) == memory.Conflicting {
		return nil // others wrote meanwhile: the next update goes on with this generation
	}
	if err != nil {
		return fmt.Errorf("letting generation %d of the vectors serve: %w", m.Generation, err)
	}
	for more := true; more; {
		if more, err = k.Contents.DropRetired(ctx, dropped); err != nil {
			return err
		}
	}
	return nil
}

func (k *Keeper) building(ctx context.Context) (memory.Model, *Space, error) {
	m, params, err := k.Generations.BuildingGeneration(ctx, k.Namespace)
	if err != nil {
		return m, nil, err
	}
	if m.Generation != 0 && m.Provider == Provider {
		if space, err := Decode(params); err == nil {
			return m, space, nil
		}
	}
	space, err := k.learn(ctx)
	if err != nil {
		return m, nil, err
	}
	if params, err = space.MarshalBinary(); err != nil {
		return m, nil, err
	}
	m, err = k.Generations.BeginGeneration(ctx, k.Namespace, model(), params)
	return m, space, err
}

// learn trains on the newest memories.
func (k *Keeper) learn(ctx context.Context) (*Space, error) {
	memories, err := k.Contents.List(ctx, memory.Filter{Namespace: k.Namespace, Order: memory.Newest, Limit: maxEntries})
	if err != nil {
		return nil, fmt.Errorf("listing what to learn from: %w", err)
	}
	entries := make([]Entry, len(memories))
	for i, m := range memories {
		group, seq := m.SessionID, m.Seq
		if group == "" {
			group, seq = m.Home.File, m.Home.Line
		}
		entries[i] = Entry{Group: group, Seq: seq, Text: embedded(m.Title, m.Content)}
	}
	return Train(ctx, entries)
}

// embedded is the text of a memory that its vector stands for.
func embedded(title, content string) string {
	if title == "" {
		return content
	}
	return title + "\n" + content
}

// embed makes vectors until every content has one of the generation, and
// returns how many.
func (k *Keeper) embed(ctx context.Context, m memory.Model, space *Space) (made int, err error) {
	for {
		pending, err := k.Contents.PendingVectors(ctx, m, batch)
		if err != nil || len(pending) == 0 {
			return made, err
		}
		vectors := make([]memory.Vector, len(pending))
		for i, p := range pending {
			if err := ctx.Err(); err != nil {
				return made, fmt.Errorf("making vectors of generation %d: %w", m.Generation, err)
			}
			vectors[i] = memory.Vector{ContentHash: p.ContentHash, Values: nonZero(space.Document(embedded(p.Title, p.Content)))}
		}
		if err := k.Contents.PutVectors(ctx, m, vectors); err != nil {
			return made, err
		}
		made += len(vectors)
	}
}

// nonZero returns nothing for a vector without direction: such a content has none.
func nonZero(v []float32) []float32 {
	for _, x := range v {
		if x != 0 {
			return v
		}
	}
	return nil
}

// Embedder returns what makes query vectors of the serving generation, or nil
// if there is none of the built-in model.
func (k *Keeper) Embedder(ctx context.Context) (*Embedder, error) {
	m, space, err := k.serving(ctx)
	if err != nil || space == nil {
		return nil, err
	}
	return NewEmbedder(space, m.Generation), nil
}
