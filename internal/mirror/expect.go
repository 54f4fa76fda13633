package mirror

import (
	"context"
	"errors"
	"fmt"
	"math"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Expect writes down what a plan is about to change, before it is applied: the
// rows as they are, and the home files with their text before and after.
// before[i] is the memory that changes[i] is about. Outside a run it does nothing.
func (m *Mirror) Expect(ctx context.Context, before []memory.Memory, changes []memory.Change) error {
	if len(changes) == 0 || ctx.Value(runKey{}) == nil {
		return nil
	}
	return m.locked(ctx, func() error {
		rows, jobs := m.expected(before, changes)
		files, err := m.foreseenAll(ctx, jobs)
		if err != nil {
			return err
		}
		return m.note(ctx, append(rows, files...)...)
	})
}

// expected returns what a plan does to each row, and to each home file.
func (m *Mirror) expected(before []memory.Memory, changes []memory.Change) ([]undoLine, []*job) {
	lines := make([]undoLine, 0, len(changes))
	byPath := map[string]*job{}
	var jobs []*job
	at := func(name string) *job {
		if byPath[name] == nil {
			byPath[name] = &job{path: name}
			jobs = append(jobs, byPath[name])
		}
		return byPath[name]
	}
	for i, c := range changes {
		was, is := before[i], wanted(before[i], c)
		row := undoRow{Op: c.Op, ID: c.Memory.ID, Was: undoStateOf(was), Is: undoStateOf(is)}
		if c.Op == memory.OpUpdate || c.Op == memory.OpRemove {
			whole := newArchived(was, c.Reason, m.Now())
			row.Whole = &whole
		}
		lines = append(lines, undoLine{Row: &row})
		if c.Op == memory.OpReinforce || was.Form == memory.Passage {
			continue
		}
		gone := c.Op == memory.OpRemove || is.Status == memory.Forgotten
		if written(was.Home.File) && (gone || was.Home.File != is.Home.File) {
			at(was.Home.File).removes = append(at(was.Home.File).removes, was.ID)
			at(was.Home.File).leadTo(is.Home.File)
		}
		if written(is.Home.File) && !gone && is.Status != memory.Missing {
			at(is.Home.File).puts = append(at(is.Home.File).puts, is)
		}
	}
	return lines, jobs
}

// errUnforeseen says that what waits for a file has to be written first.
var errUnforeseen = errors.New("what waits for the file has to be written first")

// foreseenAll foresees the home files of a plan. What waits for them is foreseen
// with it or, if it cannot be, written first.
func (m *Mirror) foreseenAll(ctx context.Context, jobs []*job) ([]undoLine, error) {
	if len(jobs) == 0 {
		return nil, nil
	}
	p, waiting, err := m.foresight(ctx)
	if err != nil {
		return nil, err
	}
	lines, err := p.foreseenWith(ctx, waiting, jobs)
	if !errors.Is(err, errUnforeseen) {
		return lines, err
	}
	if _, err := m.drain(ctx); err != nil {
		return nil, err
	}
	return p.foreseenWith(ctx, nil, jobs) // what is left waits for somebody who is saving the file
}

func (p *publication) foreseenWith(ctx context.Context, waiting map[string]*job, jobs []*job) ([]undoLine, error) {
	lines := make([]undoLine, 0, len(jobs))
	for _, j := range jobs {
		file, err := p.foreseen(ctx, waiting[j.path], j)
		if err != nil {
			return nil, err
		}
		lines = append(lines, undoLine{File: file})
	}
	return lines, nil
}

// foresight returns what waits for each file, and what is known of the files.
func (m *Mirror) foresight(ctx context.Context) (*publication, map[string]*job, error) {
	pending, err := m.Store.Outbox(ctx, math.MaxInt32)
	if err != nil && len(pending) == 0 {
		return nil, nil, fmt.Errorf("reading the outbox: %w", err)
	}
	waiting := map[string]*job{}
	for _, j := range jobsOf(pending) {
		waiting[j.path] = j
	}
	p := &publication{Mirror: m, blocked: map[int64]bool{}}
	if len(waiting) > 0 {
		if p.states, err = m.Store.FileStates(ctx); err != nil {
			return nil, nil, fmt.Errorf("reading the states of files: %w", err)
		}
	}
	return p, waiting, nil
}

// wanted is a memory after a change, as the store will have it.
func wanted(was memory.Memory, c memory.Change) memory.Memory {
	switch c.Op {
	case memory.OpStatus:
		was.Status, was.Supersedes, was.SupersededBy, was.Trust = c.Memory.Status, c.Memory.Supersedes, c.Memory.SupersededBy, c.Memory.Trust
		return was
	case memory.OpMove:
		was.Home = c.Memory.Home
		return was
	}
	return c.Memory
}

// foreseen returns a home file as it stands with what waits for it, and as a
// drain will leave it after the plan, if nobody else writes into it. Nothing is
// written: the drain that follows the plan writes both at once.
func (p *publication) foreseen(ctx context.Context, waiting, j *job) (*undoFile, error) {
	raw, err := readFile(p.Root, j.path)
	if err != nil {
		return nil, err
	}
	f := &undoFile{Path: j.path, Before: textOf(raw)}
	if classify(j.path) == stateHome {
		if waiting != nil {
			return nil, errUnforeseen
		}
		f.After = f.Before // one memory fills it; no phase changes it
		return f, nil
	}
	doc := markdown.Parse(j.path, raw)
	if waiting != nil {
		if err := p.foresee(ctx, doc, waiting); err != nil {
			return nil, err
		}
		f.Before = ptr(string(doc.Bytes()))
	}
	if err := p.eraseAll(ctx, doc, j.removes); err != nil {
		return nil, err
	}
	j.link(doc)
	for _, mem := range j.puts {
		if err := p.put(ctx, doc, mem); err != nil {
			return nil, err
		}
	}
	f.After = ptr(string(doc.Bytes()))
	return f, nil
}

// foresee does to a document what waits for its file. A file that a person has
// edited, or that has no room, is for the drain.
func (p *publication) foresee(ctx context.Context, doc *markdown.Document, waiting *job) error {
	if text, err := p.known(waiting.path); err != nil || text == nil || markdown.IsFacts(waiting.path) {
		return errUnforeseen // whatever it is, the drain meets it again and tells
	}
	if err := p.takeOut(ctx, doc, waiting.leaves); err != nil {
		return err
	}
	if err := p.eraseAll(ctx, doc, waiting.removes); err != nil {
		return err
	}
	waiting.link(doc)
	over, err := p.putAll(ctx, doc, waiting.puts)
	if err == nil && len(over) > 0 {
		return errUnforeseen
	}
	return err
}

func ptr[T any](v T) *T { return &v }
