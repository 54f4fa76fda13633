package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"agentmemory/internal/lease"
	"agentmemory/internal/llm"
	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// refinedPath keeps what refining has spent today, and the ids of what it left
// out. Deleting it only has the model asked again.
const refinedPath = "memory/state/refined.json"

// refining is what capturing may ask of the language model; nil unless both are
// switched on.
func (e *engine) refining() *tools.Refining {
	if !e.config.boolean(setRefine) {
		return nil
	}
	return &tools.Refining{
		Model: refiner{e.model}, Kept: refineLedger{e.root}, Day: tools.LocalDay(e.now, e.config.zone()),
		Calls: e.config.integer(setRefineCalls), Characters: e.config.integer(setRefineCharacters),
	}
}

// refiner asks the configured model.
type refiner struct{ model *languageModel }

// Refine implements tools.Refiner.
func (r refiner) Refine(ctx context.Context, facts []tools.Refinable) ([]tools.Refinement, error) {
	if r.model == nil {
		return nil, memory.Errorf(memory.InvalidArgument, "capture.refine is on and no language model is configured").WithHint("set llm.base_url and llm.model")
	}
	if r.model.wrong != nil {
		return nil, r.model.wrong
	}
	notes := make([]llm.Note, len(facts))
	for i, f := range facts {
		notes[i] = llm.Note{ID: f.ID, Range: f.Range, Text: f.Text}
		for _, s := range f.Said {
			notes[i].Messages = append(notes[i].Messages, llm.Message{Number: s.Number, Role: s.Role, Text: s.Text})
		}
	}
	proposed, err := r.model.client.Refine(ctx, notes)
	r.model.note(context.WithoutCancel(ctx), err)
	if err != nil {
		return nil, err //nolint:wrapcheck // says what it was doing
	}
	refinements := make([]tools.Refinement, len(proposed))
	for i, p := range proposed {
		refinements[i] = tools.Refinement{IDs: p.IDs, Range: p.Range, Quote: p.Quote, Text: p.Text, Drop: p.Drop}
	}
	return refinements, nil
}

// refineLedger is the file of the state; captures hold a lock while they use it.
type refineLedger struct{ root *os.Root }

// Read implements tools.RefineLedger.
func (l refineLedger) Read(context.Context) (tools.RefineState, error) {
	var s tools.RefineState
	raw, err := l.root.ReadFile(refinedPath)
	if errors.Is(err, fs.ErrNotExist) {
		return s, nil
	}
	if err != nil {
		return s, memory.Errorf(codeOfFile(err), "reading %s: %w", refinedPath, err)
	}
	if json.Unmarshal(raw, &s) != nil {
		return tools.RefineState{}, nil // somebody's edit: it is begun again
	}
	return s, nil
}

// Write implements tools.RefineLedger: the old file or the new one, never half of it.
func (l refineLedger) Write(ctx context.Context, s tools.RefineState) error {
	raw, err := json.MarshalIndent(s, "", " ")
	if err != nil {
		return fmt.Errorf("encoding what was refined: %w", err)
	}
	if err := lease.Replace(ctx, l.root, refinedPath, append(raw, '\n')); err != nil {
		return memory.Errorf(codeOfFile(err), "%w", err)
	}
	return nil
}
