package tools

import (
	"context"
	"fmt"

	"agentmemory/internal/memory"
)

// removalRounds is how often memories are read, archived and removed that
// somebody else changes meanwhile.
const removalRounds = 5

// carryOut forgets the targets and returns every text of theirs that a purge is
// to look for. What was changed after it was archived is read and archived again:
// the newest words, which were acknowledged, are what an undo brings back.
func (f *Forget) carryOut(ctx context.Context, op memory.Op, action string, targets []memory.Memory) (texts []memory.Memory, err error) {
	for range removalRounds {
		gathered, err := f.before(ctx, op, action, targets)
		if err != nil {
			return nil, err
		}
		texts = append(texts, gathered...)
		applied, err := f.Store.Apply(ctx, forgetChanges(op, targets))
		if err != nil {
			return nil, fmt.Errorf("forgetting: %w", err)
		}
		if targets, err = f.changed(ctx, applied); err != nil || len(targets) == 0 {
			return texts, err
		}
	}
	if op == memory.OpPurge {
		return f.purgeAnyway(ctx, targets, texts)
	}
	return nil, memory.Errorf(memory.Conflicting, "%d memories keep changing and are not deleted", len(targets)).
		WithHint("repeat the call; what was deleted stays deleted")
}

// changed reads those memories again of which the store has another revision
// than the one that was to be removed.
func (f *Forget) changed(ctx context.Context, applied []memory.Applied) (again []memory.Memory, err error) {
	for _, a := range applied {
		if a.Conflict != memory.ConflictRevision {
			continue
		}
		m, err := f.Store.ByID(ctx, a.Memory.Namespace, a.Memory.ID) // a copy may be another agent's
		if memory.IsNotFound(err) {
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("reading %s again: %w", a.Memory.ID, err)
		}
		again = append(again, m)
	}
	return again, nil
}

// purgeAnyway removes memories that do not rest, with the words that they have
// at that moment: no copy of them is to stay.
func (f *Forget) purgeAnyway(ctx context.Context, targets, texts []memory.Memory) ([]memory.Memory, error) {
	changes := forgetChanges(memory.OpPurge, targets)
	for i := range changes {
		changes[i].Revision = 0
	}
	applied, err := f.Store.Apply(ctx, changes)
	if err != nil {
		return nil, fmt.Errorf("forgetting: %w", err)
	}
	for _, a := range applied {
		texts = append(texts, a.Memory)
	}
	return texts, nil
}
