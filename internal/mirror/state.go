package mirror

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// currentState is the address of the memory that CURRENT_STATE.md shows.
const currentState = "state://current"

// renderState is the text of CURRENT_STATE.md for a memory.
func (m *Mirror) renderState(mem memory.Memory) string {
	at := mem.UpdatedAt
	if at.IsZero() {
		at = mem.CreatedAt
	}
	return string(markdown.RenderState(mem, markdown.Language(m.Language), at.In(m.Zone)))
}

// stateFile writes CURRENT_STATE.md, which one memory fills.
func (p *publication) stateFile(j *job) error {
	read, err := p.known(j.path)
	if err != nil {
		p.block(j)
		return err
	}
	files, err := p.loadShown()
	if err != nil {
		return err
	}
	text, ours := "", map[string]string{}
	people := p.peoplesLines(j.path, read, files[j.path])
	for _, mem := range j.puts {
		if len(mem.Fields) == 0 && strings.TrimSpace(mem.Content) != "" {
			mem.Fields = []memory.Field{{Name: "notes", Value: mem.Content}}
		}
		own := memory.PostponedSteps(mem.Fields)
		mem.Fields = p.asTyped(own, people)
		ours = ownStateLines(mem, people)
		mem.Fields = withPeople(mem.Fields, people)
		p.learn(mem, own)
		text = p.renderState(mem)
	}
	if text == "" && read != nil && len(j.removes) > 0 {
		text = string(markdown.RenderState(memory.Memory{Form: memory.State}, markdown.Language(p.Language), p.Now().In(p.Zone)))
	}
	if text == "" || read != nil && markdown.SameState([]byte(text), []byte(*read)) {
		return nil
	}
	if files[j.path] == nil {
		files[j.path] = &shown{}
	}
	if err := p.announce(files, j.path, &shown{Lines: ours, Links: map[string]string{}}, text); err != nil {
		return err
	}
	state, err := p.swapIn(j.path, read, text, slices.Max(j.ids))
	if err != nil {
		return err
	}
	p.states[j.path] = state
	p.versions = append(p.versions, p.stateVersion(j, text, state))
	files[j.path] = &shown{Lines: ours, Links: map[string]string{}, Hidden: map[string]time.Time{}}
	return p.saveShown(files)
}

// learn has the store told of people's lines that stand in the file beside ours:
// what the file says is what is recalled, but for secrets, and trusted no more
// than the file is.
func (p *publication) learn(mem memory.Memory, own []memory.Field) {
	mem.Fields = p.cleanFields(mem.Fields)
	if slices.Equal(mem.Fields, own) || mem.Status != memory.Active {
		return
	}
	mem.Trust = mem.Trust.Lowest(p.defaultTrust(mem.Home.File))
	mem.Content = memory.StateContent(mem.Fields)
	mem.ContentHash = ""
	p.learned = append(p.learned, memory.Change{Op: memory.OpUpdate, Memory: mem, Revision: mem.Revision, Reason: "with people's lines in " + mem.Home.File, FromFile: true})
}

// tellStates rewrites states that an earlier version kept in words that their
// file does not show.
func (m *Mirror) tellStates(ctx context.Context) error {
	var changes []memory.Change
	for _, namespace := range append([]string{memory.DefaultNamespace}, m.Namespaces...) {
		rows, err := m.Store.HomeEntries(ctx, namespaceDir(namespace)+markdown.StatePath)
		if err != nil {
			return fmt.Errorf("reading the current state: %w", err)
		}
		for _, row := range rows {
			content, fields := memory.TellState(row.Content, row.Fields)
			if row.Form != memory.State || row.Status != memory.Active || content == row.Content && slices.Equal(fields, row.Fields) {
				continue
			}
			row.Content, row.Fields, row.ContentHash = content, fields, ""
			changes = append(changes, memory.Change{Op: memory.OpUpdate, Memory: row, Revision: row.Revision, Reason: "told in full in its file"})
		}
	}
	if len(changes) == 0 {
		return nil
	}
	if _, err := m.Store.Apply(ctx, changes); err != nil {
		return fmt.Errorf("telling the current state in full: %w", err)
	}
	return nil
}

func (p *publication) stateVersion(j *job, text string, state memory.FileState) memory.FileVersion {
	v := memory.FileVersion{Path: j.path, Text: text, Hash: state.Hash, State: state, Lines: map[string]int{}, At: p.Now()}
	for _, mem := range j.puts {
		v.Lines[mem.ID] = 1
	}
	return v
}

// readState takes over what a person changed in CURRENT_STATE.md.
func (p *pass) readState(ctx context.Context, d *document) error {
	rows, err := p.rowsIn(ctx, d.path)
	if err != nil {
		return err
	}
	told, says := markdown.ParseState([]byte(d.text))
	live := slices.IndexFunc(rows, func(r memory.Memory) bool { return r.Form == memory.State && r.Status != memory.Forgotten })
	switch {
	case live < 0 && says:
		return p.newState(d, told)
	case live >= 0 && says:
		return p.changedState(ctx, d, told, rows[live])
	case live >= 0 && rows[live].Status == memory.Active:
		rows[live].Status = memory.Missing
		p.report.Missing++
		p.change(d, memory.OpStatus, rows[live], d.path+" was emptied")
	}
	return nil
}

func (p *pass) newState(d *document, told memory.Memory) error {
	if told.ID == "" {
		told.ID = memory.DerivedID(d.path, "state", 0)
	}
	mem := p.told(told)
	mem.Namespace, mem.Trust, mem.CreatedAt = p.namespaceOf(d.path), d.trust, p.at(d, "")
	mem.Home, mem.Source = memory.Place{File: d.path, Line: 1}, "file:"+d.path
	rec, known, err := p.recordOf(mem.ID)
	if err != nil {
		return err
	}
	if known && !rec.gone() {
		trust := mem.Trust
		mem = rec.Memory.restore(mem)
		if rec.Memory.File != d.path {
			mem.Trust = mem.Trust.Lowest(trust)
		}
	}
	p.report.Added++
	p.change(d, memory.OpAdd, withDefaults(mem), "read from "+d.path)
	return nil
}

// told is a state as the store may keep it.
func (p *pass) told(m memory.Memory) memory.Memory {
	m.Content, m.Fields = p.clean(m.Content), p.cleanFields(m.Fields)
	m.ContentHash = memory.Hash(m.Content)
	return m
}

func (p *pass) changedState(ctx context.Context, d *document, said, row memory.Memory) error {
	said = p.told(said)
	if stale, err := p.staleState(ctx, d, said, row); err != nil || stale {
		return err
	}
	p.changeState(d, said, row)
	return nil
}

// changeState makes what is said the state, unless it is already.
func (p *pass) changeState(d *document, said, row memory.Memory) {
	shown, _ := markdown.ParseState([]byte(p.renderState(row)))
	if shown = p.told(shown); slices.Equal(said.Fields, shown.Fields) {
		return
	}
	if _, waits := p.pending[row.ID]; waits {
		p.conflicts[d.path] += p.renderState(row)
		p.report.Conflicts = append(p.report.Conflicts, d.path)
	}
	row.Fields, row.Content, row.ContentHash = said.Fields, said.Content, ""
	row.Trust, row.Status, row.UpdatedAt = row.Trust.Lowest(d.trust), memory.Active, p.Now()
	p.report.Updated++
	p.change(d, memory.OpUpdate, row, "edited in "+d.path)
}
