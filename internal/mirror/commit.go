package mirror

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// commitBatch is how many changes one transaction takes: whoever remembers
// beside it waits for one of them. lookedUp is how many memories are read at once.
const (
	commitBatch = 100
	lookedUp    = 500
)

// commit carries out what the comparison found, in the order that loses
// nothing when it is cut short: archive and conflict files, rows, files, and
// last the note that the files have been read.
func (p *pass) commit(ctx context.Context) error {
	for _, reason := range slices.Sorted(maps.Keys(p.archive)) {
		if err := p.Mirror.archive.Append(ctx, reason, p.archive[reason]); err != nil {
			return err
		}
	}
	for name, text := range p.conflicts {
		if err := p.conflict(name, text); err != nil {
			return err
		}
	}
	if err := p.apply(ctx); err != nil {
		return err
	}
	if p.shown != nil {
		if err := p.saveShown(p.shown); err != nil {
			return err
		}
	}
	if err := p.finishFiles(ctx); err != nil {
		return err
	}
	if err := p.forgetGone(ctx); err != nil {
		return err
	}
	return p.reread(ctx)
}

// forgetGone lets go of files that are no longer there, unless one of their
// memories still waits to get another home.
func (p *pass) forgetGone(ctx context.Context) error {
	if p.outrun {
		return nil
	}
	for _, name := range p.gone {
		if err := p.Store.ForgetFile(ctx, name); err != nil {
			return fmt.Errorf("forgetting %s: %w", name, err)
		}
	}
	return nil
}

// apply commits the changes. A document whose memory was changed by somebody
// else meanwhile is left as unread and compared again next time.
func (p *pass) apply(ctx context.Context) error {
	for start := 0; start < len(p.changes); {
		end := min(start+commitBatch, len(p.changes))
		for end < len(p.changes) && p.changes[end].Memory.ID == p.changes[end-1].Memory.ID {
			end++ // what follows a change that is not applied is not, either
		}
		applied, err := p.Store.Apply(ctx, p.changes[start:end])
		if err != nil {
			return fmt.Errorf("saving what the files say: %w", err)
		}
		var again []memory.Change
		for i, a := range applied {
			if c, retry := p.obstructed(p.changes[start+i], a, p.owners[start+i]); retry {
				again = append(again, c)
			}
		}
		if _, err := p.Store.Apply(ctx, again); err != nil {
			return fmt.Errorf("saving what the files say under other addresses: %w", err)
		}
		start = end
	}
	return p.recordProse()
}

// recordProse keeps what a file does not tell of its new prose: since when it
// is known, for files without a date. The outbox leaves prose aside.
func (p *pass) recordProse() error {
	var records []record
	for _, c := range p.changes {
		if c.Op != memory.OpAdd || c.Memory.Form != memory.Passage {
			continue
		}
		if _, known, err := p.recordOf(c.Memory.ID); err != nil {
			return err
		} else if !known && markdown.Classify(c.Memory.Home.File, memory.TrustUser).Day == "" {
			records = append(records, record{ID: c.Memory.ID, Op: c.Op, At: p.Now(), Memory: attributesOf(c.Memory)})
		}
	}
	return appendRecords(p.Root, records)
}

// obstructed looks at a change that was not applied: a line with an address
// that another memory has gets one of its own.
func (p *pass) obstructed(c memory.Change, a memory.Applied, d *document) (memory.Change, bool) {
	switch a.Conflict {
	case memory.ConflictURI:
		if c.Op == memory.OpAdd && c.Memory.Form != memory.Passage {
			c.Memory.URI = memory.JournalURI(c.Memory.Type, c.Memory.CreatedAt.In(p.Zone))
			return c, true
		}
	case memory.ConflictRevision, memory.ConflictGone:
		if d != nil {
			d.retry = true
		}
		if d != nil && c.Op == memory.OpMove { // the file in which the line stood is compared again, too
			p.outrun = true
			for _, other := range p.docs {
				other.retry = true
			}
		}
	case memory.ConflictTombstone:
		p.warn("%s: a forgotten content stands in %s again and stays forgotten", c.Memory.ID, c.Memory.Home.File)
	}
	return c, false
}

// finishFiles writes what the comparison wants in the files, and notes what
// has been read.
func (p *pass) finishFiles(ctx context.Context) error {
	var versions []memory.FileVersion
	states := p.refresh
	for _, d := range p.docs {
		finish := p.finish
		if d.rewritten != "" && !d.retry {
			finish = p.finishState
		} else if d.kind != home {
			if !d.retry {
				states = append(states, d.state)
			}
			continue
		}
		v, err := finish(ctx, d)
		if errors.Is(err, errChanged) {
			continue
		}
		if err != nil {
			p.warn("%s cannot be written: %v", d.path, err)
			continue
		}
		if !d.retry {
			versions = append(versions, v)
		}
		if markdown.IsFacts(d.path) {
			p.stale[d.path] = true
		}
	}
	if err := p.Store.Published(ctx, versions, nil); err != nil {
		return fmt.Errorf("noting which files were read: %w", err)
	}
	if len(states) == 0 {
		return nil
	}
	if err := p.Store.SetFileStates(ctx, states); err != nil {
		return fmt.Errorf("noting which files were read: %w", err)
	}
	return nil
}

// finish writes ids, restored lines and erasures into a file that a person
// edited, if there are any.
func (p *pass) finish(ctx context.Context, d *document) (memory.FileVersion, error) {
	for _, line := range slices.Backward(slices.Sorted(maps.Keys(d.rename))) {
		if err := p.identify(ctx, d, line); err != nil {
			return memory.FileVersion{}, err
		}
	}
	for _, line := range slices.Backward(d.removes) {
		d.parsed.RemoveLine(line)
	}
	for _, mem := range d.puts {
		if err := p.put(ctx, d.parsed, mem); err != nil {
			return memory.FileVersion{}, err
		}
	}
	text := string(d.parsed.Bytes())
	if text == d.text {
		return p.version(d.parsed, d.text, d.state), nil
	}
	state, err := p.swapIn(d.path, &d.text, text, 0)
	if err != nil {
		return memory.FileVersion{}, err
	}
	p.report.FilesWritten++
	if err := p.noteRestored(ctx, d.restoring); err != nil {
		return memory.FileVersion{}, err
	}
	return p.version(d.parsed, text, state), nil
}

// identify writes the id of a memory to the line that stands for it.
func (p *pass) identify(ctx context.Context, d *document, line int) error {
	mem := d.rename[line]
	mem.CreatedAt = mem.CreatedAt.In(p.Zone)
	for _, e := range d.parsed.Entries() {
		if e.Line != line {
			continue
		}
		if err := p.writeOutTwins(ctx, d.parsed, e); err != nil {
			return err
		}
		d.parsed.ReplaceLine(line, e.WithIdentity(mem))
		return nil
	}
	return nil
}
