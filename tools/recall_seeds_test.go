package tools_test

import (
	"bufio"
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"encoding/json"

	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
	analysis "agentmemory/internal/text"
	"agentmemory/lifecycle"
	"agentmemory/store/storetest"
	"agentmemory/tools"
)

// seedQuery is a question about one of the documents that the program unifies.
// Cross is the same question in the other script, Anchor a few characters of
// the paragraph that answers it.
type seedQuery struct{ Seed, Query, Cross, Anchor string }

// TestChineseQueriesOverTheSeeds asks more than a hundred Chinese questions,
// each in both scripts, over the texts of the seeds, which are not part of the
// repository.
func TestChineseQueriesOverTheSeeds(t *testing.T) {
	paragraphs := seedParagraphs(t)
	recall := recallOver(t, paragraphs)
	queries := seedQueries(t)
	if len(queries) < 100 {
		t.Fatalf("only %d queries", len(queries))
	}
	for _, script := range []struct {
		name string
		pick func(seedQuery) string
		wish float64
	}{
		{"same script", func(q seedQuery) string { return q.Query }, 0.95},
		{"other script", func(q seedQuery) string { return q.Cross }, 0.95},
	} {
		hits := 0
		for _, q := range queries {
			if answered(t, recall, script.pick(q), q.Anchor) {
				hits++
			} else {
				t.Logf("%s: %q misses %q", script.name, script.pick(q), q.Anchor)
			}
		}
		share := float64(hits) / float64(len(queries))
		t.Logf("%s: hit@5 %.3f of %d", script.name, share, len(queries))
		if share < script.wish {
			t.Errorf("%s: hit@5 is %.3f, want at least %.2f", script.name, share, script.wish)
		}
	}
}

func answered(t *testing.T, recall *tools.Recall, question, anchor string) bool {
	t.Helper()
	result, err := recall.Run(t.Context(), tools.RecallArgs{Query: question, Limit: 5})
	if err != nil {
		t.Fatal(err)
	}
	if result.Abstained {
		t.Logf("abstained with %.2f", result.Confidence)
	}
	for _, h := range result.Memories {
		if strings.Contains(analysis.Fold(h.Content), analysis.Fold(anchor)) {
			return true
		}
	}
	return false
}

func seedQueries(t *testing.T) []seedQuery {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "testdata", "retrieval", "seeds", "queries.jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	var queries []seedQuery
	for lines := bufio.NewScanner(bytes.NewReader(raw)); lines.Scan(); {
		var q seedQuery
		if err := json.Unmarshal(lines.Bytes(), &q); err != nil {
			t.Fatal(err)
		}
		queries = append(queries, q)
	}
	return queries
}

// shared returns a folder of the shared material, or skips the test.
func shared(t *testing.T, name string) string {
	t.Helper()
	root := os.Getenv("AGENT_MEMORY_SHARED")
	if root == "" {
		root = filepath.Join("..", "..", "shared")
	}
	folder := filepath.Join(root, name)
	if _, err := os.Stat(folder); err != nil {
		t.Skipf("needs the shared folder %s (set AGENT_MEMORY_SHARED)", name)
	}
	return folder
}

// seedParagraphs cuts the seeds at headings, as passages of files are.
func seedParagraphs(t *testing.T) []string {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(shared(t, "seeds"), "*.txt"))
	if err != nil || len(files) == 0 {
		t.Fatalf("no seeds: %v", err)
	}
	var paragraphs []string
	for _, f := range files {
		raw, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		paragraphs = append(paragraphs, sections(strings.ReplaceAll(string(raw), "\r\n", "\n"))...)
	}
	return paragraphs
}

// passageBytes is about 400 tokens.
const passageBytes = 1_600

// sections cuts a text before each heading, and long sections where a line is blank.
func sections(s string) []string {
	var parts []string
	current := ""
	for line := range strings.Lines(s) {
		full := len(current) > passageBytes && strings.TrimSpace(line) == ""
		if (strings.HasPrefix(line, "#") || full) && strings.TrimSpace(current) != "" {
			parts = append(parts, strings.TrimSpace(current))
			current = ""
		}
		current += line
	}
	return append(parts, strings.TrimSpace(current))
}

// recallOver returns recall over a fresh store of these contents.
func recallOver(t *testing.T, contents []string) *tools.Recall {
	t.Helper()
	s, clock := storetest.Open(t)
	var changes []memory.Change
	for i, content := range contents {
		m := memory.Memory{Namespace: memory.DefaultNamespace, Type: memory.Knowledge, Form: memory.Passage, Status: memory.Active, Trust: memory.TrustUser,
			Content: content, URI: fmt.Sprintf("knowledge://passages/p%d", i), Confidence: 1, ContentHash: memory.Hash(content)}
		changes = append(changes, memory.Change{Op: memory.OpAdd, Memory: m, Reason: "test"})
	}
	applied, err := s.Apply(t.Context(), changes)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range applied {
		if a.Conflict != memory.NoConflict {
			t.Fatalf("conflict: %s", a.Conflict)
		}
	}
	profile, err := lifecycle.ProfileByName("")
	if err != nil {
		t.Fatal(err)
	}
	return &tools.Recall{Store: s, Accesses: nobody{}, Profile: profile, Parameters: rank.Defaults(), Now: clock.Now, Namespace: memory.DefaultNamespace}
}
