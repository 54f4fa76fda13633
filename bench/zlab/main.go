package main

import (
	"flag"
	"fmt"
	"math"
	"os"
	"sort"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
)

func (x *ix) search(terms []string, limit int) ([]memory.Candidate, memory.Corpus) {
	sc := map[int]float64{}
	c := memory.Corpus{Memories: len(x.docs), Length: x.total, DF: map[string]int{}}
	avg := float64(x.total) / float64(len(x.docs))
	for _, t := range terms {
		ps := x.posts[t]
		c.DF[t] = len(ps)
		idf := math.Log(1 + (float64(len(x.docs))-float64(len(ps))+.5)/(float64(len(ps))+.5))
		for _, p := range ps {
			f := float64(p.n)
			sc[p.d] += idf * f * 2.2 / (f + 1.2*(.25+.75*float64(len(x.docs[p.d].words))/avg))
		}
	}
	var ids []int
	for d := range sc {
		ids = append(ids, d)
	}
	sort.Slice(ids, func(i, j int) bool {
		if sc[ids[i]] != sc[ids[j]] {
			return sc[ids[i]] > sc[ids[j]]
		}
		return ids[i] < ids[j]
	})
	if len(ids) > limit {
		ids = ids[:limit]
	}
	out := make([]memory.Candidate, len(ids))
	for i, d := range ids {
		out[i] = x.docs[d].Candidate
	}
	return out, c
}

func (x *ix) around(keys []int64, dist int) []memory.Candidate {
	seen := map[int64]bool{}
	var out []memory.Candidate
	for _, k := range keys {
		d := x.docs[k]
		for _, j := range x.group[d.Group] {
			dd := x.docs[j].Seq - d.Seq
			if d.Group != "" && dd >= -dist && dd <= dist && !seen[int64(j)] {
				seen[int64(j)] = true
				out = append(out, x.docs[j].Candidate)
			}
		}
	}
	return out
}

type res struct {
	q    qrec
	hits []rank.Scored
	conf float64
	abst bool
}

var now = time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)

type cfg struct {
	p     rank.Parameters
	limit int
	bestN int
	exp   func(x *ix, words []string) map[string]float64
	vec   func(x *ix, q string) []memory.Neighbour
}

func (x *ix) run(q qrec, c cfg) res {
	qq := rank.Parse(q.Query, now)
	if c.exp != nil {
		qq.Expand(c.exp(x, qq.Words()))
	}
	r := rank.New(qq, rank.Options{Parameters: c.p, Now: now})
	cands, corp := x.search(qq.Words(), c.limit)
	r.Statistics(corp)
	r.Found(cands)
	r.Context(x.around(r.Best(c.bestN), 2))
	if c.vec != nil {
		nb := c.vec(x, q.Query)
		var cs []memory.Candidate
		for _, k := range r.Missing(nb) {
			cs = append(cs, x.docs[k].Candidate)
		}
		r.Context(cs)
		r.Vectors(nb)
	}
	f := r.Finish(50)
	return res{q, f.Hits, f.Confidence, f.Abstained}
}

type metric struct {
	n                   int
	r5, r10, any10, mrr float64
	false_              map[string][2]int
	lost                float64
	any10full           float64
}

func (x *ix) eval(c cfg) []res {
	var out []res
	for _, q := range x.qs {
		out = append(out, x.run(q, c))
	}
	return out
}

func gold(q qrec) map[string]bool {
	g := map[string]bool{}
	for _, id := range q.Gold {
		g[q.Store+"/"+id] = true
	}
	return g
}

func at(r res, k int) (rec, anyk float64) {
	g := gold(r.q)
	n := 0
	for i, h := range r.hits {
		if i >= k {
			break
		}
		if g[h.ID] {
			n++
		}
	}
	rec = float64(n) / float64(len(g))
	if n > 0 {
		anyk = 1
	}
	return
}

func summarize(rs []res) metric {
	m := metric{false_: map[string][2]int{}}
	for _, r := range rs {
		if !r.q.Answerable {
			v := m.false_[r.q.Kind]
			v[1]++
			if !r.abst {
				v[0]++
			}
			m.false_[r.q.Kind] = v
			continue
		}
		m.n++
		a, _ := at(r, 5)
		m.r5 += a
		b, y := at(r, 10)
		m.r10 += b
		m.any10 += y
		if r.abst {
			m.lost += y
		}
		g := gold(r.q)
		for i, h := range r.hits {
			if g[h.ID] {
				m.mrr += 1 / float64(i+1)
				break
			}
		}
	}
	n := float64(m.n)
	m.r5 /= n
	m.r10 /= n
	m.any10 /= n
	m.mrr /= n
	m.lost /= n
	return m
}

func (m metric) String() string {
	s := fmt.Sprintf("n %4d r@5 %.3f r@10 %.3f any@10 %.3f mrr %.3f", m.n, m.r5, m.r10, m.any10, m.mrr)
	if len(m.false_) > 0 {
		for _, k := range []string{"foreign", "absent"} {
			v := m.false_[k]
			s += fmt.Sprintf(" %s %.2f", k, float64(v[0])/float64(v[1]))
		}
		s += fmt.Sprintf(" lost %.3f", m.lost)
	}
	return s
}

func report(label string, all []*ix, pooled map[string]*ix, c cfg, doPooled bool) {
	var loc, en, zh []res
	for _, x := range all {
		rs := x.eval(c)
		switch {
		case strings.HasPrefix(x.name, "conv"):
			loc = append(loc, rs...)
		case x.name == "madial-en":
			en = rs
		default:
			zh = rs
		}
	}
	fmt.Printf("%-22s LOC %v\n", label, summarize(loc))
	fmt.Printf("%-22s EN  %v\n%-22s ZH  %v\n", "", summarize(en), "", summarize(zh))
	if doPooled {
		fmt.Printf("%-22s POO %v\n", "", summarize(pooled["locomo"].eval(c)))
	}
}

func main() {
	flag.Parse()
	dir := "/work/shared/eval"
	all, pooled := load(dir)
	mode := flag.Arg(0)
	if f, ok := modes[mode]; ok {
		f(all, pooled)
		return
	}
	fmt.Fprintln(os.Stderr, "modes?")
}

var modes = map[string]func([]*ix, map[string]*ix){
	"steps": steps,
}

func base() cfg { return cfg{p: rank.Defaults(), limit: 300, bestN: 60} }

func steps(all []*ix, pooled map[string]*ix) {
	c := base()
	d := rank.Defaults()
	c.p = rank.Parameters{Words: 1, K1: 1.2, B: .75, Threshold: .35, Duplicate: .9}
	report("bm25 1.2/.75", all, pooled, c, true)
	c.p.K1, c.p.B = d.K1, d.B
	report("bm25 .9/.4", all, pooled, c, false)
	c.p.Phrase = d.Phrase
	report("+phrase", all, pooled, c, false)
	c.p.Speaker = d.Speaker
	report("+speaker", all, pooled, c, false)
	c.p.TimeWord, c.p.Date = d.TimeWord, d.Date
	report("+time", all, pooled, c, false)
	c.p.Asking = d.Asking
	report("+asking", all, pooled, c, false)
	c.p.Window = d.Window
	report("+window", all, pooled, c, false)
	c.p.Previous, c.p.Answered, c.p.Next, c.p.Distant = d.Previous, d.Answered, d.Next, d.Distant
	report("+neigh", all, pooled, c, false)
	c.p.Session = d.Session
	report("+session", all, pooled, c, true)
	c.vec = nearest
	for _, w := range []float64{.1, .15, .2, .3} {
		c.p.Semantic = w
		report(fmt.Sprint("+vec ", w), all, pooled, c, w == .1)
	}
}

func init() {
	modes["loose"] = func(all []*ix, pooled map[string]*ix) {
		c := base()
		for _, l := range []float64{0, .1, .2, .3, .5, 1} {
			c.p.Loose = l
			report(fmt.Sprint("loose ", l), all, pooled, c, false)
		}
	}
}

func init() {
	modes["thr"] = func(all []*ix, pooled map[string]*ix) {
		c := base()
		c.vec = nearest
		for _, l := range []float64{.28, .29, .3} {
			c.p.Threshold = l
			var loc, mad []res
			for _, x := range all {
				rs := x.eval(c)
				if strings.HasPrefix(x.name, "conv") {
					loc = append(loc, rs...)
				} else {
					mad = append(mad, rs...)
				}
			}
			k := 0
			for _, r := range mad {
				if r.abst {
					k++
				}
			}
			fmt.Println(l, summarize(loc), "madial abstained", k)
		}
	}
}

func init() {
	modes["qfreq"] = func(all []*ix, pooled map[string]*ix) {
		c := map[string]int{}
		for _, x := range all {
			if strings.HasPrefix(x.name, "conv") {
				for _, q := range x.qs {
					for _, t := range rank.Parse(q.Query, now).Words() {
						c[t]++
					}
				}
			}
		}
		var ks []string
		for k, n := range c {
			if n >= 6 {
				ks = append(ks, k)
			}
		}
		sort.Slice(ks, func(i, j int) bool { return c[ks[i]] > c[ks[j]] })
		for _, k := range ks {
			fmt.Print(k, ":", c[k], " ")
		}
	}
}
