package main

import (
	"io"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"agentmemory/lifecycle"
	"agentmemory/tools"
)

// What the README says there is, there is; and it leaves nothing out.
func TestReadmeNamesWhatThereIs(t *testing.T) {
	readme := read(t, "../../README.md")
	root := (&app{streams: streams{In: strings.NewReader(""), Out: io.Discard, Err: io.Discard}}).rootCommand()
	commands := []string{"help"}
	for _, c := range root.Commands() {
		if commands = append(commands, c.Name()); c.Hidden {
			continue
		}
		if !strings.Contains(readme, "`"+c.Name()+"`") && !strings.Contains(readme, "agent-memory "+c.Name()) {
			t.Errorf("the README does not name the command %s", c.Name())
		}
	}
	for _, m := range regexp.MustCompile("[`(]agent-memory ([a-z_]+)").FindAllStringSubmatch(readme, -1) {
		if !slices.Contains(commands, m[1]) {
			t.Errorf("the README names a command %q", m[1])
		}
	}
	names := func(section, pattern string) []string {
		_, text, _ := strings.Cut(readme, "\n## "+section+"\n")
		text, _, _ = strings.Cut(text, "\n## ")
		var out []string
		for _, m := range regexp.MustCompile(pattern).FindAllStringSubmatch(text, -1) {
			out = append(out, m[1])
		}
		return out
	}
	var common []string
	for _, spec := range toolSpecs()[:commonTools] {
		common = append(common, spec.Name)
	}
	if diff := cmp.Diff(common, names("The tools", "(?m)^\\| `(\\w+)` \\|")); diff != "" {
		t.Errorf("tools (-there are +the README says):\n%s", diff)
	}
	for _, profile := range lifecycle.ProfileNames() {
		if !strings.Contains(readme, "`"+profile+"`") {
			t.Errorf("the README does not name the profile %s", profile)
		}
	}
	for _, name := range names("Capture: conversations become memories by themselves", "`(capture\\.\\w+)`") {
		if !slices.ContainsFunc(settings(), func(s setting) bool { return s.Name == name }) {
			t.Errorf("the README names a setting %q", name)
		}
	}
	var phases []string
	for _, p := range tools.ReflectSpec().Input {
		if p.Name == "phase" {
			phases = p.Enum
		}
	}
	for _, phase := range phases {
		if !strings.Contains(readme, "`"+phase+"`") {
			t.Errorf("the README does not name the phase %s", phase)
		}
	}
}
