package main

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"agentmemory/internal/memory"

	"github.com/spf13/cobra"
)

func (a *app) installCommand() *cobra.Command {
	var program string
	var dryRun, uninstall bool
	cmd := &cobra.Command{
		Use:   "install " + strings.Join(hosts(), "|"),
		Short: "Set a host up: MCP server, hooks, capture of its conversations",
		Long: `Install adds what is missing to the configuration of a host and leaves all the rest as it stands, comments included.
Before the first change of a file its bytes are kept. --uninstall brings them back; in a file that was changed since, it
takes out what install had put in. Running it again changes nothing.`,
		Args: cobra.ExactArgs(1), ValidArgs: hosts(),
		RunE: func(_ *cobra.Command, args []string) error { return a.runInstall(args[0], program, dryRun, uninstall) },
	}
	flags := cmd.Flags()
	flags.BoolVar(&dryRun, "dry-run", false, "only say what would be changed")
	flags.BoolVar(&uninstall, "uninstall", false, "take out again what install put in")
	flags.StringVar(&program, "program", "", "`PATH` of the program that the host starts (default: this one)")
	return cmd
}

// fileReport says what became of a file.
type fileReport struct {
	Path   string `json:"path"`
	What   string `json:"what"`
	Done   string `json:"done"` // unchanged, made, changed, restored, cleaned, removed
	Backup string `json:"backup,omitempty"`
}

type installReport struct {
	Host      string       `json:"host"`
	Workspace string       `json:"workspace"`
	DryRun    bool         `json:"dry_run"`
	Files     []fileReport `json:"files"`
}

// kept is what install remembers of a file that it changed.
type kept struct {
	Existed bool   `json:"existed"`
	Backup  string `json:"backup,omitempty"` // name of the copy of what stood there before
	After   string `json:"after"`            // hash of what install left
}

// fileChange is a change that is worked out and not made yet.
type fileChange struct {
	fileReport
	real     string // the file that a link leads to
	old, new string
	existed  bool
	delete   bool
	original string // what uninstall is to bring back
	exists   bool   // whether the original was a file at all
}

func (a *app) runInstall(host, program string, dryRun, uninstall bool) error {
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	if program, err = a.ownProgram(program); err != nil {
		return err
	}
	edits, err := a.hostEdits(c, host, program)
	if err != nil {
		return err
	}
	if !dryRun && !uninstall {
		if err := a.ensureWorkspace(c); err != nil {
			return err
		}
	}
	dir, err := a.env.stateDir()
	if err != nil {
		return err
	}
	in := &installation{dir: filepath.Join(dir, "install", host), kept: map[string]kept{}}
	if err := in.load(); err != nil {
		return err
	}
	report := installReport{Host: host, Workspace: c.Workspace, DryRun: dryRun, Files: []fileReport{}}
	// All changes are worked out before the first is made: a file that cannot be
	// understood leaves everything as it is.
	var changes []fileChange
	for _, edit := range edits {
		change, err := in.workOut(edit, uninstall)
		if err != nil {
			return err
		}
		changes = append(changes, change)
	}
	for _, change := range changes {
		if !dryRun {
			if err := in.carryOut(&change, uninstall); err != nil {
				return err
			}
		}
		report.Files = append(report.Files, change.fileReport)
	}
	return a.printInstall(report, uninstall)
}

// installation is what was changed for a host, and the folder where it is
// written down.
type installation struct {
	dir  string
	kept map[string]kept // by path
}

func (in *installation) record() string { return filepath.Join(in.dir, "files.json") }

func (in *installation) load() error {
	text, err := os.ReadFile(in.record())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return fileProblem(in.record(), err)
	}
	if err := json.Unmarshal(text, &in.kept); err != nil {
		return memory.Errorf(memory.Internal, "reading %s: %w", in.record(), err).WithHint("move the file away; --uninstall then takes out the entries alone")
	}
	return nil
}

func (in *installation) workOut(edit hostEdit, uninstall bool) (fileChange, error) {
	change := fileChange{fileReport: fileReport{Path: edit.Path, What: edit.What, Done: "unchanged"}, real: resolved(edit.Path)}
	text, err := os.ReadFile(change.real)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return change, fileProblem(edit.Path, err)
	}
	change.existed, change.old, change.new = err == nil, string(text), string(text)
	work := in.adding
	if uninstall {
		work = in.removing
	}
	if err := work(edit, &change); err != nil {
		return change, memory.Errorf(memory.InvalidArgument, "%s: %w", edit.Path, err).WithHint("nothing was changed; correct the file and try again")
	}
	return change, nil
}

func (in *installation) adding(edit hostEdit, change *fileChange) (err error) {
	text := change.old
	if strings.TrimSpace(text) == "" && filepath.Ext(edit.Path) == ".json" {
		text = "{}\n"
	}
	if change.new, err = edit.Add(text); err != nil || change.new == text {
		change.new = change.old
		return err
	}
	change.Done = map[bool]string{true: "changed", false: "made"}[change.existed]
	if was, known := in.kept[edit.Path]; known && was.After == hashOf(change.old) {
		original, there := in.backup(was)
		if change.original, change.exists = original, was.Existed; there {
			return nil
		}
	}
	if change.exists = change.existed; change.exists && strings.TrimSpace(change.old) != "" {
		change.original, err = edit.Remove(change.old)
	}
	return err
}

func (in *installation) removing(edit hostEdit, change *fileChange) (err error) {
	if strings.TrimSpace(change.old) == "" {
		return nil
	}
	was, known := in.kept[edit.Path]
	if known && was.After == hashOf(change.old) {
		if original, there := in.backup(was); there {
			change.Done, change.new, change.delete = "restored", original, !was.Existed
			if change.delete {
				change.Done = "removed"
			}
			return nil
		}
	}
	if change.new, err = edit.Remove(change.old); change.new != change.old {
		change.Done = "cleaned"
	}
	return err
}

// backup returns what stood in a file before the first change; there is false
// when nobody knows that any more.
func (in *installation) backup(was kept) (text string, there bool) {
	if !was.Existed {
		return "", true
	}
	raw, err := os.ReadFile(filepath.Join(in.dir, was.Backup))
	return string(raw), err == nil
}

// carryOut makes a change; what stood there before is written down first.
func (in *installation) carryOut(change *fileChange, uninstall bool) error {
	if change.Done == "unchanged" && !uninstall {
		return nil
	}
	if !uninstall {
		if err := in.keep(change); err != nil {
			return err
		}
		return replaceHostFile(change.real, change.new)
	}
	var err error
	switch {
	case change.delete:
		err = removeIfThere(change.real)
	case change.new != change.old:
		err = replaceHostFile(change.real, change.new)
	}
	if err != nil {
		return err
	}
	return in.forget(change.Path)
}

func (in *installation) keep(change *fileChange) error {
	if err := os.MkdirAll(in.dir, 0o700); err != nil {
		return fileProblem(in.dir, err)
	}
	k := kept{Existed: change.exists, After: hashOf(change.new)}
	if change.exists {
		k.Backup = hashOf(change.Path)[:8] + "-" + filepath.Base(change.Path)
		change.Backup = filepath.Join(in.dir, k.Backup)
		if err := writePrivate(change.Backup, change.original); err != nil {
			return err
		}
	}
	in.kept[change.Path] = k
	return in.save()
}

func (in *installation) forget(path string) error {
	if k, known := in.kept[path]; known {
		delete(in.kept, path)
		if k.Backup != "" {
			if err := removeIfThere(filepath.Join(in.dir, k.Backup)); err != nil {
				return err
			}
		}
	}
	if len(in.kept) > 0 {
		return in.save()
	}
	if err := removeIfThere(in.record()); err != nil {
		return err
	}
	_ = os.Remove(in.dir) // only when it is empty
	return nil
}

func (in *installation) save() error {
	text, err := json.MarshalIndent(in.kept, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding %s: %w", in.record(), err)
	}
	return writePrivate(in.record(), string(text)+"\n")
}

func hashOf(text string) string {
	sum := sha256.Sum256([]byte(text))
	return hex.EncodeToString(sum[:])
}

// replaceHostFile replaces a file whole, with the mode that it has.
func replaceHostFile(path, text string) error {
	mode := fs.FileMode(0o600)
	if info, err := os.Stat(path); err == nil {
		mode = info.Mode().Perm()
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		return fileProblem(filepath.Dir(path), err)
	}
	if err := replaceWhole(path, text, mode); err != nil {
		return memory.Errorf(codeOfFile(err), "writing %s: %w", path, err)
	}
	return nil
}

func (a *app) printInstall(r installReport, uninstall bool) error {
	if a.json {
		return writeJSON(a.Out, r)
	}
	p := a.printer(a.Out)
	if r.DryRun {
		p.line("Dry run: nothing was written.")
	}
	changed := false
	for _, f := range r.Files {
		p.line("%-9s %s (%s)", p.text(f.Done), f.Path, p.text(f.What))
		if f.Backup != "" {
			p.line("          before: %s", f.Backup)
		}
		changed = changed || f.Done != "unchanged"
	}
	switch {
	case !changed || r.DryRun:
	case uninstall:
		p.line("%s knows nothing of agent-memory any more; the memories stay in %s.", r.Host, r.Workspace)
	default:
		p.line("Start %s anew. Its conversations are captured into %s from now on, and what was said before at the next sync.", r.Host, r.Workspace)
		p.line("Off again: agent-memory install %s --uninstall", r.Host)
	}
	return nil
}
