package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"agentmemory/markdown"
)

// mergeRounds is how often a save that came between is merged again before
// what is left goes to a conflict file.
const mergeRounds = 5

// lingering is a swapped-out file that may still be written to by an editor
// which had it open.
type lingering struct {
	swapped
	last  string // its text when last looked at
	since time.Time
}

// keep remembers a swapped-out file until it has rested.
func (m *Mirror) keep(s swapped) {
	if s.Temp == "" {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lingering = append(m.lingering, lingering{s, s.Out, m.Now()})
}

// tend looks after swapped-out files: what somebody saved there is merged into
// the file that took its place. A save that only added lines is merged at
// once; one that lacks lines may be half written and has to rest first. The
// caller holds the lock.
func (m *Mirror) tend(context.Context) error {
	m.mu.Lock()
	list := m.lingering
	m.lingering = nil
	m.mu.Unlock()
	var errs []error
	for _, l := range list {
		done, err := m.tendOne(&l)
		errs = append(errs, err)
		if !done || err != nil {
			m.mu.Lock()
			m.lingering = append(m.lingering, l)
			m.mu.Unlock()
		}
	}
	return errors.Join(errs...)
}

func (m *Mirror) tendOne(l *lingering) (done bool, err error) {
	raw, err := readFile(m.Root, l.Temp)
	if err != nil || raw == nil {
		return raw == nil, err
	}
	now, text := m.Now(), string(raw)
	if text != l.last {
		l.last, l.since = text, now
	}
	rested := now.Sub(l.since) >= linger
	if text != l.Read && (rested || addsOnly(l.Read, text)) {
		if err := m.mergeInto(l.Target, l.Read, text); err != nil {
			return false, err
		}
		l.Read = text
	}
	if !rested {
		return false, nil
	}
	return true, m.discard(l.Temp)
}

func (m *Mirror) discard(temp string) error {
	if err := m.Root.Remove(temp); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("removing a temporary file: %w", err)
	}
	return nil
}

// addsOnly reports whether every line of before still stands in after.
func addsOnly(before, after string) bool {
	count := map[string]int{}
	for line := range strings.Lines(after) {
		count[strings.TrimRight(line, "\r\n")]++
	}
	for line := range strings.Lines(before) {
		line = strings.TrimRight(line, "\r\n")
		if count[line] == 0 {
			return false
		}
		count[line]--
	}
	return true
}

// mergeInto merges theirs, an edit of base, into the file as it stands. An
// emptied file holds no line of anybody: there is nothing to merge.
func (m *Mirror) mergeInto(target, base, theirs string) error {
	for range mergeRounds {
		if strings.TrimSpace(theirs) == "" {
			return nil
		}
		raw, err := readFile(m.Root, target)
		if err != nil {
			return err
		}
		ours := string(raw)
		merged, conflicts := merge(target, base, ours, theirs)
		if conflicts != "" {
			if err := m.conflict(target, conflicts); err != nil {
				return err
			}
		}
		if merged == ours {
			return nil
		}
		read := &ours
		if raw == nil {
			read = nil
		}
		s, err := replace(m.Root, target, read, merged, 0)
		if errors.Is(err, errChanged) {
			continue
		}
		if err != nil {
			return err
		}
		m.keep(s)
		if s.Out == ours || s.Temp == "" {
			return nil
		}
		base, theirs = ours, s.Out
	}
	return m.conflict(target, theirs)
}

// merge joins two edits of base by lines and entries; where both changed the
// same entry theirs stays and ours is returned as the conflict.
func merge(name, base, ours, theirs string) (merged, conflicts string) {
	result := markdown.Merge(name, []byte(base), []byte(ours), []byte(theirs))
	var b strings.Builder
	for _, c := range result.Conflicts {
		b.WriteString(c.Ours)
	}
	return string(result.Text), b.String()
}

// conflict writes a text that could not be merged beside the file.
func (m *Mirror) conflict(target, text string) error {
	stamp := m.Now().UTC().Format("20060102T150405Z")
	name := fmt.Sprintf("%s.conflict-%s.md", target, stamp)
	if strings.HasSuffix(text, "\n") {
		text = strings.TrimRight(text, "\n")
	}
	if err := appendDurably(m.Root, name, []byte(text+"\n")); err != nil {
		return fmt.Errorf("writing a conflict file: %w", err)
	}
	return nil
}
