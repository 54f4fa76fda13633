package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// Failures lists the reports of failed jobs, newest first: what each says in
// its heading, and its file. Jobs are those of the workspace, hence its main
// agent's; a private agent has none.
func (m *Mirror) Failures(context.Context) ([]memory.ProjectedLine, error) {
	entries, err := fs.ReadDir(m.Root.FS(), m.in(markdown.FailureReportsDir))
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("listing the failure reports: %w", err)
	}
	var list []memory.ProjectedLine
	for _, e := range slices.Backward(entries) {
		if !e.Type().IsRegular() || path.Ext(e.Name()) != ".md" {
			continue
		}
		name := path.Join(m.in(markdown.FailureReportsDir), e.Name())
		raw, err := readFile(m.Root, name)
		if err != nil {
			return nil, err
		}
		title, _, _ := strings.Cut(strings.TrimSpace(string(raw)), "\n")
		list = append(list, memory.ProjectedLine{Text: strings.TrimSpace(strings.TrimLeft(title, "# ")), Link: name})
	}
	return list, nil
}

// failure is one line of failures.json.
type failure struct {
	Title  string `json:"title"`
	Report string `json:"report"`
}

// WriteReports writes the reports of the memory's use and of what went wrong,
// for people. It reports which files changed.
func (m *Mirror) WriteReports(ctx context.Context, audit any, failures []memory.ProjectedLine, pains memory.Projection) ([]string, error) {
	index := []failure{}
	for _, f := range failures {
		index = append(index, failure{f.Text, f.Link})
	}
	var changed []string
	err := m.locked(ctx, func() error {
		reports := map[string]any{markdown.RetrievalAuditPath: audit}
		if m.in("") == "" || len(index) > 0 {
			reports[markdown.FailuresPath] = index
		}
		for name, value := range reports {
			text, err := json.MarshalIndent(value, "", "  ")
			if err != nil {
				return fmt.Errorf("encoding %s: %w", name, err)
			}
			if err := m.writeReport(m.in(name), append(text, '\n'), &changed); err != nil {
				return err
			}
		}
		disk, err := readFile(m.Root, m.in(markdown.PainPointsPath))
		if err != nil {
			return err
		}
		return m.writeReport(m.in(markdown.PainPointsPath), markdown.EditPainPoints(disk, pains, markdown.Language(m.Language)), &changed)
	})
	slices.Sort(changed)
	return changed, err
}

// writeReport replaces a report that says something else now. One that somebody
// is saving at this moment is left for the next time.
func (m *Mirror) writeReport(name string, text []byte, changed *[]string) error {
	raw, err := readFile(m.Root, name)
	if err != nil || string(raw) == string(text) {
		return err
	}
	if _, err := m.swapIn(name, textOf(raw), string(text), 0); err != nil {
		if errors.Is(err, errChanged) {
			return nil
		}
		return fmt.Errorf("writing %s: %w", name, err)
	}
	*changed = append(*changed, name)
	return nil
}
