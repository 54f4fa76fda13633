package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"sync"
	"time"

	"agentmemory/bench/stdio"
)

// processes lets four servers work on one store at once, each with its own
// client: nothing acknowledged is lost, and what one wrote another recalls at once.
func (r *rig) processes(ctx context.Context) error {
	ws, err := r.Fresh("processes")
	if err != nil {
		return err
	}
	if _, err := r.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return err
	}
	const workers, operations = 4, 200
	servers := make([]*stdio.Server, workers)
	for i := range servers {
		if servers[i], err = r.Serve(ctx, ws); err != nil {
			return err
		}
	}
	var wg sync.WaitGroup
	texts := make([][]string, workers)
	problems := make([]error, workers)
	for w := range workers {
		wg.Go(func() { texts[w], problems[w] = r.mixed(ctx, servers, w, operations) })
	}
	wg.Wait()
	for _, s := range servers {
		problems = append(problems, s.Stop(30*time.Second))
	}
	var all []string
	for _, t := range texts {
		all = append(all, t...)
	}
	problem := errors.Join(problems...)
	if problem == nil {
		problem = r.recovered(ctx, ws, all, all)
	}
	r.verdict(problem, "%d processes × %d mixed operations on one store: %d acknowledged, 0 lost, read by the others at once", workers, operations, len(all))
	return nil
}

// mixed remembers, then reads through the next server what it wrote through its own.
func (r *rig) mixed(ctx context.Context, servers []*stdio.Server, worker, operations int) ([]string, error) {
	var written []string
	for i := range operations {
		switch i % 4 {
		case 0, 1:
			uri := fmt.Sprintf("event://journal/2026-03-01#%04d-%d", i, worker+1)
			text := fmt.Sprintf("worker %d wrote sentence %d about machine %d-%d 机器", worker, i, worker, i)
			var result struct {
				Action string `json:"action"`
			}
			if err := servers[worker].Call(ctx, "remember", map[string]any{"content": text, "uri": uri}, &result); err != nil {
				return written, err
			}
			if result.Action != "added" {
				return written, fmt.Errorf("%q was %s", text, result.Action)
			}
			written = append(written, text)
			if err := r.readBack(ctx, servers[(worker+1)%len(servers)], uri, text); err != nil {
				return written, err
			}
		case 2:
			if err := servers[worker].Call(ctx, "recall", map[string]any{"query": fmt.Sprintf("worker %d machine", worker)}, nil); err != nil {
				return written, err
			}
		case 3:
			if err := servers[worker].Call(ctx, "status", map[string]any{"level": "light"}, nil); err != nil {
				return written, err
			}
		}
	}
	return written, nil
}

func (r *rig) readBack(ctx context.Context, other *stdio.Server, uri, text string) error {
	var result struct {
		Found  bool `json:"found"`
		Memory struct {
			Content string `json:"content"`
		} `json:"memory"`
	}
	if err := other.Call(ctx, "recall_path", map[string]any{"uri": uri}, &result); err != nil {
		return err
	}
	if !result.Found || result.Memory.Content != text {
		return fmt.Errorf("another process reads %q at %s, not %q", result.Memory.Content, uri, text)
	}
	return nil
}

// endOfInput sends 21 calls at once, closes the input and counts the answers, 20 times.
func (r *rig) endOfInput(ctx context.Context) error {
	ws, err := r.Fresh("eof")
	if err != nil {
		return err
	}
	missing := 0
	for round := range 20 {
		s, err := r.Serve(ctx, ws)
		if err != nil {
			return err
		}
		var answers []<-chan stdio.Answer
		for i := range 21 {
			params := map[string]any{"name": "remember", "arguments": map[string]any{"content": fmt.Sprintf("round %d says sentence %d before hanging up", round, i)}}
			c, err := s.Post("tools/call", params)
			if err != nil {
				return err
			}
			answers = append(answers, c)
		}
		if err := s.CloseInput(); err != nil {
			return fmt.Errorf("closing the input: %w", err)
		}
		for _, c := range answers {
			if _, ok := <-c; !ok {
				missing++
			}
		}
		if err := s.Wait(); err != nil {
			return fmt.Errorf("the server ended badly: %w", err)
		}
	}
	if missing > 0 {
		err = fmt.Errorf("%d of 420 answers are missing", missing)
	}
	r.verdict(err, "20 × 21 calls, then the input closed: every call answered")
	return nil
}

// rebuild deletes the database and compares what sync makes of the files with
// what was there before, field by field.
func (r *rig) rebuild(ctx context.Context) error {
	ws, err := r.Fresh("rebuild")
	if err != nil {
		return err
	}
	s, err := r.Serve(ctx, ws)
	if err != nil {
		return err
	}
	if err := writeVariety(ctx, s); err != nil {
		return errors.Join(err, s.Kill())
	}
	if err := s.Stop(20 * time.Second); err != nil {
		return err
	}
	if _, err := r.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return err
	}
	before, err := r.Exported(ctx, ws)
	if err != nil {
		return err
	}
	if err := deleteDatabase(ws); err != nil {
		return err
	}
	if _, err := r.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return err
	}
	after, err := r.Exported(ctx, ws)
	if err != nil {
		return err
	}
	r.verdict(differences(before, after), "database deleted, rebuilt from the files: %d memories, field by field", len(before))
	return nil
}

func writeVariety(ctx context.Context, s *stdio.Server) error {
	items := []map[string]any{
		{"content": "账本用 SQLite，不用 Postgres", "type": "knowledge", "source": "memory-sync:2026-02-21", "session_id": "s1", "session_path": "/tmp/s1.jsonl", "message_range": "3-5", "observed_at": "2026-02-21T14:00:00+08:00", "actor": "Mei"},
		{"content": "Prefers Go over Java", "uri": "knowledge://preferences/language", "importance": 0.9, "confidence": 0.6},
		{"content": "I am the contract keeper", "uri": "identity://core/role"},
		{"content": "Deploy like this:\n```sh\nmake release\n```", "type": "event", "emotion_val": 0.5},
		{"content": "Use one binary for every platform", "form": "decision", "title": "One binary", "fields": map[string]any{"why": "simple to install", "conclusion": "static build", "impact": "CI builds six targets"}},
		{"content": "Move the nightly job to 02:30", "form": "task", "title": "Nightly job", "fields": map[string]any{"goal": "no overlap", "final status": "open", "next step": "ask Mei"}},
		{"content": "今天很开心，发布成功", "type": "emotion", "domain": "User", "target": "Memory"},
	}
	for _, item := range items {
		if err := s.Call(ctx, "remember", item, nil); err != nil {
			return err
		}
	}
	changed := map[string]any{"content": "Prefers Go over Java and Rust over C", "uri": "knowledge://preferences/language"}
	if err := s.Call(ctx, "remember", changed, nil); err != nil {
		return err
	}
	return s.Call(ctx, "forget", map[string]any{"uri": "identity://core/role"}, nil)
}

func deleteDatabase(ws string) error {
	files, err := filepath.Glob(filepath.Join(ws, ".agent-memory", "*.db*"))
	if err != nil || len(files) == 0 {
		return fmt.Errorf("no database in %s: %w", ws, errors.Join(err))
	}
	for _, f := range files {
		if err := os.Remove(f); err != nil {
			return fmt.Errorf("deleting the database: %w", err)
		}
	}
	return nil
}

func differences(before, after map[string]map[string]any) error {
	var problems []error
	for id, b := range before {
		a, found := after[id]
		if !found {
			problems = append(problems, fmt.Errorf("%s (%v) is gone", id, b["content"]))
			continue
		}
		for field, value := range b {
			if fmt.Sprint(a[field]) != fmt.Sprint(value) {
				problems = append(problems, fmt.Errorf("%s: %s was %v, is %v", id, field, value, a[field]))
			}
		}
	}
	for id, a := range after {
		if _, found := before[id]; !found {
			problems = append(problems, fmt.Errorf("%s (%v) is new", id, a["content"]))
		}
	}
	return errors.Join(problems...)
}
