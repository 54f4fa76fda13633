package main

import (
	"path/filepath"
	"strings"
	"testing"
)

// Mistakes in the settings are said as what they are: a question is not answered
// as if the workspace could not be written, and doctor finds what does not work.
func TestMistakesInTheSettingsAreNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, toml string
		recall     string // part of the failure of recall; "" if it answers
		doctor     string // part of a line of doctor
		problems   bool
	}{
		{name: "another host", toml: "[embedding]\nprovider = \"ollama\"\nbase_url = \"http://embedder.example:11434\"\nmodel = \"m\"",
			recall: "is not this machine", doctor: "BAD  settings   the host of the ollama embedder, embedder.example, is not this machine", problems: true},
		{name: "nobody there", toml: "[embedding]\nprovider = \"ollama\"\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"m\"",
			doctor: "BAD  vectors    the ollama embedder cannot be reached", problems: true},
		{name: "no key", toml: "[embedding]\nprovider = \"openai\"\nbase_url = \"http://127.0.0.1:1\"\nmodel = \"m\"\napi_key_file = \"/does/not/exist\"",
			doctor: "BAD  vectors    reading the key of the openai embedder", problems: true},
		{name: "no such folder to read", toml: "[[extra_paths]]\nname = \"notes\"\npath = \"/does/not/exist\"",
			doctor: "note files      a folder of extra_paths cannot be read: open /does/not/exist"},
		{name: "no such folder for the database", toml: "database = \"/does/not/exist/memory.db\"",
			recall: "/does/not/exist/memory.db", doctor: "BAD  database   the folder of the database, /does/not/exist, does not exist", problems: true},
		{name: "a negative number", toml: "[recall]\nlimit = -4", recall: "must be a whole number, not negative", doctor: "must be a whole number, not negative", problems: true},
		{name: "a score above 1", toml: "[recall]\nmin_score = 7", recall: "must be a number from 0 to 1", doctor: "must be a number from 0 to 1", problems: true},
		{name: "a negative time", toml: "[embedding]\ntimeout = \"-5s\"", recall: "must be a duration", doctor: "must be a duration", problems: true},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			env, home := surround(t)
			if code, out, errs := program(t, env, "remember", "The office router is in the hall"); code != 0 {
				t.Fatal(out, errs)
			}
			writeFile(t, filepath.Join(home, ".agent-memory", ".agent-memory", "config.toml"), c.toml)
			code, out, errs := program(t, env, "recall", "office router")
			if c.recall == "" && (code != 0 || !strings.Contains(out, "in the hall")) || c.recall != "" && (code == 0 || !strings.Contains(errs, c.recall)) {
				t.Errorf("recall: exit status %d, said %q %q", code, out, errs)
			}
			code, out, errs = program(t, env, "doctor")
			if (code == exitProblems) != c.problems || !strings.Contains(out, c.doctor) {
				t.Errorf("doctor: exit status %d, said %q %q", code, out, errs)
			}
		})
	}
}
