package main

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/BurntSushi/toml"
)

// clientFile is where a client keeps the list of its MCP servers.
type clientFile struct {
	Client string
	Path   string
	TOML   bool
}

// clientFiles lists the places known for November 2026.
func (a *app) clientFiles(c *config) []clientFile {
	home, err := a.env.home()
	if err != nil {
		return nil
	}
	at := func(parts ...string) string { return filepath.Join(append([]string{home}, parts...)...) }
	code := map[string]string{
		"darwin":  at("Library", "Application Support", "Code", "User", "mcp.json"),
		"windows": filepath.Join(a.env.get("APPDATA"), "Code", "User", "mcp.json"),
	}[runtime.GOOS]
	if code == "" {
		code = at(".config", "Code", "User", "mcp.json")
	}
	codex := a.env.get("CODEX_HOME")
	if codex == "" {
		codex = at(".codex")
	}
	return []clientFile{
		{Client: "OpenClaw", Path: at(".openclaw", "openclaw.json")},
		{Client: "mcporter", Path: filepath.Join(c.Workspace, "config", "mcporter.json")},
		{Client: "mcporter", Path: at(".mcporter", "mcporter.json")},
		{Client: "mcporter", Path: at(".mcporter", "mcporter.jsonc")},
		{Client: "Claude Code", Path: at(".claude.json")},
		{Client: "Claude Code", Path: filepath.Join(c.Workspace, ".mcp.json")},
		{Client: "Codex", Path: filepath.Join(codex, "config.toml"), TOML: true},
		{Client: "Cursor", Path: at(".cursor", "mcp.json")},
		{Client: "VS Code", Path: code},
	}
}

func (a *app) examineClients(c *config, r *doctorReport) {
	connected := 0
	for _, f := range a.clientFiles(c) {
		text, err := os.ReadFile(f.Path)
		if err != nil {
			continue
		}
		entry, named := f.entry(text)
		if !named {
			r.add("clients", levelNote, "", "%s does not name agent-memory (%s)", f.Client, f.Path)
			continue
		}
		connected++
		a.examineEntry(f, entry, r)
	}
	if connected == 0 {
		r.add("clients", levelNote, "README.md shows the block for each client", "no client is connected yet")
	}
}

func (a *app) examineEntry(f clientFile, entry map[string]any, r *doctorReport) {
	command, _ := entry["command"].(string)
	if command == "" {
		r.add("clients", levelOK, "", "%s reaches agent-memory by URL (%s)", f.Client, f.Path)
		return
	}
	if !a.canRun(command) {
		r.add("clients", levelProblem, "give the full path of the program in "+f.Path, "%s starts %q, which is not found", f.Client, command)
		return
	}
	r.add("clients", levelOK, "", "%s starts the program %s (%s)", f.Client, command, f.Path)
}

// canRun looks for a program as a client would, by our own PATH.
func (a *app) canRun(command string) bool {
	if strings.ContainsAny(command, `/\`) {
		return isFile(command)
	}
	for _, dir := range filepath.SplitList(a.env.get("PATH")) {
		if isFile(filepath.Join(dir, command)) || isFile(filepath.Join(dir, command+".exe")) {
			return true
		}
	}
	return false
}

func isFile(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.Mode().IsRegular()
}

// entry finds the server of ours in a client's file, whatever the list is called.
func (f clientFile) entry(text []byte) (map[string]any, bool) {
	var tree map[string]any
	var err error
	if f.TOML {
		err = toml.Unmarshal(text, &tree)
	} else {
		err = decodeJSON5(text, &tree)
	}
	if err != nil {
		return nil, false
	}
	return findEntry(tree)
}

// findEntry looks for a table named agent-memory, or one that starts our program.
func findEntry(tree map[string]any) (map[string]any, bool) {
	for name, v := range tree {
		sub, ok := v.(map[string]any)
		if !ok {
			continue
		}
		command, _ := sub["command"].(string)
		_, remote := sub["url"]
		ours := name == "agent-memory" && (command != "" || remote)
		if ours || strings.TrimSuffix(filepath.Base(command), ".exe") == "agent-memory" {
			return sub, true
		}
		if found, ok := findEntry(sub); ok {
			return found, true
		}
	}
	return nil, false
}
