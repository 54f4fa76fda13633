package mirror

import (
	"context"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/redact"
	"agentmemory/markdown"
)

// ExtraPath is a folder outside the workspace whose Markdown is read and
// indexed, never written.
type ExtraPath struct {
	Name    string   // under which its files are listed: extra:<name>/<path>
	Root    *os.Root // the folder
	Pattern string   // such as **/*.md; empty means that
}

// Options say which workspace to mirror and how. Root, Store and Now are needed.
type Options struct {
	Root     *os.Root
	Store    Store
	Now      func() time.Time
	Zone     *time.Location // decides days and minutes; nil: UTC
	Language string         // of headings: "en" or "zh"; "" means en
	OpenClaw bool           // the host's agent writes into this workspace too
	Extra    []ExtraPath
	// Namespaces are those of other agents than the main one, whose trees below
	// agents/ are kept in step too.
	Namespaces []string
	Redactor   *redact.Redactor              // nil: a new one
	Classify   func(text string) memory.Type // of a person's line in a journal; nil: event
	// Summarise chooses what the summary of an entity shows of its facts; nil: no summaries are written.
	Summarise func(facts []memory.Memory, now time.Time) memory.Projection
	Settle    time.Duration // how long a foreign save must rest before it is read, and a swapped-out file is watched; 0: 1.5 s
	Poll      time.Duration // between two looks at all files; 0: 10 s
	// IndexLimits are the caps of MEMORY.md; none given: 200 lines, 20,000 characters.
	IndexLimits markdown.OutlineLimits
	Log         func(message string, err error) // may be nil
	// Regenerate writes a derived file anew; nil: deleted ones wait for the next reflect.
	Regenerate func(ctx context.Context, file string) error
}

// Mirror keeps one workspace and its store in step. It may be used by many
// goroutines and beside other processes.
type Mirror struct {
	Options
	*keeping
	namespace string // whose derived files it writes; see Of
}

// keeping is what all parts of a mirror share.
type keeping struct {
	archive *Archive
	lock    *workspaceLock
	wake    chan struct{}

	recorded   map[int64]bool // rows of the outbox that are in records.jsonl; guarded by lock
	considered int64          // size of records.jsonl when tidyRecords last considered it; guarded by lock

	kept     map[string]string // hashes of what waits for its file and is in the archive, by id; guarded by lock
	hopeless bool              // all that is left waits for files that cannot be written; guarded by lock
	stale    map[string]bool   // items.json whose summaries are older than their facts; guarded by lock

	prose string // how the prose of our files was read last; guarded by lock

	mu         sync.Mutex
	complaints map[string]string // why files cannot be written
	lingering  []lingering
	seen       map[string]sighting // foreign saves that have not settled
	degraded   map[string]bool
	parts      map[string]string // of files that are full: the part that has room
	shown      decodedShown
}

// New returns a mirror; nothing is read or written before it is used.
func New(o Options) (*Mirror, error) {
	if o.Root == nil || o.Store == nil || o.Now == nil {
		return nil, errors.New("a mirror needs a root, a store and a clock")
	}
	if o.Zone == nil {
		o.Zone = time.UTC
	}
	if o.Redactor == nil {
		o.Redactor = redact.New()
	}
	if o.Classify == nil {
		o.Classify = func(string) memory.Type { return memory.Event }
	}
	if o.Log == nil {
		o.Log = func(string, error) {}
	}
	if o.IndexLimits == (markdown.OutlineLimits{}) {
		o.IndexLimits = markdown.OutlineLimits{Lines: 200, Characters: 20_000}
	}
	o.Settle = orDefault(o.Settle, 1500*time.Millisecond)
	o.Poll = orDefault(o.Poll, 10*time.Second)
	if err := markdown.MakeDir(o.Root, ownDir); err != nil {
		return nil, fmt.Errorf("preparing the workspace: %w", err)
	}
	return &Mirror{Options: o, namespace: memory.DefaultNamespace, keeping: &keeping{
		archive: NewArchive(o.Root, o.Now, o.Zone), lock: newWorkspaceLock(o.Root),
		wake: make(chan struct{}, 1), recorded: map[int64]bool{}, complaints: map[string]string{}, kept: map[string]string{}, stale: map[string]bool{}, seen: map[string]sighting{}, degraded: map[string]bool{}, parts: map[string]string{},
	}}, nil
}

// Of returns the mirror for the derived files of an agent, MEMORY.md, RECENT.md
// and the summaries, which stand in the agent's tree, and for its runs. All else
// is the same for all.
func (m *Mirror) Of(namespace string) *Mirror {
	other := *m
	other.namespace = namespace
	return &other
}

// in names a file of the tree for which the mirror writes.
func (m *Mirror) in(name string) string { return namespaceDir(m.namespace) + name }

// derivedFiles are the files that show a part of the memory, of every agent.
func (m *Mirror) derivedFiles() []string {
	names := []string{markdown.MemoryFile, markdown.RecentFile}
	for _, n := range m.Namespaces {
		names = append(names, namespaceDir(n)+markdown.MemoryFile, namespaceDir(n)+markdown.RecentFile)
	}
	return names
}

func orDefault(d, otherwise time.Duration) time.Duration {
	if d == 0 {
		return otherwise
	}
	return d
}

// Archive returns the archive of removed memories.
func (m *Mirror) Archive() *Archive { return m.archive }

// Notify tells that something was committed. It never blocks.
func (m *Mirror) Notify() {
	select {
	case m.wake <- struct{}{}:
	default:
	}
}

// Degraded lists what this file system cannot do for us, such as no_exchange.
func (m *Mirror) Degraded() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	var list []string
	for name := range m.degraded {
		list = append(list, name)
	}
	slices.Sort(list)
	return list
}

func (m *Mirror) degrade(name string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.degraded[name] = true
}

// locked runs do under the lock of the workspace, after finishing what a
// killed process left behind.
func (m *Mirror) locked(ctx context.Context, do func() error) error {
	if err := m.lock.take(ctx); err != nil {
		return err
	}
	return m.holding(ctx, do)
}

// Alone runs do while no other process writes files.
func (m *Mirror) Alone(ctx context.Context, do func() error) error {
	if err := m.lock.take(ctx); err != nil {
		return err
	}
	return errors.Join(do(), m.lock.release())
}

// holding runs do for a lock that is already taken, then frees it.
func (m *Mirror) holding(ctx context.Context, do func() error) error {
	return m.recovered(ctx, func() error {
		if _, _, err := m.finishUndo(ctx); err != nil {
			return err
		}
		return do()
	})
}

// recovered runs do after a recovery, then frees the lock.
func (m *Mirror) recovered(ctx context.Context, do func() error) error {
	err := m.recover(ctx)
	if err == nil {
		err = do()
	}
	return errors.Join(err, m.lock.release())
}
