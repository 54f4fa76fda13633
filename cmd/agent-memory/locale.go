package main

import (
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode"
)

// hostZone returns the name of the time zone that days are to begin in: the
// host program's, else the system's, else "".
func (a *app) hostZone() string {
	candidates := []func() string{a.openClawZone, a.variableZone, linkedZone, namedZone}
	for _, candidate := range candidates {
		name := candidate()
		if name == "" {
			continue
		}
		if _, err := time.LoadLocation(name); err == nil {
			return name
		}
	}
	return ""
}

func (a *app) openClawZone() string {
	home, err := a.env.home()
	if err != nil {
		return ""
	}
	return openClawSettings(home).Agents.Defaults.UserTimezone
}

func (a *app) variableZone() string { return strings.TrimPrefix(a.env.get("TZ"), ":") }

// linkedZone reads the name out of the link that systems keep at /etc/localtime.
func linkedZone() string {
	target, err := filepath.EvalSymlinks("/etc/localtime")
	if err != nil {
		return ""
	}
	_, name, found := strings.Cut(filepath.ToSlash(target), "/zoneinfo/")
	if !found {
		return ""
	}
	return name
}

func namedZone() string {
	if name := time.Local.String(); name != "Local" {
		return name
	}
	text, err := os.ReadFile("/etc/timezone")
	if err != nil {
		return ""
	}
	return strings.TrimSpace(string(text))
}

// autoLanguage leaves the language to what is there.
const autoLanguage = "auto"

// hostLanguage returns the language of files that people wrote, else of the user's
// locale, else of the first diary: "zh", "en", or "auto" when nothing tells.
func (a *app) hostLanguage(workspace string, written ...string) string {
	if language := languageOfAny(workspace, written...); language != "" {
		return language
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		switch locale := a.env.get(name); {
		case strings.HasPrefix(locale, "zh"):
			return "zh"
		case locale == "" || locale == "C" || locale == "POSIX" || strings.HasPrefix(locale, "C."):
			continue // says nothing of the person
		default:
			return "en"
		}
	}
	if language := languageOfAny(workspace, firstDiary(workspace)); language != "" {
		return language
	}
	return autoLanguage
}

func languageOfAny(workspace string, names ...string) string {
	for _, name := range names {
		if workspace == "" || name == "" {
			continue
		}
		if language := languageOfFile(workspace, name); language != "" {
			return language
		}
	}
	return ""
}

// firstDiary is the one that changes least.
func firstDiary(workspace string) string {
	first := ""
	for _, entry := range listInside(workspace, "memory") {
		is, _ := filepath.Match("[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9].md", entry.Name())
		if is && (first == "" || entry.Name() < first) {
			first = entry.Name()
		}
	}
	if first == "" {
		return ""
	}
	return filepath.Join("memory", first)
}

// judgedBytes of a file tell its language.
const judgedBytes = 16 << 10

// languageOfFile follows no link out of the workspace.
func languageOfFile(workspace, name string) string {
	f, err := os.OpenInRoot(workspace, name)
	if err != nil {
		return ""
	}
	defer func() { _ = f.Close() }()
	text, err := io.ReadAll(io.LimitReader(f, judgedBytes))
	if err != nil {
		return ""
	}
	return languageOf(beginning(withoutMarkup(string(text))))
}

// tellingLetters of a file are enough to tell its language. More would make the
// language of a workspace change while its first diary grows.
const tellingLetters = 20

// beginning is the text up to the end of the line with its last telling letter.
func beginning(text string) string {
	letters, end := 0, 0
	for line := range strings.Lines(text) {
		if letters >= tellingLetters {
			break
		}
		end += len(line)
		for _, r := range line {
			if unicode.IsLetter(r) {
				letters++
			}
		}
	}
	return text[:end]
}

// fixLanguage replaces "auto" by a language, and keeps it for what is said.
func (a *app) fixLanguage(c *config) {
	if c.text(setLanguage) == autoLanguage {
		language := a.hostLanguage(c.Workspace, "USER.md", "SOUL.md") // MEMORY.md may be ours by now
		if a.undecided = language == autoLanguage; a.undecided {
			language = "en"
		}
		c.values[setLanguage] = value{Text: language, Origin: autoLanguage}
	}
	a.language = c.text(setLanguage)
}

// decideLanguage looks again where nothing told the language before a command ran:
// what it remembered may be the first that does.
func (a *app) decideLanguage(workspace string) {
	if !a.undecided {
		return
	}
	if language := a.hostLanguage(workspace); language != autoLanguage {
		a.language, a.undecided = language, false
	}
}

// languageOf calls a text Chinese when a quarter of its letters are Han: one of
// them says about as much as a short word.
func languageOf(text string) string {
	han, letters := 0, 0
	for _, r := range text {
		if unicode.Is(unicode.Han, r) {
			han++
		}
		if unicode.IsLetter(r) {
			letters++
		}
	}
	switch {
	case letters == 0:
		return ""
	case han*4 > letters:
		return "zh"
	}
	return "en"
}

// withoutMarkup drops headings, comments and the targets of links: they may be ours.
func withoutMarkup(text string) string {
	var b strings.Builder
	for line := range strings.Lines(text) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		for {
			before, rest, found := strings.Cut(line, "<!--")
			_, after, ended := strings.Cut(rest, "-->")
			if !found || !ended {
				break
			}
			line = before + after
		}
		for {
			before, rest, found := strings.Cut(line, "](")
			_, after, ended := strings.Cut(rest, ")")
			if !found || !ended {
				break
			}
			line = before + after
		}
		b.WriteString(line)
	}
	return b.String()
}

// listInside lists a folder of a workspace in the same way, as far as it can be read.
func listInside(workspace, folder string) []os.DirEntry {
	f, err := os.OpenInRoot(workspace, folder)
	if err != nil {
		return nil
	}
	defer func() { _ = f.Close() }()
	entries, err := f.ReadDir(-1)
	if err != nil {
		return nil
	}
	return entries
}
