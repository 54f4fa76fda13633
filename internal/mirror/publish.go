package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Reasons for not writing a file now.
var (
	errDirty     = errors.New("a person has edited the file: their edit is read first")
	errUnsettled = errors.New("somebody is saving the file")
	errTooLarge  = fmt.Errorf("it is larger than %d MB, and what people changed in it is not read", maxRead>>20)
	errEmptied   = errors.New("it was emptied just now, and is written when it has rested for a minute")
)

// publication is one round of writing files.
type publication struct {
	*Mirror
	states   map[string]memory.FileState
	versions []memory.FileVersion
	blocked  map[int64]bool  // rows of the outbox whose files must wait
	learned  []memory.Change // what files said besides
	dirty    map[string]bool // files that a person has edited: their edit is read first
}

// lookUp reads how the files of some jobs looked when they were last read, but
// for those of which this round knows already: it may have written them since.
func (p *publication) lookUp(ctx context.Context, jobs []*job) error {
	if len(jobs) == 0 {
		return nil
	}
	names := make([]string, len(jobs))
	for i, j := range jobs {
		names[i] = j.path
	}
	states, err := p.Store.FileStates(ctx, names...)
	if err != nil {
		return fmt.Errorf("reading the states of files: %w", err)
	}
	maps.Copy(states, p.states)
	p.states = states
	return nil
}

func (p *publication) block(j *job) {
	for _, id := range j.ids {
		p.blocked[id] = true
	}
}

// finished lists the rows whose files are all written.
func (p *publication) finished(pending []memory.Pending) []int64 {
	var ids []int64
	for _, row := range pending {
		if !p.blocked[row.ID] {
			ids = append(ids, row.ID)
		}
	}
	return ids
}

// file writes what one file is to show, provided that it stands as we know it.
func (p *publication) file(ctx context.Context, j *job) error {
	if classify(j.path) == stateHome {
		return p.stateFile(j)
	}
	text, err := p.known(j.path)
	if err != nil {
		if errors.Is(err, errDirty) {
			p.block(j)
		}
		return err
	}
	doc := markdown.Parse(j.path, []byte(deref(text)))
	before := entryLines(doc)
	if err := p.takeOut(ctx, doc, j.leaves); err != nil {
		return err
	}
	if err := p.eraseAll(ctx, doc, j.removes); err != nil {
		return err
	}
	j.link(doc)
	over, err := p.putAll(ctx, doc, j.puts)
	if err != nil {
		return err
	}
	if err := p.write(j, text, doc, before); err != nil {
		return err
	}
	further, err := p.overflow(ctx, j, over)
	if err != nil {
		return err
	}
	for _, part := range further {
		if len(part.puts) == 0 {
			continue
		}
		if err := p.file(ctx, part); err != nil {
			p.block(j)
			return err
		}
	}
	return nil
}

// known returns the text of a file if it is the one that we last knew: nil for
// a file that is not there and never was.
func (p *publication) known(name string) (*string, error) {
	state, seen := p.states[name]
	raw, err := readFile(p.Root, name)
	if memory.CodeOf(err) == memory.TooLarge {
		return nil, errTooLarge
	}
	if err != nil {
		return nil, err
	}
	if raw == nil {
		if seen {
			return nil, p.noteEdit(name)
		}
		return nil, nil //nolint:nilnil // no file and no error is what this means
	}
	text := string(raw)
	if seen && digest(text) == state.Hash {
		return &text, nil
	}
	if len(raw) > maxRead {
		return nil, errTooLarge
	}
	if err := brokenFacts(name, raw); err != nil {
		return nil, err
	}
	info, err := p.Root.Lstat(name)
	if err != nil {
		return nil, errChanged
	}
	if !p.settled(stateOf(name, info, ""), state.Size) {
		if text == "" && state.Size > 0 {
			return nil, errEmptied
		}
		return nil, errUnsettled
	}
	return nil, p.noteEdit(name)
}

// noteEdit notes that a file is not as we know it, whatever its size and time say.
func (p *publication) noteEdit(name string) error {
	if p.dirty == nil {
		p.dirty = map[string]bool{}
	}
	p.dirty[name] = true
	return errDirty
}

// eraseAll removes entries, the lowest first: the ids of equal lines count from
// above.
func (p *publication) eraseAll(ctx context.Context, doc *markdown.Document, ids []string) error {
	if len(ids) == 0 {
		return nil
	}
	for _, e := range slices.Backward(doc.Entries()) {
		if !slices.Contains(ids, e.ID) {
			continue
		}
		if err := p.writeOutTwins(ctx, doc, e); err != nil {
			return err
		}
		doc.RemoveLine(e.Line)
	}
	return nil
}

// writeOutTwins prepares the removal or annotation of an entry. The id of a
// person's line follows from its text and from how many lines above say the
// same: those below, whose count is about to change, get theirs written out.
func (m *Mirror) writeOutTwins(ctx context.Context, doc *markdown.Document, gone markdown.Entry) error {
	if gone.Annotated {
		return nil
	}
	var twins []markdown.Entry
	var ids []string
	for _, e := range slices.Backward(doc.Entries()) {
		if e.Line > gone.Line && !e.Annotated && e.Content == gone.Content {
			twins, ids = append(twins, e), append(ids, e.ID)
		}
	}
	rows, err := m.Store.ByIDs(ctx, ids)
	if err != nil {
		return fmt.Errorf("reading the memories of equal lines: %w", err)
	}
	for _, e := range twins {
		for _, row := range rows {
			if row.ID == e.ID {
				row.CreatedAt = row.CreatedAt.In(m.Zone)
				doc.ReplaceLine(e.Line, e.WithIdentity(row))
			}
		}
	}
	return nil
}

func deref(text *string) string {
	if text == nil {
		return ""
	}
	return *text
}

// putAll writes memories into a document and returns those for which it has
// no room.
func (p *publication) putAll(ctx context.Context, doc *markdown.Document, memories []memory.Memory) (over []memory.Memory, err error) {
	room := roomIn(doc)
	for _, mem := range memories {
		if _, stands := doc.ByID(mem.ID); !stands {
			if room.full() {
				over = append(over, mem)
				continue
			}
			room.take(mem)
		}
		if err := p.put(ctx, doc, mem); err != nil {
			return nil, err
		}
	}
	return over, nil
}

// room is how much of a file is taken.
type room struct {
	splits         bool
	entries, bytes int
}

func roomIn(doc *markdown.Document) room {
	return room{splits(doc.Path()), len(doc.Entries()), len(doc.Bytes())}
}

func (r *room) full() bool {
	return r.splits && (r.entries >= maxFileEntries || r.bytes > maxFileBytes)
}

// commentSize is about what an entry takes besides its text.
const commentSize = 64

func (r *room) take(m memory.Memory) {
	r.entries++
	r.bytes += len(m.Content) + commentSize
}

// overflow moves memories to the further parts of a full file that have room.
func (p *publication) overflow(ctx context.Context, j *job, over []memory.Memory) ([]*job, error) {
	var parts []*job
	var changes []memory.Change
	left := room{splits: true, entries: maxFileEntries}
	name := j.path
	for _, mem := range over {
		for left.full() {
			name = nextPart(name)
			raw, err := readFile(p.Root, name)
			if err != nil {
				return nil, err
			}
			left = roomIn(markdown.Parse(name, raw))
			parts = append(parts, &job{path: name, ids: j.ids})
		}
		p.continues(j.path, name)
		left.take(mem)
		mem.Home = memory.Place{File: name}
		last := parts[len(parts)-1]
		last.puts = append(last.puts, mem)
		changes = append(changes, memory.Change{Op: memory.OpMove, Memory: mem, FromFile: true, Reason: "the file is full"})
	}
	if err := p.lookUp(ctx, parts); err != nil {
		return nil, err
	}
	for batch := range slices.Chunk(changes, commitBatch) {
		if _, err := p.Store.Apply(ctx, batch); err != nil {
			return nil, fmt.Errorf("moving entries to a further part of %s: %w", j.path, err)
		}
	}
	return parts, nil
}

// put writes one memory. A text that differs from the store's only by what was
// redacted there stays as the person wrote it.
func (m *Mirror) put(ctx context.Context, doc *markdown.Document, mem memory.Memory) error {
	mem.CreatedAt = mem.CreatedAt.In(m.Zone)
	e := markdown.FromMemory(mem)
	if old, stands := doc.ByID(mem.ID); stands {
		if !old.Annotated && !m.differs(old, mem) && mem.Status == memory.Active {
			return nil // a person's line says it already
		}
		if err := m.writeOutTwins(ctx, doc, old); err != nil {
			return err
		}
		if old.Content != mem.Content && m.clean(old.Content) == mem.Content {
			e.Content = old.Content
		}
	}
	if e.Fact != nil && mem.Status == memory.Superseded {
		e.Fact.SupersededAt = m.Now().In(m.Zone).Truncate(time.Second) // kept where it is known already
	}
	doc.Put(e)
	return nil
}

// write replaces the file if the document differs from what was read, where
// its entries stood in the given lines.
func (p *publication) write(j *job, read *string, doc *markdown.Document, before map[string]int) error {
	text := string(doc.Bytes())
	if text == deref(read) {
		return nil
	}
	upTo := int64(0)
	for _, id := range j.ids {
		upTo = max(upTo, id)
	}
	state, err := p.swapIn(j.path, read, text, upTo)
	if err != nil {
		return err
	}
	v := p.version(doc, text, state)
	for _, mem := range j.puts {
		delete(before, mem.ID) // its row may be newer than the line
	}
	maps.DeleteFunc(v.Lines, func(id string, line int) bool { return before[id] == line })
	p.versions = append(p.versions, v)
	p.states[j.path] = state
	if markdown.IsFacts(j.path) {
		p.stale[j.path] = true
	}
	return nil
}

// version describes a text of a managed file for the store.
func (m *Mirror) version(doc *markdown.Document, text string, state memory.FileState) memory.FileVersion {
	return memory.FileVersion{Path: doc.Path(), Text: text, Hash: state.Hash, State: state, Lines: entryLines(doc), At: m.Now()}
}

// entryLines returns where the entries of a document stand, by their ids.
func entryLines(doc *markdown.Document) map[string]int {
	entries := doc.Entries()
	lines := make(map[string]int, len(entries))
	for _, e := range entries {
		if _, twice := lines[e.ID]; !twice {
			lines[e.ID] = e.Line
		}
	}
	return lines
}

// swapIn puts text in the place of what was read and looks after what came
// out. Before our first write to a file that was there before us its bytes are
// copied away.
func (m *Mirror) swapIn(name string, read *string, text string, upTo int64) (memory.FileState, error) {
	if read != nil {
		if err := m.backup(name, *read); err != nil {
			return memory.FileState{}, err
		}
	}
	s, err := replace(m.Root, name, read, text, upTo)
	if err != nil {
		return memory.FileState{}, err
	}
	if s.noExchange {
		m.degrade("no_exchange")
	}
	m.keep(s, 0)
	return s.State, nil
}

// backup copies a file that we have never written to, once.
func (m *Mirror) backup(name, text string) error {
	if text == "" || strings.Contains(text, "<!-- am:") || markdown.IsFacts(name) && strings.Contains(text, `"meta": {`) {
		return nil
	}
	copied := path.Join(backupDir, name)
	if _, err := m.Root.Lstat(copied); err == nil {
		return nil
	} else if !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("looking for the backup of %s: %w", name, err)
	}
	return replaceOwn(m.Root, copied, []byte(text))
}
