package mirror

import (
	"context"
	"errors"
	"fmt"
	"path"

	"agentmemory/markdown"
)

// mergeCopies merges the copies that sync services made of our files into
// them, by id, and puts the copies away. It reports whether there were any.
func (p *pass) mergeCopies(ctx context.Context, files []sighted) (merged bool, err error) {
	for _, f := range files {
		original := originalOf(f.path)
		if f.kind != cloudCopy || classify(original) != home {
			continue
		}
		if p.opts.DryRun {
			p.warn("%s would be merged into %s", f.path, original)
			continue
		}
		err := p.mergeCopy(ctx, f, original)
		if errors.Is(err, errUnsettled) || errors.Is(err, errChanged) {
			p.warn("%s waits until %s has been saved", f.path, original)
			continue
		}
		if err != nil {
			return merged, fmt.Errorf("merging %s: %w", f.path, err)
		}
		merged = true
	}
	return merged, nil
}

func (p *pass) mergeCopy(ctx context.Context, f sighted, original string) error {
	raw, err := readFile(f.root, f.name)
	if err != nil || raw == nil {
		return err
	}
	versions, err := p.Store.Bases(ctx, original, 0)
	if err != nil {
		return fmt.Errorf("reading the versions of %s: %w", original, err)
	}
	base, least := "", -1
	for _, v := range versions {
		if n := distance(v.Text, string(raw)); least < 0 || n < least {
			base, least = v.Text, n
		}
	}
	stands, err := p.atRest(ctx, original)
	if err != nil {
		return err
	}
	if err := p.mergeInto(original, stands, edit{base, string(raw)}, 0); err != nil {
		return err
	}
	p.report.Warnings = append(p.report.Warnings, fmt.Sprintf("%s was merged into %s", f.path, original))
	return p.putAway(f.path)
}

// putAway moves a file that has been merged to the backups.
func (m *Mirror) putAway(name string) error {
	kept := path.Join(backupDir, name)
	if err := markdown.MakeDir(m.Root, path.Dir(kept)); err != nil {
		return err
	}
	if err := m.Root.Rename(name, kept); err != nil {
		return fmt.Errorf("putting %s away: %w", name, err)
	}
	return markdown.SyncDir(m.Root, path.Dir(name))
}
