package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
)

// apply reads the source again and takes over what decide found to be new.
func (r *importRun) apply(ctx context.Context, source ImportSource) error {
	progress := ProgressFrom(ctx)
	n := 0
	for record, err := range source.Records(ctx) {
		if err != nil {
			return fmt.Errorf("reading what to import: %w", err)
		}
		if !r.skipped[n] {
			if err := r.add(ctx, n, record); err != nil {
				return err
			}
		}
		n++
		progress(n, r.total, "importing")
	}
	if err := r.flush(ctx); err != nil {
		return err
	}
	return nil
}

func (r *importRun) add(ctx context.Context, n int, record memory.Imported) error {
	m, made := r.prepare(record)
	if made.secrets > 0 {
		r.result.Redacted++
	}
	if m.Trust != record.Memory.Trust {
		r.result.Lowered++
	}
	if id, renamed := r.renamed[n]; renamed {
		m.ID = id
	}
	r.retarget(&m)
	r.place(&m)
	for _, note := range record.Notes {
		r.warn("%s: %s", record.Origin, note)
	}
	r.pending = append(r.pending, memory.Change{
		Op: memory.OpAdd, Memory: m, Reason: "import of " + r.store, Import: true, History: r.history(record.History),
	})
	if len(r.pending) < importBatch {
		return nil
	}
	return r.flush(ctx)
}

// retarget makes a memory name others by the ids that they have here.
func (r *importRun) retarget(m *memory.Memory) {
	for j := range m.Links {
		m.Links[j].Target = r.idHere(m.Links[j].Target)
	}
	m.Supersedes, m.SupersededBy = r.idHere(m.Supersedes), r.idHere(m.SupersededBy)
}

func (r *importRun) idHere(id string) string {
	if renamed, is := r.targets[id]; is {
		return renamed
	}
	return id
}

// history cleans earlier contents as the present one was. Like that one, they
// are no longer than a memory may be.
func (r *importRun) history(revisions []memory.Revision) []memory.Revision {
	out := make([]memory.Revision, 0, len(revisions))
	for _, h := range revisions {
		h.Content = r.Text.Clean(h.Content).Text
		h.Reason = r.Text.Clean(h.Reason).Text
		if len(h.Content) <= memory.MaxContent {
			out = append(out, h)
		}
	}
	return out
}

// place gives each memory a line in the files of this import; what nobody
// vouches for stands where no host loads it by itself. The state of the moment
// and the facts of projects and areas have files that hold their fields.
func (r *importRun) place(m *memory.Memory) {
	if r.hasOwnFile(*m) {
		m.Home = memory.Place{File: r.Home(*m)}
		return
	}
	folder := "memory/imported"
	if m.Trust == memory.TrustExternal || m.Status == memory.Quarantined {
		folder = ".agent-memory/untrusted"
	}
	m.Home = memory.Place{File: fmt.Sprintf("%s/%s-p%d.md", folder, r.batch, 1+r.placed/importInFile)}
	r.placed++
}

func (r *importRun) hasOwnFile(m memory.Memory) bool {
	switch {
	case m.Status == memory.Forgotten: // has no line in any file
		return false
	case m.Form == memory.Fact:
		return strings.HasPrefix(m.URI, "fact://")
	case m.Form == memory.State:
		return m.URI == currentState
	}
	return false
}

// flush applies the pending changes.
func (r *importRun) flush(ctx context.Context) error {
	if len(r.pending) == 0 {
		return nil
	}
	again, err := r.write(ctx, r.pending, r.judge)
	r.pending = r.pending[:0]
	if err != nil || len(again) == 0 {
		return err
	}
	_, err = r.write(ctx, again, func(applied []memory.Applied) []memory.Change {
		for _, a := range applied {
			r.count(a)
		}
		return nil
	})
	return err
}

// write applies changes, and puts into the archive what has no line in any
// file because it was forgotten where it comes from.
func (r *importRun) write(ctx context.Context, changes []memory.Change, judge func([]memory.Applied) []memory.Change) ([]memory.Change, error) {
	applied, err := r.Store.Apply(ctx, changes)
	if err != nil {
		return nil, fmt.Errorf("writing imported memories: %w", err)
	}
	var forgotten []memory.Memory
	for _, a := range applied {
		if a.Conflict == memory.NoConflict && a.Memory.Status == memory.Forgotten {
			forgotten = append(forgotten, a.Memory)
		}
	}
	if err := r.Archive.Append(ctx, "forgotten before its import", forgotten); err != nil {
		return nil, fmt.Errorf("archiving what was forgotten: %w", err)
	}
	return judge(applied), nil
}

// judge counts what was applied and returns the changes to try once more with
// another address, because theirs belongs to another memory.
func (r *importRun) judge(applied []memory.Applied) []memory.Change {
	var again []memory.Change
	for j, a := range applied {
		if a.Conflict != memory.ConflictURI {
			r.count(a)
			continue
		}
		c := r.pending[j]
		r.warn("%s: %s is the address of %s here", c.Memory.ID, c.Memory.URI, a.Existing)
		c.Memory.URI = r.journalAddress(c.Memory)
		r.place(&c.Memory)
		again = append(again, c)
	}
	return again
}

func (r *importRun) count(a memory.Applied) {
	switch a.Conflict {
	case memory.NoConflict:
		r.result.Added++
		if file := a.Memory.Home.File; file != "" && !r.files[file] {
			r.files[file] = true
			r.result.Files = append(r.result.Files, file)
		}
	case memory.ConflictTombstone:
		r.result.Refused++
	case memory.ConflictHash:
		r.result.Present++
	default:
		r.result.Failed++
		r.warn("%s: conflict with %s (%s)", a.Memory.ID, a.Existing, a.Conflict)
	}
}

// preparing is what was done to a record to keep it.
type preparing struct {
	secrets int      // that its text held
	problem string   // why it cannot be kept at all, or ""
	notes   []string // what was shortened
}

// prepare makes a record what it will be here.
func (r *importRun) prepare(record memory.Imported) (memory.Memory, preparing) {
	m := record.Memory
	m.Fields, m.Links = slices.Clone(m.Fields), slices.Clone(m.Links) // the source may yield them again
	m.Namespace = r.Namespace
	cleaned := r.Text.Clean(m.Content)
	m.Content = cleaned.Text
	made := preparing{secrets: len(cleaned.Secrets), problem: tooLong(m)}
	if strings.TrimSpace(m.Content) == "" && len(m.Fields) == 0 {
		made.problem = "has no content"
	}
	if made.problem != "" {
		return m, made
	}
	m.Trust = r.trust.Lowest(m.Trust)
	if len(cleaned.Reasons) > 0 && m.Trust != memory.TrustUser && m.Status.Recallable() {
		m.Status = memory.Quarantined
	}
	if m.Source == "" && !record.Exact {
		m.Source = "import:" + r.store
	}
	made.notes = r.labels(&m)
	for j := range m.Fields {
		m.Fields[j].Value = r.Text.Clean(m.Fields[j].Value).Text
	}
	if record.Current && m.ImportanceSet.IsZero() {
		m.ImportanceSet = r.now // what it had lost by then is lost already
	}
	r.defaults(&m)
	return m, made
}

func (r *importRun) defaults(m *memory.Memory) {
	if m.CreatedAt.IsZero() {
		m.CreatedAt = r.now
	}
	if m.UpdatedAt.IsZero() {
		m.UpdatedAt = m.CreatedAt
	}
	if m.ImportanceSet.IsZero() {
		m.ImportanceSet = m.CreatedAt
	}
	if m.Form == "" || m.Form == memory.Passage {
		m.Form = memory.Note
	}
	u, err := memory.ParseURI(m.URI)
	if m.Type == "" {
		m.Type = u.TypeOf()
	}
	if m.Type == "" {
		m.Type = memory.Event
	}
	if err != nil {
		m.URI = r.journalAddress(*m)
	}
}

// journalAddress is the address of a memory that nobody named.
func (r *importRun) journalAddress(m memory.Memory) string {
	return memory.JournalURI(m.Type, m.CreatedAt.In(r.now.Location()))
}
