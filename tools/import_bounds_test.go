package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// What an import brings is as bounded as what remember takes: a text that is too
// long refuses its line, with what remember says of it; what only describes a
// memory is shortened, and the import says so.
func TestImportBoundsWhatALineHolds(t *testing.T) {
	long := strings.Repeat("长", 40_000)
	many := func(n int, one func(int) string) string {
		list := make([]string, n)
		for i := range list {
			list[i] = one(i)
		}
		return strings.Join(list, ",")
	}
	for name, tt := range map[string]struct {
		line  string
		added int
		says  string
	}{
		"content":             {`{"content":"` + long + `"}`, 0, "has 120000 bytes, more than 16384"},
		"a field":             {`{"content":"kept","form":"state","fields":[{"name":"notes","value":"` + long + `"}]}`, 0, `field "notes" has 120000 bytes, more than 16384`},
		"an actor":            {`{"content":"kept","actor":"` + long + `"}`, 1, "actor has 120000 bytes: 256 at most are kept"},
		"a domain":            {`{"content":"kept","domain":"` + long + `"}`, 1, "domain has 120000 bytes: 256 at most are kept"},
		"a title":             {`{"content":"kept","title":"` + long + `"}`, 1, "title has 120000 bytes: 256 at most are kept"},
		"a source":            {`{"content":"kept","source":"` + long + `"}`, 1, "source has 120000 bytes: 256 at most are kept"},
		"a path":              {`{"content":"kept","session_path":"` + long + `"}`, 1, "session_path has 120000 bytes: 4096 at most are kept"},
		"an older memory":     {`{"content":"kept","supersedes":"` + long + `"}`, 1, "supersedes has 120000 bytes: 256 at most are kept"},
		"the name of a field": {`{"content":"kept","fields":[{"name":"` + long + `","value":"v"}]}`, 1, "the name of a field has 120000 bytes: 256 at most are kept"},
		"links": {`{"content":"kept","links":[` + many(7_000, func(i int) string { return fmt.Sprintf(`{"target":"id-%d","relation":"related"}`, i) }) + `]}`, 1,
			"7000 links: the first 64 are kept"},
		"the target of a link": {`{"content":"kept","links":[{"target":"` + long + `","relation":"related"}]}`, 1, "the target of a link has 120000 bytes: 512 at most are kept"},
		"fields": {`{"content":"kept","fields":[` + many(7_000, func(i int) string { return fmt.Sprintf(`{"name":"n%d","value":"v"}`, i) }) + `]}`, 1,
			"7000 fields: the first 32 are kept"},
	} {
		t.Run(name, func(t *testing.T) {
			s := openImportStore(t)
			got := mustImport(t, s, tools.ImportArgs{Store: "old"}, `{"content":"a neighbour"}`+"\n"+tt.line+"\n")
			if got.Added != tt.added+1 || got.Failed != 1-tt.added {
				t.Errorf("%d added, %d failed: %q", got.Added, got.Failed, got.Warnings)
			}
			if warned := strings.Join(got.Warnings, "\n"); !strings.Contains(warned, "line 2: "+tt.says) || len(got.Warnings) != 1 {
				t.Errorf("it says %.300q", warned)
			}
			all, err := s.List(t.Context(), memory.Filter{})
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range all {
				if raw, err := json.Marshal(m); err != nil || len(raw) > 20_000 {
					t.Errorf("%d bytes are kept, %v", len(raw), err)
				}
			}
		})
	}
}
