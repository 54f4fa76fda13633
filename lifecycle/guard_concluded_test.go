package lifecycle

import (
	"testing"

	"agentmemory/internal/memory"
)

// What is said anew of a decision by its address is what was concluded; what the
// caller gave or left open beside it stays.
func TestADecisionSaidAnewHasItsNewConclusion(t *testing.T) {
	old := stored("a", "Backups are encrypted with age", at("decision://20260311-backup"), formed(memory.Decision))
	old.Title = "Backups"
	old.Fields = []memory.Field{{Name: "why", Value: "couriers"}, {Name: "conclusion", Value: "encrypt with age"}}
	for _, c := range []struct {
		name, content string
		given         []memory.Field
		want          string // the conclusion
	}{
		{"said anew", "Backups are encrypted with age and signed", nil, "Backups are encrypted with age and signed"},
		{"with fields of its own", "Backups are signed", []memory.Field{{Name: "conclusion", Value: "sign"}}, "sign"},
		{"the same words", old.Content, []memory.Field{{Name: "conclusion", Value: "sign"}, {Name: "why", Value: "x"}}, "sign"},
	} {
		in := old
		in.ID, in.Content, in.ContentHash, in.Fields = "", c.content, memory.Hash(c.content), c.given
		v := Guard(Arrival{Memory: in, Now: today()}, []Similar{{Memory: old}}, openclawGuard(t))
		if v.Action != Updated || len(v.Changes) != 1 || v.Changes[0].Memory.Field("conclusion") != c.want {
			t.Errorf("%s: %+v", c.name, v)
		}
		if c.given == nil && v.Changes[0].Memory.Field("why") != "couriers" {
			t.Errorf("%s: the reason went: %+v", c.name, v.Changes[0].Memory.Fields)
		}
	}
}
