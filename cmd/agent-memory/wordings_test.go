package main

import (
	"fmt"
	"os"
	"sync"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// Two runs at once keep each other's wordings, and what was purged meanwhile
// does not return with the run that had read it before.
func TestWordingsAreSharedBetweenProcesses(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	run := func() *wordingsOf {
		w := &wordingsOf{wordings: wordings{root}, namespace: "main"}
		if _, err := w.Read(t.Context()); err != nil {
			t.Fatal(err)
		}
		return w
	}
	word := func(id string) tools.Wording {
		return tools.Wording{MemoryID: id, Source: "source of " + id, Text: "words of " + id}
	}
	if err := run().Write(t.Context(), []tools.Wording{word("kept"), word("purged")}); err != nil {
		t.Fatal(err)
	}
	slow := run()
	var group sync.WaitGroup
	for i := range 8 {
		group.Go(func() {
			w := run()
			before, _ := w.read()
			if err := w.Write(t.Context(), append(before["main"], word(fmt.Sprint("new ", i)))); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	if err := slow.forget([]memory.Memory{{ID: "purged"}}); err != nil {
		t.Fatal(err)
	}
	if err := slow.Write(t.Context(), []tools.Wording{word("kept"), word("purged"), word("mine")}); err != nil {
		t.Fatal(err)
	}
	all, err := slow.read()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]bool{}
	for _, k := range all["main"] {
		got[k.MemoryID] = true
	}
	if len(got) != 10 || !got["kept"] || !got["mine"] || got["purged"] {
		t.Errorf("%d: %v", len(got), got)
	}
}

// What a process had begun to write when it was killed may hold words that are purged now.
func TestAPurgeTakesAwayWordingsThatWereBegun(t *testing.T) {
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	if err := root.MkdirAll("memory/state", 0o700); err != nil {
		t.Fatal(err)
	}
	if err := root.WriteFile("memory/state/wordings.json.4711.tmp", []byte(`{"main":[{"memory":"purged","text":"words of it"}]}`), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := (wordings{root}).forget([]memory.Memory{{ID: "purged"}}); err != nil {
		t.Fatal(err)
	}
	if left, _ := os.ReadDir(root.Name() + "/memory/state"); len(left) > 0 {
		t.Errorf("%v is left", left)
	}
}
