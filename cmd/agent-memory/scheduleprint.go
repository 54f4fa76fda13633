package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"agentmemory/internal/jobs"
	"agentmemory/internal/memory"
	"agentmemory/lifecycle"

	"github.com/spf13/cobra"
)

func (a *app) schedulePrintCommand() *cobra.Command {
	var scheduler, program, dir string
	cmd := &cobra.Command{
		Use:   "print --for SCHEDULER",
		Short: "Print the schedule for crontab, systemd, launchd or OpenClaw",
		Long: `Print writes what another scheduler needs to run the jobs of the profile. Nothing is installed.
Use it instead of serve --schedule; both together do no harm, each period is dealt with once.`,
		Args: cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error { return a.runSchedulePrint(scheduler, program, dir) },
	}
	flags := cmd.Flags()
	flags.StringVar(&scheduler, "for", "", "`SCHEDULER` one of "+strings.Join(jobs.Foreign(), ", "))
	flags.StringVar(&program, "program", "", "`PATH` of the program that is started (default: this one)")
	flags.StringVar(&dir, "write", "", "write the files into `DIR` instead of printing them")
	if err := cmd.MarkFlagRequired("for"); err != nil {
		panic(err) // the flag is defined above
	}
	return cmd
}

func (a *app) runSchedulePrint(scheduler, program, dir string) error {
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	profile, err := lifecycle.ProfileByName(c.text(setProfile))
	if err != nil {
		return err
	}
	t, err := c.timetable(profile.Jobs)
	if err != nil {
		return err
	}
	if program, err = a.ownProgram(program); err != nil {
		return err
	}
	list, err := t.For(scheduler, jobs.Caller{Program: program, Workspace: c.Workspace})
	switch {
	case err != nil:
		return err
	case dir != "":
		return a.writeEntries(dir, list)
	case a.json:
		return writeJSON(a.Out, map[string]any{"scheduler": scheduler, "entries": list})
	}
	for _, entry := range list {
		if entry.Name != "" {
			_, _ = fmt.Fprintf(a.Out, "# %s\n", entry.Name)
		}
		_, _ = fmt.Fprintln(a.Out, entry.Text)
	}
	return nil
}

func (a *app) writeEntries(dir string, list []jobs.Entries) error {
	dir, err := a.env.expand(dir)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return memory.Errorf(codeOfFile(err), "making %s: %w", dir, err)
	}
	for _, entry := range list {
		if entry.Name == "" {
			return memory.Errorf(memory.InvalidArgument, "this scheduler takes lines, not files").WithHint("leave --write out")
		}
		path := filepath.Join(dir, filepath.Base(entry.Name))
		if err := os.WriteFile(path, []byte(entry.Text), 0o600); err != nil {
			return memory.Errorf(codeOfFile(err), "writing %s: %w", path, err)
		}
		_, _ = fmt.Fprintln(a.Out, path)
	}
	return nil
}

// ownProgram is the absolute path by which other programs start this one: they
// may have another PATH.
func (a *app) ownProgram(given string) (string, error) {
	if given != "" {
		return a.env.expand(given)
	}
	path, err := os.Executable()
	if err != nil {
		return "", memory.Errorf(memory.Internal, "finding this program: %w", err).WithHint("give --program PATH")
	}
	return path, nil
}
