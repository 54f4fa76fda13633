package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// passOptions are those of a sync, and whether files that somebody may still
// be saving are read as they are.
type passOptions struct {
	memory.SyncOptions
	all  bool
	only string          // the one file that is looked at; "": every one
	ours map[string]bool // files that we have just written ourselves: nobody is saving them

	differ map[string]bool // files whose text is not the one that we know, even if size and time are
}

// document is a file that differs from what we last knew of it.
type document struct {
	sighted
	text      string
	state     memory.FileState
	parsed    *markdown.Document
	trust     memory.Trust          // of lines that say nothing about themselves
	bases     []memory.FileVersion  // as last published, newest first
	newest    *markdown.Document    // the newest of them; empty if there is none
	base      *markdown.Document    // the one closest to the file
	stale     bool                  // that base is not the newest one
	known     int                   // how many entries the file should hold
	puts      []memory.Memory       // to be written again
	removes   []int                 // lines to be erased
	rename    map[int]memory.Memory // lines that get another identity, by line
	retry     bool                  // the store moved on meanwhile: look again
	restoring []string              // ids that a stale save dropped
	rewritten string                // of the state, where a stale save took its place
}

// pass is one reading of everything that people and hosts changed.
type pass struct {
	*Mirror
	opts      passOptions
	report    memory.SyncReport
	present   map[string]sighted
	states    map[string]memory.FileState
	refresh   []memory.FileState // of files that need no reading
	docs      []*document
	gone      []string
	pending   map[string]memory.Pending // newest of each memory, those for files only
	pendingAt int64                     // the store's DataVersion when they were read
	strangers []stranger
	newcomers []stranger
	newest    []*markdown.Document       // versions of the files that were compared, or are gone
	lost      map[string][]memory.Memory // by home file
	held      map[string]int             // entries that a file with losses should hold
	archive   map[string][]memory.Memory // by reason
	conflicts map[string]string          // by file
	changes   []memory.Change
	owners    []*document      // of each change; nil for none
	planned   map[string]int64 // changes of each memory
	records   *recordIndex
	shown     map[string]*shown // changed by people's deletions; nil: not changed
	rereading bool              // files of ours whose prose is read differently now
	outrun    bool              // somebody changed a memory whose line has moved: where it was is looked at again, too
}

// stranger is an entry that no memory of its file accounts for.
type stranger struct {
	doc   *document
	entry markdown.Entry
}

// Sync reads everything that people and hosts changed in the files, then
// writes what the store has for them. Afterwards both say the same.
func (m *Mirror) Sync(ctx context.Context, o memory.SyncOptions) (memory.SyncReport, error) {
	var report memory.SyncReport
	err := m.locked(ctx, func() (err error) {
		if report, err = m.pass(ctx, passOptions{SyncOptions: o, all: true}); err != nil || o.DryRun {
			return err
		}
		if err := m.tellStates(ctx); err != nil { // after what a person edited
			return err
		}
		left, err := m.drain(ctx)
		if err != nil {
			return err
		}
		if left {
			report.Warnings = append(report.Warnings, m.whatWaits()...)
		}
		return m.tidyRecords(ctx)
	})
	if err == nil && !o.DryRun {
		made, failed := m.regenerate(ctx)
		report.FilesWritten += made
		err = failed
	}
	return report, err
}

// whatWaits names the files that cannot be written, and says that others wait.
func (m *Mirror) whatWaits() []string {
	var list []string
	for name, why := range m.complaintsNow() {
		list = append(list, fmt.Sprintf("%s cannot be written: %s", name, why))
	}
	slices.Sort(list)
	return append(list, waiting)
}

// waiting is said when a file may not be written yet.
const waiting = "some changes are not in the files yet: a file was just emptied, is being saved or cannot be written; they are kept, and written when it has rested"

// passRounds is how often files are compared again whose memories others change
// meanwhile; what is left then is met by the next look.
const passRounds = 3

// pass compares the files with the store and takes over what changed in the
// files. The caller holds the lock.
func (m *Mirror) pass(ctx context.Context, o passOptions) (memory.SyncReport, error) {
	report, again, err := m.round(ctx, o)
	for range passRounds - 1 {
		if err != nil || !again {
			break
		}
		var next memory.SyncReport
		next, again, err = m.round(ctx, o)
		report = joined(report, next)
	}
	return report, err
}

// round is one comparison; again says that somebody changed a memory between
// our reading and our changing it, so that a file has to be compared once more.
func (m *Mirror) round(ctx context.Context, o passOptions) (_ memory.SyncReport, again bool, err error) {
	p := &pass{
		Mirror: m, opts: o, present: map[string]sighted{}, pending: map[string]memory.Pending{}, lost: map[string][]memory.Memory{},
		held: map[string]int{}, archive: map[string][]memory.Memory{}, conflicts: map[string]string{}, planned: map[string]int64{},
	}
	defer func() { err = errors.Join(err, p.records.close()) }()
	p.report = memory.SyncReport{Conflicts: []string{}, Warnings: []string{}, DryRun: o.DryRun}
	if err := p.look(ctx); err != nil {
		return p.report, false, err
	}
	if err := p.compare(ctx); err != nil {
		return p.report, false, err
	}
	if o.DryRun {
		return p.report, false, nil
	}
	err = p.commit(ctx)
	return p.report, p.outrun || slices.ContainsFunc(p.docs, func(d *document) bool { return d.retry }), err
}

// joined is what two rounds have done. What one of them could not carry out is
// counted by both.
func joined(a, b memory.SyncReport) memory.SyncReport {
	a.FilesWritten += b.FilesWritten
	a.Added, a.Updated, a.Moved = a.Added+b.Added, a.Updated+b.Updated, a.Moved+b.Moved
	a.Deleted, a.Missing, a.Restored = a.Deleted+b.Deleted, a.Missing+b.Missing, a.Restored+b.Restored
	a.Passages, a.Hidden = a.Passages+b.Passages, a.Hidden+b.Hidden
	for _, name := range b.Conflicts {
		if !slices.Contains(a.Conflicts, name) {
			a.Conflicts = append(a.Conflicts, name)
		}
	}
	for _, w := range b.Warnings {
		if !slices.Contains(a.Warnings, w) {
			a.Warnings = append(a.Warnings, w)
		}
	}
	return a
}

// compare finds out what every changed file means.
func (p *pass) compare(ctx context.Context) error {
	fresh := len(p.states) == 0 && p.opts.only == ""
	for i, d := range p.docs {
		p.progress(i)
		if err := p.read(ctx, d); err != nil {
			return fmt.Errorf("comparing %s: %w", d.path, err)
		}
	}
	p.progress(len(p.docs))
	for _, name := range p.gone {
		if err := p.vanished(ctx, name); err != nil {
			return err
		}
	}
	if err := p.place(ctx); err != nil {
		return err
	}
	if err := p.judge(ctx); err != nil {
		return err
	}
	if fresh {
		return p.revive(ctx)
	}
	return nil
}

func (p *pass) progress(done int) {
	if p.opts.Progress != nil {
		p.opts.Progress(done, len(p.docs), "files")
	}
}

// look finds the files that differ from what we last knew of them.
func (p *pass) look(ctx context.Context) (err error) {
	var names []string // none: of all files
	if p.opts.only != "" {
		names = append(names, p.opts.only)
	}
	if p.states, err = p.Store.FileStates(ctx, names...); err != nil {
		return fmt.Errorf("reading the states of files: %w", err)
	}
	if err := p.rereads(ctx); err != nil {
		return err
	}
	if p.opts.only != "" {
		return p.lookAt(p.opts.only)
	}
	files, err := p.walk(ctx)
	if err != nil {
		return err
	}
	if merged, err := p.mergeCopies(ctx, files); err != nil {
		return err
	} else if merged {
		if files, err = p.walk(ctx); err != nil {
			return err
		}
	}
	for _, f := range files {
		p.present[f.path] = f
		if f.kind == conflicting {
			p.report.Conflicts = append(p.report.Conflicts, f.path)
		}
		if f.kind == conflicting || f.kind == cloudCopy {
			continue
		}
		p.report.FilesScanned++
		if err := p.sight(f); err != nil {
			return err
		}
	}
	for name := range p.states {
		if _, there := p.present[name]; !there && p.reachable(name) {
			p.gone = append(p.gone, name)
		}
	}
	slices.Sort(p.gone)
	p.forgetOldSightings(p.present)
	return nil
}

// lookAt is look for one file of the workspace.
func (p *pass) lookAt(name string) error {
	info, err := p.Root.Lstat(name)
	if errors.Is(err, fs.ErrNotExist) {
		if _, known := p.states[name]; known {
			p.gone = append(p.gone, name)
		}
		return nil
	}
	if err != nil {
		return fmt.Errorf("looking at %s: %w", name, err)
	}
	if k := classify(name); k != ignored && info.Mode().IsRegular() {
		p.report.FilesScanned++
		return p.sight(sighted{name, k, p.Root, name, info})
	}
	return nil
}

// reachable reports whether a file that a walk did not meet is gone, rather
// than in an extra path that cannot be read now, or an agent's who is no longer
// configured.
func (p *pass) reachable(name string) bool {
	if !strings.HasPrefix(name, "extra:") {
		return !p.strange(name)
	}
	for _, e := range p.Extra {
		if strings.HasPrefix(name, "extra:"+e.Name+"/") {
			_, err := e.Root.Stat(".")
			return err == nil
		}
	}
	return false
}

// sight reads a file unless it is as we know it.
func (p *pass) sight(f sighted) error {
	state := stateOf(f.path, f.info, "")
	old, seen := p.states[f.path]
	if seen && old.Size == state.Size && old.ModTime.Equal(state.ModTime) && !p.opts.differ[f.path] {
		return nil
	}
	wiped := state.Size == 0 && old.Size > 0
	if (!p.opts.all || wiped) && !p.opts.ours[f.path] && !p.settled(state, old.Size) {
		if wiped {
			p.warn("%s was emptied: its memories stay as they are until it has rested for a minute; put its text back if nobody meant that", f.path)
		}
		return nil
	}
	if state.Size > maxRead {
		p.warn("%s is larger than %d MB and was not read: its memories stay as they are, and what is new for it waits; take out of it what is no memory, or divide it", f.path, maxRead>>20)
		return nil
	}
	text, same, err := readSame(f.root, f.name, f.info)
	if err != nil {
		p.warn("%s cannot be read: %v", f.path, err)
		return nil
	}
	if !same {
		return nil // it is being saved just now: next time
	}
	if err := brokenFacts(f.path, []byte(text)); err != nil {
		p.warn("%s is left as it is: %v", f.path, err)
		return nil
	}
	p.forgetSighting(f.path)
	if state.Hash = digest(text); seen && state.Hash == old.Hash {
		p.refresh = append(p.refresh, state)
		return nil
	}
	p.report.FilesChanged++
	p.docs = append(p.docs, &document{sighted: f, text: text, state: state, trust: p.defaultTrust(f.path), rename: map[int]memory.Memory{}})
	return nil
}

func (p *pass) warn(format string, args ...any) {
	p.report.Warnings = append(p.report.Warnings, memory.Sentencef(format, args...))
}

// loadPending reads what the store has not written into files yet, if anything
// was committed since it was last read.
func (p *pass) loadPending(ctx context.Context) error {
	at, err := p.Store.DataVersion(ctx)
	if err != nil {
		return fmt.Errorf("looking for commits: %w", err)
	}
	if at == p.pendingAt {
		return nil
	}
	p.pendingAt = at
	pending, err := p.Store.Outbox(ctx, math.MaxInt32)
	if err != nil && len(pending) == 0 {
		return fmt.Errorf("reading the outbox: %w", err)
	}
	for _, row := range pending {
		if !row.RecordOnly && row.Op != memory.OpReinforce {
			p.pending[row.MemoryID] = row
		}
	}
	return nil
}

// change plans one change; d is read again should the store have moved on since
// mem was read, but for the changes that are planned already.
func (p *pass) change(d *document, op memory.Op, mem memory.Memory, reason string) {
	c := memory.Change{Op: op, Memory: mem, Reason: reason, FromFile: true}
	switch {
	case op == memory.OpAdd:
		c.Import = true
		c.Restore = mem.Form == memory.Passage || mem.Trust == memory.TrustUser
	case d != nil && mem.Revision > 0:
		c.Revision = mem.Revision + p.planned[mem.ID]
	}
	p.planned[mem.ID]++
	p.changes = append(p.changes, c)
	p.owners = append(p.owners, d)
}

// clean is a text as the store may keep it: sanitised and redacted.
func (m *Mirror) clean(text string) string {
	return markdown.Sanitise(m.Redactor.Clean(text).Text)
}

// at returns the moment that a heading of a dated file stands for, else when the
// file was last changed, but never the future.
func (m *Mirror) at(d *document, section string) time.Time {
	now, when := m.Now(), d.info.ModTime()
	if day := markdown.Classify(d.path, memory.TrustUser).Day; day != "" {
		if section == "" {
			section = "00:00"
		}
		if t, err := m.moment(day, section); err == nil {
			when = t
		}
	} else if t, err := m.moment(section, "00:00"); err == nil {
		when = t
	}
	if when.After(now) {
		return now
	}
	return when
}

// moment is a minute of a day in the workspace's zone. Where clocks are set
// forward at midnight the first hour is missing: its minutes are those at which
// the day begins.
func (m *Mirror) moment(day, minute string) (time.Time, error) {
	at, err := time.ParseInLocation(time.DateOnly+" 15:04", day+" "+minute, m.Zone)
	if err != nil {
		return at, fmt.Errorf("reading a time of day: %w", err)
	}
	if at.Format(time.DateOnly) != day {
		next := at.AddDate(0, 0, 1)
		at = memory.StartOfDay(next.Year(), next.Month(), next.Day(), m.Zone)
	}
	return at, nil
}
