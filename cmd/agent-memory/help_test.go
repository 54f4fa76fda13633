package main

import (
	"regexp"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Every command and every flag is described in Chinese, and in terms that a
// person finds in what the command line takes.
func TestHelpIsKnownInChinese(t *testing.T) {
	t.Parallel()
	env, _ := surround(t)
	root := (&app{env: env}).rootCommand()
	root.InitDefaultHelpCmd()
	h := chineseHelp{texts: helpTexts()}
	described := 0
	check := func(where, english, chinese string) {
		described++
		switch {
		case english == chinese || !regexp.MustCompile(`\p{Han}`).MatchString(chinese):
			t.Errorf("%s: no Chinese for %q", where, english)
		case placeholder(english) != placeholder(chinese):
			t.Errorf("%s: %q stands for %s, not %s", where, chinese, placeholder(chinese), placeholder(english))
		}
	}
	var walk func(*cobra.Command)
	walk = func(c *cobra.Command) {
		for _, text := range []string{c.Short, c.Long} {
			if text != "" {
				check(c.CommandPath(), text, h.text(text))
			}
		}
		for _, flags := range []*pflag.FlagSet{c.Flags(), c.PersistentFlags()} {
			flags.VisitAll(func(f *pflag.Flag) {
				if f.Name != "help" && !f.Hidden {
					check(c.CommandPath()+" --"+f.Name, f.Usage, h.flag(f))
				}
			})
		}
		for _, sub := range c.Commands() {
			walk(sub)
		}
	}
	walk(root)
	if described < 120 {
		t.Errorf("only %d descriptions were found", described)
	}
}

// placeholder is what pflag shows in the place of a value.
func placeholder(usage string) string {
	name, _ := pflag.UnquoteUsage(&pflag.Flag{Usage: usage, Value: &textFlag{}})
	return name
}

// Help speaks the language of the workspace, else of the locale, and English elsewhere.
func TestHelpFollowsTheLanguage(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		locale string
		args   []string
		says   string
	}{
		{"LANG=zh_CN.UTF-8", []string{"--help"}, "用法："},
		{"LANG=zh_CN.UTF-8", []string{}, "  remember    记住一条长期有效的内容"},
		{"LANG=zh_TW.UTF-8", []string{"recall", "--help"}, "0 到 1"},
		{"LANG=zh_CN.UTF-8", []string{"help", "schedule", "run"}, "退出状态：0 一切正常"},
		{"LANG=zh_CN.UTF-8", []string{"status", "--help", "--set", "language=en"}, "Usage:"},
		{"LANG=en_US.UTF-8", []string{"--help"}, "Usage:"},
		{"LANG=en_US.UTF-8", []string{"--set", "language=zh", "wrapup", "--help"}, "写一天的日结（即 reflect --phase wrapup）"},
		{"LANG=zh_CN.UTF-8", []string{"--help", "--set", "no_such=1"}, "用法："},
	} {
		env, _ := surround(t, tt.locale)
		code, out, errs := program(t, env, tt.args...)
		if code != 0 || !strings.Contains(out, tt.says) {
			t.Errorf("%s %q does not say %q:\n%s%s", tt.locale, tt.args, tt.says, out, errs)
		}
		if strings.Contains(tt.says, "用法") && regexp.MustCompile(`Usage:|Flags:|Commands:|help for|about any`).MatchString(out) {
			t.Errorf("English is left:\n%s", out)
		}
	}
}
