package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"

	"github.com/spf13/cobra"
)

// initReport says what init found and made.
type initReport struct {
	Workspace string   `json:"workspace"`
	Origin    string   `json:"chosen_by"`
	Created   []string `json:"created"`
	Kept      []string `json:"kept"`
	Changed   []string `json:"changed,omitempty"`
	Profile   string   `json:"profile"`
	TimeZone  string   `json:"time_zone"`
	Language  string   `json:"language"`
	Database  string   `json:"database"`
	Reason    string   `json:"database_reason,omitempty"`
	Capture   []string `json:"capture"`
	Warnings  []string `json:"warnings,omitempty"`
	unread    bool     // files were here before the first index of them
}

func (a *app) initCommand() *cobra.Command {
	var profile string
	var sources []string
	cmd := &cobra.Command{
		Use:   "init",
		Short: "Make a workspace, or prepare an existing one, and say what was made",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if profile != "" {
				if !slices.Contains(lifecycle.ProfileNames(), profile) {
					return memory.Errorf(memory.InvalidArgument, "profile cannot be %q", profile).WithHint("one of %s", strings.Join(lifecycle.ProfileNames(), ", "))
				}
				a.setFlags = append(a.setFlags, setProfile+"="+profile)
			}
			return a.runInit(cmd.Context(), profile, sources)
		},
	}
	cmd.Flags().StringVar(&profile, "profile", "", "policies, `NAME` one of "+strings.Join(lifecycle.ProfileNames(), ", "))
	cmd.Flags().StringSliceVar(&sources, "capture", nil, "capture conversations of these `SOURCES` and no others: openclaw, claude-code, codex, jsonl:FOLDER; none switches it off")
	return cmd
}

func (a *app) runInit(ctx context.Context, profile string, sources []string) error {
	c, err := a.loadConfig()
	if err != nil {
		return err
	}
	made := !isFile(configPath(c))
	unread := made && (isFile(filepath.Join(c.Workspace, "MEMORY.md")) || firstDiary(c.Workspace) != "")
	report, err := a.prepare(c, profile != "")
	if err != nil {
		return err
	}
	if report.Capture, err = a.captureSources(c, sources, made); err != nil {
		return err
	}
	report.Warnings = a.absentSources(c, report.Capture)
	report.unread = unread
	e, err := a.openEngine(ctx)
	if err != nil {
		return err
	}
	if err := e.close(); err != nil {
		return err
	}
	if a.json {
		return writeJSON(a.Out, report)
	}
	report.print(a.printer(a.Out))
	return nil
}

func (r initReport) print(p *printer) {
	p.line("Workspace %s (%s)", r.Workspace, p.sentence(r.Origin))
	for _, name := range r.Created {
		p.line("  made   %s", name)
	}
	for _, name := range r.Kept {
		p.line("  kept   %s", name)
	}
	for _, name := range r.Changed {
		p.line("  changed %s", name)
	}
	p.line("Profile %s, time zone %s, language %s", r.Profile, r.TimeZone, r.Language)
	p.line("Database %s", r.Database)
	if r.Reason != "" {
		p.line("  (%s)", p.sentence(r.Reason))
	}
	if len(r.Capture) > 0 {
		p.line("Capture of conversations: %s (off: agent-memory init --capture none)", strings.Join(r.Capture, ", "))
	} else {
		p.line("Capture of conversations: off (on: agent-memory init --capture openclaw,claude-code,codex)")
	}
	for _, w := range r.Warnings {
		p.line("  warning: %s", p.sentence(w))
	}
	p.line("")
	if r.unread {
		p.line("First: agent-memory sync   (takes over the files that are here, before the first question)")
	}
	p.line("Next: agent-memory remember \"…\"   agent-memory recall \"…\"")
	p.line("      connect a client with: agent-memory serve --workspace %s", r.Workspace)
}

// prepare makes what a workspace needs and lacks; an existing one is left as it
// is but for our own folder. newProfile writes the profile into its settings.
func (a *app) prepare(c *config, newProfile bool) (initReport, error) {
	where, err := a.databasePlace(c)
	if err != nil {
		return initReport{}, err
	}
	r := initReport{Workspace: c.Workspace, Origin: c.WorkspaceOrigin, Created: []string{}, Kept: []string{}, Database: where.Database, Reason: where.Reason}
	for _, dir := range []string{c.Workspace, filepath.Join(c.Workspace, "memory"), filepath.Join(c.Workspace, stateFolder), filepath.Dir(where.Database)} {
		if err := r.folder(dir); err != nil {
			return r, err
		}
	}
	if err := r.ignoreIndex(); err != nil {
		return r, err
	}
	if err := a.fixChoices(c, &r, newProfile); err != nil {
		return r, err
	}
	r.Profile, r.TimeZone, r.Language = c.text(setProfile), c.text(setTimeZone), c.text(setLanguage)
	return r, leavePointer(c, where)
}

func (r *initReport) folder(dir string) error {
	if isDir(dir) {
		r.note(&r.Kept, dir)
		return nil
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return memory.Errorf(codeOfFile(err), "making %s: %w", dir, err).WithHint("choose another place with --workspace DIR")
	}
	r.note(&r.Created, dir)
	return nil
}

// ignored is what a person who keeps the workspace in git does not want there:
// what is derived, what is open, and what is kept for a moment only.
const ignored = "memory.db*\n*.lock\nswap/\nbackup/\n"

func (r *initReport) ignoreIndex() error {
	path := filepath.Join(r.Workspace, stateFolder, ".gitignore")
	if isFile(path) {
		return nil
	}
	return writePrivate(path, ignored)
}

func (r *initReport) note(list *[]string, dir string) {
	name := dir + string(filepath.Separator)
	if rel, err := filepath.Rel(r.Workspace, dir); err == nil && filepath.IsLocal(rel) && rel != "." {
		name = rel + string(filepath.Separator)
	}
	for _, known := range append(r.Kept, r.Created...) {
		if known == name {
			return
		}
	}
	*list = append(*list, name)
}

func codeOfFile(err error) memory.Code {
	if errors.Is(err, fs.ErrPermission) {
		return memory.PermissionDenied
	}
	return memory.Unavailable
}

// fixChoices writes down what must not change by itself later: in which zone a
// day begins, and in which language the files are headed.
func (a *app) fixChoices(c *config, r *initReport, newProfile bool) error {
	path := filepath.Join(c.Workspace, stateFolder, configFile)
	name := filepath.Join(stateFolder, configFile)
	old, err := os.ReadFile(path)
	if err == nil {
		text := string(old)
		if newProfile {
			text = replaceSetting(text, setProfile, c.text(setProfile))
		}
		if language := a.languageByNow(c); language != "" {
			text = replaceSetting(text, setLanguage, language)
		}
		if text == string(old) {
			r.Kept = append(r.Kept, name)
			return nil
		}
		r.Changed = append(r.Changed, name)
		return writePrivate(path, text)
	}
	a.guessChoices(c)
	r.Created = append(r.Created, name)
	return writePrivate(path, a.configText(c))
}

// languageByNow is the language of a workspace that could not tell when it was
// made; "" where it is fixed, or nothing tells it yet.
func (a *app) languageByNow(c *config) string {
	if c.values[setLanguage].Origin != autoLanguage {
		return ""
	}
	if language := a.hostLanguage(c.Workspace, "USER.md", "SOUL.md"); language != autoLanguage {
		return language
	}
	return ""
}

func (a *app) guessChoices(c *config) {
	guesses := map[string]func() string{
		setTimeZone: a.hostZone,
		setLanguage: func() string { return a.hostLanguage(c.Workspace, "MEMORY.md", "USER.md", "SOUL.md") },
	}
	for name, guess := range guesses {
		if origin := c.values[name].Origin; origin != "default" && origin != autoLanguage {
			continue
		}
		s, _ := findSetting(name)
		if text := guess(); text != "" && s.check(text) == nil {
			c.values[name] = value{Text: text, Origin: "fixed by init"}
		}
	}
}

func (a *app) configText(c *config) string {
	comment := a.printer(a.Out).sentence(`Settings of this agent-memory workspace; "agent-memory config" lists all of them.`)
	return fmt.Sprintf(`# %s
profile = %q
time_zone = %q
language = %q
`, comment, c.text(setProfile), c.text(setTimeZone), c.text(setLanguage))
}

// replaceSetting changes the one line and leaves what people wrote around it.
func replaceSetting(text, name, value string) string {
	line := fmt.Sprintf("%s = %q", name, value)
	pattern := regexp.MustCompile(`(?m)^[ \t]*` + name + `[ \t]*=.*$`)
	if pattern.MatchString(text) {
		return pattern.ReplaceAllLiteralString(text, line)
	}
	return line + "\n" + text
}
