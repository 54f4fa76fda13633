package main

import (
	"bufio"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
)

// longestRecord bounds a line of records.jsonl that doctor reads; a record
// holds no content and is far shorter.
const longestRecord = 1 << 20

// examineRecords reads records.jsonl line by line. A line that cannot be read
// is passed over by a rebuild, which then lacks what it said.
func (a *app) examineRecords(c *config, r *doctorReport) {
	path := filepath.Join(c.Workspace, stateFolder, "records.jsonl")
	f, err := os.OpenInRoot(c.Workspace, filepath.Join(stateFolder, "records.jsonl"))
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		r.add("records", levelProblem, "", "records.jsonl cannot be read: %v", err)
		return
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, longestRecord)
	number, bad := 0, 0
	for lines.Scan() {
		if number++; len(lines.Bytes()) > 0 && !json.Valid(lines.Bytes()) {
			if bad++; bad <= 3 {
				r.add("records", levelProblem, "delete the line; what it said of its memory is taken from the file and the database instead",
					"line %d of %s is damaged", number, path)
			}
		}
	}
	switch {
	case lines.Err() != nil:
		r.add("records", levelProblem, "", "records.jsonl cannot be read to its end: %v", lines.Err())
	case bad == 0:
		r.add("records", levelOK, "", "%d records, all readable", number)
	}
}
