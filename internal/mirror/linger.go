package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// mergeRounds is how often a save that came between is merged again before
// what is left goes to a conflict file.
const mergeRounds = 5

// lingering is a swapped-out file that may still be written to by an editor
// which had it open.
type lingering struct {
	swapped
	last   string // its text when last looked at
	since  time.Time
	state  fs.FileInfo // of the file when last looked at
	merged string      // its text when last merged
	base   string      // what the author of that text had loaded
	at     time.Time   // of that merge
	rounds int
}

// unmerged reports whether it holds a save that the file has not yet been seen
// at rest with.
func (l lingering) unmerged() bool { return l.last != l.Read }

// keep remembers a swapped-out file until it has rested. Its time tells other
// processes since when it waits.
func (m *Mirror) keep(s swapped, rounds int) {
	if s.Temp == "" {
		return
	}
	now := m.Now()
	last := s.Out
	if last == s.Read {
		last = s.Read // one copy in memory
	}
	s.Out, s.Text = "", ""
	if err := m.Root.Chtimes(s.Temp, now, now); err != nil {
		m.Log("dating a temporary file", err)
	}
	m.linger(lingering{swapped: s, last: last, since: now, merged: s.Read, rounds: rounds})
}

func (m *Mirror) linger(l lingering) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.lingering = append(m.lingering, l)
}

// tend looks after swapped-out files: what somebody saved there is merged into
// the file that took its place. A save that only added lines is merged at
// once; one that lacks lines may be half written and has to rest first, and so
// has the file that it is merged into. It reports whether a save is left
// unmerged. The caller holds the lock.
func (m *Mirror) tend(ctx context.Context) (left bool, err error) {
	m.mu.Lock()
	list := m.lingering
	m.lingering = nil
	m.mu.Unlock()
	var errs []error
	for _, l := range list {
		done, err := m.tendOne(ctx, &l)
		errs = append(errs, err)
		if !done || err != nil {
			left = left || l.unmerged()
			m.linger(l)
		}
	}
	return left, errors.Join(errs...)
}

func (m *Mirror) tendOne(ctx context.Context, l *lingering) (done bool, err error) {
	if !l.unmerged() && m.Now().Sub(l.since) < m.Settle && m.untouched(l) {
		return false, nil
	}
	if aside, err := m.putAside(l.Temp); aside || err != nil {
		return aside, err
	}
	raw, err := readFile(m.Root, l.Temp)
	if err != nil || raw == nil {
		return raw == nil, err
	}
	now := m.Now()
	if text := string(raw); text != l.last {
		l.last, l.since = text, now
	}
	rested := now.Sub(l.since) >= m.Settle
	switch {
	case l.last != l.merged && (rested || addsOnly(l.merged, l.last)):
		err = m.mergeLate(ctx, l)
	case l.unmerged() && now.Sub(l.at) >= m.Settle:
		err = m.verifyMerged(ctx, l)
	}
	if err != nil || !rested || l.unmerged() {
		return false, ignoreUnsettled(err)
	}
	return true, m.discard(l.Temp)
}

// untouched reports whether a file looks as it did the last time. It may be
// wrong about a save within one tick of the file system's clock: what is to be
// let go is always read.
func (m *Mirror) untouched(l *lingering) bool {
	info, err := m.Root.Lstat(l.Temp)
	if err != nil {
		return false
	}
	before := l.state
	l.state = info
	return before != nil && os.SameFile(before, info) && before.Size() == info.Size() && before.ModTime().Equal(info.ModTime())
}

// mergeLate merges a late save into the file, unless somebody is saving that
// one just now.
func (m *Mirror) mergeLate(ctx context.Context, l *lingering) error {
	stands, err := m.atRest(ctx, l.Target)
	if err != nil {
		return err
	}
	if l.base, err = m.loaded(ctx, l.Target, l.merged, l.last); err != nil {
		return err
	}
	return m.mergeOnce(l, stands)
}

func (m *Mirror) mergeOnce(l *lingering, stands *string) error {
	if l.rounds >= mergeRounds {
		l.Read, l.merged = l.last, l.last
		return m.conflict(l.Target, l.last)
	}
	if err := m.mergeInto(l.Target, stands, edit{l.base, l.last}, l.rounds+1); err != nil {
		return err // nothing was written: this was no round
	}
	l.rounds++
	l.merged, l.at = l.last, m.Now()
	return nil
}

// verifyMerged looks whether a late save that was merged still stands in the
// file at rest: somebody who had loaded the file before may have saved over it.
// Only what is missing is merged again.
func (m *Mirror) verifyMerged(ctx context.Context, l *lingering) error {
	stands, err := m.atRest(ctx, l.Target)
	if err != nil {
		return err
	}
	saved, missing := withoutStanding(l.last, l.base, deref(stands))
	if !missing {
		l.Read = l.last
		return nil
	}
	again := *l
	again.last = saved
	err = m.mergeOnce(&again, stands)
	l.Read, l.rounds, l.at = again.Read, again.rounds, again.at
	if again.Read == saved { // it went to a conflict file
		l.Read, l.merged = l.last, l.last
	}
	return err
}

// withoutStanding takes out of a save what it added to its base and what stands
// in the file already, with a comment of ours or without. A line goes together with
// the lines that continue it. It reports whether something that was added is missing.
func withoutStanding(saved, base, stands string) (left string, missing bool) {
	added, there := plainLines(saved), plainLines(stands)
	for line, n := range plainLines(base) {
		added[line] -= n
	}
	var b strings.Builder
	for unit := range units(saved) {
		standing := true
		for line := range strings.Lines(unit) {
			plain := markdown.PlainLine(line)
			switch {
			case added[plain] <= 0:
				standing = standing && plain == "" && unit != line
			case there[plain] <= 0:
				standing, missing = false, true
			}
			added[plain]--
			there[plain]--
		}
		if !standing {
			b.WriteString(unit)
		}
	}
	return b.String(), missing
}

// plainLines counts the lines of a text, apart from our comments.
func plainLines(text string) map[string]int {
	count := map[string]int{}
	for line := range strings.Lines(text) {
		count[markdown.PlainLine(line)]++
	}
	delete(count, "")
	return count
}

// units yields the lines of a text, each with the indented ones that continue it.
func units(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		unit := ""
		for line := range strings.Lines(text) {
			if unit != "" && !strings.HasPrefix(line, "  ") && !strings.HasPrefix(line, "\t") {
				if !yield(unit) {
					return
				}
				unit = ""
			}
			unit += line
		}
		if unit != "" {
			yield(unit)
		}
	}
}

// ignoreUnsettled is for those who come again.
func ignoreUnsettled(err error) error {
	if errors.Is(err, errUnsettled) || errors.Is(err, errChanged) {
		return nil
	}
	return err
}

// atRest returns the text of a file that is as we know it, or has rested since
// somebody else saved it: nil if there is none, errUnsettled otherwise.
func (m *Mirror) atRest(ctx context.Context, name string) (*string, error) {
	info, err := m.Root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil //nolint:nilnil // no file and no error is what this means
	}
	if err != nil {
		return nil, fmt.Errorf("looking at %s: %w", name, err)
	}
	text, same, err := readSame(m.Root, name, info)
	if err != nil {
		return nil, err
	}
	known, err := m.newestBase(ctx, name)
	if err != nil {
		return nil, err
	}
	if known != text && (!same || !m.settled(stateOf(name, info, ""), int64(len(known)))) {
		return nil, errUnsettled
	}
	return &text, nil
}

// readSame reads a file and reports whether it is still the one that info
// describes: an editor may have emptied it meanwhile.
func readSame(root *os.Root, name string, info fs.FileInfo) (text string, same bool, err error) {
	raw, err := readFile(root, name)
	if err != nil {
		return "", false, err
	}
	now, err := root.Lstat(name)
	if err != nil {
		return "", false, ignoreMissing(err)
	}
	same = os.SameFile(now, info) && now.Size() == info.Size() && now.ModTime().Equal(info.ModTime()) && int64(len(raw)) == info.Size()
	return string(raw), same, nil
}

// loaded returns the text that the author of a save had before them: of the
// published versions and the one that we had read, the closest.
func (m *Mirror) loaded(ctx context.Context, target, read, text string) (string, error) {
	versions, err := m.Store.Bases(ctx, target, 0)
	if err != nil {
		return "", fmt.Errorf("reading the versions of %s: %w", target, err)
	}
	texts := make([]string, 1, len(versions)+2)
	texts[0] = read
	for _, v := range versions {
		texts = append(texts, v.Text)
	}
	if len(versions) == memory.KeptVersions {
		texts = append(texts, older(target, texts[1:], text))
	}
	return texts[closest(texts, text)], nil
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

// edit is a text that somebody saved, and the one that they had loaded.
type edit struct{ base, saved string }

// mergeInto merges an edit into the file, which stands as given: what stands
// there is kept in any case. An emptied file holds no line of anybody, so there
// is nothing to merge. It returns errChanged when the file was made or removed
// meanwhile; a save that came between lingers, to be merged later.
func (m *Mirror) mergeInto(target string, stands *string, e edit, rounds int) error {
	if strings.TrimSpace(e.saved) == "" {
		return nil
	}
	merged, conflicts := merge(target, e.base, e.saved, deref(stands))
	if conflicts != "" {
		if err := m.conflict(target, conflicts); err != nil {
			return err
		}
	}
	if merged == deref(stands) {
		return nil
	}
	s, err := replace(m.Root, target, stands, merged, 0)
	if err != nil {
		return err
	}
	m.keep(s, rounds+1)
	return nil
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
	if err := markdown.Append(m.Root, name, []byte(strings.TrimRight(text, "\n")+"\n")); err != nil {
		return fmt.Errorf("writing a conflict file: %w", err)
	}
	return nil
}
