package main

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/tools"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// caller runs a tool by its name; the adapter below knows no more of a tool
// than its Spec.
type caller func(ctx context.Context, tool string, args json.RawMessage) (any, error)

// toolCommand makes a subcommand of a tool: flags from its schema, its most
// used argument also by position, text or JSON as the answer.
func (a *app) toolCommand(spec tools.Spec, call caller) *cobra.Command {
	position := positionOf(spec.Name)
	cmd := &cobra.Command{
		Use:     usage(spec, position),
		Aliases: aliases(spec.Name),
		Short:   firstSentence(spec.Description),
		Long:    spec.Description,
		Args:    positionalArgs(position),
	}
	flags := newToolFlags(cmd.Flags(), spec.Input)
	cmd.RunE = func(cmd *cobra.Command, words []string) error {
		given, err := flags.object()
		if err != nil {
			return err
		}
		if err := a.placePositional(given, position, words); err != nil {
			return err
		}
		if err := readableTexts(given); err != nil {
			return err
		}
		raw, err := json.Marshal(given)
		if err != nil {
			return fmt.Errorf("encoding the arguments: %w", err)
		}
		answer, err := call(cmd.Context(), spec.Name, raw)
		if err != nil {
			return err
		}
		if err := a.answer(spec.Name, answer); err != nil {
			return err
		}
		return statusOf(answer)
	}
	return cmd
}

// readableTexts refuses bytes of another encoding: JSON would put a question mark
// in the place of each, and what was meant would be lost.
func readableTexts(given map[string]any) error {
	for name, v := range given {
		if text, is := v.(string); is && !utf8.ValidString(text) {
			return memory.Errorf(memory.InvalidArgument, "%s is not valid UTF-8", name).
				WithHint("convert it first, for example: iconv -f GB18030 -t UTF-8 FILE | agent-memory remember -")
		}
	}
	return nil
}

// statusOf ends the program with a status where the answer, which is printed,
// says that something was not done: with that of the first item that was not
// kept, or that nothing is at an address.
func statusOf(answer any) error {
	switch r := answer.(type) {
	case tools.RecallPathResult:
		if !r.Found {
			return exitStatus(exitCodes()[memory.NotFound])
		}
	case tools.RememberResult:
		for _, item := range r.Results {
			if item.Error != nil {
				return exitStatus(exitCode(item.Error))
			}
		}
	}
	return nil
}

// positionOf names the argument that may stand without a flag.
func positionOf(tool string) string {
	return map[string]string{
		"remember":    "content",
		"recall":      "query",
		"recall_path": "uri",
		"forget":      "id",
		"reflect":     "phase",
		"status":      "level",
		"sync":        "what",
	}[tool]
}

func aliases(tool string) []string {
	if dashed := strings.ReplaceAll(tool, "_", "-"); dashed != tool {
		return []string{dashed}
	}
	return nil
}

func usage(spec tools.Spec, position string) string {
	shown := map[string]string{"content": "TEXT", "query": "QUERY", "uri": "URI", "id": "ID|URI|SOURCE-GLOB"}[position]
	switch {
	case shown != "":
		return spec.Name + " [" + shown + "]"
	case position != "":
		return spec.Name + " [" + strings.ToUpper(position) + "]"
	}
	return spec.Name
}

func positionalArgs(position string) cobra.PositionalArgs {
	if position == "" {
		return cobra.NoArgs
	}
	return cobra.ArbitraryArgs
}

// placePositional joins the words into one argument; "-" reads standard input.
func (a *app) placePositional(given map[string]any, position string, words []string) error {
	if len(words) == 0 {
		return nil
	}
	text := strings.Join(words, " ")
	if text == "-" {
		var err error
		if text, err = readAll(a.In); err != nil {
			return err
		}
	}
	if position == "id" && strings.Contains(text, "://") {
		position = "uri"
	}
	if _, twice := given[position]; twice {
		return memory.Errorf(memory.InvalidArgument, "%s is given twice, with and without its flag", position)
	}
	given[position] = text
	return nil
}

// maxInput bounds what is read from standard input for one argument.
const maxInput = 1 << 20

func readAll(in io.Reader) (string, error) {
	text, err := io.ReadAll(io.LimitReader(in, maxInput+1))
	if err != nil {
		return "", fmt.Errorf("reading standard input: %w", err)
	}
	if len(text) > maxInput {
		return "", memory.Errorf(memory.TooLarge, "standard input holds more than %d bytes", maxInput)
	}
	return strings.TrimRight(string(text), "\r\n"), nil
}

// answer prints what a tool returned.
func (a *app) answer(tool string, result any) error {
	if a.json {
		return writeJSON(a.Out, result)
	}
	return a.printer(a.Out).result(tool, result)
}

// toolFlags are the flags of one tool, all kept as text: the schema decides
// what they mean, as it does for every other caller.
type toolFlags struct {
	set    *pflag.FlagSet
	schema tools.Schema
	texts  map[string]*textFlag
	lists  map[string]*[]string
}

// textFlag keeps a flag as it was written and shows in the help what it should be.
type textFlag struct {
	kind tools.Kind
	text string
}

func (f *textFlag) String() string { return f.text }

// Set implements pflag.Value.
func (f *textFlag) Set(text string) error {
	f.text = text
	return nil
}

// Type implements pflag.Value.
func (f *textFlag) Type() string { return string(f.kind) }

func firstSentence(text string) string {
	sentence, _, _ := strings.Cut(text, ". ")
	return strings.TrimSuffix(sentence, ".")
}

func newToolFlags(set *pflag.FlagSet, schema tools.Schema) *toolFlags {
	f := &toolFlags{set: set, schema: schema, texts: map[string]*textFlag{}, lists: map[string]*[]string{}}
	for _, arg := range schema {
		f.add(arg)
	}
	return f
}

func (f *toolFlags) add(arg tools.Argument) {
	name := flagName(arg.Name)
	if arg.Kind == tools.Strings {
		f.lists[name] = f.set.StringArray(name, nil, describe(arg))
	} else {
		f.texts[name] = &textFlag{kind: arg.Kind}
		f.set.Var(f.texts[name], name, describe(arg))
	}
	flag := f.set.Lookup(name)
	flag.Hidden = arg.Hidden
	if arg.Kind == tools.Boolean {
		flag.NoOptDefVal = "true"
	}
}

func flagName(argument string) string { return strings.ReplaceAll(argument, "_", "-") }

// plainMeaning describes an argument whose name says enough to an agent: each
// word of the announced tools costs every conversation tokens.
func plainMeaning(argument string) string {
	return map[string]string{
		"actor": "who said or did it", "target": "whom or what it is about", "content": "what to remember",
		"query": "what to look for", "before": "date; nothing from then on", "explain": "show what matched, and why",
		"session_id": "id of the conversation", "session_path": "file of the conversation",
		"message_range": "messages of the conversation, such as 4-9", "source": "where it is from, such as memory-sync:2026-02-21",
		"supersedes": "id or uri of what this replaces", "status": "such as archived or superseded",
		"id": "id of the memory", "uri": "address of the memory", "hard": "drop history and vectors, too",
		"purge": "erase every copy", "undo": "bring it back", "dry_run": "only say what would be done",
		"source_id": "id of the memory that links", "target_id": "id of the memory that is linked to", "memory_id": "id of the memory",
	}[argument]
}

func describe(arg tools.Argument) string {
	var parts []string
	if meaning := cmp.Or(arg.Description, plainMeaning(arg.Name)); meaning != "" {
		parts = append(parts, meaning)
	}
	if len(arg.Enum) > 0 {
		parts = append(parts, "one of "+strings.Join(arg.Enum, ", "))
	}
	if arg.Min != 0 || arg.Max != 0 {
		parts = append(parts, fmt.Sprintf("%v to %v", arg.Min, arg.Max))
	}
	if arg.Default != nil {
		parts = append(parts, fmt.Sprintf("default %v", arg.Default))
	}
	switch arg.Kind {
	case tools.Object, tools.Objects:
		parts = append(parts, "as JSON")
	case tools.Strings:
		parts = append(parts, "may be repeated")
	}
	return strings.Join(parts, "; ")
}

// object collects the flags that were given.
func (f *toolFlags) object() (map[string]any, error) {
	given := map[string]any{}
	for _, arg := range f.schema {
		name := flagName(arg.Name)
		if !f.set.Changed(name) {
			continue
		}
		if list, ok := f.lists[name]; ok {
			given[arg.Name] = splitList(*list)
			continue
		}
		v, err := flagValue(arg, f.texts[name].text)
		if err != nil {
			return nil, err
		}
		given[arg.Name] = v
	}
	return given, nil
}

// splitList lets one flag hold several values, as the schema does for a string.
func splitList(values []string) any {
	if len(values) == 1 {
		return values[0]
	}
	return values
}

func flagValue(arg tools.Argument, text string) (any, error) {
	if arg.Kind != tools.Object && arg.Kind != tools.Objects {
		return text, nil
	}
	var v any
	if err := json.Unmarshal([]byte(text), &v); err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "--%s is not JSON: %w", flagName(arg.Name), tools.JSONProblem([]byte(text), err)).
			WithHint("for example %s", map[tools.Kind]string{tools.Object: `'{"next step": "…"}'`, tools.Objects: `'[{"content": "…"}]'`}[arg.Kind])
	}
	return v, nil
}
