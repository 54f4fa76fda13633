package store

import (
	"context"
	"fmt"
	"strings"

	"agentmemory/internal/memory"
)

// surveyed is separated for memories in use; of the others it selects what
// memory.Brief keeps. That text begins with the separator.
const (
	surveyed = "CASE WHEN m.status IN ('archived', 'forgotten') THEN " + brief + " ELSE " + separated + " END"
	brief    = "concat_ws(x'ff', '', m.key, revision, ifnull(created_at, ''), ifnull(updated_at, ''), " +
		"id, namespace, uri, form, status, trust, supersedes, superseded_by, links, '')"
)

// Survey returns all memories of a namespace in the order of their arrival:
// those in use as List does, those put away or forgotten as memory.Brief. These are
// half of an old store; their checksums cover what is not read, and are not compared.
func (s *Store) Survey(ctx context.Context, namespace string) ([]memory.Memory, error) {
	found, err := s.listed(s.asking(ctx), "SELECT "+surveyed+", "+reals+
		" FROM memories m JOIN texts x ON x.key = m.key WHERE +m.namespace = ? ORDER BY m.key", []any{namespace})
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

// unpackBrief takes the first column of a memory apart that was put away.
func (x *reading) unpackBrief() error {
	r, rest := &x.row, x.text[len(separator):]
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
		if *s, rest, found = strings.Cut(rest, separator); !found {
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
