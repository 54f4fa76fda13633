package mirror

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"agentmemory/internal/memory"
)

func openRoot(t testing.TB) *os.Root {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return root
}

func appendAll(t testing.TB, root *os.Root, records ...record) {
	t.Helper()
	if err := appendRecords(root, records); err != nil {
		t.Fatal(err)
	}
}

// folded returns the valid record of every id.
func folded(root *os.Root) (map[string]record, error) {
	x, err := indexRecords(root)
	if err != nil {
		return nil, err
	}
	found := map[string]record{}
	for id := range x.lines {
		r, known, err := x.of(id)
		if err != nil {
			return nil, err
		}
		if known {
			found[id] = r
		}
	}
	return found, x.close()
}

func TestLastRecordOfAnIDIsValid(t *testing.T) {
	root := openRoot(t)
	appendAll(t, root, record{ID: "a", Memory: &attributes{Status: memory.Active}}, record{ID: "b", Memory: &attributes{}})
	appendAll(t, root, record{ID: "a", Memory: &attributes{Status: memory.Archived}}, record{ID: "b", Op: memory.OpRemove})
	records, err := folded(root)
	if err != nil {
		t.Fatal(err)
	}
	if records["a"].Memory.Status != memory.Archived || !records["b"].gone() {
		t.Errorf("folded %+v", records)
	}
}

// A crash tears the last line; what is appended later must survive it.
func TestTornLineIsPassedOver(t *testing.T) {
	root := openRoot(t)
	appendAll(t, root, record{ID: "whole", Memory: &attributes{}}, record{ID: "torn", Memory: &attributes{}})
	text, err := root.ReadFile(recordsFile)
	if err != nil {
		t.Fatal(err)
	}
	for cut := 1; cut < 20; cut++ {
		if err := root.WriteFile(recordsFile, text[:len(text)-cut], fileMode); err != nil {
			t.Fatal(err)
		}
		appendAll(t, root, record{ID: "next", Memory: &attributes{}})
		records, err := folded(root)
		if err != nil {
			t.Fatal(err)
		}
		if _, ok := records["whole"]; !ok {
			t.Fatalf("cut %d: the whole line is lost", cut)
		}
		if _, ok := records["next"]; !ok {
			t.Fatalf("cut %d: the next line is lost", cut)
		}
	}
}

// A line that begins as a whole one does, but is none, does not hide the one before.
func TestTornLineDoesNotHideTheOneBefore(t *testing.T) {
	root := openRoot(t)
	appendAll(t, root, record{ID: "a", Memory: &attributes{Accesses: 7}})
	for _, line := range []string{`{"id":"a","op":"add","memory":{"status":`, `{"memory":{"access_count":8},"id":"b"}`, strings.Repeat("x", 1<<18), `{"id":"c"}`} {
		if err := appendLine(root, line); err != nil {
			t.Fatal(err)
		}
	}
	records, err := folded(root)
	if err != nil || len(records) != 3 || records["a"].Memory.Accesses != 7 || records["b"].Memory.Accesses != 8 || !records["c"].gone() {
		t.Errorf("%+v, %v", records, err)
	}
}

func appendLine(root *os.Root, line string) error {
	f, err := root.OpenFile(recordsFile, os.O_APPEND|os.O_WRONLY, fileMode)
	if err != nil {
		return err
	}
	_, err = f.WriteString(line + "\n")
	return errors.Join(err, f.Close())
}

func TestRecordsHoldNoContent(t *testing.T) {
	m := memory.Memory{ID: "a", Content: "secret-content", Form: memory.Decision, Title: "secret-title", Fields: []memory.Field{{Name: "why", Value: "secret-value"}}}
	text, err := encodeRecords([]record{recordOf(memory.Pending{MemoryID: "a", Memory: m})})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(string(text), "secret") {
		t.Errorf("records.jsonl would hold content: %s", text)
	}
}

func TestCompactionKeepsWhatIsValid(t *testing.T) {
	root := openRoot(t)
	for i := range 100 {
		appendAll(t, root, record{ID: fmt.Sprint("m", i%5), At: time.Unix(int64(i), 0).UTC(), Memory: &attributes{Accesses: i}})
	}
	appendAll(t, root, record{ID: "gone", Op: memory.OpPurge, Tombstone: "ab"})
	before, err := folded(root)
	if err != nil {
		t.Fatal(err)
	}
	if err := compactRecords(root); err != nil {
		t.Fatal(err)
	}
	after, err := folded(root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(before, after, cmp.AllowUnexported(record{})); diff != "" {
		t.Error(diff)
	}
	text, err := root.ReadFile(recordsFile)
	if err != nil {
		t.Fatal(err)
	}
	if n := strings.Count(string(text), "\n"); n != 6 {
		t.Errorf("%d lines after compaction, want 6", n)
	}
}

func FuzzDecodeRecords(f *testing.F) {
	f.Add(`{"id":"a","op":"add"}` + "\n" + `{"id":`)
	f.Add("\x00\xff\n\n{}\n")
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := decodeRecords(strings.NewReader(text), func(r record) {
			if !memory.ValidID(r.ID) {
				t.Errorf("record with the id %q", r.ID)
			}
		}); err != nil {
			t.Error(err)
		}
	})
}

func TestJudge(t *testing.T) {
	now := time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC)
	ours := func(n int, age time.Duration) []lost {
		list := make([]lost, n)
		for i := range list {
			list[i] = lost{ID: fmt.Sprint(i), Ours: true, Written: now.Add(-age)}
		}
		return list
	}
	unseen := func(list []lost) []lost {
		for i := range list {
			list[i].Unseen = true
		}
		return list
	}
	twice := func(list []lost) []lost {
		for i := range list {
			list[i].Restored = true
		}
		return list
	}
	theirs := []lost{{ID: "typed", Written: now, Unseen: true}}
	again := []lost{{ID: "again", Ours: true, Written: now, Unseen: true, Restored: true}}
	for name, c := range map[string]struct {
		absence
		want verdict
	}{
		"young lines of ours, stale save":       {absence{Entries: 10, Lost: unseen(ours(2, time.Minute))}, restored},
		"young lines of ours, not a stale save": {absence{Entries: 10, Lost: ours(2, time.Minute)}, deleted},
		"old lines of ours, stale save":         {absence{Entries: 10, Lost: unseen(ours(2, 15*time.Minute))}, deleted},
		"a person's line, stale save":           {absence{Entries: 10, Lost: theirs}, deleted},
		"restored before":                       {absence{Entries: 10, Lost: again}, deleted},
		"many young lines, stale save":          {absence{Entries: 20, Lost: unseen(ours(12, time.Minute))}, restored},
		"many young lines, stale save, again":   {absence{Entries: 20, Lost: twice(unseen(ours(12, time.Minute)))}, missing},
		"two young lines, stale save, again":    {absence{Entries: 20, Lost: twice(unseen(ours(2, time.Minute)))}, deleted},
		"five of ten":                           {absence{Entries: 10, Lost: ours(5, time.Hour)}, deleted},
		"six of ten":                            {absence{Entries: 10, Lost: ours(6, time.Hour)}, missing},
		"a fifth of a hundred":                  {absence{Entries: 100, Lost: ours(20, time.Hour)}, deleted},
		"more than a fifth of a hundred":        {absence{Entries: 100, Lost: ours(21, time.Hour)}, missing},
		"the file is gone":                      {absence{FileGone: true, Entries: 1, Lost: ours(1, time.Hour)}, missing},
		"the file is gone, lines young":         {absence{FileGone: true, Entries: 1, Lost: unseen(ours(1, time.Minute))}, missing},
		"the file is gone, accepted":            {absence{FileGone: true, Entries: 1, Lost: ours(1, time.Hour), Accept: true}, deleted},
		"stale save, accepted":                  {absence{Entries: 10, Lost: unseen(ours(2, time.Minute)), Accept: true}, deleted},
	} {
		for i, got := range c.judge(now) {
			if got != c.want {
				t.Errorf("%s: line %d: %d, want %d", name, i, got, c.want)
			}
		}
	}
	both := absence{Entries: 10, Lost: append(unseen(ours(1, time.Minute)), again...)}
	if diff := cmp.Diff([]verdict{restored, deleted}, both.judge(now)); diff != "" {
		t.Errorf("one line was restored before, one was not: %s", diff)
	}
	mixed := absence{Entries: 10, Lost: append(unseen(ours(1, time.Minute)), ours(1, time.Minute)...)}
	if diff := cmp.Diff([]verdict{restored, deleted}, mixed.judge(now)); diff != "" {
		t.Errorf("a stale save deleted one line and lacks another: %s", diff)
	}
}

func TestMatch(t *testing.T) {
	three := []known{{ID: "a", Text: "buy milk"}, {ID: "b", Text: "the server listens on port 8080"}, {ID: "c", Text: "call mum"}}
	for name, c := range map[string]struct {
		found []found
		want  []int
	}{
		"ids, in another order":          {[]found{{"c", true, "x"}, {"a", true, "y"}}, []int{2, 0}},
		"exact text without ids":         {[]found{{"?", false, "call mum"}, {"?", false, "buy milk"}}, []int{2, 0}},
		"changed between its neighbours": {[]found{{"a", true, "buy milk"}, {"?", false, "the server listens on port 9090"}, {"c", true, "call mum"}}, []int{0, 1, 2}},
		"another text at its place":      {[]found{{"a", true, "buy milk"}, {"?", false, "wash the car on Sunday"}, {"c", true, "call mum"}}, []int{0, -1, 2}},
		"similar at another place":       {[]found{{"b", true, "q"}, {"?", false, "buy milk now"}}, []int{1, -1}},
		"a foreign id is never guessed":  {[]found{{"z", true, "buy milk"}}, []int{-1}},
	} {
		if diff := cmp.Diff(c.want, match(three, c.found)); diff != "" {
			t.Errorf("%s: %s", name, diff)
		}
	}
}

// No memory is ever paired twice, and ids always win.
func TestMatchProperties(t *testing.T) {
	rapid.Check(t, func(r *rapid.T) {
		word := rapid.SampledFrom([]string{"milk", "mill", "bread", "面包", "面条"})
		ids := rapid.SliceOfNDistinct(rapid.StringMatching("[a-f]"), 0, 6, rapid.ID).Draw(r, "ids")
		var memories []known
		for _, id := range ids {
			memories = append(memories, known{ID: id, Text: word.Draw(r, "text")})
		}
		var entries []found
		for range rapid.IntRange(0, 8).Draw(r, "entries") {
			entries = append(entries, found{rapid.StringMatching("[a-f]").Draw(r, "id"), rapid.Bool().Draw(r, "annotated"), word.Draw(r, "text")})
		}
		taken := map[int]bool{}
		for i, k := range match(memories, entries) {
			if k < 0 {
				continue
			}
			if taken[k] {
				r.Fatalf("memory %d is paired twice", k)
			}
			taken[k] = true
			if entries[i].Annotated && memories[k].ID != entries[i].ID {
				r.Fatalf("entry %d has the id of another memory", i)
			}
		}
	})
}

func TestCrowdedRecords(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		lines, ids int
		want       bool
	}{
		"every line another memory": {100, 100, false},
		"four lines each":           {100, 25, false},
		"more than four lines each": {101, 25, true},
		"nothing":                   {0, 1, false},
	} {
		root := openRoot(t)
		for i := range c.lines {
			appendAll(t, root, record{ID: fmt.Sprint("m", i%c.ids), Memory: &attributes{Accesses: i}})
		}
		if got, err := crowdedRecords(root); err != nil || got != c.want {
			t.Errorf("%s: %t, %v", name, got, err)
		}
	}
}
