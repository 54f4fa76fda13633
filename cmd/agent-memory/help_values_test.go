package main

import (
	"regexp"
	"strings"
	"testing"
)

// Chinese help names the kinds of values in Chinese, too.
func TestChineseHelpNamesTheKindsOfValues(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	english := regexp.MustCompile(`(?m)^ +(?:-\w, )?--[\w-]+ (string|stringArray|stringSlice|strings|integer|int|number|float|boolean|duration|text)\b`)
	for _, command := range []string{"recall", "remember", "recall-path", "forget", "reflect", "sync", "import", "export", "status", "boot", "forecast", "serve", "link", "entity"} {
		code, out, errs := program(t, env, "--workspace", home, "--set", "language=zh", command, "--help")
		if code != 0 {
			t.Errorf("%s: %d %s", command, code, errs)
		}
		if strings.Contains(out, "(default") {
			t.Errorf("%s: a default is shown in English:\n%s", command, out)
		}
		for _, found := range english.FindAllString(out, -1) {
			t.Errorf("%s: %q", command, found)
		}
	}
}
