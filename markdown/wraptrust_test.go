package markdown_test

import (
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// The program writes wrap-ups out of what agents said: a line of one is not
// vouched for by the user, though the workspace is the user's own.
func TestAWrapupIsNotTheUsersWord(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]memory.Trust{
		"second-brain/summaries/2026-02-21-wrapup.md": memory.TrustAgent,
		"second-brain/research/crdt.md":               memory.TrustUser,
		"memory/2026-02-21.md":                        memory.TrustUser,
	} {
		if got := markdown.Classify(name, memory.TrustUser).Host; got != want {
			t.Errorf("%s: trust %s, want %s", name, got, want)
		}
	}
}
