//go:build linux

package main

import (
	"context"
	"database/sql"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"hash/fnv"
	"math"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"agentmemory/bench/stdio"
)

// provider is a service of embeddings on this machine, whose mood changes. A
// vector of a model begins with the number of that model, far from all other values, so
// that it can be told whose a stored vector is.
type provider struct {
	*httptest.Server
	mood   atomic.Value // of type string
	calls  atomic.Int64
	showed sync.Map // moods in which it was asked
	heard  sync.Map // texts that it was asked about
}

func newProvider() *provider {
	p := &provider{}
	p.mood.Store("well")
	p.Server = httptest.NewServer(http.HandlerFunc(p.embed))
	return p
}

const width = 12 // dimensions of an honest vector

func (p *provider) embed(w http.ResponseWriter, r *http.Request) {
	p.calls.Add(1)
	p.showed.Store(p.mood.Load(), true)
	var asked struct {
		Model string   `json:"model"`
		Input []string `json:"input"`
	}
	_ = json.NewDecoder(r.Body).Decode(&asked)
	for _, text := range asked.Input {
		p.heard.Store(text, true)
	}
	switch p.mood.Load() {
	case "hangs":
		<-r.Context().Done()
		return
	case "fails":
		http.Error(w, "out of memory", http.StatusInternalServerError)
		return
	case "hangs up":
		panic(http.ErrAbortHandler)
	case "talks nonsense":
		_, _ = w.Write([]byte("<html>{["))
		return
	case "never ends":
		for r.Context().Err() == nil {
			if _, err := w.Write([]byte(strings.Repeat("[1.0,", 10_000))); err != nil {
				return
			}
		}
		return
	case "is slow":
		time.Sleep(150 * time.Millisecond)
	}
	p.answer(w, asked.Model, asked.Input)
}

func (p *provider) answer(w http.ResponseWriter, model string, texts []string) {
	vectors := make([][]any, len(texts))
	for i, text := range texts {
		vectors[i] = vectorOf(model, text, width)
		switch p.mood.Load() {
		case "changes its width":
			vectors[i] = vectorOf(model, text, width+4)
		case "gives zeroes":
			vectors[i] = make([]any, width)
			for j := range vectors[i] {
				vectors[i][j] = 0
			}
		case "gives words":
			vectors[i][1] = "NaN"
		case "is another":
			vectors[i] = vectorOf("two", text, width)
		}
	}
	switch p.mood.Load() {
	case "gives one too few":
		vectors = vectors[1:]
	case "is another":
		model = "somebody-else"
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"model": model, "embeddings": vectors})
}

// vectorOf is what an honest service says of a text.
func vectorOf(model, text string, dimensions int) []any {
	h := fnv.New64a()
	_, _ = h.Write([]byte(model + "\x00" + text))
	random := rand.New(rand.NewPCG(h.Sum64(), 1)) //nolint:gosec // not for secrets
	v := []any{map[string]float64{"one": 10, "two": -10}[model]}
	for len(v) < dimensions {
		v = append(v, random.Float64())
	}
	return v
}

func moods() []string {
	return []string{"hangs", "fails", "hangs up", "talks nonsense", "never ends", "is slow", "changes its width", "gives zeroes", "gives words", "gives one too few", "is another"}
}

// badEmbedder lets a server use a service that is slow, dead or lies. Words still
// answer, writes do not wait, and no vector is stored that is not one; then the model
// is changed, with kills in between.
func badEmbedder(ctx context.Context, t *trial) (string, error) {
	p := newProvider()
	defer p.Close()
	ws, err := t.Fresh("embedder")
	if err != nil {
		return "", err
	}
	u := embedUser{trial: t}
	var problems []error
	for _, mood := range moods() {
		problems = append(problems, u.endure(ctx, ws, p, mood))
	}
	if err := errors.Join(problems...); err != nil {
		return "", err
	}
	kills, err := t.changeModel(ctx, ws, p, &u)
	return fmt.Sprintf("%d moods of a service (%d calls of it), %d texts remembered in at most %s and recalled by their words in at most %s, no vector that is none; model changed with %d kills: only its vectors serve",
		len(moods()), p.calls.Load(), u.said, u.wrote.Round(time.Millisecond), u.asked.Round(time.Millisecond), kills), err
}

// endure starts a server with a good service, which then becomes a bad one.
func (u *embedUser) endure(ctx context.Context, ws string, p *provider, mood string) (err error) {
	p.mood.Store("well")
	if u.server, err = u.serveWith(ctx, ws, p, "one"); err != nil {
		return err
	}
	if err := u.say(ctx, "well"); err != nil {
		return broken(err)
	}
	time.Sleep(300 * time.Millisecond) // its vector is made, so that the width is known
	p.mood.Store(mood)
	var problems []error
	for range u.count(2, 6) {
		if err := u.say(ctx, mood); err != nil {
			problems = append(problems, fmt.Errorf("while the service %s: %w", mood, err))
		}
	}
	time.Sleep(300 * time.Millisecond)
	problems = append(problems, u.vectorsOf(ctx, ws, "one"))
	if _, asked := p.showed.Load(mood); !asked {
		return errors.Join(fmt.Errorf("a service that %s was never asked", mood), u.server.Kill())
	}
	return errors.Join(broken(errors.Join(problems...)), u.server.Stop(20*time.Second))
}

func (t *trial) serveWith(ctx context.Context, ws string, p *provider, model string) (*stdio.Server, error) {
	return stdio.Start(ctx, []string{
		t.Binary, "serve", "--workspace", ws, "--set", "embedding.provider=ollama", "--set", "embedding.base_url=" + p.URL,
		"--set", "embedding.model=" + model, "--set", "embedding.timeout=2s",
	}, t.Env())
}

// embedUser remembers and asks, and takes the time.
type embedUser struct {
	*trial
	server       *stdio.Server
	said         int
	wrote, asked time.Duration
}

// patience is the limit for a call: recall waits 300 ms for vectors, and this machine may be busy.
const patience = 2 * time.Second

func (u *embedUser) say(ctx context.Context, mood string) error {
	u.said++
	text := fmt.Sprintf("embed%s was said while the service was %s, 第%d句", word(u.said), word(1000+u.said), u.said)
	begun := time.Now()
	if err := u.server.Call(ctx, "remember", map[string]any{"content": text}, nil); err != nil {
		return err
	}
	u.wrote = max(u.wrote, time.Since(begun))
	begun = time.Now()
	if err := recalled(ctx, u.server, text); err != nil {
		return err
	}
	u.asked = max(u.asked, time.Since(begun))
	if u.wrote > patience || u.asked > patience {
		return fmt.Errorf("%s: a write took %s, a question %s", mood, u.wrote, u.asked)
	}
	return nil
}

// vectorsOf checks every stored vector: its length, its width, and that the model
// of its generation made it. A serving generation is of the one model.
func (t *trial) vectorsOf(ctx context.Context, ws, serving string) error {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(ws, ".agent-memory", "memory.db")+"?mode=ro")
	if err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, "SELECT g.model, g.state, g.dimension, v.components FROM vectors v JOIN generations g USING (generation) WHERE g.provider = 'ollama' AND length(v.components) > 0")
	if err != nil {
		return fmt.Errorf("reading vectors: %w", err)
	}
	defer rows.Close()
	for rows.Next() {
		var model, state string
		var dimension int
		var raw []byte
		if err := rows.Scan(&model, &state, &dimension, &raw); err != nil {
			return fmt.Errorf("reading a vector: %w", err)
		}
		v := floats(raw)
		var sum float64
		for _, x := range v {
			sum += float64(x) * float64(x)
		}
		switch {
		case len(v) != width || dimension != width || !(sum > .99 && sum < 1.01):
			return fmt.Errorf("a stored vector of %s has %d dimensions of %d, length² %g", model, len(v), dimension, sum)
		case v[0] > 0 != (model == "one"):
			return fmt.Errorf("a vector of the other model is stored as one of %s", model)
		case state == "serving" && model != serving:
			return fmt.Errorf("vectors of %s serve, not of %s", model, serving)
		}
	}
	return rows.Err()
}

// changeModel kills servers while they make the vectors of another model, then
// lets one finish: until then the old ones serve, then only new ones.
func (t *trial) changeModel(ctx context.Context, ws string, p *provider, u *embedUser) (kills int, err error) {
	p.mood.Store("is slow")
	for range t.count(3, 12) {
		s, err := t.serveWith(ctx, ws, p, "two")
		if err != nil {
			return kills, err
		}
		u.server = s
		time.Sleep(time.Duration(100+t.random.IntN(900)) * time.Millisecond)
		said := u.say(ctx, "slow")
		if err := errors.Join(said, s.Kill()); err != nil {
			return kills, broken(err)
		}
		kills++
	}
	p.mood.Store("well")
	s, err := t.serveWith(ctx, ws, p, "two")
	if err != nil {
		return kills, err
	}
	u.server = s
	for range 200 {
		if err = t.vectorsOf(ctx, ws, "two"); err == nil {
			break
		}
		time.Sleep(100 * time.Millisecond)
	}
	return kills, errors.Join(broken(err), u.say(ctx, "changed"), s.Stop(20*time.Second))
}

// floats reads little-endian float32 numbers.
func floats(raw []byte) []float32 {
	v := make([]float32, len(raw)/4)
	for i := range v {
		v[i] = math.Float32frombits(binary.LittleEndian.Uint32(raw[4*i:]))
	}
	return v
}
