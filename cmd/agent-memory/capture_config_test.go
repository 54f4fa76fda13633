package main

import (
	"testing"

	"github.com/BurntSushi/toml"
	"github.com/google/go-cmp/cmp"
)

func TestCaptureSourcesInTheSettingsFile(t *testing.T) {
	for _, c := range []struct {
		name, before string
		sources      []string
		after        string
	}{
		{"an empty file", "", []string{"codex"}, "\n[capture]\nsources = [\"codex\"]\n"},
		{"other settings stay", "profile = \"yue\" # mine", []string{"codex"}, "profile = \"yue\" # mine\n\n[capture]\nsources = [\"codex\"]\n"},
		{"the line is replaced", "[capture]\nsince = \"2026-02-21\"\nsources = [\"codex\"]\n", []string{"openclaw", "codex"}, "[capture]\nsince = \"2026-02-21\"\nsources = [\"openclaw\", \"codex\"]\n"},
		{"a list of several rows", "[capture]\nsources = [\n  \"codex\",\n]\n\n[recall]\nlimit = 5\n", nil, "[capture]\nsources = []\n\n[recall]\nlimit = 5\n"},
		{"a table without the line", "[capture]\n[recall]\nlimit = 5\n", []string{"codex"}, "[capture]\nsources = [\"codex\"]\n[recall]\nlimit = 5\n"},
		{"another table's sources are not ours", "[capture]\n[other]\nsources = [\"x\"]\n", []string{"codex"}, "[capture]\nsources = [\"codex\"]\n[other]\nsources = [\"x\"]\n"},
	} {
		if diff := cmp.Diff(c.after, replaceSources(c.before, c.sources)); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
}

// However people wrote the setting, afterwards the file can be read and says what was chosen, or
// it is left as it is.
func TestCaptureSourcesHoweverTheyWereWritten(t *testing.T) {
	for before, changes := range map[string]bool{
		"[capture]\nsources = [\"codex\"] # mine\nquiet = \"5m\"\n":     true,
		"[capture]\nsources = 'codex'\n":                                true,
		"[capture]\nsources = [\n  \"codex\", # ] not the end\n]\n":     true,
		"[capture] # whose\nsources=[]\n":                               true,
		"capture.sources = [\"codex\"]\n":                               false,
		"capture = { sources = [\"codex\"] }\n":                         false,
		"[capture]\n\"sources\" = [\"codex\"]\n[recall]\nlimit = 5\n":   false,
		"[capture]\nsources = \"\"\"codex\"\"\"\n[recall]\nlimit = 5\n": false,
	} {
		after, err := withSources(before, []string{"openclaw", "claude-code"})
		if err != nil && !changes && after == before {
			continue
		}
		var tree struct{ Capture struct{ Sources []string } }
		if broken := toml.Unmarshal([]byte(after), &tree); broken != nil {
			t.Errorf("%q became %q: %v", before, after, broken)
			continue
		}
		if err != nil || !cmp.Equal(tree.Capture.Sources, []string{"openclaw", "claude-code"}) {
			t.Errorf("%q became %q: %v", before, after, err)
		}
	}
}
