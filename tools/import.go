package tools

import (
	"context"
	"fmt"
	"iter"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/redact"
)

// Sizes of an import: memories in one transaction, and in one file.
const (
	importBatch  = 200
	importInFile = 500
	maxWarnings  = 50
)

// ImportStore is what an import needs of the store.
type ImportStore interface {
	ByID(ctx context.Context, namespace, id string) (memory.Memory, error)
	History(ctx context.Context, id string) ([]memory.Revision, error)
	Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error)
}

// ImportSource yields the memories of another store or file. It is read twice:
// once to see under which ids they can be kept, once to take them over.
type ImportSource interface {
	Count(ctx context.Context) (int, error)
	Records(ctx context.Context) iter.Seq2[memory.Imported, error]
}

// TextCleaner makes foreign text safe to keep.
type TextCleaner interface {
	Clean(s string) redact.Result
}

// ImportArgs say where the memories come from and whom they are from.
type ImportArgs struct {
	Store  string `json:"store"` // name of the source, part of ids that are taken already
	Trust  string `json:"trust"` // highest trust that an imported memory may have; "" = agent
	DryRun bool   `json:"dry_run"`
}

// ImportResult counts what became of the memories that were read.
type ImportResult struct {
	Read     int      `json:"read"`
	Added    int      `json:"added"`
	Present  int      `json:"present"`  // were here already
	Renamed  int      `json:"renamed"`  // their id was taken, they got <store>/<id>
	Refused  int      `json:"refused"`  // were forgotten here for good
	Failed   int      `json:"failed"`   // could not be kept, see the warnings
	Redacted int      `json:"redacted"` // held secrets, which were replaced
	Lowered  int      `json:"lowered"`  // were trusted more where they come from
	Files    []string `json:"files"`
	DryRun   bool     `json:"dry_run,omitempty"`
	Warnings []string `json:"warnings"`
}

// Import takes memories over from elsewhere: ids and times are kept, nothing is
// judged to be noise or a duplicate, and a second import of the same adds nothing.
type Import struct {
	Store     ImportStore
	Archive   Archive // holds the text of what was forgotten already where it comes from
	Text      TextCleaner
	Mirror    Notifier
	Home      func(memory.Memory) string // the file in which a memory is to stand
	Now       func() time.Time
	Namespace string
}

// Run imports everything that source yields.
func (i *Import) Run(ctx context.Context, a ImportArgs, source ImportSource) (ImportResult, error) {
	run, err := i.newRun(ctx, a, source)
	if err != nil {
		return ImportResult{}, err
	}
	if err := run.decide(ctx, source); err != nil {
		return run.result, err
	}
	if a.DryRun {
		run.result.Added = run.result.Read - run.result.Present - run.result.Failed
		return run.result, nil
	}
	err = run.apply(ctx, source)
	i.Mirror.Notify()
	return run.result, err
}

func (i *Import) newRun(ctx context.Context, a ImportArgs, source ImportSource) (*importRun, error) {
	highest := memory.Trust(a.Trust)
	switch highest {
	case "":
		highest = memory.TrustAgent
	case memory.TrustUser, memory.TrustAgent, memory.TrustExternal:
	default:
		return nil, memory.Errorf(memory.InvalidArgument, "trust cannot be %q", a.Trust).WithHint("one of user, agent, external")
	}
	total, err := source.Count(ctx)
	if err != nil {
		return nil, fmt.Errorf("counting what to import: %w", err)
	}
	store := memory.Slug(a.Store)
	now := i.Now()
	return &importRun{
		Import: i, store: store, trust: highest, now: now, total: total,
		batch:   store + "-" + now.Format("20060102-1504"),
		skipped: map[int]bool{}, renamed: map[int]string{}, targets: map[string]string{}, files: map[string]bool{}, repeats: map[string]int{},
		result: ImportResult{DryRun: a.DryRun, Files: []string{}, Warnings: []string{}},
	}, nil
}

// importRun is one import under way. Records are known by their position in
// the source; only the exceptions are kept in memory.
type importRun struct {
	*Import
	store   string
	batch   string
	trust   memory.Trust
	now     time.Time
	total   int
	skipped map[int]bool      // are here already, or cannot be kept
	renamed map[int]string    // get this id instead of their own
	targets map[string]string // old id → new id, for links
	files   map[string]bool
	repeats map[string]int // texts without an id, so far
	placed  int
	pending []memory.Change
	result  ImportResult
}

// decide reads the source once and settles which records are new, and under which id.
func (r *importRun) decide(ctx context.Context, source ImportSource) error {
	seen := map[string]string{} // id → content hash, within this source
	n := 0
	for record, err := range source.Records(ctx) {
		if err != nil {
			return fmt.Errorf("reading what to import: %w", err)
		}
		if err := r.decideOne(ctx, n, record, seen); err != nil {
			return err
		}
		n++
	}
	r.result.Read = n
	return nil
}

func (r *importRun) decideOne(ctx context.Context, n int, record memory.Imported, seen map[string]string) error {
	m, made := r.prepare(record)
	if made.problem != "" {
		r.reject(n, record, made.problem)
		return nil
	}
	candidates := r.candidates(record, m)
	for _, id := range candidates {
		free, same, err := r.probe(ctx, id, m, seen)
		if err != nil {
			return err
		}
		switch {
		case same:
			r.skipped[n] = true
			r.result.Present++
			return nil
		case free:
			for _, note := range made.notes {
				r.warn("%s: %s", record.Origin, note)
			}
			r.take(n, record.Memory.ID, id)
			seen[id] = memory.Hash(m.Content)
			return nil
		}
	}
	r.reject(n, record, "other memories have the ids "+strings.Join(candidates, " and "))
	return nil
}

func (r *importRun) reject(n int, record memory.Imported, why string) {
	r.skipped[n] = true
	r.result.Failed++
	r.warn("%s: %s", record.Origin, why)
}

// candidates are the ids under which a record may be kept: its own, else one
// that says which store it is from. A record without an id gets one that
// follows from its text and place, so that importing it again finds it.
func (r *importRun) candidates(record memory.Imported, m memory.Memory) []string {
	own := record.Memory.ID
	store := r.store
	if record.Store != "" {
		store = memory.Slug(record.Store)
	}
	if own == "" {
		key := fmt.Sprintf("%s/%s/%d/%s", store, m.SessionID, m.Seq, stamp(record.Memory.Observed().UTC()))
		text := key + "\x00" + m.Content
		r.repeats[text]++
		return []string{memory.DerivedID(key, m.Content, r.repeats[text])}
	}
	var ids []string
	if memory.ValidID(own) {
		ids = append(ids, own)
	}
	qualified := store + "/" + strings.ReplaceAll(own, "/", ":")
	if !memory.ValidID(qualified) {
		qualified = memory.DerivedID(store, own, 0)
	}
	return append(ids, qualified)
}

// probe asks whether an id is free, and if not, whether it is this very memory
// that has it: now or in an earlier state.
func (r *importRun) probe(ctx context.Context, id string, m memory.Memory, seen map[string]string) (free, same bool, err error) {
	hash := memory.Hash(m.Content)
	if other, taken := seen[id]; taken {
		return false, other == hash, nil
	}
	existing, err := r.Store.ByID(ctx, r.Namespace, id)
	switch {
	case memory.IsNotFound(err):
		return true, false, nil
	case err != nil:
		return false, false, fmt.Errorf("looking for %s: %w", id, err)
	case memory.Hash(existing.Content) == hash:
		return false, true, nil
	}
	history, err := r.Store.History(ctx, id)
	if err != nil {
		return false, false, fmt.Errorf("reading the history of %s: %w", id, err)
	}
	for _, h := range history {
		if memory.Hash(h.Content) == hash {
			return false, true, nil
		}
	}
	return false, false, nil
}

func (r *importRun) take(n int, old, id string) {
	if old == id {
		return
	}
	r.renamed[n] = id
	if old != "" {
		r.targets[old] = id
		r.result.Renamed++
	}
}

func (r *importRun) warn(format string, args ...any) {
	switch {
	case len(r.result.Warnings) < maxWarnings:
		r.result.Warnings = append(r.result.Warnings, fmt.Sprintf(format, args...))
	case len(r.result.Warnings) == maxWarnings:
		r.result.Warnings = append(r.result.Warnings, "further warnings are left out")
	}
}
