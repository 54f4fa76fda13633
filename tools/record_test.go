package tools_test

import (
	"encoding/json"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

func TestEveryExportedLineHoldsWhatOtherProgramsRead(t *testing.T) {
	line, err := tools.RecordOf(memory.Memory{ID: "06h0", Content: "账本用 SQLite"}).MarshalLine()
	if err != nil {
		t.Fatal(err)
	}
	var fields map[string]any
	if err := json.Unmarshal(line, &fields); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"id", "uri", "content", "type", "status", "created_at", "observed_at", "source", "trust", "session_id"} {
		if _, ok := fields[name].(string); !ok {
			t.Errorf("%q is missing in %s", name, line)
		}
	}
}
