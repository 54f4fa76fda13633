package mirror

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// drainBatch is how many commits one round of a drain takes: a file is written once in
// each round that concerns it, and what a round takes is held in memory, a kilobyte each.
const drainBatch = 16384

// Drain brings the files up to date with the store: records first, then each
// file, then one transaction that clears the outbox. It waits for the lock of
// the workspace. Files that somebody is saving at this moment are left for later.
func (m *Mirror) Drain(ctx context.Context) error {
	return m.locked(ctx, func() error {
		_, err := m.drain(ctx)
		return err
	})
}

// tryDrain is Drain unless another process holds the lock: that one sees our
// commits in its next round. It reports whether something is left to do.
func (m *Mirror) tryDrain(ctx context.Context) (left bool, err error) {
	ok, err := m.lock.try()
	if err != nil || !ok {
		return true, err
	}
	err = m.holding(ctx, func() error {
		left, err = m.rounds(ctx, true)
		return err
	})
	return left, err
}

// Flush drains until the files show every commit, for at most limit: the last
// thing a server does when its input ends. A remainder waits in the store for
// the next process; then it returns memory.DeadlineExceeded.
func (m *Mirror) Flush(ctx context.Context, limit time.Duration) error {
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	for {
		var left bool
		err := m.locked(ctx, func() (err error) {
			if left, err = m.drain(ctx); err != nil || !left {
				return err
			}
			return m.stuck()
		})
		if err != nil || !left {
			return err
		}
		if err := pause(ctx, 5*lockPoll); err != nil {
			return memory.Errorf(memory.DeadlineExceeded, "the files do not show every change yet: %w", err).
				WithHint("nothing is lost: the next start writes them")
		}
	}
}

func pause(ctx context.Context, d time.Duration) error {
	select {
	case <-time.After(d):
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// drain works through the outbox and reports whether something was left: files
// that have not settled. The caller holds the lock.
func (m *Mirror) drain(ctx context.Context) (left bool, err error) { return m.rounds(ctx, false) }

// rounds is drain. With once, what is committed while it works waits for the
// drain that its commit asks for: a burst would otherwise have its file
// rewritten without a pause.
func (m *Mirror) rounds(ctx context.Context, once bool) (left bool, err error) {
	last := int64(math.MaxInt64)
	for range 64 {
		pending, err := m.Store.Outbox(ctx, drainBatch)
		if err != nil && len(pending) == 0 {
			return true, fmt.Errorf("reading the outbox: %w", err)
		}
		if err != nil {
			m.Log("damaged memories stay out of the files", err)
		}
		if len(pending) == 0 || pending[0].ID > last {
			if err := m.summarise(ctx); err != nil {
				m.Log("a summary cannot be written", err)
			}
			return m.tend(ctx)
		}
		if once && last == math.MaxInt64 && len(pending) < drainBatch {
			last = pending[len(pending)-1].ID
		}
		done, err := m.publish(ctx, pending)
		if err != nil {
			return true, err
		}
		if done == 0 {
			_, err := m.tend(ctx)
			return true, err
		}
	}
	return true, nil
}

// publish writes what is pending and clears what the files now show. It
// returns how many rows of the outbox that were.
func (m *Mirror) publish(ctx context.Context, pending []memory.Pending) (int, error) {
	if err := m.record(ctx, pending); err != nil {
		m.complain(recordsFile, err)
		return 0, err
	}
	m.content(recordsFile)
	jobs := jobsOf(pending)
	p := publication{Mirror: m, blocked: map[int64]bool{}}
	if err := p.lookUp(ctx, jobs); err != nil {
		return 0, err
	}
	if !filesFirst {
		if err := m.published(ctx, nil, p.finished(pending)); err != nil {
			return 0, err
		}
	}
	soon := false
	for _, job := range jobs {
		switch err := p.file(ctx, job); {
		case errors.Is(err, errDirty): // in p.dirty
		case errors.Is(err, errUnsettled), errors.Is(err, errChanged):
			soon = true
			p.block(job)
		case err != nil:
			p.wait(ctx, job, err)
		default:
			m.content(job.path)
		}
	}
	ids := p.finished(pending)
	if err := m.published(ctx, p.versions, ids); err != nil {
		return 0, fmt.Errorf("recording what the files show: %w", err)
	}
	if len(p.learned) > 0 {
		if _, err := m.Store.Apply(ctx, p.learned); err != nil {
			return 0, fmt.Errorf("taking over people's lines: %w", err)
		}
	}
	m.forgetRecorded(ids)
	m.hopeless = len(p.dirty) == 0 && !soon && len(ids) == 0
	if len(p.dirty) > 0 {
		// A person's edit comes first; what is ours joins it in the next round.
		if _, err := m.pass(ctx, passOptions{differ: p.dirty}); err != nil {
			return 0, err
		}
		return max(1, len(ids)), nil
	}
	return len(ids), nil
}

// Bounds of one transaction that records what was published.
const (
	recordedLines = 500 // of files; one file is never divided
	clearedRows   = 500 // of the outbox
)

// published records what the files hold, then clears the outbox, in short
// transactions: whoever remembers beside a long drain waits for one of them.
// Cut short, the rows that are left are published again, which changes nothing.
func (m *Mirror) published(ctx context.Context, versions []memory.FileVersion, ids []int64) error {
	for len(versions) > 0 {
		n, lines := 0, 0
		for n < len(versions) && (n == 0 || lines+len(versions[n].Lines) < recordedLines) {
			lines += len(versions[n].Lines) + 1
			n++
		}
		var some []int64 // with the last files the first rows: a small drain is one transaction
		if n == len(versions) {
			some = ids[:min(len(ids), clearedRows)]
		}
		if err := m.Store.Published(ctx, versions[:n], some); err != nil {
			return err
		}
		versions, ids = versions[n:], ids[len(some):]
	}
	for some := range slices.Chunk(ids, clearedRows) {
		if err := m.Store.Published(ctx, nil, some); err != nil {
			return err
		}
	}
	return nil
}

// wait leaves a file that cannot be written for later. What it is to show is
// kept in the archive meanwhile.
func (p *publication) wait(ctx context.Context, j *job, why error) {
	p.complain(j.path, why)
	p.block(j)
	if err := p.keepWaiting(ctx, j); err != nil {
		p.Log("what waits for its file is in the database only", err)
	}
}

// record appends the attributes of what changed to records.jsonl, once for
// each row of the outbox however long its file has to wait.
func (m *Mirror) record(ctx context.Context, pending []memory.Pending) error {
	var records []record
	for _, p := range pending {
		if !m.recorded[p.ID] {
			records = append(records, recordOf(p))
		}
	}
	if err := appendRecords(m.Root, records); err != nil {
		return err
	}
	for _, p := range pending {
		m.recorded[p.ID] = true
	}
	if err := m.tidyRecords(ctx); err != nil {
		m.Log("the records stay as long as they are", err) // no file waits for that
	}
	return nil
}

func (m *Mirror) forgetRecorded(ids []int64) {
	for _, id := range ids {
		delete(m.recorded, id)
	}
}

// written reports whether memories have their home line in a file.
func written(name string) bool {
	k := classify(name)
	return k == home || k == stateHome
}

// job is what one file is to show.
type job struct {
	path    string
	puts    []memory.Memory
	removes []string
	leaves  []string // those whose line now stands in another file
	links   []string // files that are to be named here, because entries moved there
	ids     []int64  // rows of the outbox that wait for this file
}

// leadTo notes that an entry moved to another file.
func (j *job) leadTo(file string) {
	if markdown.Leads(j.path, file) && !slices.Contains(j.links, file) {
		j.links = append(j.links, file)
	}
}

func (j *job) link(doc *markdown.Document) {
	for _, file := range j.links {
		doc.LinkTo(file)
	}
}

// jobsOf sorts pending changes by file, in the order of their commits.
func jobsOf(pending []memory.Pending) []*job {
	byPath := map[string]*job{}
	var jobs []*job
	at := func(path string, id int64) *job {
		j := byPath[path]
		if j == nil {
			j = &job{path: path}
			byPath[path] = j
			jobs = append(jobs, j)
		}
		if !slices.Contains(j.ids, id) {
			j.ids = append(j.ids, id)
		}
		return j
	}
	for _, p := range pending {
		if p.RecordOnly || p.Op == memory.OpReinforce || p.Memory.Form == memory.Passage {
			continue
		}
		place := p.Memory.Home.File
		if p.File != "" && p.File != place && written(p.File) {
			j := at(p.File, p.ID)
			if p.Memory.ID == "" {
				j.removes = append(j.removes, p.MemoryID)
			} else {
				j.leaves = append(j.leaves, p.MemoryID)
				j.leadTo(place)
			}
		}
		if place == "" || !written(place) || p.Memory.Status == memory.Missing {
			continue
		}
		j := at(place, p.ID)
		if p.Memory.Status == memory.Forgotten && !markdown.IsFacts(place) {
			j.removes = append(j.removes, p.MemoryID)
			continue
		}
		j.puts = append(j.puts, p.Memory)
	}
	return jobs
}
