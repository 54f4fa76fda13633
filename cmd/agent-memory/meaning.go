package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"strings"
	"time"

	"agentmemory/internal/embed"
	"agentmemory/internal/embed/lsa"
	"agentmemory/internal/memory"
	"agentmemory/store"

	"golang.org/x/sync/errgroup"
)

// Rhythm of the built-in embedder in a server.
const (
	vectorStart = 2 * time.Second        // the first answers come first
	vectorRest  = 500 * time.Millisecond // without a write, so that a burst is one piece of work
	vectorLate  = 5 * time.Second        // for writes that never pause
	vectorPoll  = time.Minute            // for what other processes wrote
)

// vectorsLock is held by the one process that rebuilds the vectors.
const vectorsLock = "vectors.lock"

// vectors makes and searches the vectors of a workspace, those of each namespace
// by themselves: none learns from another's texts, no question looks at another's
// vectors. The configured provider makes them; whatever serves until its
// generation is whole answers.
type vectors struct {
	store      *store.Store
	pauser     pauser
	namespaces []string // own first; one of the main agent makes those of private agents as well
	builtin    map[string]*lsa.Meaning
	remote     *embed.Remote // nil: the built-in embedder makes the vectors
	asker      *embed.Asker
	workers    map[string]*embed.Worker // nil likewise
	wake       chan struct{}
}

// vectorNamespaces lists those whose vectors a process makes: the main agent's
// makes all, that of a private agent only its own.
func (c *config) vectorNamespaces() []string {
	own := c.namespaceOf(c.text(setAgent))
	if own != memory.DefaultNamespace {
		return []string{own}
	}
	return append([]string{own}, c.namespaces()...)
}

// openVectors wires the configured embedder; nothing is loaded, learned or sent
// before it is needed.
func (e *engine) openVectors(_ context.Context, a *app) error {
	provider := e.config.text(setProvider)
	if provider == "none" {
		return nil
	}
	hold := e.holdVectors()
	v := &vectors{store: e.store, pauser: e.pauser(), namespaces: e.config.vectorNamespaces(), builtin: map[string]*lsa.Meaning{}, wake: make(chan struct{}, 1)}
	for _, n := range v.namespaces {
		v.builtin[n] = &lsa.Meaning{Keeper: &lsa.Keeper{Generations: e.store, Contents: pausable{e.store, e.pauser()}, Hold: hold, Namespace: n}, Vectors: e.store}
	}
	e.vectors = v
	if provider == "builtin" {
		return nil
	}
	remote, err := embed.New(e.embedSettings(a, provider))
	if err != nil {
		return fmt.Errorf("setting up the embedder: %w", err)
	}
	v.remote, v.asker, v.workers = remote, embed.NewAsker(remote, 0), map[string]*embed.Worker{}
	for _, n := range v.namespaces {
		v.workers[n] = embed.NewWorker(remote, pausable{e.store, e.pauser()}, e.store, embed.WorkerOptions{
			Namespace: n, TryLock: hold, Report: func(err error) { e.log.Warn().Err(err).Msg("embedding") },
		})
	}
	e.onClose(func() error { remote.Close(); return nil })
	return nil
}

// holdVectors takes the lock of the vectors against other processes, also from
// one that stands still; the workers of this one take turns.
func (e *engine) holdVectors() lsa.Hold {
	turn := make(chan struct{}, 1)
	lock := e.lease(path.Join(stateFolder, vectorsLock))
	return func(ctx context.Context) (context.Context, func(), bool) {
		select {
		case turn <- struct{}{}:
		case <-ctx.Done():
			return ctx, nil, false
		}
		held, err := lock.Try()
		if held == nil && err == nil {
			held, err = lock.Overtake(ctx)
		}
		if held == nil || err != nil {
			<-turn
			return ctx, nil, false
		}
		return held.Guard(ctx), func() {
			_ = held.Release()
			<-turn
		}, true
	}
}

func (e *engine) embedSettings(a *app, provider string) embed.Settings {
	c := e.config
	return embed.Settings{
		Provider: provider, Model: c.text(setEmbeddingModel), BaseURL: c.text(setEmbeddingURL), RemoteHost: c.text(setRemoteHost),
		Key: func() (string, error) { return a.embeddingKey(c) }, Dimension: c.integer(setDimension), Shorten: c.integer(setDimension) > 0,
		QueryPrefix: c.text(setQueryPrefix), DocumentPrefix: c.text(setDocPrefix), Timeout: c.duration(setEmbedTimeout), Now: e.now,
	}
}

// embeddingKey reads the key when it is needed: a rotated one is picked up.
func (a *app) embeddingKey(c *config) (string, error) {
	return a.secret(keyVariable, c.text(setKeyFile))
}

// secret reads a key from the environment, else from a file; "" if there is neither.
func (a *app) secret(variable, file string) (string, error) {
	if key := a.env.get(variable); key != "" {
		return key, nil
	}
	if file == "" {
		return "", nil
	}
	path, err := a.env.expand(file)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fileProblem(path, err)
	}
	return strings.TrimSpace(string(text)), nil
}

// Nearest implements tools.Meaning by the model whose vectors serve.
func (v *vectors) Nearest(ctx context.Context, question string, f memory.Filter, limit int) ([]memory.Neighbour, error) {
	serving, err := v.store.ServingModel(ctx, f.Namespace)
	if err != nil || serving.Generation == 0 {
		return nil, err
	}
	if serving.Provider == lsa.Provider {
		builtin, ok := v.builtin[f.Namespace]
		if !ok {
			return nil, nil // of an agent that this process does not serve
		}
		return builtin.Nearest(ctx, question, f, limit)
	}
	if v.remote == nil || !v.makes(serving) {
		return nil, memory.Errorf(memory.Unavailable, "the vectors are of %s, which is not configured any more", serving.Name)
	}
	query, err := v.asker.Query(ctx, question)
	if err != nil {
		return nil, fmt.Errorf("embedding the question: %w", err)
	}
	found, err := v.store.Nearest(ctx, serving, query, f, limit)
	if err != nil {
		return nil, fmt.Errorf("searching by meaning: %w", err)
	}
	return found, nil
}

// makes reports whether the configured embedder is the one of a model.
func (v *vectors) makes(m memory.Model) bool {
	own := v.remote.Model()
	return own.Provider == m.Provider && own.Name == m.Name && (own.Dimension == 0 || own.Dimension == m.Dimension)
}

// Notify says that there may be new content. It never blocks.
func (v *vectors) Notify() {
	if v.workers != nil {
		for _, w := range v.workers {
			w.Notify()
		}
		return
	}
	select {
	case v.wake <- struct{}{}:
	default:
	}
}

// run makes vectors until ctx ends.
func (v *vectors) run(ctx context.Context, failed func(error)) error {
	if v.workers != nil {
		group, ctx := errgroup.WithContext(ctx)
		for _, w := range v.workers {
			group.Go(func() error { return w.Run(ctx) }) //nolint:wrapcheck // it only ends with its context
		}
		return group.Wait() //nolint:wrapcheck // as above
	}
	for wait := vectorStart; ; wait = vectorPoll {
		select {
		case <-ctx.Done():
			return nil
		case <-v.wake:
		case <-time.After(wait):
		}
		v.pause(ctx)
		if ctx.Err() != nil {
			return nil
		}
		if v.pauser.wait(ctx) != nil {
			return nil
		}
		if err := v.update(ctx); err != nil && ctx.Err() == nil {
			failed(err)
		}
	}
}

// pause waits until nobody has written for a while, but not for ever.
func (v *vectors) pause(ctx context.Context) {
	late := time.After(vectorLate)
	for {
		select {
		case <-v.wake:
		case <-time.After(vectorRest):
			return
		case <-late:
			return
		case <-ctx.Done():
			return
		}
	}
}

// update makes what is missing, once. While indexing pauses it leaves all to
// the next time, so that no command waits.
func (v *vectors) update(ctx context.Context) error {
	if v.pauser.pausing() {
		return nil
	}
	var failed []error
	for _, n := range v.namespaces {
		if w := v.workers[n]; w != nil {
			failed = append(failed, w.Once(ctx))
			continue
		}
		if err := v.builtin[n].Keeper.Update(ctx); err != nil {
			failed = append(failed, fmt.Errorf("updating the vectors of %s: %w", n, err))
		}
	}
	return errors.Join(failed...)
}

// Health tells which model serves and how much waits for a vector, in all
// namespaces whose vectors this process makes.
func (v *vectors) Health(ctx context.Context) (map[string]any, []string, error) {
	serving, err := v.store.ServingModel(ctx, v.namespaces[0])
	if err != nil {
		return nil, nil, fmt.Errorf("reading the serving model: %w", err)
	}
	facts := map[string]any{"provider": serving.Provider, "model": serving.Name, "dimension": serving.Dimension, "generation": serving.Generation}
	if v.workers != nil {
		return v.workerHealth(ctx, facts)
	}
	if serving.Generation == 0 {
		facts = map[string]any{"provider": lsa.Provider, "generation": 0}
	}
	pending := 0
	for _, n := range v.namespaces {
		of, err := v.pending(ctx, n)
		if err != nil {
			return facts, nil, err
		}
		pending += of
	}
	if serving.Generation != 0 || pending > 0 {
		facts["pending"] = pending
	}
	return facts, nil, nil
}

// pending counts what waits for a vector of the model that serves a namespace.
func (v *vectors) pending(ctx context.Context, namespace string) (int, error) {
	serving, err := v.store.ServingModel(ctx, namespace)
	if err != nil || serving.Generation == 0 {
		return 0, err //nolint:wrapcheck // says what it was doing
	}
	n, err := v.store.CountPending(ctx, serving)
	if err != nil {
		return 0, fmt.Errorf("counting what waits for a vector in %s: %w", namespace, err)
	}
	return n, nil
}

func (v *vectors) workerHealth(ctx context.Context, facts map[string]any) (map[string]any, []string, error) {
	status, err := v.workers[v.namespaces[0]].Status(ctx)
	if err != nil {
		return facts, nil, fmt.Errorf("asking the embedder's worker: %w", err)
	}
	for _, n := range v.namespaces[1:] {
		other, err := v.workers[n].Status(ctx)
		if err != nil {
			return facts, nil, fmt.Errorf("asking the embedder's worker: %w", err)
		}
		status.Pending += other.Pending
		status.LastError = cmp.Or(status.LastError, other.LastError)
	}
	facts["pending"], facts["breaker"] = status.Pending, status.Breaker
	own := v.remote.Model()
	facts["configured"] = own.Provider + " " + own.Name
	if status.Building.Generation == 0 && !v.makes(status.Serving) {
		// No process has begun: every memory still needs a vector of this model.
		stats, err := v.store.Stats(ctx, v.namespaces[0])
		if err != nil {
			return facts, nil, fmt.Errorf("counting what waits for a vector: %w", err)
		}
		facts["pending"] = stats.Total + stats.Passages
	}
	if status.Building.Generation != 0 {
		facts["building"] = status.Building
	}
	if status.LastError != "" {
		return facts, []string{status.LastError}, nil
	}
	return facts, nil, nil
}
