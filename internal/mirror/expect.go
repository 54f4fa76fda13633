package mirror

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"math"
	"runtime"
	"slices"
	"sync"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Expect writes down what a plan is about to change, before it is applied: the
// rows as they are, and the home files with their text before and after.
// before[i] is the memory that changes[i] is about. Outside a run it does nothing.
func (m *Mirror) Expect(ctx context.Context, before []*memory.Memory, changes []memory.Change) error {
	r, _ := ctx.Value(runKey{}).(*run)
	if len(changes) == 0 || r == nil {
		return nil
	}
	return m.locked(ctx, func() error {
		rows := make(chan *encoded, 1)
		go func() { rows <- r.opening().with(m.expectedRows(before, changes)) }() // beside the files, which take longer
		files, err := m.foreseenAll(ctx, homesOf(before, changes))
		noted := <-rows
		if err != nil {
			return err
		}
		return m.noteEncoded(r, noted.with(slices.Values(files)))
	})
}

// expectedRows tells what a plan does to each row.
func (m *Mirror) expectedRows(before []*memory.Memory, changes []memory.Change) iter.Seq[undoLine] {
	return func(yield func(undoLine) bool) {
		for i := range changes {
			c := &changes[i]
			row := undoRow{Op: c.Op, ID: c.Memory.ID, Was: undoStateOf(before[i]), Is: undoStateOf(new(wanted(before[i], c)))}
			if c.Op == memory.OpUpdate || c.Op == memory.OpRemove {
				row.Whole = new(newArchived(*before[i], c.Reason, m.Now()))
			}
			if !yield(undoLine{Row: &row}) {
				return
			}
		}
	}
}

// homesOf returns what a plan does to each home file.
func homesOf(before []*memory.Memory, changes []memory.Change) []*job {
	byPath, homes := map[string]*job{}, map[string]bool{}
	var jobs []*job
	at := func(name string) *job {
		if byPath[name] == nil {
			byPath[name] = &job{path: name}
			jobs = append(jobs, byPath[name])
		}
		return byPath[name]
	}
	inFile := func(name string) bool { // the same few files again and again
		is, known := homes[name]
		if !known {
			is = written(name)
			homes[name] = is
		}
		return is
	}
	for i := range changes {
		c, was := &changes[i], before[i]
		if c.Op == memory.OpReinforce || was.Form == memory.Passage {
			continue
		}
		is := wanted(was, c)
		gone := c.Op == memory.OpRemove || is.Status == memory.Forgotten
		if inFile(was.Home.File) && (gone || was.Home.File != is.Home.File) {
			at(was.Home.File).removes = append(at(was.Home.File).removes, was.ID)
			at(was.Home.File).leadTo(is.Home.File)
		}
		if inFile(is.Home.File) && !gone && is.Status != memory.Missing {
			at(is.Home.File).puts = append(at(is.Home.File).puts, is)
		}
	}
	return jobs
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

// foreseenWith foresees the files of some jobs, several at a time: reading and
// writing Markdown takes longer than all else that an undo asks for.
func (p *publication) foreseenWith(ctx context.Context, waiting map[string]*job, jobs []*job) ([]undoLine, error) {
	lines, failed := make([]undoLine, len(jobs)), make([]error, len(jobs))
	workers := min(runtime.GOMAXPROCS(0), len(jobs))
	var wait sync.WaitGroup
	for worker := range workers {
		own := publication{Mirror: p.Mirror, states: p.states} // what is noted of files that differ is for the drain
		wait.Go(func() {
			for i := worker; i < len(jobs); i += workers {
				lines[i].File, failed[i] = own.foreseen(ctx, waiting[jobs[i].path], jobs[i])
				runtime.Gosched() // whoever remembers meanwhile is not to wait for a turn of 10 ms
			}
		})
	}
	wait.Wait()
	for _, err := range failed { // the first, as if they had been read in turn
		if err != nil {
			return nil, err
		}
	}
	return lines, nil
}

// foresight returns what waits for each file, and what is known of the files.
func (m *Mirror) foresight(ctx context.Context) (*publication, map[string]*job, error) {
	pending, err := m.Store.Outbox(ctx, math.MaxInt32)
	if err != nil && len(pending) == 0 {
		return nil, nil, fmt.Errorf("reading the outbox: %w", err)
	}
	waiting, jobs := map[string]*job{}, jobsOf(pending)
	for _, j := range jobs {
		waiting[j.path] = j
	}
	p := &publication{Mirror: m, blocked: map[int64]bool{}}
	return p, waiting, p.lookUp(ctx, jobs)
}

// wanted is a memory after a change, as the store will have it.
func wanted(before *memory.Memory, c *memory.Change) memory.Memory {
	was := *before
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
