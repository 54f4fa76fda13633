package tools

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"iter"
	"time"

	"agentmemory/internal/memory"
)

// Index is a source of memories written as one JSON document with a list named
// memories, as memory/index.json of seed 002 is. Its embeddings are not read:
// vectors of another model mean nothing here.
type Index struct {
	Open func() (io.ReadCloser, error) // called once for each reading
	Zone *time.Location                // of times that name none
	// Archived is for Lines.
	Archived bool
}

// IsIndex reports whether a file that begins with head is an Index rather than lines.
func IsIndex(head []byte) bool {
	decoder := json.NewDecoder(bytes.NewReader(head))
	if first, err := decoder.Token(); err != nil || first != json.Delim('{') {
		return false
	}
	name, err := decoder.Token()
	if err != nil {
		return false
	}
	if name == "memories" {
		next, err := decoder.Token()
		return err == nil && next == json.Delim('[')
	}
	return name == "last_sync"
}

// Count returns the length of the list.
func (x Index) Count(context.Context) (int, error) {
	list, err := x.read()
	return len(list), err
}

// Records yields the memories in the order of the list.
func (x Index) Records(context.Context) iter.Seq2[memory.Imported, error] {
	return func(yield func(memory.Imported, error) bool) {
		list, err := x.read()
		if err != nil {
			yield(memory.Imported{}, err)
			return
		}
		for i, r := range list {
			imported, err := r.imported(x.Zone)
			imported.Origin = fmt.Sprintf("memory %d of the list", i+1)
			if err != nil {
				err = fmt.Errorf("%s: %w", imported.Origin, err)
			}
			if !yield(imported, err) || err != nil {
				return
			}
		}
	}
}

func (x Index) read() ([]Record, error) {
	in, err := x.Open()
	if err != nil {
		return nil, fmt.Errorf("opening the index: %w", err)
	}
	defer in.Close()
	var document struct {
		Memories []Record `json:"memories"`
	}
	if err := json.NewDecoder(in).Decode(&document); err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "the index is not valid JSON: %w", err)
	}
	return document.Memories, nil
}
