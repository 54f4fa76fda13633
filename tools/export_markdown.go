package tools

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"sort"
	"strings"

	"agentmemory/internal/memory"
)

// Markdown writes the memories as one document for people: a section for each
// type, within it the newest first, each with its date, source and address.
func (e *Export) Markdown(ctx context.Context, a ExportArgs, w io.Writer) (ExportResult, error) {
	say := e.Say
	if say == nil {
		say = func(english string) string { return english }
	}
	sections := map[memory.Type][]memory.Memory{}
	var result ExportResult
	err := e.each(ctx, a, func(m memory.Memory) error {
		sections[m.Type] = append(sections[m.Type], m)
		result.Memories++
		return nil
	})
	if err != nil {
		return ExportResult{}, err
	}
	out := bufio.NewWriter(w)
	_, _ = fmt.Fprintf(out, "# %s\n", say("Memories"))
	for _, t := range memory.Types() {
		writeSection(out, t, sections[t], say)
	}
	if err := out.Flush(); err != nil {
		return result, fmt.Errorf("writing the export: %w", err)
	}
	return result, nil
}

func writeSection(w io.Writer, t memory.Type, memories []memory.Memory, say func(string) string) {
	if len(memories) == 0 {
		return
	}
	sort.SliceStable(memories, func(i, j int) bool { return memories[i].Observed().After(memories[j].Observed()) })
	name := string(t)
	_, _ = fmt.Fprintf(w, "\n## %s\n\n", say(strings.ToUpper(name[:1])+name[1:]))
	for _, m := range memories {
		writeEntry(w, m, say)
	}
}

func writeEntry(w io.Writer, m memory.Memory, say func(string) string) {
	lines := strings.Split(strings.TrimSpace(m.Content), "\n")
	for i, line := range lines {
		if i == 0 {
			_, _ = fmt.Fprintf(w, "- %s\n", line)
			continue
		}
		_, _ = fmt.Fprintf(w, "  %s\n", line)
	}
	for _, f := range m.Fields {
		_, _ = fmt.Fprintf(w, "  - %s: %s\n", f.Name, strings.ReplaceAll(f.Value, "\n", "\n    "))
	}
	notes := []string{m.Observed().Format("2006-01-02 15:04"), m.URI}
	if m.Source != "" {
		notes = append(notes, fmt.Sprintf(say("from %s"), m.Source))
	}
	if m.Trust != memory.TrustUser {
		notes = append(notes, fmt.Sprintf(say("trust %s"), say(string(m.Trust))))
	}
	if m.Status != memory.Active {
		notes = append(notes, say(string(m.Status)))
	}
	_, _ = fmt.Fprintf(w, "  _%s_\n", strings.Join(notes, " · "))
}
