package mirror

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
)

// regenerate has the derived files made again that we had written and that
// somebody deleted: they hold nothing of their own. The caller must not hold the
// lock.
func (m *Mirror) regenerate(ctx context.Context) (made int, err error) {
	if m.Regenerate == nil {
		return 0, nil
	}
	names, err := m.deletedProjections()
	if err != nil {
		return 0, err
	}
	for _, name := range names {
		if err := m.Regenerate(ctx, name); err != nil {
			return made, fmt.Errorf("making %s again: %w", name, err)
		}
		made++
	}
	return made, nil
}

// deletedProjections lists the derived files with lines of ours that are gone.
func (m *Mirror) deletedProjections() ([]string, error) {
	var gone []string
	for _, name := range m.derivedFiles() {
		if _, err := m.Root.Lstat(name); errors.Is(err, fs.ErrNotExist) {
			gone = append(gone, name)
		}
	}
	if len(gone) == 0 {
		return nil, nil
	}
	files, err := m.loadShown()
	if err != nil {
		return nil, err
	}
	var ours []string
	for _, name := range gone {
		if len(files[name].Lines) > 0 {
			ours = append(ours, name)
		}
	}
	return ours, nil
}
