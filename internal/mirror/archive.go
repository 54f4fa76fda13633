package mirror

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"sort"
	"strings"
	"time"

	"github.com/gofrs/flock"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

const archiveLock = ownDir + "/archive.lock"

// Archive keeps removed memories whole, one JSON line each, in
// memory/archive/YYYY-MM-DD.jsonl, so that every removal can be undone. Its
// line is on disk before anything is removed.
type Archive struct {
	root *os.Root
	now  func() time.Time
	zone *time.Location
}

// NewArchive returns the archive of a workspace; now and zone decide the day's file.
func NewArchive(root *os.Root, now func() time.Time, zone *time.Location) *Archive {
	return &Archive{root: root, now: now, zone: zone}
}

// archived is one line of the archive.
type archived struct {
	ID         string    `json:"id"`
	ArchivedAt time.Time `json:"archived_at"`
	Reason     string    `json:"reason"`
	Content    string    `json:"content"`
	attributes
}

func (a archived) memory() memory.Memory {
	m := a.restore(memory.Memory{ID: a.ID, Content: a.Content, ContentHash: memory.Hash(a.Content)})
	m.Title, m.Fields, m.Home.File = a.Title, a.Fields, a.File
	return m
}

func newArchived(m memory.Memory, reason string, at time.Time) archived {
	a := archived{ID: m.ID, ArchivedAt: at, Reason: reason, Content: m.Content, attributes: *attributesOf(m)}
	a.Title, a.Fields, a.FieldNames = m.Title, m.Fields, nil
	return a
}

// Append writes one line for each memory and syncs the file.
func (a *Archive) Append(ctx context.Context, reason string, memories []memory.Memory) error {
	if len(memories) == 0 {
		return nil
	}
	now := a.now()
	var b bytes.Buffer
	enc := json.NewEncoder(&b)
	enc.SetEscapeHTML(false)
	for _, m := range memories {
		if err := enc.Encode(newArchived(m, reason, now)); err != nil {
			return fmt.Errorf("encoding the archive line of %s: %w", m.ID, err)
		}
	}
	name := path.Join(archiveDir, now.In(a.zone).Format(time.DateOnly)+".jsonl")
	return a.locked(ctx, func() error { return markdown.Append(a.root, name, b.Bytes()) })
}

// Find returns the newest copy of every archived memory that want accepts.
func (a *Archive) Find(ctx context.Context, want func(memory.Memory) bool) ([]memory.Memory, error) {
	newest := map[string]archived{}
	if err := a.each(ctx, func(line archived) { newest[line.ID] = line }); err != nil {
		return nil, err
	}
	var memories []memory.Memory
	for _, line := range newest {
		if m := line.memory(); want(m) {
			memories = append(memories, m)
		}
	}
	sort.Slice(memories, func(i, j int) bool { return memories[i].ID < memories[j].ID })
	return memories, nil
}

// each reads every line, oldest file first.
func (a *Archive) each(ctx context.Context, use func(archived)) error {
	names, err := a.files()
	if err != nil {
		return err
	}
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := a.eachIn(name, use); err != nil {
			return fmt.Errorf("reading %s: %w", name, err)
		}
	}
	return nil
}

// eachIn reads every line of one day's file, which has no bound.
func (a *Archive) eachIn(name string, use func(archived)) error {
	if is, err := irregular(a.root, name); err != nil || is {
		return errors.Join(err, errIrregular(name))
	}
	f, err := a.root.Open(name)
	if err != nil {
		return ignoreMissing(err)
	}
	defer f.Close()
	_, err = eachLine(f, func(line []byte) bool {
		var l archived
		if json.Unmarshal(line, &l) != nil || !memory.ValidID(l.ID) {
			return false
		}
		use(l)
		return true
	})
	return err
}

func (a *Archive) files() ([]string, error) {
	entries, err := fs.ReadDir(a.root.FS(), archiveDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the archive: %w", err)
	}
	var names []string
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok && !e.IsDir() && len(stem) == len(time.DateOnly) {
			names = append(names, path.Join(archiveDir, e.Name()))
		}
	}
	return names, nil
}

// locked runs do while no other process appends to or scrubs the archive.
func (a *Archive) locked(ctx context.Context, do func() error) error {
	if err := markdown.MakeDir(a.root, ownDir); err != nil {
		return err
	}
	lock := flock.New(filepath.Join(a.root.Name(), archiveLock), flock.SetPermissions(fileMode))
	if _, err := lock.TryLockContext(ctx, lockPoll); err != nil {
		return fmt.Errorf("locking the archive: %w", err)
	}
	defer lock.Unlock() //nolint:errcheck // closing the file frees it anyway
	return do()
}

// scrub rewrites the archive without the lines that drop accepts.
func (a *Archive) scrub(ctx context.Context, drop func([]byte) bool) error {
	names, err := a.files()
	if err != nil {
		return err
	}
	return a.locked(ctx, func() error {
		for _, name := range names {
			if err := scrubLines(a.root, name, drop); err != nil {
				return err
			}
		}
		return nil
	})
}

// scrubLines rewrites a JSONL file without the lines that drop accepts.
func scrubLines(root *os.Root, name string, drop func([]byte) bool) error {
	text, err := readOwn(root, name)
	if err != nil || text == nil {
		return err
	}
	var kept bytes.Buffer
	for line := range bytes.Lines(text) {
		if !drop(line) {
			kept.Write(line)
		}
	}
	if kept.Len() == len(text) {
		return nil
	}
	return replaceOwn(root, name, kept.Bytes())
}
