package lifecycle

import (
	"encoding/json"
	"strings"
	"testing"

	"agentmemory/internal/memory"
)

// Hosts may load any file of a workspace: what strangers said is counted there,
// never quoted.
func TestReportsForPeopleDoNotQuoteStrangers(t *testing.T) {
	used := func(m *memory.Memory) { m.AccessCount = 3 }
	ignored := func(m *memory.Memory) { m.RetrievalCount = ignoredReturns }
	all := []memory.Memory{
		stored("a", "qxzmark used", used, trusted(memory.TrustExternal)),
		stored("b", "qxzmark ignored", ignored, trusted(memory.TrustExternal)),
		stored("c", "qxzmark replaced", trusted(memory.TrustExternal), in(memory.Superseded)),
		stored("d", "the office is in Porto", func(m *memory.Memory) { m.Supersedes = "c" }),
		stored("e", "the office opens at nine", used),
	}
	audit := Audit(all)
	raw, err := json.Marshal([]any{audit, PainPoints(all, nil, today())})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(raw), "qxzmark") {
		t.Errorf("a stranger is quoted: %s", raw)
	}
	if audit.Used != 6 || len(audit.MostUsed) != 1 {
		t.Errorf("counted %d uses, listed %d memories; want 6 and 1", audit.Used, len(audit.MostUsed))
	}
}
