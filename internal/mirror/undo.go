package mirror

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"runtime"
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
	mu        sync.Mutex
	namespace string
	phase     string
	at        time.Time
	name      string // of the journal; "" before the first change
}

// undoLine is one line of a journal; one of its parts is set.
type undoLine struct {
	Run   *undoHead         `json:"run,omitempty"`
	Row   *undoRow          `json:"row,omitempty"`
	File  *undoFile         `json:"file,omitempty"`
	Shown map[string]*shown `json:"shown,omitempty"` // of the derived files, before
}

type undoHead struct {
	Namespace string    `json:"namespace,omitempty"` // "": the main agent's
	Phase     string    `json:"phase"`
	At        time.Time `json:"at"`
}

// in is the namespace of the run.
func (h undoHead) in() string { return cmp.Or(h.Namespace, memory.DefaultNamespace) }

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

func undoStateOf(m *memory.Memory) undoState {
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
	return context.WithValue(ctx, runKey{}, &run{namespace: m.namespace, phase: phase, at: m.Now()})
}

// note appends lines to the journal of the run that ctx belongs to, durably,
// before what they describe happens. Without a run it does nothing.
func (m *Mirror) note(ctx context.Context, lines ...undoLine) error {
	r, _ := ctx.Value(runKey{}).(*run)
	if r == nil || len(lines) == 0 {
		return nil
	}
	return m.noteEncoded(r, r.opening().with(slices.Values(lines)))
}

// encoded is what a journal is to hold, as it stands in its file.
type encoded struct {
	bytes.Buffer
	head int // bytes of its first line, which only a new journal needs
	err  error
}

// opening is the first line of the journal.
func (r *run) opening() *encoded {
	first := undoLine{Run: &undoHead{r.namespace, r.phase, r.at}}
	e := (&encoded{}).with(slices.Values([]undoLine{first}))
	e.head = e.Len()
	return e
}

// with adds lines.
func (e *encoded) with(lines iter.Seq[undoLine]) *encoded {
	enc, n := json.NewEncoder(e), 0
	enc.SetEscapeHTML(false)
	for l := range lines {
		if err := enc.Encode(l); err != nil && e.err == nil {
			e.err = fmt.Errorf("encoding a line of the undo journal: %w", err)
		}
		if n++; n%linesAtOnce == 0 {
			runtime.Gosched() // whoever remembers meanwhile is not to wait for a turn of 10 ms
		}
	}
	return e
}

// linesAtOnce is how many lines are encoded before others may have the processor.
const linesAtOnce = 32

// noteEncoded is note for lines that are encoded already.
func (m *Mirror) noteEncoded(r *run, e *encoded) error {
	if e.err != nil {
		return e.err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.name != "" {
		e.Next(e.head)
	} else if err := m.newJournal(r); err != nil {
		return fmt.Errorf("starting the undo journal: %w", err)
	}
	return markdown.Append(m.Root, r.name, e.Bytes())
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
	for _, name := range append(names, underWayFile) {
		err = errors.Join(err, m.discard(name))
	}
	return err
}
