package main

import (
	"testing"

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
