package mirror

import (
	"context"
	"errors"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// directPatience is how long a memory that the database did not take waits for
// the files.
const directPatience = 2 * time.Second

// AppendDirect writes a memory straight to its file and the records, for when
// the database cannot be written. It is durable when the call returns; a later
// sync indexes it under the same id. An address that waits for its number gets
// one that is free in the file, and is returned.
func (m *Mirror) AppendDirect(ctx context.Context, mem memory.Memory) (uri string, err error) {
	if mem.ID == "" || mem.CreatedAt.IsZero() {
		return "", errors.New("a memory needs an id and a time to be written without the database")
	}
	// Whoever keeps the database from being written may have stopped with this lock, too.
	waiting, cancel := context.WithTimeout(ctx, directPatience*waitsLonger)
	defer cancel()
	if err := m.lock.take(waiting); err != nil {
		return "", memory.Errorf(memory.Unavailable, "another process has been writing the files for %s and does not end", directPatience).
			WithHint("end or continue that process: agent-memory doctor names the lock that it holds")
	}
	// No recovery here: it needs the database.
	uri, err = m.appendDirect(mem)
	return uri, errors.Join(err, m.lock.release())
}

func (m *Mirror) appendDirect(mem memory.Memory) (uri string, err error) {
	mem.Home = memory.Place{File: Home(mem, m.Zone)}
	for range mergeRounds {
		raw, err := readFile(m.Root, mem.Home.File)
		if err != nil {
			return "", err
		}
		doc := markdown.Parse(mem.Home.File, raw)
		mem.URI = m.numbered(doc, mem)
		if err := appendRecords(m.Root, []record{recordOf(memory.Pending{MemoryID: mem.ID, Op: memory.OpAdd, At: m.Now(), Memory: mem})}); err != nil {
			return "", err
		}
		mem.CreatedAt = mem.CreatedAt.In(m.Zone)
		doc.Put(markdown.FromMemory(mem))
		_, err = m.swapIn(mem.Home.File, textOf(raw), string(doc.Bytes()), 0)
		if !errors.Is(err, errChanged) {
			return mem.URI, err
		}
	}
	return "", fmt.Errorf("writing %s: %w", mem.Home.File, errChanged)
}

// numbered completes an address that waits for its number.
func (m *Mirror) numbered(doc *markdown.Document, mem memory.Memory) string {
	if mem.URI == "" {
		mem.URI = memory.JournalURI(mem.Type, mem.CreatedAt.In(m.Zone))
	}
	if !memory.NeedsNumber(mem.URI) {
		return mem.URI
	}
	highest := 0
	section := mem.CreatedAt.In(m.Zone).Format("15:04")
	for _, e := range doc.Entries() {
		if e.Section == section {
			highest = max(highest, e.Number)
		}
	}
	return fmt.Sprintf("%s%d", mem.URI, highest+1)
}
