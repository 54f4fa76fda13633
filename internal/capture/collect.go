package capture

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"time"

	"agentmemory/internal/lease"
	"agentmemory/internal/memory"
)

const (
	maxWait     = 15 * time.Second // for another capture
	saveEvery   = 50               // conversations between two savings of the state
	maxWarnings = 20               // that are listed
	unfinished  = -1               // no file's size: the rest is to be read
)

// Origin is one source of a Collector.
type Origin struct {
	Name  string // as the settings call it
	Place string // before the path of each of its conversations
	Open  func(ctx context.Context) (OpenSource, error)
}

// OpenSource is a Source that has to be closed.
type OpenSource interface {
	Source
	io.Closer
}

// Collector goes through the conversations of several sources and remembers
// how far it got with each, in a file of the workspace.
type Collector struct {
	Root      *os.Root // of the workspace
	Origins   []Origin
	Extractor func() *Extractor // asked for when there is something to read: its rules take a while to compile
	Now       func() time.Time
	// Alone runs a function while no other process can commit anything. Without it
	// a capture that stands still is waited for.
	Alone func(ctx context.Context, f func() error) error
}

// Scope says what to go through.
type Scope struct {
	Limits
	LookBack time.Duration // before now or the last run, whichever is earlier; 0: no bound
	DryRun   bool          // nothing is noted as processed
	Quiet    time.Duration // conversations in which something was said more recently wait
	Only     string        // place and path of the one conversation to look at; "" for all
}

// Collection tells what a collection looked at.
type Collection struct {
	Conversations int            // all there are
	Unchanged     int            // since they were processed
	Passed        map[string]int // by reason
	BadLines      int
	Warnings      []string
}

func (s *Collection) warn(format string, args ...any) {
	if len(s.Warnings) < maxWarnings {
		s.Warnings = append(s.Warnings, fmt.Sprintf(format, args...))
	}
}

// Collect hands over what is new in every conversation, those that changed
// first before those that changed last. A piece counts as processed once take
// has returned; an error of take ends the collection. What cannot be read is a
// warning and does not hinder the rest.
func (c *Collector) Collect(ctx context.Context, scope Scope, take func(context.Context, Harvest) error) (found Collection, err error) {
	wait, cancel := context.WithTimeout(ctx, maxWait)
	defer cancel()
	ledger, err := openLedger(wait, c.Root, lease.Lock{Path: filepath.Join(c.Root.Name(), lockPath), Now: c.Now, Alone: c.Alone})
	if err != nil {
		return found, err
	}
	defer func() { err = errors.Join(err, ledger.close()) }()
	ctx = ledger.lock.Guard(ctx)
	r := &run{Collector: c, scope: scope, ledger: ledger, take: take, summary: Collection{Passed: map[string]int{}}, since: c.since(scope, ledger.state.LastRun)}
	err = r.all(ctx)
	if scope.DryRun {
		return r.summary, err
	}
	if err == nil && scope.Only == "" && scope.Quiet == 0 {
		ledger.state.LastRun, ledger.dirty = c.Now(), true
	}
	return r.summary, errors.Join(err, ledger.save(ctx))
}

// Finished lists the conversations with something new in which nothing was said
// for a while, each with its size and time. It looks at names, sizes and times
// alone, takes no lock and writes nothing.
func (c *Collector) Finished(ctx context.Context, quiet time.Duration) ([]string, error) {
	s, err := readState(c.Root)
	if err != nil {
		return nil, err
	}
	var list []string
	for _, origin := range c.Origins {
		source, err := origin.Open(ctx)
		if err != nil {
			continue // a capture says what is wrong with it
		}
		err = source.Conversations(ctx, func(v Conversation) error {
			v.Place = origin.Place
			if v.Kind == Interactive && !s.Sessions[v.key()].unchanged(v) && c.Now().Sub(v.Modified) >= quiet {
				list = append(list, fmt.Sprint(v.key(), " ", v.Size, " ", v.Modified.UnixNano()))
			}
			return nil
		})
		if err := errors.Join(err, source.Close()); err != nil && ctx.Err() != nil {
			return nil, fmt.Errorf("looking for finished conversations: %w", ctx.Err())
		}
	}
	return list, nil
}

// since returns the time before which nothing is taken. Runs that look back
// for some hours must not lose what was said between two of them.
func (c *Collector) since(scope Scope, lastRun time.Time) time.Time {
	if scope.LookBack == 0 {
		return scope.Since
	}
	since := c.Now().Add(-scope.LookBack)
	if !lastRun.IsZero() && lastRun.Before(since) {
		since = lastRun
	}
	return later(since, scope.Since)
}

// run is one Collect under way.
type run struct {
	*Collector
	scope   Scope
	ledger  *ledger
	take    func(context.Context, Harvest) error
	summary Collection
	since   time.Time
	unsaved int
}

// due is a conversation that has something new.
type due struct {
	Conversation
	source Source
}

func (r *run) all(ctx context.Context) (err error) {
	var list []due
	for _, origin := range r.Origins {
		source, openErr := origin.Open(ctx)
		if openErr != nil {
			r.summary.warn("%s: %s", origin.Name, reason(openErr))
			continue
		}
		defer func() { err = errors.Join(err, source.Close()) }()
		more, listErr := r.list(ctx, origin, source)
		if listErr != nil {
			r.summary.warn("%s: %s", origin.Name, reason(listErr))
		}
		list = append(list, more...)
	}
	slices.SortStableFunc(list, func(a, b due) int {
		return cmp.Or(a.Modified.Compare(b.Modified), cmp.Compare(a.key(), b.key()))
	})
	for _, d := range list {
		if err := r.conversation(ctx, d); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// list returns the conversations of a source that have something new.
func (r *run) list(ctx context.Context, origin Origin, source Source) ([]due, error) {
	var list []due
	found := map[string]bool{}
	err := source.Conversations(ctx, func(c Conversation) error {
		c.Place = origin.Place
		found[c.key()] = true
		if r.scope.Only != "" && c.key() != r.scope.Only {
			return nil
		}
		r.summary.Conversations++
		if r.ledger.state.Sessions[c.key()].unchanged(c) {
			r.summary.Unchanged++
			return nil
		}
		if r.scope.Quiet > 0 && r.Now().Sub(c.Modified) < r.scope.Quiet {
			return nil
		}
		list = append(list, due{c, source})
		return nil
	})
	if err == nil && !r.scope.DryRun {
		r.ledger.prune(origin.Place, found, r.Now())
	}
	return list, err
}

// conversation captures what is new in one conversation.
func (r *run) conversation(ctx context.Context, d due) error {
	known := r.ledger.state.Sessions[d.key()]
	unread := Unread{Source: d.source, Conversation: d.Conversation}
	if known != nil {
		unread.From = known.Mark
	}
	var refused error
	limits := r.scope.Limits
	limits.Since = r.since
	err := r.Extractor().Harvest(ctx, unread, limits, func(h Harvest) error {
		if refused = r.piece(ctx, d, h); refused != nil {
			return refused
		}
		return nil
	})
	switch {
	case refused != nil:
		return refused
	case ctx.Err() != nil:
		return fmt.Errorf("capturing conversations: %w", ctx.Err())
	case err != nil:
		r.summary.warn("%s: %s", d.Place+d.Path, reason(err))
	}
	return nil
}

func (r *run) piece(ctx context.Context, d due, h Harvest) error {
	r.summary.BadLines += h.BadLines
	for _, b := range h.Bad {
		r.summary.warn("%s: line %d was not understood: %s", d.Place+d.Path, b.Number, b.Reason)
	}
	if h.Passed != "" {
		r.summary.Passed[h.Passed]++
	} else if err := r.take(ctx, h); err != nil {
		return err
	}
	if r.scope.DryRun {
		return nil
	}
	r.note(d, h)
	if r.unsaved++; r.unsaved%saveEvery == 0 {
		return r.ledger.save(ctx)
	}
	return nil
}

// note keeps how far a conversation was processed. Its size and time are those
// from before it was read: what was added meanwhile is new the next time.
func (r *run) note(d due, h Harvest) {
	key := d.key()
	p := r.ledger.state.Sessions[key]
	if p == nil {
		p = &processed{}
		r.ledger.state.Sessions[key] = p
	}
	p.SessionID, p.Host, p.Passed, p.Processed = h.Conversation.ID, h.Conversation.Host, h.Passed, r.Now()
	p.Size, p.Modified, p.Mark = d.Size, d.Modified, h.Next
	if h.More {
		p.Size = unfinished
	}
	p.Captured += len(h.Found)
	p.LastMessage = later(p.LastMessage, h.LastAt)
	if h.Fingerprint != "" {
		p.Fingerprint = h.Fingerprint
	}
	r.ledger.dirty = true
}

// reason is an error as a warning shows it.
func reason(err error) string {
	var e *memory.Error
	if errors.As(err, &e) {
		return e.Message
	}
	return err.Error()
}
