package capture

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentmemory/internal/lease"
	"agentmemory/internal/memory"
)

// The files of a workspace that say how far conversations were captured.
const (
	StatePath = "memory/state/processed-sessions.json"
	lockPath  = "memory/.locks/capture.lock"
)

const (
	stateVersion = 1
	lockPoll     = 20 * time.Millisecond
)

// state is what processed-sessions.json holds. It may be lost or old: what was
// captured already is recognised by its id.
type state struct {
	Version  int                   `json:"version"`
	LastRun  time.Time             `json:"last_run,omitzero"` // of all sources
	Sessions map[string]*processed `json:"sessions"`          // by place and path; in a database by id, too
}

// processed says how far one conversation was captured.
type processed struct {
	SessionID   string    `json:"session_id"`
	Host        Host      `json:"host"`
	Fingerprint string    `json:"fingerprint,omitempty"` // of the user's last message
	LastMessage time.Time `json:"last_message,omitzero"`
	Processed   time.Time `json:"processed"`
	Captured    int       `json:"captured"`
	Passed      string    `json:"passed,omitempty"`
	Gone        time.Time `json:"gone,omitzero"` // since when it was not found
	Size        int64     `json:"size"`
	Modified    time.Time `json:"modified,omitzero"`
	Mark
}

// unchanged reports whether nothing was added to a conversation since.
func (p *processed) unchanged(c Conversation) bool {
	return p != nil && p.Size == c.Size && p.Modified.Equal(c.Modified)
}

// ledger is the state of a workspace, held under its lock.
type ledger struct {
	root  *os.Root
	lock  *lease.Lease
	state state
	dirty bool
}

// openLedger takes the lock and reads the state. It waits for another process
// until ctx ends.
func openLedger(ctx context.Context, root *os.Root, lock lease.Lock) (*ledger, error) {
	for _, dir := range []string{filepath.Dir(StatePath), filepath.Dir(lockPath)} {
		if err := root.MkdirAll(dir, 0o700); err != nil {
			return nil, memory.Errorf(memory.Unavailable, "making %s: %w", dir, err)
		}
	}
	l := &ledger{root: root}
	var err error
	if l.lock, err = hold(ctx, lock); errors.Is(err, context.DeadlineExceeded) {
		return nil, memory.Errorf(memory.Conflicting, "another process is capturing conversations").WithHint("run it again when that has finished")
	} else if err != nil {
		return nil, memory.Errorf(memory.Unavailable, "locking the captures: %w", err)
	}
	if err := l.read(); err != nil {
		return nil, errors.Join(err, l.close())
	}
	return l, nil
}

// hold waits for a lock until ctx ends, or takes it away from a process that
// stands still.
func hold(ctx context.Context, lock lease.Lock) (*lease.Lease, error) {
	for {
		held, err := lock.Try()
		if held == nil && err == nil {
			held, err = lock.Overtake(ctx)
		}
		if held != nil || err != nil {
			return held, err //nolint:wrapcheck // says what it was doing
		}
		select {
		case <-ctx.Done():
			return nil, fmt.Errorf("waiting for another capture: %w", ctx.Err())
		case <-time.After(lockPoll):
		}
	}
}

func (l *ledger) close() error {
	if err := l.lock.Release(); err != nil {
		return fmt.Errorf("releasing the lock of the capture: %w", err)
	}
	return nil
}

// read reads the state. A file that cannot be understood, or that a newer
// program wrote, is begun again: nothing is captured twice by that.
func (l *ledger) read() error {
	if err := lease.Inherit(l.root, StatePath); err != nil {
		return memory.Errorf(memory.Unavailable, "reading how far conversations were captured: %w", err)
	}
	s, err := readState(l.root)
	if err != nil {
		return err
	}
	l.state = s
	return nil
}

func readState(root *os.Root) (state, error) {
	empty := state{Version: stateVersion, Sessions: map[string]*processed{}}
	raw, err := root.ReadFile(StatePath)
	if errors.Is(err, fs.ErrNotExist) {
		return empty, nil
	}
	if err != nil {
		return empty, memory.Errorf(memory.Unavailable, "reading how far conversations were captured: %w", err)
	}
	var s state
	if json.Unmarshal(raw, &s) != nil || s.Version != stateVersion || s.Sessions == nil {
		return empty, nil
	}
	for key, p := range s.Sessions {
		if p == nil {
			delete(s.Sessions, key)
		}
	}
	return s, nil
}

// keptGone is how long the state remembers a conversation that is not there any
// more; hosts delete old ones. One that comes back later is read from its
// beginning, and what was captured from it is known by its id.
const keptGone = 30 * 24 * time.Hour

// prune notes which conversations of a place were not found, and forgets those
// that have been gone for long. A place in which nothing at all is found may be
// a disk that is not there: it is left alone.
func (l *ledger) prune(place string, found map[string]bool, now time.Time) {
	if len(found) == 0 {
		return
	}
	for key, p := range l.state.Sessions {
		switch {
		case !strings.HasPrefix(key, place):
		case found[key]:
			l.dirty = l.dirty || !p.Gone.IsZero()
			p.Gone = time.Time{}
		case p.Gone.IsZero():
			p.Gone, l.dirty = now, true
		case now.Sub(p.Gone) >= keptGone:
			delete(l.state.Sessions, key)
			l.dirty = true
		}
	}
}

// save replaces the file: a crash leaves the old one or the new one.
func (l *ledger) save(ctx context.Context) error {
	if !l.dirty {
		return nil
	}
	raw, err := json.MarshalIndent(l.state, "", " ")
	if err != nil {
		return fmt.Errorf("encoding how far conversations were captured: %w", err)
	}
	if err := lease.Replace(ctx, l.root, StatePath, append(raw, '\n')); err != nil {
		if memory.CodeOf(err) == memory.Conflicting {
			return err //nolint:wrapcheck // says that this capture was overtaken
		}
		return memory.Errorf(memory.Unavailable, "writing how far conversations were captured: %w", err)
	}
	l.dirty = false
	return nil
}

// Standing tells how far the capture of a workspace has got.
type Standing struct {
	LastRun       time.Time // of all sources
	Conversations int       // that were looked into
	Captured      int       // things found in them
}

// StandingOf reads it; it writes nothing and takes no lock.
func StandingOf(root *os.Root) (Standing, error) {
	s, err := readState(root)
	if err != nil {
		return Standing{}, err
	}
	standing := Standing{LastRun: s.LastRun, Conversations: len(s.Sessions)}
	for _, p := range s.Sessions {
		standing.Captured += p.Captured
	}
	return standing, nil
}
