package mirror_test

import (
	"context"
	"slices"
	"testing"

	"agentmemory/internal/mirror"
)

// A summary is outdated when the journals that it leads to have been put away:
// those of the agent whose summary it is.
func TestAnAgentsSummaryLeadsToItsOwnJournals(t *testing.T) {
	b := newBench(t, func(o *mirror.Options) { o.Namespaces = []string{"yue"} })
	tree := mirror.Tree("yue")
	b.save(tree+"memory/2026-01-06.md", "- only yue wrote something on this day\n")
	b.save(tree+"memory/weekly/2026-01-05.md", "# Week\n\n- said [→](../../memory/2026-01-06.md#1)\n")
	b.save("memory/2026-01-13.md", "- only the main agent wrote something on this day\n")
	b.save(tree+"memory/weekly/2026-01-12.md", "# Week\n\n- said [→](../../memory/2026-01-13.md#1)\n")
	_, summaries, err := b.Of("yue").Compounds().Journals(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(summaries, []string{"2026-01-05"}) {
		t.Errorf("summaries in force: %q", summaries)
	}
}
