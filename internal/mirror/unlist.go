package mirror

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Unlist takes the lines of memories that were forgotten out of MEMORY.md and
// RECENT.md at once: hosts load these files by themselves, and the next
// surface may be hours away. People's lines stay.
func (m *Mirror) Unlist(ctx context.Context, ids ...string) error {
	files, err := m.loadShown()
	if err != nil {
		return err
	}
	var failed []error
	for _, name := range m.derivedFiles() {
		if len(files[name].linesOf(ids)) == 0 {
			continue
		}
		if err := m.derived(ctx, name, func() error { return m.unlist(ctx, name, ids) }); err != nil {
			failed = append(failed, fmt.Errorf("taking lines out of %s: %w", name, err))
		}
	}
	return errors.Join(failed...)
}

// linesOf returns the digests of the lines that show the memories.
func (s *shown) linesOf(ids []string) map[string]bool {
	keys := map[string]bool{}
	for key, id := range s.Lines {
		if slices.Contains(ids, id) {
			keys[key] = true
		}
	}
	return keys
}

// unlist writes the file before it forgets that the lines were ours: the other
// way round, a kill in between would make them lines of a person.
func (m *Mirror) unlist(ctx context.Context, name string, ids []string) error {
	files, err := m.loadShown()
	if err != nil {
		return err
	}
	raw, err := readFile(m.Root, name)
	if err != nil {
		return err
	}
	keys := files[name].linesOf(ids)
	kept := without(string(raw), keys)
	next := files[name].takenOut(keys)
	if kept != string(raw) {
		if err := m.announce(files, name, next, kept); err != nil {
			return err
		}
		if _, err := m.overwrite(name, string(raw), kept); err != nil {
			return err
		}
		if err := m.recordWithout(ctx, name, keys); err != nil {
			return err
		}
	}
	files[name].take(next.Lines, next.Links)
	return m.saveShown(files)
}

// recordWithout notes that the lines left the file by our hand: unknown to us,
// the file would count as one that somebody is saving, and the next one who
// writes it would wait. What a person changed in it since remains to be read.
func (m *Mirror) recordWithout(ctx context.Context, name string, keys map[string]bool) error {
	published, err := m.newestBase(ctx, name)
	if err != nil || published == "" {
		return err
	}
	return m.recordProjection(ctx, name, without(published, keys))
}

// without leaves out lines by their digests.
func without(text string, keys map[string]bool) string {
	var kept strings.Builder
	for line := range strings.Lines(text) {
		if !keys[lineKey(line)] {
			kept.WriteString(line)
		}
	}
	return kept.String()
}
