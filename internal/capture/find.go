package capture

import (
	"fmt"
	"path/filepath"
)

// AgentDatabase is the database of one OpenClaw agent.
type AgentDatabase struct {
	Agent string
	Path  string
}

// FindDatabases lists the databases below OpenClaw's agents folder
// (~/.openclaw/agents), by agent.
func FindDatabases(agents string) ([]AgentDatabase, error) {
	paths, err := filepath.Glob(filepath.Join(escapeGlob(agents), "*", "agent", "openclaw-agent.sqlite"))
	if err != nil {
		return nil, fmt.Errorf("looking for OpenClaw's databases: %w", err)
	}
	var found []AgentDatabase
	for _, p := range paths {
		found = append(found, AgentDatabase{Agent: filepath.Base(filepath.Dir(filepath.Dir(p))), Path: p})
	}
	return found, nil
}

// escapeGlob makes a path match itself.
func escapeGlob(path string) string {
	var escaped []rune
	for _, r := range path {
		if r == '*' || r == '?' || r == '[' {
			escaped = append(escaped, '[', r, ']')
			continue
		}
		escaped = append(escaped, r)
	}
	return string(escaped)
}
