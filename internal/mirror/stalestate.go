package mirror

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// staleState takes over what somebody changed in a copy of the state that is
// older than ours: as an edit of what they had loaded, which takes back nothing
// that they had not seen. It reports whether the file was such a copy; each of our
// states is written again once.
func (p *pass) staleState(ctx context.Context, d *document, said, row memory.Memory) (bool, error) {
	if _, waits := p.pending[row.ID]; waits || p.Now().Sub(row.UpdatedAt) >= young {
		return false, nil
	}
	if err := p.chooseBase(ctx, d); err != nil || !d.stale {
		return false, err
	}
	note, err := p.notRestored(ctx, row)
	if err != nil || note == "" {
		return false, err
	}
	loaded, now := p.stateIn(d.base), p.stateIn(d.newest)
	now.Fields = withEdit(now.Fields, stateLines(loaded.Fields), stateLines(said.Fields))
	d.restoring = append(d.restoring, note)
	told := row
	told.Fields = now.Fields
	d.rewritten = p.renderState(told)
	p.report.Restored++
	p.changeState(d, p.stateIn(markdown.Parse(d.path, []byte(d.rewritten))), row)
	return true, nil
}

// stateIn is the state that a version of its file tells.
func (p *pass) stateIn(version *markdown.Document) memory.Memory {
	told, _ := markdown.ParseState(version.Bytes())
	return p.told(told)
}

// withEdit does to fields what turned the lines that somebody had loaded into
// those that they saved.
func withEdit(fields []memory.Field, loaded, saved []stateLine) []memory.Field {
	fields = slices.Clone(fields)
	for i, f := range fields {
		var left []string
		for line := range strings.Lines(f.Value) {
			l := stateLine{f.Name, strings.TrimSpace(line)}
			if !slices.Contains(loaded, l) || slices.Contains(saved, l) {
				left = append(left, l.text)
			}
		}
		fields[i].Value = strings.Join(left, "\n")
	}
	return withPeople(fields, slices.DeleteFunc(saved, func(l stateLine) bool { return slices.Contains(loaded, l) }))
}

// finishState writes the state that a stale copy had taken the place of.
func (p *pass) finishState(ctx context.Context, d *document) (memory.FileVersion, error) {
	state, err := p.swapIn(d.path, &d.text, d.rewritten, 0)
	if err != nil {
		return memory.FileVersion{}, err
	}
	p.report.FilesWritten++
	if err := p.noteRestored(ctx, d.restoring); err != nil {
		return memory.FileVersion{}, fmt.Errorf("noting that %s was restored: %w", d.path, err)
	}
	return memory.FileVersion{Path: d.path, Text: d.rewritten, Hash: state.Hash, State: state, At: p.Now()}, nil
}
