package main

import (
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

// hostLanguage returns the language of the files that are there, else of the
// user's locale: "zh" or "en".
func (a *app) hostLanguage(workspace string) string {
	for _, name := range []string{"MEMORY.md", "USER.md", "SOUL.md"} {
		text, err := os.ReadFile(filepath.Join(workspace, name))
		if err == nil && len(text) > 0 {
			return languageOf(string(text))
		}
	}
	for _, name := range []string{"LC_ALL", "LC_MESSAGES", "LANG"} {
		if locale := a.env.get(name); locale != "" {
			if strings.HasPrefix(locale, "zh") {
				return "zh"
			}
			return "en"
		}
	}
	return "en"
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
	if han*4 > letters {
		return "zh"
	}
	return "en"
}
