package main

import (
	"fmt"
	"path/filepath"
	"reflect"
	"slices"
	"strings"

	"agentmemory/internal/capture"
	"agentmemory/internal/memory"

	"github.com/BurntSushi/toml"
)

// hostEdit is one file of a host that is changed so that it knows of us. Both
// functions work on the text; what is there already, or not there, stays.
type hostEdit struct {
	Path   string
	What   string
	Add    func(text string) (string, error)
	Remove func(text string) (string, error)
}

// hosts are the programs that can be set up, by the name of their capture source.
func hosts() []string {
	return []string{string(capture.ClaudeCode), string(capture.Codex), string(capture.OpenClaw)}
}

// hostEdits are the files to be changed for a host.
func (a *app) hostEdits(c *config, host, program string) ([]hostEdit, error) {
	home, err := a.env.home()
	if err != nil {
		return nil, err
	}
	server := serverEntry{Command: program, Args: serverArgs(c)}
	switch capture.Host(host) {
	case capture.ClaudeCode:
		dir := a.hostDir("CLAUDE_CONFIG_DIR", home, ".claude")
		known := filepath.Join(home, ".claude.json")
		if dir != filepath.Join(home, ".claude") {
			known = filepath.Join(dir, ".claude.json")
		}
		server.Type = "stdio"
		return []hostEdit{
			serverEdit(known, server, "mcpServers", serverName),
			hooksEdit(filepath.Join(dir, "settings.json"), program, c.Workspace),
			a.sourcesEdit(c, host),
		}, nil
	case capture.Codex:
		dir := a.hostDir("CODEX_HOME", home, ".codex")
		return []hostEdit{
			tomlEdit(filepath.Join(dir, "config.toml"), program, serverArgs(c)),
			hooksEdit(filepath.Join(dir, "hooks.json"), program, c.Workspace),
			a.sourcesEdit(c, host),
		}, nil
	case capture.OpenClaw:
		server.RequestTimeoutMs, server.SupportsParallelToolCalls = 20_000, true
		return []hostEdit{
			serverEdit(filepath.Join(home, ".openclaw", "openclaw.json"), server, "mcp", "servers", serverName),
			a.sourcesEdit(c, host),
		}, nil
	}
	return nil, memory.Errorf(memory.InvalidArgument, "no host is named %q", host).WithHint("hosts: %s", strings.Join(hosts(), ", "))
}

// serverEntry is an MCP server in the configuration of a host.
type serverEntry struct {
	Type                      string   `json:"type,omitempty"`
	Command                   string   `json:"command"`
	Args                      []string `json:"args"`
	RequestTimeoutMs          int      `json:"requestTimeoutMs,omitempty"`
	SupportsParallelToolCalls bool     `json:"supportsParallelToolCalls,omitempty"`
}

// hookGroup is one entry of the list of an event.
type hookGroup struct {
	Hooks []hookEntry `json:"hooks"`
}

type hookEntry struct {
	Type    string `json:"type"`
	Command string `json:"command"`
	Timeout int    `json:"timeout"` // seconds
}

const serverName = "agent-memory"

// serverArgs start the server that also runs the jobs: any number of them may.
func serverArgs(c *config) []string {
	return []string{"--workspace", c.Workspace, "serve", "--schedule"}
}

// serverEdit names our server in a list of MCP servers. One of that name that
// is not as install writes it is the user's own and stays.
func serverEdit(path string, server serverEntry, at ...string) hostEdit {
	return hostEdit{
		Path: path, What: "MCP server",
		Add: func(text string) (string, error) {
			text, made, err := setMember(text, server, at...)
			if err != nil || made {
				return text, err
			}
			return renewServer(text, server, at)
		},
		Remove: func(text string) (string, error) {
			n, err := findNode(text, at)
			if err != nil || n == nil || !startsOurServer(text[n.start:n.end]) {
				return text, err
			}
			return dropMember(text, at...)
		},
	}
}

// renewServer lets an entry that install wrote start this program on this
// workspace; what people added to it stays.
func renewServer(text string, server serverEntry, at []string) (string, error) {
	for key, value := range map[string]any{"command": server.Command, "args": server.Args} {
		n, err := findNode(text, at)
		if err != nil || n == nil || !startsOurServer(text[n.start:n.end]) {
			return text, err
		}
		rendered, err := renderJSON(value, "", "")
		if err != nil {
			return text, err
		}
		if old := n.member(key); old != nil && !sameJSON(text[old.start:old.end], rendered) {
			text = text[:old.start] + rendered + text[old.end:]
		}
	}
	return text, nil
}

func sameJSON(a, b string) bool {
	var x, y any
	return decodeJSON5([]byte(a), &x) == nil && decodeJSON5([]byte(b), &y) == nil && reflect.DeepEqual(x, y)
}

// startsOurServer tells whether an entry is as install writes it.
func startsOurServer(entry string) bool {
	var s struct {
		Args []string `json:"args"`
	}
	return decodeJSON5([]byte(entry), &s) == nil && len(s.Args) == 4 && s.Args[0] == "--workspace" && s.Args[2] == "serve" && s.Args[3] == "--schedule"
}

// hookTimeout is how long a host waits for a hook, in seconds: many times what it takes.
const hookTimeout = 10

// hooksEdit adds a hook for each event; both hosts have the same shape.
func hooksEdit(path, program, workspace string) hostEdit {
	names := []string{"session-start", "user-prompt", "pre-compact", "stop", "session-end"}
	return hostEdit{
		Path: path, What: "hooks",
		Add: func(text string) (string, error) {
			var err error
			for _, name := range names {
				command := shellWords(program, "--workspace", workspace, "hook", name)
				if text, err = addHook(text, hookEvents()[name], name, command); err != nil {
					return text, err
				}
			}
			return text, nil
		},
		Remove: func(text string) (string, error) {
			var err error
			for _, name := range slices.Backward(names) {
				if text, err = dropHook(text, hookEvents()[name], name); err != nil {
					return text, err
				}
			}
			return text, nil
		},
	}
}

// shellWords quotes the words of a command for the shell of a host.
func shellWords(words ...string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = w
		if strings.ContainsAny(w, " \t\"'$`\\&|;<>()*?[]#~!") {
			quoted[i] = `"` + strings.NewReplacer("$", `\$`, "`", "\\`", `"`, `\"`).Replace(w) + `"`
		}
	}
	return strings.Join(quoted, " ")
}

func addHook(text, event, name, command string) (string, error) {
	group := hookGroup{Hooks: []hookEntry{{Type: "command", Command: command, Timeout: hookTimeout}}}
	text, done, err := setMember(text, []hookGroup{group}, "hooks", event)
	if err != nil || done {
		return text, err
	}
	list, err := findNode(text, []string{"hooks", event})
	if err != nil {
		return text, err
	}
	if list.open != '[' {
		return text, fmt.Errorf("hooks.%s is not a list", event)
	}
	if _, _, old := ourHook(text, list, name); old != nil {
		return text[:old.start] + fmt.Sprintf("%q", command) + text[old.end:], nil
	}
	return list.insert(text, "", group)
}

// ourHook finds our hook in the list of an event: the number of its group, its
// own number there, and the node of its command.
func ourHook(text string, list *jsonNode, name string) (group, entry int, command *jsonNode) {
	for i, g := range list.children {
		hooks := g.member("hooks")
		if hooks == nil {
			continue
		}
		for j, h := range hooks.children {
			c := h.member("command")
			if c == nil {
				continue
			}
			var words string
			if decodeJSON5([]byte(text[c.start:c.end]), &words) == nil && strings.HasSuffix(words, " hook "+name) && strings.Contains(words, " --workspace ") {
				return i, j, c
			}
		}
	}
	return 0, 0, nil
}

func dropHook(text, event, name string) (string, error) {
	list, err := findNode(text, []string{"hooks", event})
	if err != nil || list == nil {
		return text, err
	}
	group, entry, command := ourHook(text, list, name)
	if command == nil {
		return text, nil
	}
	hooks := list.children[group].member("hooks")
	switch {
	case len(hooks.children) > 1:
		return hooks.remove(text, entry), nil
	case len(list.children) > 1:
		return list.remove(text, group), nil
	}
	return dropMember(text, "hooks", event)
}

// sourcesEdit switches the capture of the host's conversations on, in the
// settings of the workspace.
func (a *app) sourcesEdit(c *config, host string) hostEdit {
	change := func(f func([]string) []string) func(string) (string, error) {
		return func(text string) (string, error) {
			var tree struct {
				Capture struct {
					Sources []string `toml:"sources"`
				} `toml:"capture"`
			}
			if err := toml.Unmarshal([]byte(text), &tree); err != nil {
				return text, fmt.Errorf("reading TOML: %w", err)
			}
			before := tree.Capture.Sources
			after := f(slices.Clone(before))
			if slices.Equal(before, after) {
				return text, nil
			}
			return withSources(text, after)
		}
	}
	same := func(s string) bool { return s == host }
	return hostEdit{
		Path: configPath(c), What: "capture of conversations",
		Add: change(func(list []string) []string {
			if slices.ContainsFunc(list, func(s string) bool { return same(s) || strings.HasPrefix(s, host+":") }) {
				return list
			}
			return append(list, host)
		}),
		Remove: change(func(list []string) []string { return slices.DeleteFunc(list, same) }),
	}
}
