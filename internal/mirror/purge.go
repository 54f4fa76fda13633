package mirror

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Purge removes every byte of memories that the store has purged from the
// files: their home lines, the derived files and the passages that were read
// from them, records, archive, backups, conflict files, swapped-out files, the
// kept versions; the undo journals go altogether. What the host, version control
// or a cloud keep is out of our reach. pending tells that a file
// could not be cleaned because somebody is saving it: call it again. An error
// beside it names files that are too large to be read; all else is done.
func (m *Mirror) Purge(ctx context.Context, memories []memory.Memory) (pending bool, err error) {
	var unread []string
	err = m.locked(ctx, func() error {
		left, err := m.drain(ctx) // the home lines go first, by id
		if err != nil {
			return err
		}
		late, err := m.dropLingering(ctx)
		if err != nil {
			return err
		}
		pending = left || late
		scrub := newScrubber(memories)
		if unread, err = m.scrubProse(ctx, scrub); err != nil {
			return err
		}
		if err := m.scrubOwn(ctx, scrub); err != nil {
			return err
		}
		if err := m.dropJournals(); err != nil {
			return err
		}
		if err := m.Store.ScrubBases(ctx, "", scrub.cleanVersion); err != nil {
			return fmt.Errorf("purging from the kept versions: %w", err)
		}
		if left {
			if left, err = m.awaited(ctx, unread); err != nil {
				return err
			}
			pending = left || late
		}
		if len(unread) > 0 {
			return m.waitForSmaller(memories, unread, pending)
		}
		if pending {
			return nil
		}
		return m.endPurges(scrub, "")
	})
	return pending && err == nil || len(unread) > 0 && memory.CodeOf(err) == memory.TooLarge, err
}

// scrubber recognises the lines that show purged memories.
type scrubber struct {
	ids    map[string]bool
	wanted []string        // whole lines of their texts
	filled map[string]bool // lines of their fields
}

func newScrubber(memories []memory.Memory) *scrubber {
	s := &scrubber{ids: map[string]bool{}, filled: map[string]bool{}}
	for i := range memories {
		m := &memories[i]
		s.ids[m.ID] = true
		s.wanted = append(s.wanted, m.Sought()...)
		for _, line := range m.Filled() {
			s.filled[line] = true
		}
	}
	return s
}

// meaningful is the length in bytes from which a text is looked for within
// longer lines; a shorter one counts as a whole line only.
const meaningful = 8

// shows reports whether a line of any file holds a purged id or text.
func (s *scrubber) shows(line string) bool {
	for id := range s.ids {
		if strings.Contains(line, id) {
			return true
		}
	}
	return s.filled[unmarked(line)] || s.quotes(line)
}

// quotes reports whether a line holds a purged text.
func (s *scrubber) quotes(line string) bool {
	plain, bare := markdown.Unescape(line), unmarked(line)
	for _, w := range s.wanted {
		if bare == w || len(w) >= meaningful && (strings.Contains(plain, w) || strings.Contains(line, quoted(w))) {
			return true
		}
	}
	return false
}

// unmarked is the text of a line without its mark and our comment.
func unmarked(line string) string {
	bare, _, _ := strings.Cut(strings.TrimLeft(strings.TrimSpace(markdown.Unescape(line)), "-*+#> "), " <!-- ")
	return bare
}

// quoted is a text as JSON writes it inside a string.
func quoted(s string) string {
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	if enc.Encode(s) != nil {
		return s
	}
	return strings.Trim(strings.TrimSpace(b.String()), `"`)
}

// clean drops the lines that show purged memories.
func (s *scrubber) clean(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if !s.shows(line) {
			b.WriteString(line)
		}
	}
	return b.String()
}

// erase takes the entries of purged memories, and their copies under other
// ids, out of a Markdown file that we manage. Prose is people's and stays.
func (s *scrubber) erase(name, text string) string {
	doc := markdown.Parse(name, []byte(text))
	for _, e := range slices.Backward(doc.Entries()) {
		if s.ids[e.ID] || s.says(e.Memory()) {
			doc.RemoveLine(e.Line)
		}
	}
	return string(doc.Bytes())
}

// Copies returns the memories of any namespace and status whose entries erase
// takes out beside those of the given ones: they are to leave the store as well.
func (m *Mirror) Copies(ctx context.Context, memories []memory.Memory) ([]memory.Memory, error) {
	s := newScrubber(memories)
	if len(s.wanted) == 0 {
		return nil, nil
	}
	found, err := m.Store.List(ctx, memory.Filter{Statuses: memory.Statuses(), Holding: s.wanted})
	if err != nil {
		return nil, fmt.Errorf("listing what says the same: %w", err)
	}
	return slices.DeleteFunc(found, func(c memory.Memory) bool {
		return c.Form == memory.Passage || s.ids[c.ID] || !s.says(c)
	}), nil
}

// says reports whether a memory says nothing but what is purged: each line of its
// text, and of a card also its title and fields.
func (s *scrubber) says(m memory.Memory) bool {
	text := m.Content
	if m.Form == memory.Decision || m.Form == memory.Task {
		text += "\n" + m.Title
		for _, line := range m.Filled() {
			if !s.filled[line] && !s.quotes(line) {
				return false
			}
		}
	}
	for line := range strings.Lines(text) {
		if strings.TrimSpace(line) != "" && !s.quotes(line) {
			return false
		}
	}
	return strings.TrimSpace(text) != ""
}

// scrubProse cleans the files that people see, and reads those again that are
// recalled as prose: a summary's passages have its words.
func (m *Mirror) scrubProse(ctx context.Context, s *scrubber) (unread []string, err error) {
	cleaned, unread, err := m.scrubMarkdown(ctx, s)
	if err != nil || len(cleaned) == 0 {
		return unread, err
	}
	if _, err := m.pass(ctx, passOptions{ours: cleaned}); err != nil {
		return nil, fmt.Errorf("reading again what was purged from: %w", err)
	}
	return unread, nil
}

// scrubMarkdown cleans the files that people see, and names those that it
// changed and those that are too large to be read.
func (m *Mirror) scrubMarkdown(ctx context.Context, s *scrubber) (cleaned map[string]bool, unread []string, err error) {
	cleaned = map[string]bool{}
	files, err := m.walk(ctx)
	if err != nil {
		return nil, nil, err
	}
	states, err := m.Store.FileStates(ctx)
	if err != nil {
		return nil, nil, fmt.Errorf("reading the states of files: %w", err)
	}
	for _, f := range files {
		if !markdown.Classify(f.path, memory.TrustUser).Managed() {
			continue
		}
		raw, err := readFile(f.root, f.name)
		if memory.CodeOf(err) == memory.TooLarge {
			unread = append(unread, f.path)
			continue
		}
		if err != nil {
			return nil, nil, err
		}
		before := string(raw)
		after := s.cleaned(f, before)
		if after == before {
			continue
		}
		state, err := m.overwrite(f.path, before, after)
		if err != nil {
			return nil, nil, fmt.Errorf("purging from %s: %w", f.path, err)
		}
		cleaned[f.path] = true
		if f.kind != home || states[f.path].Hash != digest(before) {
			continue // what a person has saved and nobody has read is still compared with what we knew
		}
		v := m.version(markdown.Parse(f.path, []byte(after)), after, state)
		if err := m.Store.Published(ctx, []memory.FileVersion{v}, nil); err != nil {
			return nil, nil, fmt.Errorf("recording %s: %w", f.path, err)
		}
	}
	return cleaned, unread, nil
}

// cleaned is the text of a file that people see without what is purged.
func (s *scrubber) cleaned(f sighted, text string) string {
	switch f.kind {
	case home:
		return s.erase(f.path, text)
	case cloudCopy, conflicting:
		return s.cleanVersion(text)
	}
	return s.clean(text)
}

// overwrite replaces a file and keeps nothing of what it held.
func (m *Mirror) overwrite(name, before, after string) (memory.FileState, error) {
	s, err := replace(m.Root, name, &before, after, 0)
	if err != nil {
		return memory.FileState{}, err
	}
	if s.Temp != "" && s.Out != before {
		if err := m.mergeInto(name, &after, edit{before, s.Out}, 0); err != nil {
			return memory.FileState{}, err
		}
	}
	if s.Temp != "" {
		if err := m.discard(s.Temp); err != nil {
			return memory.FileState{}, err
		}
	}
	return s.State, nil
}

// dropLingering removes the swapped-out files that hold nothing new.
func (m *Mirror) dropLingering(ctx context.Context) (left bool, err error) {
	if left, err = m.tend(ctx); err != nil {
		return left, err
	}
	m.mu.Lock()
	list := m.lingering
	m.lingering = nil
	m.mu.Unlock()
	for _, l := range list {
		if l.unmerged() {
			m.linger(l)
			continue
		}
		if err := m.discard(l.Temp); err != nil {
			return left, err
		}
	}
	return left, nil
}

// scrubOwn cleans what only we read: records, archive, backups and what lies
// in the swap folder.
func (m *Mirror) scrubOwn(ctx context.Context, s *scrubber) error {
	if err := scrubLines(m.Root, recordsFile, s.recorded); err != nil {
		return err
	}
	if err := m.archive.scrub(ctx, s.archived); err != nil {
		return err
	}
	for _, dir := range []string{backupDir, swapDir} {
		if err := m.scrubFolder(ctx, dir, s); err != nil {
			return err
		}
	}
	return nil
}

// recorded reports whether a line of the records is about a purged memory, and
// not only tells by the keyed hash of its text that it is gone. Others may lead
// to it, and stay: without their records a rebuild would know less of them.
func (s *scrubber) recorded(line []byte) bool {
	if !s.shows(string(line)) {
		return false
	}
	var r record
	if json.Unmarshal(line, &r) != nil {
		return true
	}
	if s.ids[r.ID] {
		return !r.gone()
	}
	return r.Memory != nil && s.quotesAny(memory.Memory{Title: r.Memory.Title, Fields: r.Memory.Fields})
}

// archived reports whether a line of the archive is a purged memory, or holds its words.
func (s *scrubber) archived(line []byte) bool {
	if !s.shows(string(line)) {
		return false
	}
	var a archived
	return json.Unmarshal(line, &a) != nil || s.ids[a.ID] || s.quotesAny(a.memory())
}

// quotesAny reports whether any line of a memory's text holds a purged one.
func (s *scrubber) quotesAny(m memory.Memory) bool {
	return slices.ContainsFunc(m.Sought(), s.quotes)
}

func (m *Mirror) scrubFolder(ctx context.Context, dir string, s *scrubber) error {
	err := fs.WalkDir(m.Root.FS(), dir, func(name string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return ignoreMissing(err)
		}
		raw, err := readOwn(m.Root, name)
		if err != nil {
			return err
		}
		if after := s.cleanVersion(string(raw)); after != string(raw) {
			return replaceOwn(m.Root, path.Clean(name), []byte(after))
		}
		return ctx.Err()
	})
	if err != nil {
		return fmt.Errorf("purging from %s: %w", dir, err)
	}
	return nil
}
