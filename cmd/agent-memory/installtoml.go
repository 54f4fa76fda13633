package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/BurntSushi/toml"
)

// tomlMark is the line by which uninstall knows what install wrote.
const tomlMark = "# added by agent-memory install"

func tomlEdit(path, program string, args []string) hostEdit {
	return hostEdit{
		Path: path, What: "MCP server",
		Add:    func(text string) (string, error) { return addTable(text, program, args) },
		Remove: removeTable,
	}
}

// addTable adds our server. One that install wrote is made to start this program
// with these arguments, any other of that name is the user's own and stays.
func addTable(text, program string, args []string) (string, error) {
	var tree struct {
		Servers map[string]any `toml:"mcp_servers"`
	}
	if err := toml.Unmarshal([]byte(text), &tree); err != nil {
		return text, fmt.Errorf("reading TOML: %w", err)
	}
	list, err := json.Marshal(args) // a JSON list of strings is a TOML one
	if err != nil {
		return text, fmt.Errorf("encoding the arguments: %w", err)
	}
	command, list := fmt.Sprintf("command = %q", program), append([]byte("args = "), list...)
	if _, there := tree.Servers[serverName]; there {
		return renewTable(text, command, string(list)), nil
	}
	if text != "" && !strings.HasSuffix(text, "\n") {
		text += "\n"
	}
	added := text + fmt.Sprintf("\n%s\n[mcp_servers.%s]\n%s\n%s\n", tomlMark, serverName, command, list)
	if err := toml.Unmarshal([]byte(added), &tree); err != nil {
		return text, fmt.Errorf("mcp_servers is no table that can be added to: %w", err)
	}
	return added, nil
}

// renewTable replaces the command and the arguments of the table that install wrote.
func renewTable(text, command, args string) string {
	from, to, found := ourTable(text)
	if !found {
		return text
	}
	own := text[from:to]
	for pattern, line := range map[string]string{`(?m)^command[ \t]*=[^\r\n]*`: command, `(?m)^args[ \t]*=[ \t]*` + listOfTexts: args} {
		if at := regexp.MustCompile(pattern).FindStringIndex(own); at != nil && own[at[0]:at[1]] != line {
			own = own[:at[0]] + line + own[at[1]:]
		}
	}
	renewed := text[:from] + own + text[to:]
	var tree map[string]any
	if toml.Unmarshal([]byte(renewed), &tree) != nil {
		return text
	}
	return renewed
}

// removeTable takes out what install wrote, with the tables below it.
func removeTable(text string) (string, error) {
	from, to, found := ourTable(text)
	if !found {
		return text, nil
	}
	before := strings.TrimSuffix(strings.TrimSuffix(text[:from], "\n"), "\r")
	if before != "" && !strings.HasSuffix(before, "\n") { // no empty line stands before it
		before = text[:from]
	}
	var tree map[string]any
	if removed := before + text[to:]; toml.Unmarshal([]byte(removed), &tree) == nil {
		return removed, nil
	}
	return text, errors.New("take the table mcp_servers.agent-memory out by hand: it is written in a way that cannot be changed here")
}

// ourTable returns where the table that install wrote begins, with its mark, and
// ends, with the tables below it. Comments at its end belong to what follows.
func ourTable(text string) (from, to int, found bool) {
	plain := withoutLists(text)
	at := regexp.MustCompile(`(?m)^` + tomlMark + `\r?\n\[mcp_servers\.agent-memory\][^\n]*\n?`).FindStringIndex(plain)
	if at == nil {
		return 0, 0, false
	}
	header := regexp.MustCompile(`(?m)^[ \t]*\[`)
	below := regexp.MustCompile(`^[ \t]*\[mcp_servers\.agent-memory\.[^\n]*\n?`)
	from, to = at[0], at[1]
	for {
		end := len(plain)
		if next := header.FindStringIndex(plain[to:]); next != nil {
			end = to + next[0]
		}
		to = lastKey(plain, to, end)
		more := below.FindStringIndex(plain[end:])
		if more == nil {
			return from, to, true
		}
		to = end + more[1]
	}
}

// lastKey is the end of the last line of a part of a text that is neither empty
// nor a comment; the beginning of the part if there is none.
func lastKey(text string, from, end int) int {
	last, at := from, from
	for line := range strings.Lines(text[from:end]) {
		at += len(line)
		if said := strings.TrimSpace(line); said != "" && !strings.HasPrefix(said, "#") {
			last = at
		}
	}
	return last
}
