package mirror

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
)

const (
	compactEvery  = 1000 // records after which compaction is considered
	compactBytes  = 1 << 20
	compactFactor = 4 // how many lines an id may have on average
	compactGrowth = 4 // a part of its size by which the file grows before it is considered again
)

// tidyRecords considers compaction for processes that are too short-lived to
// count what they append. One that lives on looks again when the file has grown
// by a quarter: reading all of it costs more than anything else in a quiet sync.
func (m *Mirror) tidyRecords() error {
	info, err := m.Root.Lstat(recordsFile)
	if err != nil || info.Size() < max(compactBytes, m.considered+m.considered/compactGrowth) {
		return ignoreMissing(err)
	}
	m.considered = info.Size()
	return compactRecords(m.Root)
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
