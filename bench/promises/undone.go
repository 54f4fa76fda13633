//go:build linux

package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"
)

// undoneAfterKills kills forget and each phase of reflect at system calls that change
// files, lets the next process recover, and takes the run back: every memory and
// every byte of Markdown must be as before the run.
func undoneAfterKills(ctx context.Context, t *trial) (string, error) {
	tale, err := t.tellTraced(ctx)
	if err != nil {
		return "", err
	}
	all := undoable()
	kills, err := sweepAll(ctx, tale, all, t.sweepUndo)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d kinds of work were killed %d times and taken back: every memory and every byte of Markdown as before", len(all), kills), nil
}

func undoable() []errand {
	const fresh = "knowledge://yard/gate" // stands in no derived file yet
	return []errand{
		{name: "compound", args: []string{"reflect", "compound"}, short: 4, long: 30, before: notedByHand, renames: true},
		{name: "reflect", args: []string{"reflect", "all"}, short: 2, long: 12},
		{name: "extract", args: []string{"reflect", "extract"}, short: 2, long: 10, before: after("remember", "--uri", "fact://projects/ledger/clerk", "--form", "fact", "Jun keeps the ledger in summer")},
		{name: "wrapup", args: []string{"reflect", "wrapup"}, short: 1, long: 10},
		{name: "gc", args: []string{"reflect", "gc", "--dry-run=false"}, short: 1, long: 8},
		{
			name: "forget", args: []string{"forget", "--uri", fresh}, short: 2, long: 10, back: []string{"forget", "--uri", fresh, "--undo"},
			before: func(ctx context.Context, t *trial, ws string) error {
				above := after("remember", "--uri", "knowledge://yard/wall", "The wall of the yard is of brick")
				return errors.Join(above(ctx, t, ws), after("remember", "--uri", fresh, "The gate of the yard is locked at eight")(ctx, t, ws))
			},
		},
	}
}

// notedByHand is editedByHand, and the journal of a person of two months ago: its
// lines get ids when it is put away, in one step, and its place in the next.
func notedByHand(ctx context.Context, t *trial, ws string) error {
	day := time.Now().AddDate(0, 0, -60)
	name := filepath.Join(ws, "memory", day.Format(time.DateOnly)+".md")
	text := "# " + day.Format(time.DateOnly) + "\n\n- a person counted the chairs\n- 手写的一行，数了椅子\n"
	return errors.Join(editedByHand(ctx, t, ws), os.WriteFile(name, []byte(text), 0o600), os.Chtimes(name, day, day))
}

func (t *trial) sweepUndo(ctx context.Context, tale string, e errand) (kills int, err error) {
	base, err := t.prepared(ctx, tale, e)
	if err != nil {
		return 0, err
	}
	if _, err := t.settled(ctx, base, true); err != nil {
		return 0, fmt.Errorf("preparing: %w", err)
	}
	before, err := t.exactly(ctx, base)
	if err != nil {
		return 0, err
	}
	known, err := t.undisturbed(ctx, base, e)
	if err != nil {
		return 0, fmt.Errorf("undisturbed: %w", err)
	}
	if err := t.takenBack(ctx, e, base, filepath.Join(t.Dir, "kills"), before); err != nil {
		return 0, fmt.Errorf("undisturbed: %w", err)
	}
	points := known.points(t.random.Perm(len(known.calls)), t.count(e.short, e.long))
	if e.renames { // between two of them a file is neither as it was nor where it goes
		for _, m := range known.calls {
			if strings.HasPrefix(m.call, "renameat") && !slices.Contains(points, m) {
				points = append(points, m)
			}
		}
	}
	for _, p := range points {
		ws := filepath.Join(t.Dir, "kills")
		if err := t.copied(base, ws); err != nil {
			return kills, err
		}
		killed, err := t.runKilled(ctx, p, e.arguments(ws))
		if err != nil {
			return kills, err
		}
		if !killed {
			continue
		}
		kills++
		if err := t.takenBack(ctx, e, base, ws, before); err != nil {
			return kills, fmt.Errorf("killed at call %d of %s: %w", p.n, p.call, err)
		}
	}
	return kills, nil
}

// takenBack undoes the last run in a workspace, if it began one, and compares it with what was before.
func (t *trial) takenBack(ctx context.Context, e errand, base, ws string, before map[string]string) error {
	if _, err := t.settled(ctx, ws, false); err != nil {
		return broken(fmt.Errorf("after the next start: %w", err))
	}
	begun, err := begunIn(base, ws)
	if err != nil {
		return err
	}
	back := []string{"reflect", "--undo"}
	if e.back != nil {
		back = e.back
	}
	if begun || e.back != nil {
		if _, err := t.CLI(ctx, append(slices.Clone(back), "--workspace", ws)...); err != nil && e.back == nil {
			return broken(err)
		}
	}
	if _, err := t.settled(ctx, ws, false); err != nil {
		return broken(fmt.Errorf("after the undo: %w", err))
	}
	after, err := t.exactly(ctx, ws)
	if err != nil {
		return err
	}
	return broken(differences(before, after))
}

// begunIn reports whether a run began in a copy of a workspace that can be undone.
func begunIn(base, ws string) (bool, error) {
	known, err := runs(base)
	if err != nil {
		return false, err
	}
	now, err := runs(ws)
	return !slices.Equal(known, now), err
}

// runs lists the journals of runs that can be undone: those with a whole line.
func runs(ws string) ([]string, error) {
	files, err := filepath.Glob(filepath.Join(ws, ".agent-memory", "undo", "*.jsonl"))
	if err != nil {
		return nil, fmt.Errorf("listing runs: %w", err)
	}
	var begun []string
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			return nil, fmt.Errorf("reading a run: %w", err)
		}
		if bytes.Contains(raw, []byte("\n")) {
			begun = append(begun, filepath.Base(file))
		}
	}
	return begun, nil
}

// exactly describes every memory, and holds every byte of Markdown.
func (t *trial) exactly(ctx context.Context, ws string) (map[string]string, error) {
	memories, err := t.Exported(ctx, ws)
	if err != nil {
		return nil, err
	}
	all := map[string]string{}
	for _, m := range memories {
		all[fmt.Sprint("memory ", m["id"])] = fmt.Sprintf("%v %v %v %v %v %v %v", m["content"], m["status"], m["type"], m["trust"], m["form"], m["superseded_by"], m["file"])
	}
	err = filepath.WalkDir(ws, func(path string, d fs.DirEntry, err error) error {
		name, _ := filepath.Rel(ws, path)
		if err != nil || d.IsDir() || !strings.HasSuffix(name, ".md") || strings.HasPrefix(name, ".agent-memory/backup/") {
			return err
		}
		raw, err := os.ReadFile(path)
		all[name] = string(raw)
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the workspace: %w", err)
	}
	return all, nil
}

// differences tells what is not as it was.
func differences(before, after map[string]string) error {
	var problems []error
	for name, was := range before {
		if is, there := after[name]; !there || is != was {
			problems = append(problems, fmt.Errorf("%s was\n%s\nand is\n%s", name, was, is))
		}
	}
	for name, is := range after {
		if _, was := before[name]; !was {
			problems = append(problems, fmt.Errorf("%s is new:\n%s", name, is))
		}
	}
	return errors.Join(problems...)
}
