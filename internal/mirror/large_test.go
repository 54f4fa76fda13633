package mirror_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// What we alone keep has no bound: the records of a large store, and what was
// archived on one day, are longer than any file that a person writes.
func TestRecordsAndArchiveOfAnySizeCanBePurgedFrom(t *testing.T) {
	t.Parallel()
	const canary = "zebra-canary-7741"
	b := newBench(t)
	m := b.remember("the best animal is " + canary)
	b.drain()
	var records strings.Builder
	for i := 0; records.Len() <= markdown.MaxFile; i++ {
		fmt.Fprintf(&records, `{"id":"id-%d","op":"add","at":"2026-02-21T22:00:00Z","memory":{"type":"event","form":"note","status":"active","source":"%0200d"}}`+"\n", i, i)
	}
	b.save(".agent-memory/records.jsonl", b.read(".agent-memory/records.jsonl")+records.String())
	lines := make([]memory.Memory, 1_100)
	for i := range lines {
		lines[i] = memory.Memory{ID: fmt.Sprintf("archived-%d", i), Content: strings.Repeat(fmt.Sprintf("%08d ", i), 1_800)}
	}
	lines[len(lines)-1] = m
	if err := b.Archive().Append(context.Background(), "test", lines); err != nil {
		t.Fatal(err)
	}
	found, err := b.Archive().Find(context.Background(), func(a memory.Memory) bool { return a.ID == m.ID })
	if err != nil || len(found) != 1 {
		t.Errorf("%d found in the archive, %v", len(found), err)
	}
	b.apply(memory.Change{Op: memory.OpPurge, Memory: m})
	if pending, err := b.Purge(context.Background(), []memory.Memory{m}); err != nil || pending {
		t.Fatalf("pending %v, %v", pending, err)
	}
	for name, text := range b.files(".agent-memory") {
		if !strings.Contains(name, "store.db") && strings.Contains(text, canary) {
			t.Errorf("%s still holds the purged text", name)
		}
	}
	if found, err = b.Archive().Find(context.Background(), func(memory.Memory) bool { return true }); err != nil || len(found) != len(lines)-1 {
		t.Errorf("%d are left in the archive, %v", len(found), err)
	}
}
