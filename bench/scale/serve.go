package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"runtime/debug"
	"runtime/pprof"
	"strings"
	"time"

	"github.com/rs/zerolog"

	"agentmemory/internal/embed/lsa"
	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
	"agentmemory/internal/sqlite"
	"agentmemory/lifecycle"
	"agentmemory/server"
	"agentmemory/store"
	"agentmemory/tools"
)

// serve answers recall, and plain, over standard input and output.
func serve(ctx context.Context, o options) error {
	if o.profile != "" {
		f, err := os.Create(o.profile)
		if err != nil {
			return fmt.Errorf("creating the profile: %w", err)
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return fmt.Errorf("starting the profile: %w", err)
		}
		defer pprof.StopCPUProfile()
	}
	const growth = 60 // of the heap until garbage is collected, as in agent-memory serve
	debug.SetGCPercent(growth)
	s, err := open(ctx, o)
	if err != nil {
		return err
	}
	defer s.Close() //nolint:errcheck // nothing was written
	recall, err := recallOn(o, s)
	if err != nil {
		return err
	}
	plain, err := sqlite.Open(sqlite.Options{Path: o.plain(), ReadOnly: true})
	if err != nil {
		return fmt.Errorf("opening the plain table: %w", err)
	}
	defer plain.Close() // nothing was written
	spec := tools.Spec{Name: "plain", Description: "plain FTS5", Input: tools.Schema{{Name: "query", Kind: tools.Text}}}
	srv, err := server.New(server.Options{
		Name: "scale", Version: "1", Now: time.Now, Logger: zerolog.New(os.Stderr),
		Tools: []tools.Tool{ofBoth(recall), tools.Bind(spec, (&plainSearch{plain}).run)},
	})
	if err != nil {
		return fmt.Errorf("making the server: %w", err)
	}
	return srv.Stdio(ctx, os.Stdin, os.Stdout)
}

func recallOn(o options, s *store.Store) (*tools.Recall, error) {
	profile, err := lifecycle.ProfileByName("")
	if err != nil {
		return nil, fmt.Errorf("choosing the profile: %w", err)
	}
	r := &tools.Recall{
		Store: s, Accesses: nobody{}, Profile: profile, Parameters: rank.Defaults(), Now: time.Now,
		Namespace: namespace, Meaning: mainMeaning{&lsa.Meaning{Keeper: keeper(o, s), Vectors: s}},
	}
	if o.dimension != lsa.Dimension {
		r.Meaning = randomMeaning{s, o.dimension}
	}
	return r, nil
}

// ofBoth is the tool recall, which asks the other namespace for its agent.
func ofBoth(recall *tools.Recall) tools.Tool {
	tool, other := tools.Bind(tools.RecallSpec(), recall.Run), *recall
	other.Namespace = elsewhere
	own, there := tool.Call, tools.Bind(tools.RecallSpec(), other.Run).Call
	tool.Call = func(ctx context.Context, raw json.RawMessage) (any, error) {
		var args struct {
			AgentID string `json:"agent_id"`
		}
		if json.Unmarshal(raw, &args) == nil && args.AgentID == elsewhere {
			return there(ctx, raw)
		}
		return own(ctx, raw)
	}
	return tool
}

// nobody takes no note of what was read.
type nobody struct{}

func (nobody) Used(...string)     {}
func (nobody) Returned(...string) {}

// mainMeaning has vectors of one namespace only.
type mainMeaning struct{ tools.Meaning }

func (m mainMeaning) Nearest(ctx context.Context, question string, f memory.Filter, limit int) ([]memory.Neighbour, error) {
	if f.Namespace != namespace {
		return nil, nil
	}
	return m.Meaning.Nearest(ctx, question, f, limit)
}

// randomMeaning searches by a random vector of the question.
type randomMeaning struct {
	store     *store.Store
	dimension int
}

func (m randomMeaning) Nearest(ctx context.Context, question string, f memory.Filter, limit int) ([]memory.Neighbour, error) {
	model, err := m.store.ServingModel(ctx, f.Namespace)
	if err != nil || model.Generation == 0 {
		return nil, err
	}
	return m.store.Nearest(ctx, model, random(memory.Hash(question), m.dimension), f, limit)
}

type plainSearch struct{ db *sqlite.DB }

type plainArgs struct {
	Query string `json:"query"`
}

type plainResult struct {
	Found []string `json:"found"`
}

// run asks for any of the words, as the plain recipe does: AND finds next to nothing.
func (p *plainSearch) run(ctx context.Context, a plainArgs) (plainResult, error) {
	words := strings.Fields(a.Query)
	for i, w := range words {
		words[i] = `"` + w + `"`
	}
	rows, err := p.db.Query(ctx, "SELECT content FROM plain WHERE plain MATCH ? ORDER BY rank LIMIT 10", strings.Join(words, " OR "))
	if err != nil {
		return plainResult{}, fmt.Errorf("searching: %w", err)
	}
	defer rows.Close()
	var r plainResult
	for rows.Next() {
		var content string
		if err := rows.Scan(&content); err != nil {
			return r, fmt.Errorf("reading: %w", err)
		}
		r.Found = append(r.Found, content)
	}
	return r, rows.Err()
}
