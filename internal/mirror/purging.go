package mirror

import (
	"context"
	"encoding/json"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// purgingDir holds what is being purged: once a text has left the database only
// this tells what to look for in the files, should the process end in between.
const purgingDir = ownDir + "/purging"

// Purging is a purge that was announced and has not been ended.
type Purging struct {
	At       time.Time
	Memories []memory.Memory // their ids and texts only
	Waits    []string        // files that were too large to be read; all else is done

	name string
}

// purgingNote is the file of a Purging.
type purgingNote struct {
	At       time.Time      `json:"at"`
	Memories []purgedMemory `json:"memories"`
	Waits    []string       `json:"waits,omitempty"`
}

type purgedMemory struct {
	ID        string         `json:"id"`
	Namespace string         `json:"namespace"`
	Form      memory.Form    `json:"form,omitempty"`
	Title     string         `json:"title,omitempty"`
	Content   string         `json:"content"`
	Fields    []memory.Field `json:"fields,omitempty"`
}

// AnnouncePurge notes durably which memories are about to leave the database for
// good. Purge takes the note away when the files are clean.
func (m *Mirror) AnnouncePurge(ctx context.Context, memories []memory.Memory) error {
	return m.locked(ctx, func() error {
		_, err := m.notePurge(memories, nil)
		return err
	})
}

// notePurge writes the note of a purge and returns its name. The caller holds the lock.
func (m *Mirror) notePurge(memories []memory.Memory, waits []string) (name string, err error) {
	note := purgingNote{At: m.Now(), Waits: waits}
	ids := slices.Clone(waits)
	for _, mem := range memories {
		note.Memories = append(note.Memories, purgedMemory{mem.ID, mem.Namespace, mem.Form, mem.Title, mem.Content, mem.Fields})
		ids = append(ids, mem.ID)
	}
	text, err := json.Marshal(note)
	if err != nil {
		return "", fmt.Errorf("encoding what is to be purged: %w", err)
	}
	name = path.Join(purgingDir, digest(strings.Join(ids, " "))[:16]+".json")
	if err := replaceOwn(m.Root, name, text); err != nil {
		return "", fmt.Errorf("noting what is to be purged: %w", err)
	}
	return name, nil
}

// Purgings lists the purges that were announced and not ended, oldest first.
func (m *Mirror) Purgings() ([]Purging, error) {
	entries, err := fs.ReadDir(m.Root.FS(), purgingDir)
	if err != nil {
		return nil, ignoreMissing(err)
	}
	var list []Purging
	for _, e := range entries {
		name := path.Join(purgingDir, e.Name())
		raw, err := readOwn(m.Root, name)
		if err != nil {
			return nil, err
		}
		var note purgingNote
		if json.Unmarshal(raw, &note) != nil {
			continue // not written by us
		}
		p := Purging{At: note.At, Waits: note.Waits, name: name}
		for _, mem := range note.Memories {
			p.Memories = append(p.Memories, memory.Memory{ID: mem.ID, Namespace: mem.Namespace, Form: mem.Form, Title: mem.Title, Content: mem.Content, Fields: mem.Fields})
		}
		list = append(list, p)
	}
	slices.SortFunc(list, func(a, b Purging) int { return a.At.Compare(b.At) })
	return list, nil
}

// Withdraw takes the note of a purge away that has not begun.
func (m *Mirror) Withdraw(p Purging) error { return m.discard(p.name) }

// endPurges takes away the notes whose memories are all among those purged, but
// for one that is kept.
func (m *Mirror) endPurges(s *scrubber, kept string) error {
	list, err := m.Purgings()
	if err != nil {
		return err
	}
	for _, p := range list {
		if p.name == kept || slices.ContainsFunc(p.Memories, func(mem memory.Memory) bool { return !s.ids[mem.ID] }) {
			continue
		}
		if err := m.discard(p.name); err != nil {
			return err
		}
	}
	return nil
}
