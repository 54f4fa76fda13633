package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"
)

// settingView is one line of the config command.
type settingView struct {
	Name     string `json:"name"`
	Value    string `json:"value"`
	Origin   string `json:"origin"`
	Variable string `json:"variable"`
	Meaning  string `json:"meaning"`
}

type configView struct {
	Workspace  string        `json:"workspace"`
	Origin     string        `json:"workspace_origin"`
	Database   string        `json:"database"`
	Settings   []settingView `json:"settings"`
	ExtraPaths []extraPath   `json:"extra_paths"`
	Warnings   []string      `json:"warnings"`
}

func (a *app) configCommand() *cobra.Command {
	return &cobra.Command{
		Use:   "config",
		Short: "Print the effective settings and where each came from",
		Args:  cobra.NoArgs,
		RunE: func(*cobra.Command, []string) error {
			view, err := a.configView()
			if err != nil {
				return err
			}
			if a.json {
				return writeJSON(a.Out, view)
			}
			return a.printConfig(view)
		},
	}
}

func (a *app) configView() (configView, error) {
	c, err := a.loadConfig()
	if err != nil {
		return configView{}, err
	}
	where, err := a.databasePlace(c)
	if err != nil {
		return configView{}, err
	}
	view := configView{
		Workspace: c.Workspace, Origin: c.WorkspaceOrigin, Database: where.Database,
		ExtraPaths: append([]extraPath{}, c.ExtraPaths...), Warnings: append([]string{}, c.Warnings...),
	}
	for _, s := range settings() {
		v := c.values[s.Name]
		view.Settings = append(view.Settings, settingView{Name: s.Name, Value: v.Text, Origin: v.Origin, Variable: s.variable(), Meaning: s.Meaning})
	}
	return view, nil
}

func (a *app) printConfig(view configView) error {
	p := a.printer(a.Out)
	p.line("workspace  %s  (%s)", view.Workspace, p.sentence(view.Origin))
	p.line("database   %s", view.Database)
	p.line("")
	table := tabwriter.NewWriter(a.Out, 0, 8, 2, ' ', 0)
	_, _ = fmt.Fprintln(table, p.text("SETTING\tVALUE\tFROM\tMEANING"))
	for _, s := range view.Settings {
		_, _ = fmt.Fprintf(table, "%s\t%s\t%s\t%s\n", s.Name, s.Value, p.sentence(s.Origin), p.sentence(p.text(s.Meaning)))
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("printing the settings: %w", err)
	}
	for _, extra := range view.ExtraPaths {
		p.line("extra_paths  %s  %s  %s", extra.Name, extra.Path, extra.Pattern)
	}
	for _, w := range view.Warnings {
		a.printer(a.Err).line("warning: %s", p.sentence(w))
	}
	return nil
}
