package main

import (
	"path/filepath"
	"runtime"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// surroundings is what the program takes from its process: the variables of the
// environment and the clock. Nothing else in the program reads either.
type surroundings struct {
	Variables []string // NAME=value
	Now       func() time.Time
	// Start starts this program again, with other arguments, and does not wait
	// for its end; nil where that cannot be done.
	Start func(args []string) error
}

// lookup returns a variable of the environment; the last one of a name counts.
func (s surroundings) lookup(name string) (string, bool) {
	for i := len(s.Variables) - 1; i >= 0; i-- {
		key, value, found := strings.Cut(s.Variables[i], "=")
		if found && key == name {
			return value, true
		}
	}
	return "", false
}

func (s surroundings) get(name string) string {
	value, _ := s.lookup(name)
	return value
}

// home returns the user's home directory.
func (s surroundings) home() (string, error) {
	names := []string{"HOME"}
	if runtime.GOOS == "windows" {
		names = []string{"USERPROFILE", "HOME"}
	}
	for _, name := range names {
		if dir := s.get(name); filepath.IsAbs(dir) {
			return dir, nil
		}
	}
	return "", memory.Errorf(memory.InvalidArgument, "the environment names no home directory").
		WithHint("set %s, or give --workspace DIR", names[0])
}

// expand makes a path absolute and replaces a leading ~.
func (s surroundings) expand(path string) (string, error) {
	if path == "~" || strings.HasPrefix(path, "~/") || strings.HasPrefix(path, `~\`) {
		home, err := s.home()
		if err != nil {
			return "", err
		}
		path = filepath.Join(home, path[1:])
	}
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", memory.Errorf(memory.InvalidArgument, "path %q: %w", path, err)
	}
	return abs, nil
}

// userDir returns a directory of the user by its XDG variable, else below home.
func (s surroundings) userDir(variable string, fallback ...string) (string, error) {
	if dir := s.get(variable); filepath.IsAbs(dir) {
		return filepath.Join(dir, "agent-memory"), nil
	}
	home, err := s.home()
	if err != nil {
		return "", err
	}
	return filepath.Join(append(append([]string{home}, fallback...), "agent-memory")...), nil
}

func (s surroundings) configDir() (string, error) { return s.userDir("XDG_CONFIG_HOME", ".config") }

func (s surroundings) stateDir() (string, error) {
	return s.userDir("XDG_STATE_HOME", ".local", "state")
}

// zoned is a clock in a zone.
func zoned(now func() time.Time, zone *time.Location) func() time.Time {
	return func() time.Time { return now().In(zone) }
}

// clockVariable moves the clock of the program, for demonstrations and tests:
// "+720h" is thirty days ahead, an RFC 3339 time is when the program starts.
const clockVariable = "AGENT_MEMORY_CLOCK"

func (s surroundings) clock() (func() time.Time, error) {
	text := s.get(clockVariable)
	if text == "" {
		return s.Now, nil
	}
	shift, err := time.ParseDuration(text)
	if err != nil {
		start, timeErr := time.Parse(time.RFC3339, text)
		if timeErr != nil {
			return nil, memory.Errorf(memory.InvalidArgument, "%s=%s is neither a duration nor a time", clockVariable, text).
				WithHint("for example +720h or 2026-03-01T09:00:00+08:00")
		}
		shift = start.Sub(s.Now())
	}
	return func() time.Time { return s.Now().Add(shift) }, nil
}
