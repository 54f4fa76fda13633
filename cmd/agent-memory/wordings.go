package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"

	"agentmemory/internal/memory"
	"agentmemory/tools"
)

// wordingsPath is the file of what a language model made of lines of summaries.
// Deleting it only has the model asked again.
const wordingsPath = "memory/state/wordings.json"

// wordings is that file: for each namespace, the oldest wording first.
type wordings struct{ root *os.Root }

func (e *engine) wordings() wordings { return wordings{e.root} }

func (w wordings) read() (map[string][]tools.Wording, error) {
	all := map[string][]tools.Wording{}
	raw, err := w.root.ReadFile(wordingsPath)
	if errors.Is(err, fs.ErrNotExist) {
		return all, nil
	}
	if err != nil {
		return nil, memory.Errorf(codeOfFile(err), "reading %s: %w", wordingsPath, err)
	}
	if json.Unmarshal(raw, &all) != nil || all == nil { // somebody's edit: they are asked for again
		all = map[string][]tools.Wording{}
	}
	return all, nil
}

// write replaces the file, whole or not at all, if that changes it.
func (w wordings) write(all map[string][]tools.Wording) error {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", " ")
	if err := encoder.Encode(all); err != nil {
		return fmt.Errorf("writing wordings: %w", err)
	}
	old, err := w.root.ReadFile(wordingsPath)
	if err == nil && bytes.Equal(old, text.Bytes()) || errors.Is(err, fs.ErrNotExist) && len(all) == 0 {
		return nil
	}
	if err := w.root.MkdirAll(path.Dir(wordingsPath), 0o700); err != nil {
		return memory.Errorf(codeOfFile(err), "making %s: %w", path.Dir(wordingsPath), err)
	}
	temporary := fmt.Sprintf("%s.%d.tmp", wordingsPath, os.Getpid())
	if err := w.root.WriteFile(temporary, text.Bytes(), 0o600); err != nil {
		return memory.Errorf(codeOfFile(err), "writing %s: %w", wordingsPath, err)
	}
	if err := w.root.Rename(temporary, wordingsPath); err != nil {
		return memory.Errorf(codeOfFile(err), "replacing %s: %w", wordingsPath, err)
	}
	return nil
}

// show adds to memories, which are to be purged, in which other words
// summaries show them, so that those lines are found.
func (w wordings) show(memories []memory.Memory) ([]memory.Memory, error) {
	all, err := w.read()
	if err != nil {
		return nil, err
	}
	texts := map[string][]memory.Field{}
	for _, list := range all {
		for _, k := range list {
			if k.Text != "" {
				texts[k.MemoryID] = append(texts[k.MemoryID], memory.Field{Name: "wording", Value: k.Text})
			}
		}
	}
	shown := append([]memory.Memory(nil), memories...)
	for i := range shown {
		shown[i].Fields = append(append([]memory.Field(nil), shown[i].Fields...), texts[shown[i].ID]...)
	}
	return shown, nil
}

// forget removes the wordings of memories.
func (w wordings) forget(memories []memory.Memory) error {
	all, err := w.read()
	if err != nil || len(all) == 0 {
		return err
	}
	gone := map[string]bool{}
	for _, m := range memories {
		gone[m.ID] = true
	}
	for namespace, list := range all {
		kept := []tools.Wording{}
		for _, k := range list {
			if !gone[k.MemoryID] {
				kept = append(kept, k)
			}
		}
		all[namespace] = kept
	}
	return w.write(all)
}

// wordingsOf are the wordings of one namespace.
type wordingsOf struct {
	wordings
	namespace string
}

// Read implements tools.Wordings.
func (w wordingsOf) Read(context.Context) ([]tools.Wording, error) {
	all, err := w.read()
	return all[w.namespace], err
}

// Write implements tools.Wordings.
func (w wordingsOf) Write(_ context.Context, kept []tools.Wording) error {
	all, err := w.read()
	if err != nil {
		return err
	}
	if len(kept) > 0 || len(all[w.namespace]) > 0 {
		all[w.namespace] = kept
	}
	return w.write(all)
}
