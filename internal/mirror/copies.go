package mirror

import (
	"cmp"
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
		if f.kind != cloudCopy || classify(original) == ignored {
			continue
		}
		if classify(original) != home {
			p.warn("%s is a copy of %s that a sync service made, and is not merged: take over by hand what is right in it, then delete it", f.path, original)
			continue
		}
		if p.opts.DryRun {
			p.warn("%s would be merged into %s", f.path, original)
			continue
		}
		if !p.opts.all && !p.settled(stateOf(f.path, f.info, ""), 0) {
			continue // it may still be arriving: a part of it would lack lines
		}
		err := p.mergeCopy(ctx, f, original)
		if errors.Is(err, errUnsettled) || errors.Is(err, errChanged) {
			p.warn("%s waits until %s has been saved", f.path, original)
			continue
		}
		if ctx.Err() != nil {
			return merged, fmt.Errorf("merging %s: %w", f.path, err)
		}
		if err != nil { // no other file waits for it
			p.warn("%s cannot be merged into %s: %v", f.path, original, err)
			continue
		}
		merged = true
	}
	return merged, nil
}

func (p *pass) mergeCopy(ctx context.Context, f sighted, original string) error {
	text, same, err := readSame(f.root, f.name, f.info)
	if err != nil || !same {
		return cmp.Or(err, errChanged)
	}
	stands, err := p.atRest(ctx, original)
	if err != nil {
		return err
	}
	base, err := p.loaded(ctx, original, deref(stands), text)
	if err != nil {
		return err
	}
	if err := p.mergeInto(original, stands, edit{base, text}, 0); err != nil {
		return err
	}
	p.report.Warnings = append(p.report.Warnings, fmt.Sprintf("%s was merged into %s", f.path, original))
	if _, same, err := readSame(f.root, f.name, f.info); err != nil || !same {
		return cmp.Or(err, errChanged) // it has arrived once more, and is merged again
	}
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
