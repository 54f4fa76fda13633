package store

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"agentmemory/internal/memory"
)

// surveyed is separated for memories in use; of the others it selects what
// memory.Brief keeps. That text begins with the separator.
const (
	surveyed = "CASE WHEN m.status IN ('archived', 'forgotten') THEN " + brief + " ELSE " + separated + " END"
	brief    = "concat_ws(x'ff', '', m.key, revision, ifnull(created_at, ''), ifnull(updated_at, ''), " +
		"id, namespace, uri, form, status, trust, supersedes, superseded_by, links, '')"
)

// related are the memories in use, and those that are put away and lead elsewhere.
const related = "(m.status NOT IN ('archived', 'forgotten') OR m.key IN (SELECT key FROM links))"

// Survey returns what governing a namespace asks for: its memories in use, in
// the order of their arrival, as List does, and then those put away or
// forgotten that have links, or to which something of these leads, as
// memory.Brief. What is put away is more than half of an old store; the
// checksums cover what is not read of it, and are not compared.
func (s *Store) Survey(ctx context.Context, namespace string) ([]memory.Memory, error) {
	query := "SELECT " + surveyed + ", " + reals + " FROM memories m JOIN texts x ON x.key = m.key WHERE +m.namespace = ?"
	found, err := s.listed(s.asking(ctx), query+" AND "+related+" ORDER BY m.key", []any{namespace})
	if err == nil {
		var led []memory.Memory
		led, err = s.ledTo(ctx, query, namespace, found)
		found = append(found, led...)
	}
	for i := range found {
		if m := &found[i]; m.PutAway() {
			*m = m.Brief() // a survey that had to be measured is whole
		}
	}
	if err != nil {
		err = fmt.Errorf("surveying memories: %w", err)
	}
	return found, err
}

// ledTo reads the memories beyond some to which these lead, whatever has become
// of them meanwhile.
func (s *Store) ledTo(ctx context.Context, query, namespace string, from []memory.Memory) ([]memory.Memory, error) {
	ids := map[string]bool{}
	for i := range from {
		m := &from[i]
		ids[m.SupersededBy] = true
		for _, l := range m.Links {
			ids[l.Target] = true
		}
	}
	delete(ids, "")
	for i := range from {
		delete(ids, from[i].ID)
	}
	if len(ids) == 0 {
		return nil, nil
	}
	list, err := json.Marshal(slices.Sorted(maps.Keys(ids)))
	if err != nil {
		return nil, fmt.Errorf("encoding ids: %w", err)
	}
	return s.listed(s.asking(ctx), query+" AND m.id IN (SELECT value FROM json_each(?)) ORDER BY m.key", []any{namespace, string(list)})
}

// unpackBrief takes the first column of a memory apart that was put away.
func (x *reading) unpackBrief() error {
	r, rest := &x.row, x.text[1:]
	for _, n := range []*int64{&r.key, &r.Revision} {
		if err := cutNumberAt(separator, &rest, n); err != nil {
			return err
		}
	}
	for i := range 2 {
		if err := cutTimeAt(separator, &rest, x.zone, &x.times[i]); err != nil {
			return err
		}
	}
	r.CreatedAt, r.UpdatedAt = x.times[0], x.times[1]
	for _, s := range []*string{&r.ID, &r.Namespace, &r.URI, &x.form, &x.status, &x.trust, &r.Supersedes, &r.SupersededBy, &x.links} {
		var found bool
		if *s, rest, found = cutAt(separator, rest); !found {
			return errPacked
		}
	}
	if rest != "" {
		return errPacked
	}
	r.Form, r.Status, r.Trust = memory.Form(x.form), memory.Status(x.status), memory.Trust(x.trust)
	var err error
	if r.Links, err = decodeList[memory.Link](x.links); err != nil {
		return errPacked
	}
	return nil
}
