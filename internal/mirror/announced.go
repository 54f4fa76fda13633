package mirror

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"agentmemory/markdown"
)

// announced is what a derived file is about to show. It is written down before
// the file is: a process that ends right after replacing the file would else
// leave lines of ours that count as a person's, and lines that we took out as
// taken out by a person.
type announced struct {
	Text  string            `json:"text"` // digest of the new file
	Lines map[string]string `json:"lines"`
	Links map[string]string `json:"links"`
}

// announce notes what a file is to show next.
func (m *Mirror) announce(files map[string]*shown, name string, next *shown, text string) error {
	files[name].Next = &announced{Text: digest(text), Lines: next.Lines, Links: next.Links}
	return m.saveShown(files)
}

// showing is a derived file that is about to be replaced.
type showing struct {
	name  string
	read  *string // as it stands; nil: there is none
	text  string  // as it is to stand
	shows *shown  // what it shows then
}

// publishShown replaces a derived file and notes what it shows, in files.
func (m *Mirror) publishShown(ctx context.Context, files map[string]*shown, f showing) error {
	if err := m.announce(files, f.name, f.shows, f.text); err != nil {
		return err
	}
	if err := m.publishProjection(ctx, f.name, f.read, f.text); err != nil {
		return err
	}
	files[f.name].take(f.shows.Lines, f.shows.Links)
	return m.saveShown(files)
}

// take notes what the file shows now.
func (s *shown) take(lines, links map[string]string) {
	s.Lines, s.Links, s.Next = lines, links, nil
}

// settleAnnounced finds out whether what a process before this one announced
// was written.
func (m *Mirror) settleAnnounced(name string, s *shown) error {
	if s.Next == nil {
		return nil
	}
	raw, err := readFile(m.Root, name)
	if err != nil {
		return err
	}
	if s.Next.written(s.Lines, string(raw)) {
		s.take(s.Next.Lines, s.Next.Links)
	}
	s.Next, s.settled = nil, true
	return nil
}

// written reports whether a file is the announced one, or an edit of it, rather
// than of the one before.
func (a *announced) written(before map[string]string, text string) bool {
	if digest(text) == a.Text {
		return true
	}
	stands := map[string]bool{}
	for line := range strings.Lines(text) {
		stands[lineKey(line)] = true
	}
	for key := range a.Lines {
		if _, old := before[key]; !old && stands[key] {
			return true
		}
	}
	left := false
	for key := range before {
		if _, kept := a.Lines[key]; kept {
			continue
		}
		if stands[key] {
			return false
		}
		left = true
	}
	return left
}

// created ends the name of a mark that a derived file is being made: where there
// was no file before, no swapped-out one tells a recovery of it.
const created = ".created"

// announceNew marks that a file is about to be made, if it is not there yet. The
// mark is taken away by the function that is returned.
func (m *Mirror) announceNew(name string, read *string, text string) (made func() error, err error) {
	if read != nil {
		return func() error { return nil }, nil
	}
	if err := markdown.MakeDir(m.Root, swapDir); err != nil {
		return nil, fmt.Errorf("announcing %s: %w", name, err)
	}
	mark := path.Join(swapDir, newSwapName(name, "", text, 0).String()+created)
	if err := writeDurably(m.Root, mark, nil, fileMode); err != nil {
		return nil, fmt.Errorf("announcing %s: %w", name, err)
	}
	return func() error { return m.discard(mark) }, nil
}

// finishNew records the derived files that a process made and did not record.
func (m *Mirror) finishNew(ctx context.Context, found *leftovers) error {
	for _, name := range found.made {
		if target := found.paths[name.Target]; target != "" {
			if err := m.noteDerived(ctx, name, target); err != nil {
				return err
			}
		}
		if err := m.discard(path.Join(swapDir, name.String()+created)); err != nil {
			return err
		}
	}
	return nil
}

// noteDerived records a derived file as it was swapped in by a process that
// ended before it could: its lines are no edit of anybody.
func (m *Mirror) noteDerived(ctx context.Context, name swapName, target string) error {
	if slices.Contains([]kind{home, stateHome}, classify(target)) {
		return nil
	}
	raw, err := readFile(m.Root, target)
	if err != nil || raw == nil || digest(string(raw)) != name.Text {
		return err
	}
	known, err := m.newestBase(ctx, target)
	if err != nil || known == string(raw) {
		return err
	}
	if err := m.recordProjection(ctx, target, string(raw)); err != nil {
		return fmt.Errorf("recording what was written: %w", err)
	}
	return nil
}

// takenOut is what a derived file shows without the lines of some memories.
func (s *shown) takenOut(keys map[string]bool) *shown {
	next := &shown{Lines: map[string]string{}, Links: s.Links}
	for key, id := range s.Lines {
		if !keys[key] {
			next.Lines[key] = id
		}
	}
	return next
}
