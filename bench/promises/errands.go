//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"time"
)

// errand is one piece of work that is killed.
type errand struct {
	name        string
	args        []string
	short, long int // how often it is killed
	// before prepares the workspace further; may be nil.
	before func(ctx context.Context, t *trial, ws string) error
	// gone is a text that the errand erases: it is everywhere or nowhere.
	gone string
	// mayBeDone says that a second run finds nothing to do and says so as a failure.
	mayBeDone bool
	// once says that a second run would do something else.
	once bool
	// database says that the first writes of the database matter, rather than all
	// kinds of calls.
	database bool
	// renames says that every rename of it is a moment to be killed at.
	renames bool
	// back takes the errand back; nil: it is a run, which `reflect --undo` takes back.
	back []string
}

func (e errand) arguments(ws string) []string {
	return append(slices.Clone(e.args), "--workspace", ws)
}

// erased is the address and text of the memory that is purged.
const (
	erasedURI  = "knowledge://preferences/erased"
	erasedText = "the canary Zq7fLx sits in the third drawer of the clerk"
)

func errands() []errand {
	items, err := json.Marshal(storyItems("later", 4))
	if err != nil {
		panic(err)
	}
	return []errand{
		{name: "remember", args: []string{"remember", "--items", string(items)}, short: 3, long: 12},
		{name: "forget", args: []string{"forget", "--uri", erasedURI}, short: 2, long: 8, mayBeDone: true},
		{name: "undo of forget", args: []string{"forget", "--uri", erasedURI, "--undo"}, short: 2, long: 8, before: after("forget", "--uri", erasedURI), mayBeDone: true},
		{name: "purge", args: []string{"forget", "--uri", erasedURI, "--purge", "--confirm"}, short: 4, long: 16, gone: erasedText, mayBeDone: true},
		{name: "reflect", args: []string{"reflect", "all"}, short: 3, long: 14},
		{name: "surface", args: []string{"reflect", "surface"}, short: 2, long: 8},
		{name: "extract", args: []string{"reflect", "extract"}, short: 2, long: 10},
		{name: "compound", args: []string{"reflect", "compound"}, short: 4, long: 16},
		{name: "undo of compound", args: []string{"reflect", "--undo"}, short: 2, long: 12, before: after("reflect", "compound"), once: true},
		{name: "undo of reflect", args: []string{"reflect", "--undo"}, short: 2, long: 8, before: after("reflect", "all"), once: true},
		{name: "sync of edits", args: []string{"sync", "files"}, short: 3, long: 14, before: editedByHand},
		{name: "capture", args: []string{"sync", "sessions"}, short: 3, long: 14},
		{name: "entity move", args: []string{"entity", "move", "ledger", "archives"}, short: 2, long: 10, before: after("reflect", "extract"), mayBeDone: true},
	}
}

// after runs the program before the errand does.
func after(args ...string) func(context.Context, *trial, string) error {
	return func(ctx context.Context, t *trial, ws string) error {
		_, err := t.CLI(ctx, append(slices.Clone(args), "--workspace", ws)...)
		return err
	}
}

// storyItems are memories of several kinds, told apart by a word.
func storyItems(word string, n int) []map[string]any {
	var items []map[string]any
	kinds := []string{"knowledge", "event", "emotion", "knowledge"}
	for i := range n {
		items = append(items, map[string]any{
			"content": fmt.Sprintf("%s entry %d: 账本第%d页记着编号%s%d的仓库", word, i, i, word, i*7919),
			"type":    kinds[i%len(kinds)],
		})
	}
	return items
}

// tell makes the workspace that the errands begin with: weeks of memories, a
// person's files, a conversation that was not read yet, an entity.
func (t *trial) tell(ctx context.Context) (string, error) {
	ws, err := t.Fresh("tale")
	if err != nil {
		return "", err
	}
	if err := t.converse(); err != nil {
		return "", err
	}
	at := func(shift string, args ...string) error {
		cmd := t.command(ctx, append([]string{t.Binary, "--workspace", ws}, args...))
		cmd.Env = append(cmd.Env, "AGENT_MEMORY_CLOCK="+shift)
		if out, err := cmd.CombinedOutput(); err != nil {
			return fmt.Errorf("agent-memory %s: %w\n%s", strings.Join(args, " "), err, out)
		}
		return nil
	}
	errs := []error{at("-960h", "init", "--capture", "claude-code")}
	for i, shift := range []string{"-960h", "-400h", "-230h", "-30h", "-1h"} {
		items, err := json.Marshal(storyItems(fmt.Sprintf("tale%d", i), 8))
		errs = append(errs, err, at(shift, "remember", "--items", string(items)))
	}
	errs = append(errs,
		at("-300h", "remember", "--uri", erasedURI, erasedText),
		at("-290h", "remember", "--type", "knowledge", "We decided that project ledger uses SQLite and no server"),
		at("-280h", "remember", "--type", "knowledge", "--uri", "fact://projects/ledger/engine", "--form", "fact", "The ledger runs on one machine in the office"),
		at("-270h", "remember", "--type", "knowledge", "--uri", "fact://projects/ledger/owner", "--form", "fact", "Mei owns the ledger"),
		at("-200h", "reflect", "compound"), at("-25h", "reflect", "all"), at("-1h", "sync", "files"))
	return ws, errors.Join(errs...)
}

// tellTraced makes the workspace that a rig begins with which stops or kills
// work by strace; without strace the rig is skipped.
func (t *trial) tellTraced(ctx context.Context) (string, error) {
	if _, err := exec.LookPath("strace"); err != nil {
		return "", skippedError("strace is not installed")
	}
	return t.tell(ctx)
}

// prepared copies a workspace and does what an errand wants to be done first.
func (t *trial) prepared(ctx context.Context, tale string, e errand) (base string, err error) {
	base = filepath.Join(t.Dir, "before")
	if err := t.copied(tale, base); err != nil {
		return "", err
	}
	if e.before != nil {
		if err := e.before(ctx, t, base); err != nil {
			return "", fmt.Errorf("preparing: %w", err)
		}
	}
	return base, nil
}

// sweepAll sweeps errands one after the other and counts the kills. It fails if
// hardly anything was killed, whatever the reason: that would show nothing. (strace
// sends no signals with --seccomp-bpf.)
func sweepAll(ctx context.Context, tale string, all []errand, sweep func(context.Context, string, errand) (int, error)) (kills int, err error) {
	for _, e := range all {
		n, err := sweep(ctx, tale, e)
		if err != nil {
			return kills, fmt.Errorf("%s: %w", e.name, err)
		}
		kills += n
	}
	if kills < len(all) {
		return kills, fmt.Errorf("%d kinds of work were killed %d times only", len(all), kills)
	}
	return kills, nil
}

// converse writes a transcript of Claude Code.
func (t *trial) converse() error {
	dir := filepath.Join(t.Dir, ".claude", "projects", "-home-me-ledger")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return fmt.Errorf("making a folder: %w", err)
	}
	said := []string{"我们决定发票用 PDF，不用图片。", "记住：发票抬头是云杉科技有限公司", "Never deploy to production on a Friday afternoon.", "我今天升职了，特别开心！", "I always prefer tabs over spaces in the ledger code."}
	lines, err := transcript("2ff46cd5", said, time.Now().Add(-10*time.Hour))
	if err != nil {
		return err
	}
	return os.WriteFile(filepath.Join(dir, "2ff46cd5.jsonl"), lines, 0o600)
}

// transcript is what a user said in a conversation, a message a minute, as
// Claude Code writes it.
func transcript(session string, said []string, begun time.Time) ([]byte, error) {
	var lines bytes.Buffer
	for i, text := range said {
		raw, err := json.Marshal(map[string]any{
			"type": "user", "uuid": fmt.Sprintf("m-%d", i), "sessionId": session, "isSidechain": false,
			"timestamp": begun.Add(time.Duration(i) * time.Minute).UTC().Format(time.RFC3339),
			"message":   map[string]any{"role": "user", "content": text},
		})
		if err != nil {
			return nil, fmt.Errorf("encoding a message: %w", err)
		}
		lines.Write(append(raw, '\n'))
	}
	return lines.Bytes(), nil
}

// editedByHand is an evening of a person with an editor: lines are added,
// changed and taken out, and a file is new.
func editedByHand(_ context.Context, _ *trial, ws string) error {
	journals, err := filepath.Glob(filepath.Join(ws, "memory", "20*.md"))
	if err != nil || len(journals) < 2 {
		return fmt.Errorf("%d journals: %w", len(journals), err)
	}
	rested := time.Now().Add(-time.Hour)
	edit := func(name string, change func(string) string) error {
		raw, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		return errors.Join(err, os.MkdirAll(filepath.Dir(name), 0o700), os.WriteFile(name, []byte(change(string(raw))), 0o600), os.Chtimes(name, rested, rested))
	}
	last := journals[len(journals)-1]
	return errors.Join(
		edit(last, func(s string) string {
			return strings.Replace(strings.Replace(s, "entry 1:", "entry one, as corrected by hand:", 1), "\n- ", "\n- a line typed above the others\n- ", 1) + "- 手写的一行\n"
		}),
		edit(journals[0], func(s string) string {
			lines := strings.SplitAfter(s, "\n")
			return strings.Join(slices.DeleteFunc(lines, func(l string) bool { return strings.Contains(l, "entry 2:") }), "")
		}),
		edit(filepath.Join(ws, "memory", "projects", "harbour.md"), func(string) string { return "# Harbour\n\nThe crane is green.\n" }),
		edit(filepath.Join(ws, "MEMORY.md"), func(s string) string { return s + "- a person put this at the end\n" }),
	)
}

// settled lets time pass, so that swapped-out files have rested, and reports
// what the workspace shows then: one line for each memory and each line of a file, without what differs from run to run.
func (t *trial) settled(ctx context.Context, ws string, done bool) ([]string, error) {
	if _, err := t.CLI(ctx, "sync", "files", "--workspace", ws); err != nil {
		return nil, err
	}
	swapped := filepath.Join(ws, ".agent-memory", "swap")
	waiting, _ := os.ReadDir(swapped) // none, or it is looked at below
	earlier := time.Now().Add(-time.Hour)
	for _, f := range waiting {
		if err := os.Chtimes(filepath.Join(swapped, f.Name()), earlier, earlier); err != nil {
			return nil, fmt.Errorf("letting time pass: %w", err)
		}
	}
	if len(waiting) > 0 {
		if _, err := t.CLI(ctx, "sync", "files", "--workspace", ws); err != nil {
			return nil, err
		}
	}
	if out, err := t.command(ctx, []string{t.Binary, "doctor", "--workspace", ws}).CombinedOutput(); err != nil {
		return nil, fmt.Errorf("doctor: %w\n%s", err, out)
	}
	return t.shown(ctx, ws, done)
}

func (t *trial) shown(ctx context.Context, ws string, done bool) ([]string, error) {
	memories, err := t.Exported(ctx, ws)
	if err != nil {
		return nil, err
	}
	var shown []string
	for _, m := range memories {
		shown = append(shown, steady(fmt.Sprintf("memory: %v %v %v %v %v", m["content"], m["status"], m["type"], m["trust"], m["form"])))
	}
	err = filepath.WalkDir(ws, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		name, _ := filepath.Rel(ws, path)
		// Those of a job's history and of the capture are taken away by the next run.
		taken := !done && (strings.HasPrefix(name, "memory/state/job-") || strings.HasPrefix(name, "memory/state/processed-sessions."))
		if !taken && (strings.HasPrefix(name, ".agent-memory/swap/") || strings.HasSuffix(name, ".tmp") || strings.HasSuffix(name, ".partial")) {
			return fmt.Errorf("left behind: %s", name)
		}
		if !strings.HasSuffix(name, ".md") || strings.HasPrefix(name, ".agent-memory/backup/") {
			return nil
		}
		raw, err := os.ReadFile(path)
		for line := range strings.Lines(string(raw)) {
			line = steady(name + ": " + strings.TrimRight(line, "\n"))
			if !strings.HasSuffix(line, ".md: ") && !strings.HasSuffix(line, ".md: ## TIME") { // how many minutes there are depends on when it ran
				shown = append(shown, line)
			}
		}
		return err
	})
	if err != nil {
		return nil, fmt.Errorf("reading the workspace: %w", err)
	}
	slices.Sort(shown)
	return shown, nil
}

// steady masks what differs from run to run: ids, times and numbers within a minute.
func steady(line string) string {
	line = regexp.MustCompile(`-20\d{6}-\d{4}-`).ReplaceAllString(line, "-TIME-") // the batch of an import
	line = regexp.MustCompile(`06g[0-9a-z]{23}|06h[0-9a-z]{23}`).ReplaceAllString(line, "ID")
	return regexp.MustCompile(`\d\d:\d\d(:\d\d)?|#\d{4}-\d+| n=\d+`).ReplaceAllString(line, "TIME")
}

// compared reports lines that one list has more often than the other.
func compared(want, got []string) error {
	count := map[string]int{}
	for _, l := range want {
		count[l]++
	}
	for _, l := range got {
		count[l]--
	}
	var problems []error
	for l, n := range count {
		switch {
		case n > 0:
			problems = append(problems, fmt.Errorf("%d times less than undisturbed: %q", n, l))
		case n < 0:
			problems = append(problems, fmt.Errorf("%d times more than undisturbed: %q", -n, l))
		}
	}
	if len(problems) > 8 {
		problems = append(problems[:8], fmt.Errorf("and %d more", len(problems)-8))
	}
	return errors.Join(problems...)
}

// judge looks whether the errand is done or not begun; once it was run to its end, it must be done.
func (e errand) judge(ctx context.Context, t *trial, ws string, done bool) error {
	if e.gone == "" {
		return nil
	}
	memories, err := t.Exported(ctx, ws)
	if err != nil {
		return err
	}
	for _, m := range memories {
		if m["content"] == e.gone && !done {
			return nil // not begun
		}
	}
	return filepath.WalkDir(ws, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if strings.Contains(string(raw), e.gone) {
			return fmt.Errorf("%s still holds what was purged", path)
		}
		return err
	})
}
