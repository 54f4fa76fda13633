package main

import (
	"strings"

	"agentmemory/tools"
)

// boot prints the context as an agent gets it, and what it is made of.
func (p *printer) boot(r tools.BootResult) {
	p.line("%s", strings.TrimSpace(r.Text))
	for _, m := range r.Memories {
		p.line("- %s", strings.ReplaceAll(m.Content, "\n", "\n  "))
	}
	p.line("")
	p.line("about %d tokens (files: %d, identity memories: %d)", r.Tokens, len(r.Files), r.Count)
	for _, f := range r.Files {
		if f.Cut {
			p.line("cut to the budget: %s", f.Path)
		}
	}
}
