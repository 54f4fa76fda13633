package main

import (
	"regexp"
	"slices"
	"strings"

	"agentmemory/internal/locale"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// helpInLanguage has help speak the language of the workspace, or where there is
// none yet, that of the locale. Commands are described in English where they
// are made; their Chinese stands in one table.
func (a *app) helpInLanguage(root *cobra.Command) {
	english := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if _, err := a.loadConfig(); err != nil { // help must come whatever the settings say
			a.language = ""
		}
		if a.printer(a.Out).language == locale.Chinese {
			chineseHelp{texts: helpTexts()}.speak(root, cmd)
		}
		english(cmd, args)
	})
}

// chineseHelp puts the descriptions of commands and flags into Chinese.
type chineseHelp struct{ texts map[string]string }

func (h chineseHelp) speak(root, cmd *cobra.Command) {
	root.SetUsageTemplate(chineseUsage(root.UsageTemplate()))
	cmd.InitDefaultHelpFlag()
	cmd.Long = h.text(cmd.Long)
	cmd.Use, cmd.DisableFlagsInUseLine = cmd.Use+" [选项]", true
	for _, c := range append(cmd.Commands(), cmd) {
		c.Short = h.text(c.Short)
	}
	for _, flags := range []*pflag.FlagSet{cmd.Flags(), root.PersistentFlags()} {
		flags.VisitAll(func(f *pflag.Flag) {
			f.Usage, f.Value = h.flag(f), chineseValue{f.Value}
			if !slices.Contains([]string{"", "[]", "0", "0s", "false"}, f.DefValue) {
				f.Usage += "（默认 " + f.DefValue + "）"
			}
			f.DefValue = "" // pflag would say it in English
		})
	}
}

// chineseValue is the value of a flag that names its kind in Chinese, by two
// characters each, so that the descriptions stand below each other.
type chineseValue struct{ pflag.Value }

// Type implements pflag.Value.
func (v chineseValue) Type() string {
	switch kind := v.Value.Type(); kind {
	case "string", "text":
		return "文字"
	case "stringArray", "stringSlice", "strings", "objects":
		return "列表"
	case "object":
		return "对象"
	case "integer", "int", "int64", "uint":
		return "整数"
	case "number", "float64":
		return "数值"
	case "boolean":
		return "是否"
	case "duration":
		return "时长"
	default:
		return kind
	}
}

// chineseUsage is the frame around the descriptions.
func chineseUsage(template string) string {
	return strings.NewReplacer(
		"Usage:", "用法：", "Aliases:", "别名：", "Available Commands:", "命令：", "Additional Commands:", "其他命令：",
		"Global Flags:", "全局选项：", "Flags:", "选项：", "[command]", "[命令]",
		`Use "{{.CommandPath}} [command] --help" for more information about a command.`, `用 "{{.CommandPath}} [命令] --help" 查看某个命令的详细说明。`,
	).Replace(template)
}

func (h chineseHelp) text(english string) string {
	if chinese, known := h.texts[firstLine(english)]; known {
		return chinese
	}
	if short, phase, found := strings.Cut(english, " (reflect --phase "); found {
		return h.text(short) + "（即 reflect --phase " + strings.TrimSuffix(phase, ")") + "）"
	}
	return english
}

func (h chineseHelp) flag(f *pflag.Flag) string {
	if f.Name == "help" {
		return "显示这份说明"
	}
	parts := strings.Split(f.Usage, "; ")
	for i := len(parts); i > 0; i-- { // a description may hold a semicolon itself
		if chinese, known := h.texts[strings.Join(parts[:i], "; ")]; known {
			return strings.Join(append([]string{chinese}, terms(parts[i:])...), "；")
		}
	}
	return strings.Join(terms(parts), "；")
}

// terms are what describe adds about the values of a flag.
func terms(english []string) []string {
	chinese := make([]string, len(english))
	for i, s := range english {
		s = strings.NewReplacer("as JSON", "JSON 格式", "may be repeated", "可重复使用").Replace(s)
		s = regexp.MustCompile(`^one of (.*)$`).ReplaceAllString(s, "可选：$1")
		s = regexp.MustCompile(`^default (.*)$`).ReplaceAllString(s, "默认 $1")
		chinese[i] = regexp.MustCompile(`^(\S+) to (\S+)$`).ReplaceAllString(s, "$1 到 $2")
	}
	return chinese
}
