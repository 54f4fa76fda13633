package mirror

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// The journals of what was applied: one file a run, one JSON object a line.
const (
	undoDir      = ownDir + "/undo"
	undoRuns     = 50       // journals that are kept
	undoBytes    = 64 << 20 // … and what they may take together; the newest always stays
	undoNameTime = "20060102T150405.000000Z"
)

// runKey finds the run that a context belongs to.
type runKey struct{}

// run is one application of plans that can be undone as a whole. Its journal
// begins with its first change: what changes nothing leaves none.
type run struct {
	mu    sync.Mutex
	phase string
	at    time.Time
	name  string // of the journal; "" before the first change
}

// undoLine is one line of a journal; one of its parts is set.
type undoLine struct {
	Run   *undoHead         `json:"run,omitempty"`
	Row   *undoRow          `json:"row,omitempty"`
	File  *undoFile         `json:"file,omitempty"`
	Shown map[string]*shown `json:"shown,omitempty"` // of the derived files, before
}

type undoHead struct {
	Phase string    `json:"phase"`
	At    time.Time `json:"at"`
}

// undoRow is a change of a memory: what it was and what it was to become.
type undoRow struct {
	Op    memory.Op `json:"op"`
	ID    string    `json:"id"`
	Was   undoState `json:"was"`
	Is    undoState `json:"is"`
	Whole *archived `json:"whole,omitempty"` // before an update or a removal
}

type undoState struct {
	Status       memory.Status `json:"status,omitempty"`
	Supersedes   string        `json:"supersedes,omitempty"`
	SupersededBy string        `json:"superseded_by,omitempty"`
	Trust        memory.Trust  `json:"trust,omitempty"`
	Place        memory.Place  `json:"place,omitzero"`
	Hash         string        `json:"hash,omitempty"`
}

func undoStateOf(m memory.Memory) undoState {
	return undoState{m.Status, m.Supersedes, m.SupersededBy, m.Trust, m.Home, m.ContentHash}
}

// undoFile is a file before and after; nil: there was none.
type undoFile struct {
	Path   string  `json:"path"`
	Before *string `json:"before"`
	After  *string `json:"after"`
}

// Begin returns a context under which everything that this mirror writes for a
// phase, and every plan given to Expect, can be undone together.
func (m *Mirror) Begin(ctx context.Context, phase string) context.Context {
	return context.WithValue(ctx, runKey{}, &run{phase: phase, at: m.Now()})
}

// note appends lines to the journal of the run that ctx belongs to, durably,
// before what they describe happens. Without a run it does nothing.
func (m *Mirror) note(ctx context.Context, lines ...undoLine) error {
	r, _ := ctx.Value(runKey{}).(*run)
	if r == nil || len(lines) == 0 {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.name == "" {
		if err := m.newJournal(r); err != nil {
			return fmt.Errorf("starting the undo journal: %w", err)
		}
		lines = append([]undoLine{{Run: &undoHead{r.phase, r.at}}}, lines...)
	}
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, l := range lines {
		if err := enc.Encode(l); err != nil {
			return fmt.Errorf("encoding a line of the undo journal: %w", err)
		}
	}
	return markdown.Append(m.Root, r.name, b.Bytes())
}

// newJournal names the journal of a run and lets go of the oldest ones.
func (m *Mirror) newJournal(r *run) error {
	names, err := m.journals()
	if err != nil {
		return err
	}
	stem := path.Join(undoDir, r.at.UTC().Format(undoNameTime)+"-"+memory.Slug(r.phase))
	r.name = stem + ".jsonl"
	for i := 2; slices.Contains(names, r.name); i++ {
		r.name = fmt.Sprintf("%s.%d.jsonl", stem, i)
	}
	total := int64(0)
	for i, name := range slices.Backward(names) {
		info, err := m.Root.Stat(name)
		if err != nil {
			continue
		}
		if total += info.Size(); len(names)-i >= undoRuns || total > undoBytes {
			if err := m.discard(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// journals lists the journals of runs, the oldest first.
func (m *Mirror) journals() ([]string, error) {
	entries, err := fs.ReadDir(m.Root.FS(), undoDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the undo journals: %w", err)
	}
	var names []string
	for _, e := range entries {
		if strings.HasSuffix(e.Name(), ".jsonl") {
			names = append(names, path.Join(undoDir, e.Name()))
		}
	}
	slices.SortFunc(names, func(a, b string) int {
		return cmp.Or(cmp.Compare(a[:len(undoDir)+len(undoNameTime)], b[:len(undoDir)+len(undoNameTime)]), cmp.Compare(len(a), len(b)), cmp.Compare(a, b))
	})
	return names, nil
}

// noteFile notes that a file is about to be replaced.
func (m *Mirror) noteFile(ctx context.Context, name string, before, after *string) error {
	return m.note(ctx, undoLine{File: &undoFile{name, before, after}})
}

// dropJournals removes what could bring back a purged text.
func (m *Mirror) dropJournals() error {
	names, err := m.journals()
	for _, name := range names {
		err = errors.Join(err, m.discard(name))
	}
	return err
}

// Expect writes down what a plan is about to change, before it is applied: the
// rows as they are, and the home files with their text before and after.
// before[i] is the memory that changes[i] is about. Outside a run it does nothing.
func (m *Mirror) Expect(ctx context.Context, before []memory.Memory, changes []memory.Change) error {
	if len(changes) == 0 || ctx.Value(runKey{}) == nil {
		return nil
	}
	return m.locked(ctx, func() error {
		if _, err := m.drain(ctx); err != nil {
			return err
		}
		lines, err := m.expected(ctx, before, changes)
		if err != nil {
			return err
		}
		return m.note(ctx, lines...)
	})
}

func (m *Mirror) expected(ctx context.Context, before []memory.Memory, changes []memory.Change) ([]undoLine, error) {
	lines := make([]undoLine, 0, len(changes))
	jobs := map[string]*job{}
	var order []string
	at := func(name string) *job {
		if jobs[name] == nil {
			jobs[name] = &job{path: name}
			order = append(order, name)
		}
		return jobs[name]
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
		}
		if written(is.Home.File) && !gone && is.Status != memory.Missing {
			at(is.Home.File).puts = append(at(is.Home.File).puts, is)
		}
	}
	for _, name := range order {
		file, err := m.foreseen(ctx, jobs[name])
		if err != nil {
			return nil, err
		}
		lines = append(lines, undoLine{File: file})
	}
	return lines, nil
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

// foreseen returns a home file as it stands and as a drain will leave it, if
// nobody else writes into it.
func (m *Mirror) foreseen(ctx context.Context, j *job) (*undoFile, error) {
	raw, err := readFile(m.Root, j.path)
	if err != nil {
		return nil, err
	}
	f := &undoFile{Path: j.path}
	if raw != nil {
		f.Before = ptr(string(raw))
	}
	if classify(j.path) == stateHome {
		f.After = f.Before // one memory fills it; no phase changes it
		return f, nil
	}
	p := publication{Mirror: m}
	doc := markdown.Parse(j.path, raw)
	if err := p.eraseAll(ctx, doc, j.removes); err != nil {
		return nil, err
	}
	for _, mem := range j.puts {
		if err := p.put(ctx, doc, mem); err != nil {
			return nil, err
		}
	}
	f.After = ptr(string(doc.Bytes()))
	return f, nil
}

func ptr[T any](v T) *T { return &v }
