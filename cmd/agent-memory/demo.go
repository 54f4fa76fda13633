package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentmemory/testdata"

	"github.com/spf13/cobra"
)

// The demonstration takes place on fixed days, so that it always shows the same.
const (
	demoStart = "2026-03-11T21:30:00+08:00"
	demoLater = "2026-04-10T21:30:00+08:00"
	demoZone  = "Asia/Shanghai"
)

func (a *app) demoCommand() *cobra.Command {
	var keep bool
	cmd := &cobra.Command{
		Use:   "demo",
		Short: "Show in one screen what the program does, in a temporary workspace",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.runDemo(cmd.Context(), keep)
		},
	}
	cmd.Flags().BoolVar(&keep, "keep", false, "leave the temporary workspace behind")
	return cmd
}

// demo is one showing: a workspace of its own, and the server as a child.
type demo struct {
	app    *app
	folder string // holds home and workspace
	client *mcpClient
	step   int
}

func (a *app) runDemo(ctx context.Context, keep bool) (err error) {
	folder, err := os.MkdirTemp("", "agent-memory-demo-")
	if err != nil {
		return fmt.Errorf("making a temporary workspace: %w", err)
	}
	if !keep {
		defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	}
	d := &demo{app: a, folder: folder}
	if err := d.copyWorkspace(); err != nil {
		return err
	}
	err = d.play(ctx)
	if d.client != nil {
		err = errors.Join(err, d.client.close())
	}
	if keep {
		d.say("")
		d.say("The workspace is kept in %s", d.workspace())
	}
	return err
}

func (d *demo) workspace() string { return filepath.Join(d.folder, "workspace") }

func (d *demo) copyWorkspace() error {
	files, err := testdata.Demo()
	if err != nil {
		return fmt.Errorf("opening the example workspace: %w", err)
	}
	if err := os.CopyFS(d.workspace(), files); err != nil {
		return fmt.Errorf("copying the example workspace: %w", err)
	}
	// The files of a person keep the date of their day.
	return filepath.WalkDir(d.workspace(), func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return err
		}
		day, parseErr := time.Parse(time.DateOnly, strings.TrimSuffix(entry.Name(), ".md"))
		if parseErr != nil {
			return nil //nolint:nilerr // not a journal
		}
		return os.Chtimes(path, day, day)
	})
}

// connect starts a server whose clock begins at the given time.
func (d *demo) connect(ctx context.Context, clock string) error {
	if d.client != nil {
		err := d.client.close()
		d.client = nil
		if err != nil {
			return err
		}
	}
	variables := []string{"HOME=" + d.folder, "USERPROFILE=" + d.folder, "TZ=" + demoZone, "LANG=en", clockVariable + "=" + clock}
	for _, name := range []string{"PATH", "SYSTEMROOT", "TMPDIR", "TEMP"} {
		if v, ok := d.app.env.lookup(name); ok {
			variables = append(variables, name+"="+v)
		}
	}
	client, err := startServer(ctx, variables, "serve", "--workspace", d.workspace())
	if client != nil {
		d.client = client
	}
	return err
}

// printer tells the story in the language of whoever asked for it; the server
// that plays in it speaks English.
func (d *demo) printer() *printer { return d.app.printer(d.app.Out) }

func (d *demo) say(format string, args ...any) {
	d.printer().line(format, args...)
}

// head begins a step of the story.
func (d *demo) head(format string, args ...any) {
	d.step++
	d.say("")
	d.say("%d. %s", d.step, d.printer().say(format, args...))
}

// read returns a file of the workspace, "" if there is none.
func (d *demo) read(name string) string {
	text, err := os.ReadFile(filepath.Join(d.workspace(), filepath.FromSlash(name)))
	if err != nil {
		return ""
	}
	return string(text)
}
