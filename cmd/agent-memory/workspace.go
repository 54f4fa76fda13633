package main

import (
	"fmt"
	"os"
	"path/filepath"

	"agentmemory/internal/memory"
)

const workspaceVariable = variablePrefix + "WORKSPACE"

// findWorkspace says which directory is the workspace, and why.
func (a *app) findWorkspace() (dir, origin string, err error) {
	dir, origin, err = a.namedWorkspace()
	if err == nil && shadowed(dir) {
		return filepath.Join(dir, shadowFolder), origin + ", its " + shadowFolder, nil
	}
	return dir, origin, err
}

func (a *app) namedWorkspace() (dir, origin string, err error) {
	if a.workspaceFlag != "" {
		return a.chosen(a.workspaceFlag, "flag --workspace")
	}
	if dir := a.env.get(workspaceVariable); dir != "" {
		return a.chosen(dir, "environment "+workspaceVariable)
	}
	home, err := a.env.home()
	if err != nil {
		return "", "", err
	}
	if dir, found := openClawWorkspace(home); found {
		return dir, "OpenClaw's workspace", nil
	}
	return filepath.Join(home, defaultFolder), "default", nil
}

// defaultFolder is the workspace, below the home directory, where there is no other.
const defaultFolder = ".agent-memory"

// passedOver tells of the default workspace if it was used before OpenClaw's came:
// whoever does not know that would believe that all is forgotten.
func (a *app) passedOver(chosen string) []string {
	home, err := a.env.home()
	if err != nil || a.workspaceNamed() {
		return nil
	}
	usual := filepath.Join(home, defaultFolder)
	if sameDir(usual, chosen) || !isFile(filepath.Join(usual, stateFolder, "config.toml")) {
		return nil
	}
	return []string{fmt.Sprintf("%s holds memories, too, and is passed over since there is a workspace of OpenClaw; to use it: --workspace %s, or %s", usual, usual, workspaceVariable)}
}

// workspaceNamed reports whether somebody said which directory is the workspace.
func (a *app) workspaceNamed() bool {
	return a.workspaceFlag != "" || a.env.get(workspaceVariable) != ""
}

// shadowFolder is where systems of the para kind keep the whole tree.
const shadowFolder = ".shadow"

// shadowed reports whether a directory keeps its memory tree in shadowFolder
// and nowhere else.
func shadowed(dir string) bool {
	return isDir(filepath.Join(dir, shadowFolder, "memory")) && !isDir(filepath.Join(dir, "memory")) && !isDir(filepath.Join(dir, stateFolder))
}

func (a *app) chosen(path, origin string) (string, string, error) {
	dir, err := a.env.expand(path)
	if err != nil {
		return "", "", err
	}
	if info, statErr := os.Stat(dir); statErr == nil && !info.IsDir() {
		return "", "", memory.Errorf(memory.InvalidArgument, "%s (%s) is not a directory", dir, origin).
			WithHint("give the directory that holds MEMORY.md and memory/")
	}
	return dir, origin, nil
}

// hostSettings is what we read of OpenClaw's configuration.
type hostSettings struct {
	Agents struct {
		Defaults struct {
			Workspace    string `json:"workspace"`
			UserTimezone string `json:"userTimezone"`
		} `json:"defaults"`
	} `json:"agents"`
}

// openClawSettings reads openclaw.json as far as it can be read; a file that is
// missing or broken is that program's affair, and means no settings here.
func openClawSettings(home string) hostSettings {
	var s hostSettings
	text, err := os.ReadFile(filepath.Join(home, ".openclaw", "openclaw.json"))
	if err != nil {
		return s
	}
	if err := decodeJSON5(text, &s); err != nil {
		return hostSettings{}
	}
	return s
}

// openClawWorkspace returns the workspace of an installed OpenClaw: the
// configured one, else the usual one, if it exists.
func openClawWorkspace(home string) (string, bool) {
	configured := openClawSettings(home).Agents.Defaults.Workspace
	if configured != "" {
		dir, err := surroundings{Variables: []string{"HOME=" + home, "USERPROFILE=" + home}}.expand(configured)
		if err == nil && isDir(dir) {
			return dir, true
		}
	}
	usual := filepath.Join(home, ".openclaw", "workspace")
	return usual, isDir(usual)
}

// belongsToOpenClaw tells whether another program writes into the workspace too.
func belongsToOpenClaw(workspace, home string) bool {
	if dir, found := openClawWorkspace(home); found && sameDir(dir, workspace) {
		return true
	}
	for _, name := range []string{"SOUL.md", "AGENTS.md", "IDENTITY.md"} {
		if _, err := os.Stat(filepath.Join(workspace, name)); err != nil {
			return false
		}
	}
	return true
}

func isDir(path string) bool {
	info, err := os.Stat(path)
	return err == nil && info.IsDir()
}

func sameDir(a, b string) bool {
	one, err := os.Stat(a)
	if err != nil {
		return false
	}
	other, err := os.Stat(b)
	return err == nil && os.SameFile(one, other)
}
