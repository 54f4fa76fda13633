package tools_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"agentmemory/internal/memory"
)

// BenchmarkRemember measures one remember on a store of ten thousand memories,
// full durability included, without the files.
func BenchmarkRemember(b *testing.B) {
	k := newKit(b)
	for from := 0; from < 10_000; from += 500 {
		var changes []memory.Change
		for i := from; i < from+500; i++ {
			changes = append(changes, memory.Change{Op: memory.OpAdd, Import: true, Memory: memory.Memory{
				Namespace: memory.DefaultNamespace, Type: memory.Knowledge, Form: memory.Note, Status: memory.Active, Trust: memory.TrustAgent,
				URI: memory.JournalURI(memory.Knowledge, k.clock.Now()), Home: memory.Place{File: "memory/2026-02-21.md"},
				Content: fmt.Sprintf("第%d号机器 runs service %d since the gateway moved, ticket OPS-%d, 数据库 %d", i, i%97, i, i%13),
			}})
		}
		if _, err := k.store.Apply(b.Context(), changes); err != nil {
			b.Fatal(err)
		}
	}
	i := 0
	for b.Loop() {
		i++
		args := fmt.Sprintf(`{"content":"measured %d: the gateway was delayed by 数据库 in rack %d (Lisbon office, ticket OPS-%d) — 支付服务 needs a retry budget"}`, i, i*31, 50_000+i)
		if _, err := k.tools["remember"].Call(b.Context(), json.RawMessage(args)); err != nil {
			b.Fatal(err)
		}
	}
}
