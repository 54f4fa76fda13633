package mirror

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"agentmemory/internal/memory"
)

// recordIndex finds the records of an id without decoding those of all others,
// which would take most of the time of a sync that meets a single new line.
type recordIndex struct {
	file  *os.File // nil: there are no records
	lines map[string][]span
}

// span is where a line stands in a file.
type span struct{ at, size int64 }

// indexRecords reads where the lines of every id are; a missing file is an
// empty one. The index is to be closed.
func indexRecords(root *os.Root) (*recordIndex, error) {
	x := &recordIndex{lines: map[string][]span{}}
	f, err := root.Open(recordsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return x, nil
	}
	if err != nil {
		return nil, fmt.Errorf("opening the records: %w", err)
	}
	_, err = eachSpan(f, func(at int64, line []byte) bool {
		id := idOf(line)
		if id == nil {
			return false
		}
		x.lines[string(id)] = append(x.lines[string(id)], span{at, int64(len(line))})
		return true
	})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("reading the records: %w", err), f.Close())
	}
	x.file = f
	return x, nil
}

// idOf returns the id of a line; nil if it has none. Lines of ours begin with it.
func idOf(line []byte) []byte {
	if rest, ours := bytes.CutPrefix(line, []byte(`{"id":"`)); ours {
		if id, _, whole := bytes.Cut(rest, []byte(`"`)); whole && memory.ValidID(string(id)) {
			return id
		}
	}
	var r struct {
		ID string `json:"id"`
	}
	if json.Unmarshal(line, &r) != nil || !memory.ValidID(r.ID) {
		return nil
	}
	return []byte(r.ID)
}

// of returns the valid record of an id: its last line that is whole.
func (x *recordIndex) of(id string) (r record, known bool, err error) {
	lines := x.lines[id]
	for i := len(lines) - 1; i >= 0; i-- {
		line := make([]byte, lines[i].size)
		if _, err := x.file.ReadAt(line, lines[i].at); err != nil {
			return record{}, false, fmt.Errorf("reading the record of %s: %w", id, err)
		}
		var r record
		if json.Unmarshal(line, &r) == nil && r.ID == id {
			return r, true, nil
		}
	}
	return record{}, false, nil
}

func (x *recordIndex) close() error {
	if x == nil || x.file == nil {
		return nil
	}
	return x.file.Close()
}
