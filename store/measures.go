package store

import (
	"context"
	"fmt"
	"runtime"
	"strings"

	"agentmemory/internal/memory"
)

// vitals are the columns that vitality, tier and temperature follow from. The
// row's checksum covers its texts, too, and is not compared here.
const vitals = "SELECT importance, initial_importance, stability, concat_ws(',', pinned, access_count, " +
	"ifnull(importance_set, ''), ifnull(last_access, ''), created_at, type, form) FROM memories m"

// Measure visits the memories of a namespace without their words, addresses and
// ids: for who counts them, which costs a fifth of what List does.
func (s *Store) Measure(ctx context.Context, namespace string, visit func(memory.Memory)) error {
	f := memory.Filter{Namespace: namespace}
	c := conditionOf(f)
	if wide(f) {
		c.parts[0] = "+" + c.parts[0]
	}
	rows, err := s.db.Query(ctx, vitals+c.where(), c.args...)
	if err != nil {
		return fmt.Errorf("measuring memories: %w", err)
	}
	defer rows.Close()
	m, packed := memory.Memory{Namespace: namespace}, ""
	for n := 1; rows.Next(); n++ {
		if err := rows.Scan(&m.Importance, &m.InitialImportance, &m.Stability, &packed); err != nil {
			return fmt.Errorf("reading a measure: %w", err)
		}
		if err := s.measure(&m, packed); err != nil {
			return fmt.Errorf("reading a measure: %w", err)
		}
		visit(m)
		if n%breath == 0 {
			runtime.Gosched() // as in a listing
		}
	}
	return rows.Err()
}

// measure takes apart what vitals packs.
func (s *Store) measure(m *memory.Memory, packed string) error {
	var pinned, used int64
	for _, n := range []*int64{&pinned, &used} {
		if err := cutNumber(&packed, n); err != nil {
			return err
		}
	}
	m.Pinned, m.AccessCount = pinned != 0, int(used)
	if err := cutTime(&packed, s.zone, &m.ImportanceSet); err != nil {
		return err
	}
	if err := cutTime(&packed, s.zone, &m.LastAccess); err != nil {
		return err
	}
	if err := cutTime(&packed, s.zone, &m.CreatedAt); err != nil {
		return err
	}
	kind, form, found := strings.Cut(packed, ",")
	if !found {
		return errPacked
	}
	m.Type, m.Form = memory.Type(kind), memory.Form(form)
	return nil
}
