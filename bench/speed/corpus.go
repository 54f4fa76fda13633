package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"time"
)

// subjects, actions and details combine to bilingual statements of everyday
// work; a seeded generator makes the same corpus in every run.
func subjects() []string {
	return []string{"the gateway", "Mei", "billing", "the search index", "Tomás", "the nightly job", "数据库", "小林", "支付服务", "前端", "发布流程", "缓存"}
}

func actions() []string {
	return []string{"moved to", "was delayed by", "now depends on", "prefers", "failed because of", "was reviewed with", "改用", "依赖", "因为", "拒绝", "已经迁移到", "需要"}
}

func details() []string {
	return []string{
		"SQLite", "Postgres 17", "a retry budget", "the blue cluster", "port 8443", "weekly reviews", "the Lisbon office", "dark mode",
		"新的索引", "配置错误", "周五的会议", "北京机房", "限流规则", "中文分词", "两台备用机", "内存不足",
	}
}

func text(i int) string {
	r := rand.New(rand.NewPCG(7, uint64(i)))
	s, a, d := subjects(), actions(), details()
	return fmt.Sprintf("%s %s %s (%s, ticket OPS-%d, %d ms, run %d)",
		s[r.IntN(len(s))], a[r.IntN(len(a))], d[r.IntN(len(d))], d[r.IntN(len(d))], i, r.IntN(5000), i*7919%100_003)
}

func fresh(i int) string {
	return fmt.Sprintf("measured %d: %s — %s", i, text(5_000_000+i), text(6_000_000+i))
}

func query(i int) string {
	r := rand.New(rand.NewPCG(11, uint64(i)))
	s, d := subjects(), details()
	return s[r.IntN(len(s))] + " " + d[r.IntN(len(d))] + fmt.Sprintf(" OPS-%d", r.IntN(1000))
}

// writeCorpus writes the lines that `agent-memory import` takes: twenty
// entries a session, spread over two years.
func writeCorpus(path string, size int) error {
	f, err := os.Create(path)
	if err != nil {
		return fmt.Errorf("creating the corpus: %w", err)
	}
	w := bufio.NewWriter(f)
	e := json.NewEncoder(w)
	begin := time.Date(2024, 1, 1, 8, 0, 0, 0, time.UTC)
	for i := range size {
		at := begin.Add(time.Duration(float64(i) / float64(size) * 2 * 365 * 24 * float64(time.Hour)))
		err := e.Encode(map[string]any{
			"id": fmt.Sprintf("m%d", i), "content": text(i), "actor": subjects()[i%3],
			"session_id": fmt.Sprintf("s%d", i/20), "seq": i % 20, "observed_at": at.Format(time.RFC3339),
		})
		if err != nil {
			return fmt.Errorf("writing the corpus: %w", err)
		}
	}
	if err := w.Flush(); err != nil {
		return fmt.Errorf("writing the corpus: %w", err)
	}
	return f.Close()
}
