package mirror

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
)

const (
	compactBytes  = 1 << 20
	compactFactor = 4 // how many lines an id may have on average
	compactGrowth = 4 // a part of its size by which the file grows before it is considered again
)

// consideredNote keeps the size at which the records were last considered, so
// that not every process reads all of them.
const consideredNote = "records_considered"

// tidyRecords considers compaction when the file has grown by a quarter since it
// was last considered, by any process: what it costs to read all of it is shared
// by what was appended meanwhile.
func (m *Mirror) tidyRecords(ctx context.Context) error {
	info, err := m.Root.Lstat(recordsFile)
	if err != nil || info.Size() < max(compactBytes, m.considered+m.considered/compactGrowth) {
		return ignoreMissing(err)
	}
	noted, err := m.Store.Meta(ctx, consideredNote)
	if err != nil {
		return fmt.Errorf("reading when the records were considered: %w", err)
	}
	if n, err := strconv.ParseInt(string(noted), 10, 64); err == nil && n > m.considered && n <= info.Size() {
		m.considered = n
		return m.tidyRecords(ctx)
	}
	if err := m.considerRecords(info.Size()); err != nil {
		return err
	}
	if err := m.Store.SetMeta(ctx, consideredNote, strconv.AppendInt(nil, m.considered, 10)); err != nil {
		return fmt.Errorf("noting when the records were considered: %w", err)
	}
	return nil
}

// considerRecords compacts the records if they are crowded.
func (m *Mirror) considerRecords(size int64) error {
	m.considered = size
	crowded, err := crowdedRecords(m.Root)
	if err != nil || !crowded {
		return err
	}
	if err := compactRecords(m.Root); err != nil {
		return err
	}
	info, err := m.Root.Lstat(recordsFile)
	if err == nil {
		m.considered = info.Size()
	}
	return ignoreMissing(err)
}

// crowdedRecords reports whether records.jsonl seems several times as long as
// what is valid of it. It looks at the ids alone, as our lines begin with them:
// decoding all of every line costs twenty times as much.
func crowdedRecords(root *os.Root) (bool, error) {
	f, err := root.Open(recordsFile)
	if err != nil {
		return false, ignoreMissing(err)
	}
	defer f.Close()
	lines, ids := 0, map[string]struct{}{}
	_, err = eachLine(f, func(line []byte) bool {
		rest, ours := bytes.CutPrefix(line, []byte(`{"id":"`))
		id, _, whole := bytes.Cut(rest, []byte(`"`))
		if !ours || !whole {
			return false
		}
		lines++
		ids[string(id)] = struct{}{}
		return true
	})
	if err != nil {
		return false, fmt.Errorf("reading the records: %w", err)
	}
	return lines > compactFactor*len(ids), nil
}

// compactRecords rewrites records.jsonl with the valid line of each id once it
// has become several times as long as that. It replaces the file as a whole, so
// that a crash leaves one or the other. The caller holds the lock.
func compactRecords(root *os.Root) error {
	f, err := root.Open(recordsFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fmt.Errorf("opening the records: %w", err)
	}
	defer f.Close()
	var lines []record
	last := map[string]int{}
	_, err = decodeRecords(f, func(r record) {
		last[r.ID] = len(lines)
		lines = append(lines, r)
	})
	if err != nil {
		return fmt.Errorf("reading the records: %w", err)
	}
	if len(lines) <= compactFactor*len(last) {
		return nil
	}
	var valid []record
	for i, r := range lines {
		if last[r.ID] == i {
			valid = append(valid, r)
		}
	}
	text, err := encodeRecords(valid)
	if err != nil {
		return err
	}
	return replaceOwn(root, recordsFile, text)
}
