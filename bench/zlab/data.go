package main

import (
	"bufio"
	"encoding/json"
	"os"
	"path/filepath"
	"sort"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

type rec struct {
	Store, ID, Content, Actor string
	Session                   string `json:"session_id"`
	Seq                       int
	Observed                  string `json:"observed_at"`
}
type qrec struct {
	Store, ID, Query, Kind string
	Gold                   []string
	Answerable             bool
}
type doc struct {
	memory.Candidate
	content string
	words   []string
	store   string
	rid     string
}
type ix struct {
	docs  []*doc
	posts map[string][]post
	total int64
	group map[string][]int
	qs    []qrec
	name  string
}
type post struct{ d, n int }

func lines[T any](p string) []T {
	f, err := os.Open(p)
	if err != nil {
		panic(err)
	}
	defer f.Close()
	s := bufio.NewScanner(f)
	s.Buffer(nil, 1<<24)
	var out []T
	for s.Scan() {
		var t T
		if err := json.Unmarshal(s.Bytes(), &t); err != nil {
			panic(err)
		}
		out = append(out, t)
	}
	return out
}

var fileGroup = os.Getenv("FILEGROUP")

func build(name string, rs []rec, qs []qrec) *ix {
	x := &ix{posts: map[string][]post{}, group: map[string][]int{}, qs: qs, name: name}
	for i, r := range rs {
		at, _ := time.Parse(time.RFC3339, r.Observed)
		m := memory.Memory{Actor: r.Actor, Content: r.Content, ObservedAt: at}
		d := &doc{content: r.Content, store: r.Store, rid: r.ID}
		d.words = text.Document(m)
		g := r.Session
		seq := r.Seq
		if g == "" {
			g = fileGroup
			if g != "" {
				seq = i
			}
		} else {
			g = "session:" + g
		}
		d.Candidate = memory.Candidate{Key: int64(i), ID: r.Store + "/" + r.ID, Group: g, Seq: seq, Status: memory.Active, Trust: memory.TrustAgent, Actor: r.Actor, Confidence: 1, Observed: at, Terms: join(d.words)}
		x.docs = append(x.docs, d)
		c := map[string]int{}
		for _, w := range d.words {
			c[w]++
		}
		for w, n := range c {
			x.posts[w] = append(x.posts[w], post{i, n})
		}
		x.total += int64(len(d.words))
		if g != "" {
			x.group[g] = append(x.group[g], i)
		}
	}
	for _, g := range x.group {
		sort.Slice(g, func(i, j int) bool { return x.docs[g[i]].Seq < x.docs[g[j]].Seq })
	}
	return x
}

func join(w []string) string {
	n := 0
	for _, s := range w {
		n += len(s) + 1
	}
	b := make([]byte, 0, n)
	for i, s := range w {
		if i > 0 {
			b = append(b, ' ')
		}
		b = append(b, s...)
	}
	return string(b)
}

func load(dir string) (all []*ix, pooled map[string]*ix) {
	pooled = map[string]*ix{}
	for _, set := range []string{"locomo", "madial-en", "madial-zh"} {
		rs := lines[rec](filepath.Join(dir, set, "memories.jsonl"))
		qs := lines[qrec](filepath.Join(dir, set, "queries.jsonl"))
		var names []string
		br := map[string][]rec{}
		bq := map[string][]qrec{}
		for _, r := range rs {
			if br[r.Store] == nil {
				names = append(names, r.Store)
			}
			br[r.Store] = append(br[r.Store], r)
		}
		for _, q := range qs {
			bq[q.Store] = append(bq[q.Store], q)
		}
		for _, n := range names {
			all = append(all, build(n, br[n], bq[n]))
		}
		pooled[set] = build(set, rs, qs)
	}
	return
}
