package mirror

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// peoplesNote names the note on what people did to a generated file.
const peoplesNote = "people:"

// peoples is what people did to a generated file: the text that we published
// last holds their lines, too, and lacks those that they took out, so that it
// alone does not tell ours from theirs. It holds digests of lines, no text.
type peoples struct {
	Added   map[string]bool `json:"added,omitempty"`
	Removed map[string]bool `json:"removed,omitempty"`
}

// peoplesOf reads what is known of people's part in a file.
func (m *Mirror) peoplesOf(ctx context.Context, name string) (peoples, error) {
	var p peoples
	raw, err := m.Store.Meta(ctx, peoplesNote+name)
	if err != nil {
		return p, fmt.Errorf("reading what people wrote into %s: %w", name, err)
	}
	if len(raw) > 0 {
		if err := json.Unmarshal(raw, &p); err != nil {
			return peoples{}, nil // written by us alone: what cannot be read tells nothing
		}
	}
	return p, nil
}

// renewed replaces what we wrote into a generated file by text, and keeps what
// people wrote there and took out since we first wrote it. Base is the text that
// we published last; without one, after the loss of the database, the form of a
// line tells whose it is. It is noted before anything is written: done again
// after a kill, it comes to the same.
func (m *Mirror) renewed(ctx context.Context, name string, text, base, disk []byte) ([]byte, error) {
	if len(bytes.TrimSpace(disk)) == 0 {
		return text, nil // a file that was removed or emptied says nothing about its lines
	}
	known, err := m.peoplesOf(ctx, name)
	if err != nil {
		return nil, err
	}
	ours := linesWithout(base, known.Added)
	if len(base) == 0 {
		ours = linesOfForm(disk)
	}
	now := peoples{Added: linesMissing(disk, ours), Removed: linesMissing(ours, disk)}
	maps.Copy(now.Removed, known.Removed)
	if !maps.Equal(now.Added, known.Added) || !maps.Equal(now.Removed, known.Removed) {
		raw, err := json.Marshal(now)
		if err != nil {
			return nil, fmt.Errorf("encoding what people wrote into %s: %w", name, err)
		}
		if err := m.Store.SetMeta(ctx, peoplesNote+name, raw); err != nil {
			return nil, fmt.Errorf("noting what people wrote into %s: %w", name, err)
		}
	}
	return markdown.Merge(name, ours, linesWithout(text, now.Removed), disk).Text, nil
}

// linesWithout returns a text without the lines of these digests.
func linesWithout(text []byte, without map[string]bool) []byte {
	if len(without) == 0 {
		return text
	}
	var kept strings.Builder
	for line := range strings.Lines(string(text)) {
		if !without[lineKey(line)] {
			kept.WriteString(line)
		}
	}
	return []byte(kept.String())
}

// linesOfForm returns the lines that have the form of ours, and blank ones.
func linesOfForm(text []byte) []byte {
	var ours strings.Builder
	for line := range strings.Lines(string(text)) {
		if trimmed := strings.TrimSpace(line); trimmed == "" || strings.HasPrefix(trimmed, "#") || markdown.Shows(line) {
			ours.WriteString(line)
		}
	}
	return []byte(ours.String())
}

// linesMissing returns the digests of the lines of a that b lacks, blank ones aside.
func linesMissing(a, b []byte) map[string]bool {
	stands := map[string]bool{lineKey(""): true}
	for line := range strings.Lines(string(b)) {
		stands[lineKey(line)] = true
	}
	missing := map[string]bool{}
	for line := range strings.Lines(string(a)) {
		if key := lineKey(line); !stands[key] {
			missing[key] = true
		}
	}
	return missing
}

// repeats returns a test for the lines of a file that only repeat memories,
// which stand elsewhere: those of our wrap-ups, and those that left MEMORY.md.
// Nil if the file is not of that kind.
func (p *pass) repeats(ctx context.Context, name string) (func(line string) bool, error) {
	switch markdown.Classify(name, memory.TrustUser).Kind {
	case markdown.KindArchiveLog:
		return func(line string) bool { return markdown.ShowsByID(line) || reasoned(line) }, nil
	case markdown.KindWrapup:
	default:
		return nil, nil //nolint:nilnil // no file of that kind
	}
	known, err := p.peoplesOf(ctx, name)
	if err != nil {
		return nil, err
	}
	bases, err := p.Store.Bases(ctx, name, 0)
	if err != nil {
		return nil, fmt.Errorf("reading the versions of %s: %w", name, err)
	}
	published := map[string]bool{}
	for _, v := range bases {
		for line := range strings.Lines(v.Text) {
			published[lineKey(line)] = true
		}
	}
	return func(line string) bool {
		key := lineKey(line)
		return markdown.Shows(line) && !known.Added[key] && (len(bases) == 0 || published[key])
	}, nil
}

// reasoned recognises the reason above the lines that left MEMORY.md.
func reasoned(line string) bool {
	line = strings.TrimSpace(line)
	return len(line) > 2 && strings.HasPrefix(line, "_") && strings.HasSuffix(line, "_")
}

// proseNote says how the prose of our files was read last; ownProse is how it is read now.
const (
	proseNote = "prose_of_our_files"
	ownProse  = "people's lines only"
)

// rereads has the files read again whose prose an earlier version read
// differently: all of it, so that every memory in them was found twice.
func (p *pass) rereads(ctx context.Context) error {
	if p.prose == ownProse || p.opts.only != "" {
		return nil
	}
	raw, err := p.Store.Meta(ctx, proseNote)
	if err != nil {
		return fmt.Errorf("reading how prose was read: %w", err)
	}
	if p.prose = string(raw); p.prose == ownProse {
		return nil
	}
	for name, state := range p.states {
		if k := markdown.Classify(name, memory.TrustUser).Kind; k == markdown.KindWrapup || k == markdown.KindArchiveLog {
			state.Size, state.Hash = -1, ""
			p.states[name] = state
		}
	}
	p.rereading = true
	return nil
}

// reread notes that those files were read.
func (p *pass) reread(ctx context.Context) error {
	if !p.rereading {
		return nil
	}
	if err := p.Store.SetMeta(ctx, proseNote, []byte(ownProse)); err != nil {
		return fmt.Errorf("noting how prose is read: %w", err)
	}
	p.prose = ownProse
	return nil
}

// peoplesPassages tells apart what people wrote into a file that we fill: each list
// item and paragraph is a passage of its own. A file of which nothing is ours is
// read as any other.
func (p *pass) peoplesPassages(ctx context.Context, d *document) ([]markdown.Passage, error) {
	ours, err := p.repeats(ctx, d.path)
	if err != nil {
		return nil, err
	}
	all := pieces(d.text)
	if ours == nil || !slices.ContainsFunc(all, func(piece markdown.Passage) bool { return ours(piece.Text) }) {
		return markdown.Passages(d.path, []byte(d.text)), nil
	}
	return slices.DeleteFunc(all, func(piece markdown.Passage) bool { return ours(piece.Text) || furniture(piece.Text) }), nil
}
