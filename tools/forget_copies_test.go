package tools_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/tools"
)

// copies finds in the store what holds the words of a memory, as the files' owner does.
type copies struct {
	nobody
	store *store.Store
}

func (c copies) Copies(ctx context.Context, memories []memory.Memory) ([]memory.Memory, error) {
	found, err := c.store.List(ctx, memory.Filter{Statuses: memory.Statuses(), Holding: memories[0].Sought()})
	return slices.DeleteFunc(found, func(m memory.Memory) bool { return m.ID == memories[0].ID }), err
}

func (k *kit) forgetting(s tools.ForgetStore) *tools.Forget {
	return &tools.Forget{
		Store: s, Archive: k.archive, Listing: nobody{}, Purger: copies{store: k.store}, Mirror: nobody{}, Namespace: memory.DefaultNamespace,
	}
}

func (k *kit) ofAgent(content, namespace string) memory.Memory {
	k.t.Helper()
	m := memory.Memory{Namespace: namespace, Type: memory.Event, Form: memory.Note, Content: content, Status: memory.Active, Trust: memory.TrustAgent}
	applied, err := k.store.Apply(k.t.Context(), []memory.Change{{Op: memory.OpAdd, Memory: m}})
	if err != nil || applied[0].Conflict != memory.NoConflict {
		k.t.Fatalf("%v, %v", applied, err)
	}
	return applied[0].Memory
}

// What is purged is gone for good: a memory that only has the same words in it goes
// with it when that was confirmed, an equal one at once.
func TestAPurgeAsksBeforeItTakesWhatSaysMore(t *testing.T) {
	k := newKit(t)
	id := k.remembered("the deadline")
	equal := k.ofAgent("the deadline", "kai")
	more := k.remembered("Mei moved the deadline to Friday, and Tom books the room")
	f := k.forgetting(k.store)
	_, err := f.Run(t.Context(), tools.ForgetArgs{ID: id, Purge: true})
	var asked *memory.Error
	if !errors.As(err, &asked) || asked.Code != memory.NeedsConfirmation || !strings.Contains(asked.Hint, more) || k.status(id) != memory.Active {
		t.Fatalf("%v, status %q", err, k.status(id))
	}
	if got, err := f.Run(t.Context(), tools.ForgetArgs{ID: id, Purge: true, Confirm: true}); err != nil || got.Count != 3 || k.status(more) != "" {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := k.store.ByID(t.Context(), "kai", equal.ID); !memory.IsNotFound(err) {
		t.Errorf("the equal memory of another agent: %v", err)
	}
	id = k.remembered("the budget")
	k.ofAgent("the budget", "kai")
	if got, err := f.Run(t.Context(), tools.ForgetArgs{ID: id, Purge: true}); err != nil || got.Count != 2 {
		t.Errorf("%+v, %v", got, err)
	}
}

// used is a store in which somebody uses a memory right before the next removal.
type used struct {
	*store.Store
	uses *memory.Memory
}

func (u used) Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error) {
	if u.uses.ID != "" {
		m := *u.uses
		m.AccessCount, u.uses.ID = 1, ""
		if _, err := u.Store.Apply(ctx, []memory.Change{{Op: memory.OpReinforce, Memory: m}}); err != nil {
			return nil, err
		}
	}
	return u.Store.Apply(ctx, changes)
}

// A copy of another agent's goes also when that agent changes it just then.
func TestAPurgedCopyOfAnotherAgentThatChangesMeanwhileGoes(t *testing.T) {
	k := newKit(t)
	id := k.remembered("the deadline")
	other := k.ofAgent("the deadline", "kai")
	f := k.forgetting(used{k.store, &other})
	kais := other.ID
	if got, err := f.Run(t.Context(), tools.ForgetArgs{ID: id, Purge: true}); err != nil || got.Count != 2 {
		t.Fatalf("%+v, %v", got, err)
	}
	if m, err := k.store.ByID(t.Context(), "kai", kais); !memory.IsNotFound(err) {
		t.Errorf("still there: %+v, %v", m, err)
	}
}
