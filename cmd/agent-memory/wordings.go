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
	"path/filepath"
	"slices"
	"time"

	"agentmemory/internal/lease"
	"agentmemory/internal/memory"
	"agentmemory/tools"

	"github.com/gofrs/flock"
)

// wordingsPath is the file of what a language model made of lines of summaries.
// Deleting it only has the model asked again.
const wordingsPath = "memory/state/wordings.json"

// wordingsLock is held while the file is changed: read, changed and written.
const wordingsLock = "memory/.locks/wordings.lock"

// wordingsPatience is how long another process may change it.
const wordingsPatience = 5 * time.Second

// wordings is that file: for each namespace, the oldest wording first.
type wordings struct{ root *os.Root }

func (e *engine) wordings() wordings { return wordings{e.root} }

// change reads, changes and writes the file, alone among all processes.
func (w wordings) change(ctx context.Context, f func(all map[string][]tools.Wording)) error {
	if err := w.root.MkdirAll(path.Dir(wordingsLock), 0o700); err != nil {
		return memory.Errorf(codeOfFile(err), "making %s: %w", path.Dir(wordingsLock), err)
	}
	lock := flock.New(filepath.Join(w.root.Name(), filepath.FromSlash(wordingsLock)), flock.SetPermissions(0o600))
	defer func() { _ = lock.Close() }()
	waiting, cancel := context.WithTimeout(ctx, wordingsPatience)
	defer cancel()
	if held, err := lock.TryLockContext(waiting, 10*time.Millisecond); err != nil || !held {
		return memory.Errorf(memory.Conflicting, "another process is changing %s", wordingsPath).WithHint("try again")
	}
	if err := lease.Inherit(w.root, wordingsPath); err != nil {
		return memory.Errorf(codeOfFile(err), "%w", err)
	}
	all, err := w.read()
	if err != nil {
		return err
	}
	f(all)
	return w.write(ctx, all)
}

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
func (w wordings) write(ctx context.Context, all map[string][]tools.Wording) error {
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
	if err := lease.Replace(ctx, w.root, wordingsPath, text.Bytes()); err != nil {
		return memory.Errorf(codeOfFile(err), "%w", err)
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

// forget removes the wordings of memories, also from what a killed process had
// begun to write.
func (w wordings) forget(memories []memory.Memory) error {
	if err := lease.Inherit(w.root, wordingsPath); err != nil {
		return memory.Errorf(codeOfFile(err), "%w", err)
	}
	if all, err := w.read(); err != nil || len(all) == 0 {
		return err
	}
	gone := map[string]bool{}
	for _, m := range memories {
		gone[m.ID] = true
	}
	return w.change(context.Background(), func(all map[string][]tools.Wording) {
		for namespace, list := range all {
			all[namespace] = slices.DeleteFunc(list, func(k tools.Wording) bool { return gone[k.MemoryID] })
		}
	})
}

// wordingsOf are the wordings of one namespace, for one run.
type wordingsOf struct {
	wordings
	namespace string
	seen      map[string]bool // by source: what was there when the run read them
}

// Read implements tools.Wordings.
func (w *wordingsOf) Read(context.Context) ([]tools.Wording, error) {
	all, err := w.read()
	w.seen = map[string]bool{}
	for _, k := range all[w.namespace] {
		w.seen[k.Source] = true
	}
	return all[w.namespace], err
}

// Write implements tools.Wordings. What another process has added since they
// were read stays, and what it has removed, such as purged words, does not return.
func (w *wordingsOf) Write(ctx context.Context, kept []tools.Wording) error {
	return w.change(ctx, func(all map[string][]tools.Wording) {
		now := map[string]bool{}
		for _, k := range all[w.namespace] {
			now[k.Source] = true
		}
		mine := map[string]bool{}
		kept = slices.DeleteFunc(slices.Clone(kept), func(k tools.Wording) bool {
			mine[k.Source] = true
			return w.seen[k.Source] && !now[k.Source]
		})
		for _, k := range all[w.namespace] {
			if !w.seen[k.Source] && !mine[k.Source] {
				kept = append(kept, k)
			}
		}
		if len(kept) > 0 || len(all[w.namespace]) > 0 {
			all[w.namespace] = kept
		}
		w.seen = map[string]bool{} // of the next part of the run
		for _, k := range kept {
			w.seen[k.Source] = true
		}
	})
}
