package tools

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// evalQuery is one line of queries.jsonl. Gold are the memories that answer it.
type evalQuery struct {
	Store      string   `json:"store"`
	ID         Label    `json:"id"`
	Query      string   `json:"query"`
	GoldLabels []Label  `json:"gold"`
	Gold       []string `json:"-"` // as ids of the store under evaluation
	Kind       string   `json:"kind"`
	Answerable *bool    `json:"answerable"` // absent: it is if it has gold
}

func (q evalQuery) answerable() bool {
	if q.Answerable != nil {
		return *q.Answerable
	}
	return len(q.GoldLabels) > 0
}

// evalData is a set: its stores in order of appearance.
type evalData struct {
	names    []string
	memories map[string][]Record
	queries  map[string][]evalQuery
}

// evalStore is what goes into one store and is asked of it.
type evalStore struct {
	name     string
	records  []Record
	queries  []evalQuery
	sessions map[string]string // id of a memory to its session
}

func readEvalData(fsys fs.FS) (evalData, error) {
	d := evalData{memories: map[string][]Record{}, queries: map[string][]evalQuery{}}
	err := eachLine(fsys, "memories.jsonl", func(m Record) {
		if d.memories[m.Store] == nil {
			d.names = append(d.names, m.Store)
		}
		d.memories[m.Store] = append(d.memories[m.Store], m)
	})
	if err != nil {
		return d, err
	}
	err = eachLine(fsys, "queries.jsonl", func(q evalQuery) { d.queries[q.Store] = append(d.queries[q.Store], q) })
	return d, err
}

// eachLine decodes every line of a file.
func eachLine[T any](fsys fs.FS, name string, use func(T)) error {
	f, err := fsys.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return memory.Errorf(memory.NotFound, "the folder of an evaluation set lacks %s", name).
			WithHint("each folder holds memories.jsonl and queries.jsonl; agent-memory eval --help says what is in them")
	}
	if err != nil {
		return fmt.Errorf("opening %s: %w", name, err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, maxLine)
	for number := 1; lines.Scan(); number++ {
		if strings.TrimSpace(lines.Text()) == "" {
			continue
		}
		var v T
		if err := json.Unmarshal(lines.Bytes(), &v); err != nil {
			return memory.Errorf(memory.InvalidArgument, "%s, line %d: %w", name, number, JSONProblem(lines.Bytes(), err))
		}
		use(v)
	}
	if err := lines.Err(); err != nil {
		return fmt.Errorf("reading %s: %w", name, err)
	}
	return nil
}

// stores returns one store for each name.
func (d evalData) stores() []evalStore {
	stores := make([]evalStore, len(d.names))
	for i, name := range d.names {
		stores[i] = newEvalStore(name)
		stores[i].add(d.memories[name], d.queries[name])
	}
	return stores
}

// pooled returns one store that holds everything. What one store cannot answer
// and is asked of another one that can is no longer unanswerable: it is left out.
func (d evalData) pooled() evalStore {
	answerable := map[string]bool{}
	for _, queries := range d.queries {
		for _, q := range queries {
			if q.answerable() {
				answerable[q.Query] = true
			}
		}
	}
	s := newEvalStore("pooled")
	for _, name := range d.names {
		s.add(d.memories[name], slices.DeleteFunc(slices.Clone(d.queries[name]), func(q evalQuery) bool { return !q.answerable() && answerable[q.Query] }))
	}
	return s
}

func newEvalStore(name string) evalStore {
	return evalStore{name: name, sessions: map[string]string{}}
}

func (s *evalStore) add(memories []Record, queries []evalQuery) {
	for _, m := range memories {
		m.ID = Label(evalID(m.Store, m.ID))
		if m.SessionID != "" {
			m.SessionID = Label(m.Store) + "/" + m.SessionID
		}
		s.sessions[string(m.ID)] = string(m.SessionID)
		m.Store = ""
		s.records = append(s.records, m)
	}
	for _, q := range queries {
		for _, g := range q.GoldLabels {
			q.Gold = append(q.Gold, evalID(q.Store, g))
		}
		s.queries = append(s.queries, q)
	}
}

// evalID makes ids that repeat between stores unique in a pooled one.
func evalID(store string, id Label) string {
	if joined := store + ":" + string(id); memory.ValidID(joined) {
		return joined
	}
	return memory.DerivedID(store, string(id), 0)
}

// source yields the memories as an import reads them.
func (s evalStore) source() ImportSource {
	return Lines{Zone: time.UTC, Open: func() (io.ReadCloser, error) {
		var b bytes.Buffer
		lines := json.NewEncoder(&b)
		for _, r := range s.records {
			if err := lines.Encode(r); err != nil {
				return nil, fmt.Errorf("encoding %s: %w", r.ID, err)
			}
		}
		return io.NopCloser(&b), nil
	}}
}

// units returns the memories, or the sessions that they belong to.
func (s evalStore) units(unit string, ids []string) []string {
	if unit != UnitSession {
		return ids
	}
	sessions := make([]string, len(ids))
	for i, id := range ids {
		sessions[i] = s.sessions[id]
	}
	return sessions
}

// ordered drops repetitions and keeps the first of each.
func ordered(units []string) []string {
	seen := map[string]bool{}
	var out []string
	for _, u := range units {
		if !seen[u] {
			seen[u] = true
			out = append(out, u)
		}
	}
	return out
}
