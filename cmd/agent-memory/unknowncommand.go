package main

import (
	"fmt"
	"strings"

	"agentmemory/internal/memory"
)

const listsCommands = "agent-memory --help lists the commands"

// suggested adds to the answer to an unknown command the one that was meant: a
// slip of the pen, or a word by which other programs know the same.
func (a *app) suggested(e *memory.Error) *memory.Error {
	if e.Hint != listsCommands {
		return e
	}
	parts := strings.SplitN(e.Message, `"`, 3)
	if len(parts) < 3 {
		return e
	}
	meant := otherNames()[strings.ToLower(parts[1])]
	if meant == "" {
		var names []string
		for _, c := range a.commands() {
			names = append(names, c.Name())
		}
		meant = nearest(parts[1], names)
	}
	if meant == "" {
		return e
	}
	told := *e
	told.Hint = fmt.Sprintf("did you mean `agent-memory %s`? %s", meant, listsCommands)
	return &told
}

// otherNames are what other memory programs call our commands.
func otherNames() map[string]string {
	names := map[string]string{}
	for meant, others := range map[string]string{
		"remember":                 "add store save write put note new create update edit set",
		"recall":                   "search find query ask get list ls show lookup retrieve read",
		"forget":                   "delete remove rm del erase",
		"forget --undo ID":         "restore undo undelete",
		"install HOST --uninstall": "uninstall disconnect",
		"install HOST":             "connect setup",
		"sync":                     "index reindex rebuild refresh capture",
		"serve":                    "server start mcp run",
		"doctor":                   "check diagnose verify health",
		"export":                   "dump backup",
		"import":                   "load migrate",
		"status":                   "stats info",
	} {
		for _, other := range strings.Fields(others) {
			names[other] = meant
		}
	}
	return names
}
