package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/store/legacy"
	"agentmemory/tools"

	"github.com/spf13/cobra"
)

func (a *app) importCommand() *cobra.Command {
	var args tools.ImportArgs
	cmd := &cobra.Command{
		Use:   "import FILE",
		Short: "Take over memories of an old agent-memory database or of JSON lines",
		Long: `Import takes over the memories of a database of the original agent-memory (versions 2 to 5),
of "agent-memory export --format jsonl", of memory/index.json and its archive (Yue), or of lines such as
  {"content":"…","actor":"…","session_id":"…","seq":1,"observed_at":"2026-02-21T14:00:00+08:00","id":"…"}
FILE may be - for standard input. Ids are kept, the source is only read, and importing the same again adds nothing.
An existing OpenClaw workspace needs no import: point --workspace at it and run "agent-memory sync".`,
		Args: cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, files []string) error { return a.runImport(cmd.Context(), files[0], args) },
	}
	cmd.Flags().StringVar(&args.Store, "store", "", "`NAME` of the source, part of ids that are taken already (default: the file's name)")
	cmd.Flags().StringVar(&args.Trust, "trust", "agent", "highest `TRUST` of what is imported: user, agent or external")
	cmd.Flags().BoolVar(&args.DryRun, "dry-run", false, "only say what would be imported")
	return cmd
}

func (a *app) runImport(ctx context.Context, file string, args tools.ImportArgs) (err error) {
	e, err := a.openEngine(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	source, release, err := a.importSource(ctx, file, e.config.zone())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, release()) }()
	if args.Store == "" {
		args.Store = storeName(file)
	}
	result, err := e.importer().Run(a.withProgress(ctx), args, source)
	if err != nil {
		return err
	}
	e.finish(ctx)
	if result.Read > 0 && result.Failed == result.Read {
		return memory.Errorf(memory.InvalidArgument, "none of the %d lines could be imported", result.Read).WithHint("%s", strings.Join(result.Warnings[:min(3, len(result.Warnings))], "; "))
	}
	if a.json {
		return writeJSON(a.Out, result)
	}
	a.printImport(result)
	return nil
}

func (a *app) printImport(r tools.ImportResult) {
	p := a.printer(a.Out)
	verb := "imported"
	if r.DryRun {
		verb = "would be imported"
	}
	p.line("%d read: %d %s, %d were here already, %d were forgotten here for good, %d could not be kept", r.Read, r.Added, p.text(verb), r.Present, r.Refused, r.Failed)
	if r.Renamed > 0 {
		p.line("%d got another id, because theirs is taken here", r.Renamed)
	}
	if r.Redacted > 0 {
		p.line("%d held secrets, which were replaced", r.Redacted)
	}
	if r.Lowered > 0 {
		p.line("%d were trusted more where they come from; --trust user takes that over", r.Lowered)
	}
	for _, file := range r.Files {
		p.line("  in %s", file)
	}
	for _, w := range r.Warnings {
		p.line("  note: %s", p.sentence(clean(w)))
	}
}

func storeName(file string) string {
	if file == "-" {
		return "stdin"
	}
	base := filepath.Base(file)
	return strings.TrimSuffix(base, filepath.Ext(base))
}

// importSource recognises a file by its first bytes; what is neither a database
// nor an index is read as lines.
func (a *app) importSource(ctx context.Context, file string, zone *time.Location) (tools.ImportSource, func() error, error) {
	if file == "-" {
		return a.spool(zone)
	}
	path, err := a.env.expand(file)
	if err != nil {
		return nil, nil, err
	}
	head, err := headOf(path)
	if err != nil {
		return nil, nil, err
	}
	if bytes.HasPrefix(head, []byte("SQLite format 3\x00")) {
		db, err := legacy.Open(ctx, path)
		if err != nil {
			return nil, nil, fmt.Errorf("opening the old database: %w", err)
		}
		return db, db.Close, nil
	}
	nothing := func() error { return nil }
	lines := linesOf(path, zone)
	if tools.IsIndex(head) {
		return tools.Index(lines), nothing, nil
	}
	return lines, nothing, nil
}

func linesOf(path string, zone *time.Location) tools.Lines {
	return tools.Lines{
		Open: func() (io.ReadCloser, error) { return os.Open(path) }, //nolint:gosec // the user names the file
		Zone: zone, Archived: filepath.Base(filepath.Dir(path)) == "archive",
	}
}

// spool copies standard input into a temporary file, because a source is read twice.
func (a *app) spool(zone *time.Location) (tools.ImportSource, func() error, error) {
	f, err := os.CreateTemp("", "agent-memory-import-*.jsonl")
	if err != nil {
		return nil, nil, fmt.Errorf("making a temporary file: %w", err)
	}
	remove := func() error { return os.Remove(f.Name()) }
	if _, err := io.Copy(f, a.In); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("reading standard input: %w", err), f.Close(), remove())
	}
	if err := f.Close(); err != nil {
		return nil, nil, errors.Join(fmt.Errorf("keeping standard input: %w", err), remove())
	}
	return linesOf(f.Name(), zone), remove, nil
}

// headOf returns the first bytes of a file, by which its kind is known.
func headOf(path string) ([]byte, error) {
	f, err := os.Open(path) //nolint:gosec // the user names the file
	if err != nil {
		return nil, fileProblem(path, err)
	}
	defer f.Close()
	head := make([]byte, 512)
	n, err := io.ReadFull(f, head)
	if err != nil && !errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, fileProblem(path, err)
	}
	return head[:n], nil
}

func fileProblem(path string, err error) error {
	if errors.Is(err, os.ErrNotExist) {
		return memory.Errorf(memory.NotFound, "there is no file %s", path)
	}
	return memory.Errorf(codeOfFile(err), "reading %s: %w", path, err)
}
