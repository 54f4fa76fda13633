package mirror

import (
	"context"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// waitForSmaller ends a purge but for files that are too large to be read: its
// note says so, and is tried again when one of them can be read. While anything
// else waits, too, the notes stay as they are.
func (m *Mirror) waitForSmaller(ctx context.Context, memories []memory.Memory, unread []string, busy bool) error {
	waiting, err := m.waitingFiles(ctx)
	if err != nil {
		return err
	}
	for _, name := range unread {
		delete(waiting, name)
	}
	if !busy && len(waiting) == 0 {
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
