package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"agentmemory/internal/capture"
	"agentmemory/internal/memory"

	"github.com/BurntSushi/toml"
)

// captureNone switches capture off.
const captureNone = "none"

// captureFrom writes into the settings file whose conversations the workspace
// captures from now on, and returns them. "none" is nobody's.
func (a *app) captureFrom(c *config, sources []string) ([]string, error) {
	var all []string
	for _, s := range sources {
		switch s = strings.TrimSpace(s); {
		case s == captureNone:
			all = nil
		case s != "" && !slices.Contains(all, s):
			all = append(all, s)
		}
	}
	for _, s := range all {
		host, path, _ := strings.Cut(s, ":")
		if _, err := a.conversationDirs(c, capture.Host(host), path); err != nil {
			return nil, err
		}
	}
	path := configPath(c)
	old, err := os.ReadFile(path)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, fileProblem(path, err)
	}
	text, err := withSources(string(old), all)
	if err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "%s: %w", path, err).WithHint("nothing was changed; correct the file and try again")
	}
	c.values[setCaptureSources] = value{Text: strings.Join(all, ","), Origin: path}
	return all, writePrivate(path, text)
}

// withSources is replaceSources for a text that may be written in a way which that
// does not know: what it made is read again, and nothing is changed if it is not
// what was wanted.
func withSources(text string, sources []string) (string, error) {
	after := replaceSources(text, sources)
	var tree struct {
		Capture struct {
			Sources []string `toml:"sources"`
		} `toml:"capture"`
	}
	if err := toml.Unmarshal([]byte(after), &tree); err != nil || !slices.Equal(tree.Capture.Sources, sources) {
		return text, errors.New("capture.sources is written in a way that cannot be changed here; write [capture] and below it sources = [\"codex\"]")
	}
	return after, nil
}

// replaceSources changes the one line and leaves what people wrote around it.
func replaceSources(text string, sources []string) string {
	quoted := make([]string, len(sources))
	for i, s := range sources {
		quoted[i] = fmt.Sprintf("%q", s)
	}
	line := "sources = [" + strings.Join(quoted, ", ") + "]"
	header := regexp.MustCompile(`(?m)^[ \t]*\[capture\][^\n]*\n?`)
	at := header.FindStringIndex(text)
	if at == nil {
		if text != "" && !strings.HasSuffix(text, "\n") {
			text += "\n"
		}
		return text + "\n[capture]\n" + line + "\n"
	}
	before, table := strings.TrimSuffix(text[:at[1]], "\n")+"\n", text[at[1]:]
	end := len(table)
	if next := regexp.MustCompile(`(?m)^[ \t]*\[`).FindStringIndex(withoutLists(table)); next != nil {
		end = next[0]
	}
	own := regexp.MustCompile(`(?m)^[ \t]*sources[ \t]*=[ \t]*(?:` + listOfTexts + `|"[^"\n]*"|'[^'\n]*')([ \t]*(?:#[^\r\n]*)?)\r?$`)
	if at := own.FindStringSubmatchIndex(table[:end]); at != nil {
		return before + table[:at[0]] + line + strings.TrimRight(table[at[2]:at[3]], " \t") + table[at[1]:]
	}
	return before + line + "\n" + table
}

// listOfTexts is a TOML list of strings, with the comments of its rows.
const listOfTexts = `\[(?:"[^"\n]*"|'[^'\n]*'|#[^\n]*|[^\]"'#])*\]`

// withoutLists blanks the rows of lists, so that none is taken for a table.
func withoutLists(text string) string {
	return regexp.MustCompile(`=[ \t]*`+listOfTexts).ReplaceAllStringFunc(text, func(s string) string {
		return "=" + strings.Repeat(" ", len(s)-1)
	})
}

// initialSources are those that init switches on by itself: in the workspace of
// an OpenClaw that is installed here, that program's own conversations.
func (a *app) initialSources(c *config) []string {
	if c.values[setCaptureSources].Origin != "default" {
		return nil
	}
	home, err := a.env.home()
	if err != nil {
		return nil
	}
	if dir, found := openClawWorkspace(home); found && sameDir(dir, c.Workspace) && isDir(filepath.Join(home, ".openclaw", "agents")) {
		return []string{string(capture.OpenClaw)}
	}
	return nil
}

// absentSources tells of sources that have nothing to read yet: a name that was
// misspelled would else stay unnoticed.
func (a *app) absentSources(c *config, sources []string) []string {
	var warnings []string
	for _, s := range sources {
		host, path, _ := strings.Cut(s, ":")
		dirs, err := a.conversationDirs(c, capture.Host(host), path)
		if err == nil && !slices.ContainsFunc(dirs, isDir) {
			warnings = append(warnings, fmt.Sprintf("%s: there is no folder %s yet; once there is, what is said there is captured", s, dirs[0]))
		}
	}
	return warnings
}

// captureSources switches capture on or off as init was asked to; what was not
// asked for is switched on only where a workspace is made.
func (a *app) captureSources(c *config, asked []string, made bool) ([]string, error) {
	if len(asked) == 0 && made {
		asked = a.initialSources(c)
	}
	if len(asked) == 0 {
		return c.list(setCaptureSources), nil
	}
	sources, err := a.captureFrom(c, asked)
	if err != nil {
		return nil, fmt.Errorf("choosing whose conversations are captured: %w", err)
	}
	return sources, nil
}
