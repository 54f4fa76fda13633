package mirror

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// waitForSmaller ends a purge but for files that are too large to be read: its
// note says so, and is tried again when one of them can be read. While anything
// else waits, too, the notes stay as they are.
func (m *Mirror) waitForSmaller(memories []memory.Memory, unread []string, busy bool) error {
	if !busy {
		kept, err := m.notePurge(memories, unread)
		if err != nil {
			return err
		}
		if err := m.endPurges(newScrubber(memories), kept); err != nil {
			return err
		}
	}
	return memory.Errorf(memory.TooLarge, "%s is larger than %d MB and was not purged: the words may still stand in it; take them out of it or make it smaller, and the next sync purges it",
		strings.Join(unread, ", "), markdown.MaxFile>>20)
}

// awaited reports whether changes wait for files that the purge has to wait
// for: not those that could not be read at all, and not those that were cleaned,
// but are too large for what people changed in them to be read as memory.
func (m *Mirror) awaited(ctx context.Context, unread []string) (bool, error) {
	waiting, err := m.waitingFiles(ctx)
	if err != nil {
		return false, err
	}
	states, err := m.Store.FileStates(ctx)
	if err != nil {
		return false, fmt.Errorf("reading the states of files: %w", err)
	}
	for name := range waiting {
		if !slices.Contains(unread, name) && m.oversized(states[name], name) == "" {
			return true, nil
		}
	}
	return false, nil
}

// StillTooLarge reports whether all that a purge waits for is still too large to be read.
func (m *Mirror) StillTooLarge(p Purging) bool {
	for _, name := range p.Waits {
		info, err := m.Root.Lstat(name)
		if err != nil || info.Size() <= markdown.MaxFile {
			return false
		}
	}
	return len(p.Waits) > 0
}
