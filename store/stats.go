package store

import (
	"context"
	"fmt"
	"os"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// Stats counts what a namespace holds, in time proportional to it, without
// reading any text. The outbox, the versions and the size are the whole store's.
func (s *Store) Stats(ctx context.Context, namespace string) (memory.Stats, error) {
	stats := memory.Stats{ByType: map[memory.Type]int{}, ByStatus: map[memory.Status]int{}, TextVer: text.Version}
	if err := s.countMemories(ctx, namespace, &stats); err != nil {
		return stats, fmt.Errorf("counting memories: %w", err)
	}
	err := s.db.Row(ctx, "SELECT (SELECT count(*) FROM links WHERE namespace = ?1),"+
		" (SELECT count(*) FROM history WHERE namespace = ?1), (SELECT user_version FROM pragma_user_version)",
		[]any{namespace}, &stats.Links, &stats.Revisions, &stats.SchemaVer)
	if err != nil {
		return stats, fmt.Errorf("counting links and revisions: %w", err)
	}
	if stats.Outbox, stats.OldestOut, err = s.OutboxSize(ctx); err != nil {
		return stats, err
	}
	if stats.Unembedded, err = s.unembedded(ctx, namespace); err != nil {
		return stats, err
	}
	stats.Bytes = s.bytes()
	return stats, nil
}

func (s *Store) countMemories(ctx context.Context, namespace string, stats *memory.Stats) error {
	rows, err := s.db.Query(ctx, "SELECT type, form, status, pinned, count(*) FROM memories WHERE namespace = ?"+
		" GROUP BY type, form, status, pinned", namespace)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var m memory.Memory
		var n int
		if err := rows.Scan(&m.Type, &m.Form, &m.Status, &m.Pinned, &n); err != nil {
			return err
		}
		tally(stats, m, n)
	}
	return rows.Err()
}

// tally adds n memories of one kind. Passages are counted apart: they are
// prose of people, which has neither type nor life of its own.
func tally(stats *memory.Stats, m memory.Memory, n int) {
	stats.URIs += n
	if m.Form == memory.Passage {
		stats.Passages += n
		return
	}
	stats.ByStatus[m.Status] += n
	if m.Status.Recallable() {
		stats.Total += n
		stats.ByType[m.Type] += n
		stats.ByPriority[m.Priority()] += n
	}
}

// bytes returns the size of the database and its log; what cannot be seen counts nothing.
func (s *Store) bytes() (total int64) {
	for _, suffix := range []string{"", "-wal"} {
		if info, err := os.Stat(s.db.Path() + suffix); err == nil {
			total += info.Size()
		}
	}
	return total
}
