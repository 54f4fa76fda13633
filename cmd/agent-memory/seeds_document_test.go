package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Each row of docs/seeds.md says how it is met or why it is left out, and every
// test, setting and command that it names exists.
func TestTheSeedsListNamesWhatIsThere(t *testing.T) {
	root := filepath.Join("..", "..")
	list := read(t, root, "docs", "seeds.md")
	profiles := read(t, root, "docs", "profiles.md")
	tests := testsBelow(t, root)
	env, _ := surround(t)
	commands := map[string]bool{}
	for _, command := range commandsOf(t, env) {
		commands[command.Name()] = true
	}
	rows := 0
	for line := range strings.Lines(list) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "| ") || len(cells) != 3 || strings.Contains(line, "| asks |") {
			continue
		}
		rows++
		met := cells[2]
		if len(strings.TrimSpace(met)) < 5 {
			t.Errorf("nothing is said: %s", line)
		}
		for _, code := range regexp.MustCompile("`([^`]+)`").FindAllStringSubmatch(met, -1) {
			name := code[1]
			switch {
			case strings.HasPrefix(name, "Test"):
				if !tests[name] {
					t.Errorf("there is no test %s", name)
				}
			case regexp.MustCompile(`^[A-Z]\w+(\.\w+)?$`).MatchString(name):
				if !strings.Contains(profiles, "`"+name+"`") {
					t.Errorf("there is no setting %s", name)
				}
			case regexp.MustCompile(`^[a-z]+$`).MatchString(name) && !commands[name]:
				t.Errorf("there is no command %s", name)
			}
		}
	}
	if rows < 60 {
		t.Errorf("only %d rows", rows)
	}
}

func testsBelow(t *testing.T, root string) map[string]bool {
	t.Helper()
	found := map[string]bool{}
	named := regexp.MustCompile(`(?m)^func (Test\w+)\(`)
	err := filepath.WalkDir(root, func(path string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range named.FindAllStringSubmatch(string(text), -1) {
			found[m[1]] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return found
}
