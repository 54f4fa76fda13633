package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentmemory/internal/memory"

	"github.com/BurntSushi/toml"
)

const (
	variablePrefix = "AGENT_MEMORY_"
	keyVariable    = variablePrefix + "EMBEDDING_API_KEY"
	stateFolder    = ".agent-memory"
	configFile     = "config.toml"
)

// value is the text of a setting and where it came from.
type value struct {
	Text   string `json:"value"`
	Origin string `json:"origin"`
}

// extraPath is a folder outside the workspace's own files that people keep
// notes in; Pattern selects files below Path, "**" crosses folders.
type extraPath struct {
	Name    string `json:"name" toml:"name"`
	Path    string `json:"path" toml:"path"`
	Pattern string `json:"pattern" toml:"pattern"`
}

// config holds the effective settings of one workspace.
type config struct {
	Workspace       string
	WorkspaceOrigin string
	ExtraPaths      []extraPath
	Entities        []entityNames
	Agents          []agentAccess
	Warnings        []string // things that a user should know and that stop nothing
	values          map[string]value
}

// loadConfig reads every layer: flag, environment, the workspace's file, the
// user's file, default.
func (a *app) loadConfig() (*config, error) {
	place, origin, err := a.findWorkspace()
	if err != nil {
		return nil, err
	}
	c := &config{Workspace: place, WorkspaceOrigin: origin, values: map[string]value{}, Warnings: a.passedOver(place)}
	for _, s := range settings() {
		c.values[s.Name] = value{Text: s.Default, Origin: "default"}
	}
	layers := []func(*config) error{a.userFile, a.workspaceFile, a.environmentLayer, a.flagLayer}
	for _, layer := range layers {
		if err := layer(c); err != nil {
			return nil, err
		}
	}
	a.fixLanguage(c)
	return c, c.check()
}

// check refuses settings that are right one by one and wrong together.
func (c *config) check() error {
	if err := c.checkAgent(); err != nil {
		return err
	}
	return c.checkSchedule()
}

func (a *app) userFile(c *config) error {
	dir, err := a.env.configDir()
	if err != nil {
		return nil //nolint:nilerr // without a home directory there is no file of the user
	}
	return c.readFile(filepath.Join(dir, configFile))
}

func (a *app) workspaceFile(c *config) error {
	return c.readFile(filepath.Join(c.Workspace, stateFolder, configFile))
}

func (c *config) readFile(path string) error {
	text, err := os.ReadFile(path)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, fs.ErrPermission) && path != filepath.Join(c.Workspace, stateFolder, configFile) {
		return nil
	}
	if err != nil {
		return memory.Errorf(memory.PermissionDenied, "reading %s: %w", path, err).WithHint("make the file readable for this user, or choose another workspace with --workspace DIR")
	}
	var tree map[string]any
	if _, err := toml.Decode(string(text), &tree); err != nil {
		return memory.Errorf(memory.InvalidArgument, "%s is not valid TOML: %w", path, err).
			WithHint("%s", tomlHint(err))
	}
	if err := c.takeTables(string(text), tree, path); err != nil {
		return err
	}
	return c.takeTree("", tree, path)
}

func tomlHint(err error) string {
	var e toml.ParseError
	if errors.As(err, &e) {
		return fmt.Sprintf("look at line %d", e.Position.Line)
	}
	return "correct the file, or move it away to use the defaults"
}

// takeExtraPaths reads the one setting that is a list of tables.
func (c *config) takeExtraPaths(text string, tree map[string]any, path string) error {
	if _, given := tree["extra_paths"]; !given {
		return nil
	}
	delete(tree, "extra_paths")
	var typed struct {
		ExtraPaths []extraPath `toml:"extra_paths"`
	}
	meta, err := toml.Decode(text, &typed)
	if err != nil {
		return memory.Errorf(memory.InvalidArgument, "extra_paths in %s: %w", path, err).
			WithHint(`write [[extra_paths]] with name = "notes", path = "~/notes", pattern = "**/*.md"`)
	}
	for _, key := range meta.Undecoded() {
		if key[0] == "extra_paths" {
			return memory.Errorf(memory.InvalidArgument, "unknown key %s in %s", key, path).
				WithHint("extra_paths has name, path and pattern")
		}
	}
	c.ExtraPaths = typed.ExtraPaths
	return nil
}

func (c *config) takeTree(prefix string, tree map[string]any, path string) error {
	for key, v := range tree {
		name := prefix + key
		if sub, ok := v.(map[string]any); ok {
			if err := c.takeTree(name+".", sub, path); err != nil {
				return err
			}
			continue
		}
		separator := ","
		if prefix == schedulePrefix {
			separator = ";" // commas are part of cron expressions
		}
		if err := c.take(name, tomlText(v, separator), path); err != nil {
			return err
		}
	}
	return nil
}

func tomlText(v any, separator string) string {
	list, ok := v.([]any)
	if !ok {
		return fmt.Sprint(v)
	}
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = fmt.Sprint(e)
	}
	return strings.Join(parts, separator)
}

func (c *config) take(name, text, origin string) error {
	s, known := findSetting(name)
	if !known {
		return unknownSetting(name, origin)
	}
	if err := s.check(text); err != nil {
		return memory.Errorf(memory.InvalidArgument, "setting %s is %q (%s): %w", name, text, origin, err).
			WithHint("%s: %s", name, s.Meaning)
	}
	c.values[name] = value{Text: text, Origin: origin}
	return nil
}

// formerVariables are settings of the original agent-memory: a client that
// still gives them must start, and be told where they went.
func formerVariables() map[string]string {
	return map[string]string{
		"AGENT_MEMORY_DB":                     "take the old database over with: agent-memory import FILE",
		"AGENT_MEMORY_AGENT_ID":               "a call's agent_id is kept as the actor of its memories",
		"AGENT_MEMORY_AUTO_INGEST":            "the files of the workspace are always read",
		"AGENT_MEMORY_EMBEDDINGS_PROVIDER":    "now AGENT_MEMORY_EMBEDDING_PROVIDER",
		"AGENT_MEMORY_EMBEDDINGS_MODEL":       "now AGENT_MEMORY_EMBEDDING_MODEL",
		"AGENT_MEMORY_EMBEDDINGS_INSTRUCTION": "not needed any more",
		"AGENT_MEMORY_MAX_MEMORIES":           "there is no limit any more",
	}
}

// otherVariables are names with our prefix that are no settings.
func otherVariables() []string {
	return []string{variablePrefix + "WORKSPACE", keyVariable, modelKeyVariable, clockVariable}
}

func (a *app) environmentLayer(c *config) error {
	known := map[string]setting{}
	for _, s := range settings() {
		known[s.variable()] = s
	}
	for _, pair := range a.env.Variables {
		name, text, _ := strings.Cut(pair, "=")
		if !strings.HasPrefix(name, variablePrefix) {
			continue
		}
		if s, ok := known[name]; ok {
			if err := c.take(s.Name, text, "environment "+name); err != nil {
				return err
			}
			continue
		}
		if err := c.strangeVariable(name); err != nil {
			return err
		}
	}
	return nil
}

// strangeVariable refuses what is probably a typo of a setting, and warns of the
// rest: the environment is shared with other programs and with clients of the
// original agent-memory, whose names must not stop us.
func (c *config) strangeVariable(name string) error {
	if slices.Contains(otherVariables(), name) {
		return nil
	}
	if advice, former := formerVariables()[name]; former {
		c.Warnings = append(c.Warnings, fmt.Sprintf("%s is not used: %s", name, advice))
		return nil
	}
	var endings []string
	for _, s := range settings() {
		endings = append(endings, strings.TrimPrefix(s.variable(), variablePrefix))
	}
	if near := nearest(strings.TrimPrefix(name, variablePrefix), endings); near != "" {
		return memory.Errorf(memory.InvalidArgument, "unknown setting %s in the environment", name).
			WithHint("did you mean %s%s? `agent-memory config` lists all", variablePrefix, near)
	}
	c.Warnings = append(c.Warnings, name+" is not a setting")
	return nil
}

func (a *app) flagLayer(c *config) error {
	for _, pair := range a.setFlags {
		name, text, found := strings.Cut(pair, "=")
		if !found {
			return memory.Errorf(memory.InvalidArgument, "--set %q has no value", pair).WithHint("write --set NAME=VALUE")
		}
		if err := c.take(strings.TrimSpace(name), text, "flag --set"); err != nil {
			return err
		}
	}
	return nil
}

// The typed getters rely on check having accepted the text.

func (c *config) text(name string) string { return c.values[name].Text }

func (c *config) integer(name string) int {
	n, _ := strconv.Atoi(c.text(name))
	return n
}

func (c *config) number(name string) float64 {
	f, _ := strconv.ParseFloat(c.text(name), 64)
	return f
}

func (c *config) boolean(name string) bool {
	b, _ := strconv.ParseBool(c.text(name))
	return b
}

func (c *config) duration(name string) time.Duration {
	d, _ := time.ParseDuration(c.text(name))
	return d
}

func (c *config) list(name string) []string {
	var out []string
	for _, part := range strings.Split(c.text(name), ",") {
		if part = strings.TrimSpace(part); part != "" {
			out = append(out, part)
		}
	}
	return out
}

// zone returns the workspace's time zone, else the system's.
func (c *config) zone() *time.Location {
	if name := c.text(setTimeZone); name != "" {
		if zone, err := time.LoadLocation(name); err == nil {
			return zone
		}
	}
	return time.Local
}

func configPath(c *config) string { return filepath.Join(c.Workspace, stateFolder, configFile) }
