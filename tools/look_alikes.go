package tools

import (
	"context"
	"fmt"
	"slices"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// Bounds that make a write cost the same in every store.
const (
	guardTerms    = 6    // rarest terms of the new text that are searched
	guardPostings = 2000 // documents that these terms may hold together
	guardCompared = 10   // candidates whose terms are compared
	guardLoaded   = 5    // candidates, of those that share terms, that are compared in full
	guardCards    = 3    // decisions, of those that share terms, that a note may contradict
)

// AlikeStore is what finding similar memories needs of the store.
type AlikeStore interface {
	ByURI(ctx context.Context, namespace, uri string) (memory.Memory, error)
	Overlapping(ctx context.Context, o memory.Overlap) ([]memory.Memory, error)
	List(ctx context.Context, f memory.Filter) ([]memory.Memory, error)
}

// LookAlikes finds the stored memories that a new one may repeat or contradict.
type LookAlikes struct {
	Store AlikeStore
	ByID  func(ctx context.Context, namespace, id string) (memory.Memory, error)
	// Closeness may be nil: then words alone decide what says the same.
	Closeness Closeness
}

// Of returns them: by address, by the memory that the new one says it
// supersedes, by the same text, by shared rare terms, decisions for what it
// rejects, and what a correction may mean; each once.
func (l *LookAlikes) Of(ctx context.Context, m memory.Memory, said *lifecycle.Analysis) ([]lifecycle.Similar, error) {
	var similar []lifecycle.Similar
	for _, find := range []func(context.Context, memory.Memory, *lifecycle.Analysis) ([]memory.Memory, error){l.named, l.replaced, l.worded, l.decided, l.corrected} {
		found, err := find(ctx, m, said)
		if err != nil {
			return nil, err
		}
		similar = slices.Grow(similar, len(found))
		for i := range found {
			if !slices.ContainsFunc(similar, func(s lifecycle.Similar) bool { return s.Memory.ID == found[i].ID }) {
				similar = append(similar, lifecycle.Similar{Memory: found[i]})
			}
		}
	}
	l.weigh(ctx, m.Content, similar)
	return similar, nil
}

func (l *LookAlikes) named(ctx context.Context, m memory.Memory, _ *lifecycle.Analysis) ([]memory.Memory, error) {
	if m.URI == "" || memory.NeedsNumber(m.URI) {
		return nil, nil
	}
	return optional(l.Store.ByURI(ctx, m.Namespace, m.URI))
}

func (l *LookAlikes) replaced(ctx context.Context, m memory.Memory, _ *lifecycle.Analysis) ([]memory.Memory, error) {
	if m.Supersedes == "" {
		return nil, nil
	}
	if _, err := memory.ParseURI(m.Supersedes); err == nil {
		return l.required(l.Store.ByURI(ctx, m.Namespace, m.Supersedes))
	}
	return l.required(l.ByID(ctx, m.Namespace, m.Supersedes))
}

// required keeps "not found": a caller who supersedes what is not there is wrong.
func (l *LookAlikes) required(m memory.Memory, err error) ([]memory.Memory, error) {
	if err != nil {
		return nil, fmt.Errorf("the memory to supersede: %w", err)
	}
	return []memory.Memory{m}, nil
}

func optional(m memory.Memory, err error) ([]memory.Memory, error) {
	if memory.IsNotFound(err) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	return []memory.Memory{m}, nil
}

// worded finds what holds the same text, and what shares its rarest terms:
// what says the same does.
func (l *LookAlikes) worded(ctx context.Context, m memory.Memory, said *lifecycle.Analysis) ([]memory.Memory, error) {
	o := memory.Overlap{
		Namespace: m.Namespace, Type: m.Type, Form: m.Form, Hash: m.ContentHash, Share: lifecycle.AlikeShare,
		Terms: said.Terms, Rare: guardTerms, Postings: guardPostings, Compared: guardCompared, Limit: guardLoaded, Decisions: guardCards,
	}
	if l.Closeness == nil { // vectors also find what shares few words
		o.Topic, o.OfTopic, o.OfTerms = said.Topic(m.Content), lifecycle.AlikeTopic, lifecycle.AlikeTerms
	}
	found, err := l.Store.Overlapping(ctx, o)
	if err != nil {
		return nil, fmt.Errorf("searching similar texts: %w", err)
	}
	return found, nil
}

// decided finds decisions that hold the value which a note rejects: its rarest
// words may stand in other memories only.
func (l *LookAlikes) decided(ctx context.Context, m memory.Memory, said *lifecycle.Analysis) ([]memory.Memory, error) {
	if !said.Corrects {
		return nil, nil
	}
	terms := said.Correction.Terms()
	if len(terms) == 0 {
		return nil, nil
	}
	found, err := l.Store.Overlapping(ctx, memory.Overlap{
		Namespace: m.Namespace, Type: m.Type, Form: m.Form, Hash: m.ContentHash, Terms: terms, Share: 1,
		Rare: guardTerms, Postings: guardPostings, Compared: guardCompared, Decisions: guardCards,
	})
	if err != nil {
		return nil, fmt.Errorf("searching decisions for what it rejects: %w", err)
	}
	return found, nil
}

// corrected finds what a correction may set right: what was said last in its
// conversation, and what holds the value that it rejects.
func (l *LookAlikes) corrected(ctx context.Context, m memory.Memory, said *lifecycle.Analysis) ([]memory.Memory, error) {
	if !said.Corrects {
		return nil, nil
	}
	if m.SessionID != "" {
		before, err := l.Store.List(ctx, memory.Filter{Namespace: m.Namespace, SessionID: m.SessionID, Order: memory.Newest, Limit: guardCompared})
		if err != nil {
			return nil, fmt.Errorf("reading what was said before: %w", err)
		}
		return before, nil
	}
	terms := said.Correction.Terms()
	if len(terms) == 0 {
		return nil, nil
	}
	var found []memory.Memory
	for _, kind := range correctable(m.Type) {
		more, err := l.Store.Overlapping(ctx, memory.Overlap{
			Namespace: m.Namespace, Type: kind, Form: m.Form, Hash: m.ContentHash, Terms: terms, Share: 1,
			Rare: guardTerms, Postings: guardPostings, Compared: guardCompared, Limit: guardLoaded,
		})
		if err != nil {
			return nil, fmt.Errorf("searching what it corrects: %w", err)
		}
		found = append(found, more...)
	}
	return found, nil
}

// correctable are the types that what is corrected may have: the same fact is an
// event to one caller and knowledge to another.
func correctable(own memory.Type) []memory.Type {
	if own == memory.Knowledge || own == memory.Event {
		return []memory.Type{memory.Knowledge, memory.Event}
	}
	return []memory.Type{own}
}
