package tools_test

import (
	"context"
	"fmt"
	"slices"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/tools"
)

// reworded is a store in which somebody else words a memory anew right before
// each of the next removals.
type reworded struct {
	*store.Store
	t     *testing.T
	id    string
	times int
}

func (r *reworded) Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error) {
	if r.times > 0 {
		m, err := r.ByID(ctx, memory.DefaultNamespace, r.id)
		if err != nil {
			r.t.Fatal(err)
		}
		m.Content, r.times = fmt.Sprintf("the limit is %d", 100+r.times), r.times-1
		m.ContentHash = memory.Hash(m.Content)
		if _, err := r.Store.Apply(ctx, []memory.Change{{Op: memory.OpUpdate, Memory: m, Reason: "said by another agent"}}); err != nil {
			r.t.Fatal(err)
		}
	}
	return r.Store.Apply(ctx, changes)
}

// purged notes what is looked for in the files.
type purged struct {
	nobody
	announced, texts []string
}

func (p *purged) AnnouncePurge(_ context.Context, memories []memory.Memory) error {
	for _, m := range memories {
		p.announced = append(p.announced, m.Content)
	}
	return nil
}

func (p *purged) Purge(_ context.Context, memories []memory.Memory) (bool, error) {
	for _, m := range memories {
		p.texts = append(p.texts, m.Content)
	}
	return false, nil
}

func (k *kit) overtaken(t *testing.T, id string, times int) (*tools.Forget, *purged) {
	p := &purged{}
	return &tools.Forget{
		Store: &reworded{k.store, t, id, times}, Archive: k.archive, Listing: nobody{}, Purger: p, Mirror: nobody{}, Namespace: memory.DefaultNamespace,
	}, p
}

// What was acknowledged between the writing of the archive and the removal is
// what an undo brings back, and what a purge looks for.
func TestWordsThatComeWhileAMemoryIsRemovedAreNotLost(t *testing.T) {
	for _, purge := range []bool{false, true} {
		k := newKit(t)
		id := k.remembered("the limit is 100")
		f, p := k.overtaken(t, id, 2)
		if got, err := f.Run(t.Context(), tools.ForgetArgs{ID: id, Hard: !purge, Purge: purge}); err != nil || got.Count != 1 || k.status(id) != "" {
			t.Fatalf("purge %v: %+v, %v, status %q", purge, got, err, k.status(id))
		}
		if purge {
			for _, words := range []string{"the limit is 100", "the limit is 102", "the limit is 101"} {
				if !slices.Contains(p.texts, words) || !slices.Contains(p.announced, words) {
					t.Errorf("%q is not purged: announced %q, purged %q", words, p.announced, p.texts)
				}
			}
			continue
		}
		k.call("forget", fmt.Sprintf(`{"id":%q,"undo":true}`, id))
		if m, err := k.store.ByID(t.Context(), memory.DefaultNamespace, id); err != nil || m.Content != "the limit is 101" {
			t.Errorf("the undo brought back %q, %v", m.Content, err)
		}
	}
}

// A memory that never rests is not deleted, but purged with its last words.
func TestAMemoryThatNeverRests(t *testing.T) {
	k := newKit(t)
	id := k.remembered("the limit is 100")
	f, _ := k.overtaken(t, id, 50)
	if _, err := f.Run(t.Context(), tools.ForgetArgs{ID: id, Hard: true}); memory.CodeOf(err) != memory.Conflicting || k.status(id) != memory.Active {
		t.Errorf("%v, status %q", err, k.status(id))
	}
	f, p := k.overtaken(t, id, 6)
	if _, err := f.Run(t.Context(), tools.ForgetArgs{ID: id, Purge: true}); err != nil || k.status(id) != "" || !slices.Contains(p.texts, "the limit is 101") {
		t.Errorf("%v, status %q, purged %q", err, k.status(id), p.texts)
	}
}
