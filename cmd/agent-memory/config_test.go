package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"agentmemory/internal/memory"
)

// surround makes surroundings with a home of their own and a fixed clock.
func surround(t *testing.T, variables ...string) (surroundings, string) {
	t.Helper()
	home := t.TempDir()
	at := time.Date(2026, 3, 11, 21, 30, 0, 0, time.UTC)
	return surroundings{
		Variables: append([]string{"HOME=" + home, "USERPROFILE=" + home, "PATH=" + os.Getenv("PATH"), "TZ=UTC", "LANG=en_GB.UTF-8"}, variables...),
		Now:       func() time.Time { return at },
	}, home
}

// sequential marks a long test whose commands run one after the other, or in
// processes of their own: under the race detector, which sees nothing there that
// shorter tests of the same commands do not show it, it takes minutes and is left
// out. Everywhere else it runs.
func sequential(t *testing.T) {
	t.Helper()
	if racing {
		t.Skip("nothing meets here, and the race detector makes it twenty times as slow")
	}
}

func writeFile(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
}

// program runs the command line without a process.
func program(t *testing.T, env surroundings, args ...string) (code int, out, errs string) {
	t.Helper()
	var o, e bytes.Buffer
	code = run(t.Context(), append([]string{"agent-memory"}, args...), streams{In: strings.NewReader(""), Out: &o, Err: &e}, env)
	return code, o.String(), e.String()
}

func TestWorkspaceIsFoundInThisOrder(t *testing.T) {
	flag, variable := t.TempDir(), t.TempDir()
	tests := []struct {
		name  string
		setup func(home string)
		flag  string
		env   []string
		want  func(home string) string
	}{
		{"nothing there", func(string) {}, "", nil, func(h string) string { return filepath.Join(h, ".agent-memory") }},
		{"OpenClaw's usual workspace", func(h string) { mkdir(t, h, ".openclaw", "workspace") }, "", nil,
			func(h string) string { return filepath.Join(h, ".openclaw", "workspace") }},
		{"OpenClaw's configured workspace", func(h string) {
			mkdir(t, h, "claw")
			writeFile(t, filepath.Join(h, ".openclaw", "openclaw.json"), "{ // mine\n agents: { defaults: { workspace: '~/claw', }, },\n}")
		}, "", nil, func(h string) string { return filepath.Join(h, "claw") }},
		{"a configured workspace that is not there", func(h string) {
			writeFile(t, filepath.Join(h, ".openclaw", "openclaw.json"), `{"agents":{"defaults":{"workspace":"/nowhere"}}}`)
		}, "", nil, func(h string) string { return filepath.Join(h, ".agent-memory") }},
		{"the environment wins over OpenClaw", func(h string) { mkdir(t, h, ".openclaw", "workspace") }, "",
			[]string{"AGENT_MEMORY_WORKSPACE=" + variable}, func(string) string { return variable }},
		{"a tree in .shadow", func(h string) { mkdir(t, h, ".agent-memory", ".shadow", "memory") }, "", nil,
			func(h string) string { return filepath.Join(h, ".agent-memory", ".shadow") }},
		{"the flag wins over all", func(string) {}, flag, []string{"AGENT_MEMORY_WORKSPACE=" + variable}, func(string) string { return flag }},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env, home := surround(t, tt.env...)
			tt.setup(home)
			a := &app{env: env, workspaceFlag: tt.flag}
			got, origin, err := a.findWorkspace()
			if err != nil || got != tt.want(home) || origin == "" {
				t.Errorf("got %s (%s), %v; want %s", got, origin, err, tt.want(home))
			}
		})
	}
}

func mkdir(t *testing.T, parts ...string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Join(parts...), 0o700); err != nil {
		t.Fatal(err)
	}
}

func TestALaterLayerWins(t *testing.T) {
	env, home := surround(t, "AGENT_MEMORY_RECALL_LIMIT=7")
	workspace := filepath.Join(home, ".agent-memory")
	writeFile(t, filepath.Join(home, ".config", "agent-memory", "config.toml"), "log_level = \"info\"\nlanguage = \"zh\"\n[recall]\nlimit = 5\n")
	writeFile(t, filepath.Join(workspace, ".agent-memory", "config.toml"), "language = \"en\"\ntime_zone = \"Asia/Shanghai\"\n[recall]\nlimit = 6\nmin_score = 0.25\n[[extra_paths]]\nname = \"notes\"\npath = \"~/notes\"\npattern = \"**/*.md\"\n")
	a := &app{env: env, setFlags: []string{"recall.min_score=0.5"}}
	c, err := a.loadConfig()
	if err != nil {
		t.Fatal(err)
	}
	got := map[string]value{}
	for _, name := range []string{setLogLevel, setLanguage, setRecallLimit, setRecallScore, setProfile} {
		got[name] = c.values[name]
	}
	want := map[string]value{
		setLogLevel:    {"info", filepath.Join(home, ".config", "agent-memory", "config.toml")},
		setLanguage:    {"en", filepath.Join(workspace, ".agent-memory", "config.toml")},
		setRecallLimit: {"7", "environment AGENT_MEMORY_RECALL_LIMIT"},
		setRecallScore: {"0.5", "flag --set"},
		setProfile:     {"openclaw", "default"},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff([]extraPath{{"notes", "~/notes", "**/*.md"}}, c.ExtraPaths); diff != "" {
		t.Error(diff)
	}
	if c.zone().String() != "Asia/Shanghai" {
		t.Errorf("zone = %v", c.zone())
	}
}

func TestMistakesInSettingsAreErrors(t *testing.T) {
	tests := []struct {
		name, file, variable, flag string
		hint                       string
	}{
		{"a typo in the file", "langauge = \"en\"", "", "", "did you mean language?"},
		{"a typo in a table", "[recall]\nlimits = 3", "", "", "did you mean recall.limit?"},
		{"a typo in the environment", "", "AGENT_MEMORY_LANGUGE=en", "", "did you mean AGENT_MEMORY_LANGUAGE?"},
		{"a typo in the flag", "", "", "profil=yue", "did you mean profile?"},
		{"no value", "", "", "profile", "NAME=VALUE"},
		{"a value that is none of the choices", "profile = \"secret\"", "", "", "profile"},
		{"text for a number", "[recall]\nlimit = \"many\"", "", "", "recall.limit"},
		{"a zone that is none", "time_zone = \"Mars/Olympus\"", "", "", "time_zone"},
		{"no TOML", "profile openclaw", "", "", "line 1"},
		{"an unknown key of extra_paths", "[[extra_paths]]\nname = \"a\"\npath = \"/a\"\nglob = \"*\"", "", "", "pattern"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			env, home := surround(t, tt.variable)
			writeFile(t, filepath.Join(home, ".agent-memory", ".agent-memory", "config.toml"), tt.file)
			a := &app{env: env}
			if tt.flag != "" {
				a.setFlags = []string{tt.flag}
			}
			_, err := a.loadConfig()
			var e *memory.Error
			if !errors.As(err, &e) || e.Code != memory.InvalidArgument || !strings.Contains(e.Hint, tt.hint) {
				t.Errorf("err = %v, hint = %q; want a hint with %q", err, hintOf(err), tt.hint)
			}
		})
	}
}

func hintOf(err error) string {
	var e *memory.Error
	if errors.As(err, &e) {
		return e.Hint
	}
	return ""
}

func TestForeignVariablesOnlyWarn(t *testing.T) {
	env, _ := surround(t, "AGENT_MEMORY_DB=/old.db", "AGENT_MEMORY_XYZZY=1", "AGENT_MEMORY_EMBEDDING_API_KEY=k")
	c, err := (&app{env: env}).loadConfig()
	if err != nil {
		t.Fatal(err)
	}
	if len(c.Warnings) != 2 || !strings.Contains(c.Warnings[0], "agent-memory import") {
		t.Errorf("warnings = %q", c.Warnings)
	}
}

func TestConfigPrintsEverySettingAndItsOrigin(t *testing.T) {
	env, _ := surround(t)
	code, out, errs := program(t, env, "config", "--json", "--set", "language=zh")
	if code != 0 {
		t.Fatal(errs)
	}
	var view configView
	if err := json.Unmarshal([]byte(out), &view); err != nil {
		t.Fatal(err)
	}
	if len(view.Settings) != len(settings()) {
		t.Errorf("%d settings, want %d", len(view.Settings), len(settings()))
	}
	for _, s := range view.Settings {
		if s.Origin == "" || s.Meaning == "" {
			t.Errorf("%+v", s)
		}
		if s.Name == setLanguage && (s.Value != "zh" || s.Origin != "flag --set") {
			t.Errorf("%+v", s)
		}
	}
}

func TestInitSaysWhatItMadeAndKeepsWhatIsThere(t *testing.T) {
	env, home := surround(t, "LANG=zh_CN.UTF-8")
	workspace := filepath.Join(home, "ws")
	writeFile(t, filepath.Join(workspace, "MEMORY.md"), "# MEMORY.md\n\n- 只用中文写的记忆\n")
	code, out, errs := program(t, env, "init", "--workspace", workspace, "--profile", "yue", "--json")
	if code != 0 {
		t.Fatalf("%d %s", code, errs)
	}
	var first initReport
	if err := json.Unmarshal([]byte(out), &first); err != nil {
		t.Fatal(err)
	}
	if first.Profile != "yue" || first.Language != "zh" || first.TimeZone != "UTC" || len(first.Created) != 3 {
		t.Errorf("%+v", first)
	}
	text, err := os.ReadFile(filepath.Join(workspace, "MEMORY.md"))
	if err != nil || string(text) != "# MEMORY.md\n\n- 只用中文写的记忆\n" {
		t.Errorf("MEMORY.md was changed: %q, %v", text, err)
	}
	config := filepath.Join(workspace, ".agent-memory", "config.toml")
	writeFile(t, config, "# mine\nprofile = \"yue\" # the one\nlanguage = \"zh\"\n")
	if code, _, errs = program(t, env, "init", "--workspace", workspace, "--profile", "para"); code != 0 {
		t.Fatal(errs)
	}
	text, err = os.ReadFile(config)
	if err != nil || string(text) != "# mine\nprofile = \"para\"\nlanguage = \"zh\"\n" {
		t.Errorf("%q, %v", text, err)
	}
}

func TestFilesOfOursAreNobodyElsesBusiness(t *testing.T) {
	env, home := surround(t)
	if code, _, errs := program(t, env, "init"); code != 0 {
		t.Fatal(errs)
	}
	err := filepath.WalkDir(filepath.Join(home, ".agent-memory"), func(path string, entry os.DirEntry, err error) error {
		if err != nil {
			return err
		}
		info, err := entry.Info()
		if err == nil && info.Mode().Perm()&0o077 != 0 {
			t.Errorf("%s has mode %v", path, info.Mode().Perm())
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestExitStatusTellsWhatFailed(t *testing.T) {
	tests := []struct {
		err  error
		want int
	}{
		{memory.Errorf(memory.InvalidArgument, "x"), 2},
		{fmt.Errorf("while: %w", memory.Errorf(memory.NotFound, "x")), 3},
		{memory.Errorf(memory.Conflicting, "x"), 4},
		{memory.Errorf(memory.NeedsConfirmation, "x"), 5},
		{memory.Errorf(memory.TooLarge, "x"), 6},
		{memory.Errorf(memory.ReadOnly, "x"), 7},
		{memory.Errorf(memory.Unavailable, "x"), 8},
		{memory.Errorf(memory.NewerStore, "x"), 9},
		{memory.Errorf(memory.PermissionDenied, "x"), 10},
		{memory.Errorf(memory.DeadlineExceeded, "x"), 11},
		{errors.New("anything else"), 1},
		{context.Canceled, 130},
		{exitStatus(exitProblems), exitProblems},
	}
	for _, tt := range tests {
		a := &app{streams: streams{Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}}
		if got := a.fail(tt.err); got != tt.want {
			t.Errorf("%v: exit status %d, want %d", tt.err, got, tt.want)
		}
	}
}

func TestMistakesOnTheCommandLine(t *testing.T) {
	for _, args := range [][]string{{"remembr"}, {"--nonsense"}, {"config", "extra"}, {"recall", "--limit"}, {"import"}} {
		env, _ := surround(t)
		code, _, errs := program(t, env, args...)
		if code != 2 || !strings.Contains(errs, "hint:") {
			t.Errorf("%q: exit status %d, %q", args, code, errs)
		}
		code, out, _ := program(t, env, append(args, "--json")...)
		if code != 2 || !json.Valid([]byte(out)) {
			t.Errorf("%q --json: exit status %d, %q", args, code, out)
		}
	}
}

func TestClockCanBeMoved(t *testing.T) {
	tests := []struct{ text, want string }{
		{"", "2026-03-11T21:30:00Z"}, {"+720h", "2026-04-10T21:30:00Z"}, {"2026-01-01T00:00:00Z", "2026-01-01T00:00:00Z"},
	}
	for _, tt := range tests {
		env, _ := surround(t, clockVariable+"="+tt.text)
		now, err := env.clock()
		if err != nil || now().Format(time.RFC3339) != tt.want {
			t.Errorf("%q: %v, want %s", tt.text, err, tt.want)
		}
	}
	env, _ := surround(t, clockVariable+"=soon")
	if _, err := env.clock(); err == nil {
		t.Error("a clock that is none was accepted")
	}
}

func TestSyncedFoldersDoNotHoldTheDatabase(t *testing.T) {
	env, home := surround(t)
	dropbox := filepath.Join(home, "Dropbox", "ws")
	marked := filepath.Join(home, "synced", "ws")
	mkdir(t, dropbox)
	mkdir(t, marked)
	mkdir(t, home, "synced", ".stfolder")
	for _, workspace := range []string{dropbox, marked} {
		a := &app{env: env, workspaceFlag: workspace}
		c, err := a.loadConfig()
		if err != nil {
			t.Fatal(err)
		}
		where, err := a.databasePlace(c)
		if err != nil || where.Reason == "" || !strings.HasPrefix(where.Database, filepath.Join(home, ".local", "state")) {
			t.Errorf("%s: %+v, %v", workspace, where, err)
		}
		if _, err := a.prepare(c, false); err != nil {
			t.Fatal(err)
		}
		pointer, err := os.ReadFile(filepath.Join(workspace, stateFolder, pointerFile))
		if err != nil || !strings.HasPrefix(string(pointer), where.Database) {
			t.Errorf("pointer %q, %v", pointer, err)
		}
	}
}

// What a person mistyped is explained in words, not in those of a parser.
func TestSettingsOfTheWrongKind(t *testing.T) {
	for _, c := range []struct{ set, want string }{
		{"recall.limit=abc", "must be a whole number"},
		{"recall.min_score=much", "must be a number"},
		{"capture.quiet=soon", "must be a duration such as 5m"},
		{"capture.since=21.2.", "must be a date such as 2026-02-21"},
		{"time_zone=Mars/Base", "must be a time zone such as Europe/Berlin"},
		{"profile=none", "must be one of openclaw"},
	} {
		env, _ := surround(t)
		if code, _, errs := program(t, env, "--set", c.set, "status"); code != 2 || !strings.Contains(errs, c.want) || !strings.Contains(errs, "hint:") {
			t.Errorf("%s: %d %s", c.set, code, errs)
		}
	}
}

// A mistyped folder is told, and not made; whoever remembers or serves makes it.
func TestAskingAWorkspaceThatIsNotThereMakesNone(t *testing.T) {
	env, home := surround(t)
	typo := filepath.Join(home, "wrokspace")
	for _, args := range [][]string{{"recall", "anything"}, {"status"}, {"recall-path", "knowledge://x"}, {"forget", "x"}, {"export"}, {"forecast"}} {
		code, out, errs := program(t, env, append(args, "--workspace", typo)...)
		if code != exitCodes()["not_found"] || !strings.Contains(errs, "agent-memory init --workspace "+typo) {
			t.Errorf("%v: exit status %d\n%s%s", args, code, out, errs)
		}
	}
	if isDir(typo) {
		t.Errorf("%s was made", typo)
	}
	if code, _, errs := program(t, env, "status"); code != 0 {
		t.Errorf("the default place needs no init: %s", errs)
	}
	if code, _, errs := program(t, env, "remember", "The folder is new", "--workspace", typo); code != 0 || !isDir(typo) {
		t.Errorf("remember makes the workspace that it needs: exit status %d\n%s", code, errs)
	}
}

func TestInitSaysThatItChangedTheProfile(t *testing.T) {
	env, _ := surround(t)
	program(t, env, "init")
	for _, want := range []string{"changed .agent-memory/config.toml", "kept   .agent-memory/config.toml"} {
		if _, out, _ := program(t, env, "init", "--profile", "yue"); !strings.Contains(filepath.ToSlash(out), want) {
			t.Errorf("init says\n%s; want %q", out, want)
		}
	}
}
