package main

import (
	"fmt"
	"strings"

	"agentmemory/tools"
)

// told says in a sentence or two what came of a job, for its history: in
// English, as all that is stored; whoever shows it puts it into the reader's language.
func told(result any) string {
	switch r := result.(type) {
	case tools.SyncResult:
		return toldOfSync(r)
	case tools.ReflectResult:
		return strings.Join(append(toldOfReflection(r), r.Consistency...), "; ")
	}
	return ""
}

func toldOfSync(r tools.SyncResult) string {
	var parts []string
	switch {
	case r.Sessions != nil && !filesLookedAt(r):
	case r.Added+r.Updated+r.Deleted == 0:
		parts = append(parts, "the files held nothing new")
	default:
		parts = append(parts, fmt.Sprintf("files: %d added, %d updated, %d deleted", r.Added, r.Updated, r.Deleted))
	}
	switch {
	case r.Sessions == nil:
	case r.Sessions.Sessions == 0:
		parts = append(parts, "no conversation went on")
	default:
		parts = append(parts, fmt.Sprintf("conversations with something new: %d, memories added: %d", r.Sessions.Sessions, r.Sessions.Added))
	}
	return strings.Join(parts, "; ")
}

func toldOfReflection(r tools.ReflectResult) []string {
	if r.DryRun {
		return []string{dryRun(len(r.Plan))}
	}
	switch {
	case r.Surface != nil:
		return []string{toldOfFile(*r.Surface)}
	case r.Wrapup != nil && len(r.Files) == 0:
		return []string{"the wrap-up of " + r.Wrapup.Day + " had nothing to add"}
	case r.Wrapup != nil:
		return []string{"wrote the wrap-up of " + r.Wrapup.Day}
	case r.GC != nil:
		return []string{number(r.GC.Removed, "no memory had to go", "moved 1 memory to the archive", "moved %d memories to the archive")}
	}
	var parts []string
	if r.Index != nil {
		parts = append(parts, toldOfFile(*r.Index))
	}
	return append(parts, number(r.Changed, "no memory had to change", "changed 1 memory", "changed %d memories"))
}

func dryRun(steps int) string {
	return number(steps, "tried only: nothing would change", "tried only: 1 thing would change", "tried only: %d things would change")
}

func toldOfFile(p tools.ProjectedReport) string {
	if !p.Written {
		return p.File + " says it all already"
	}
	return number(p.Lines, "wrote "+p.File+", which has no entry now", "wrote "+p.File+" with 1 entry", "wrote "+p.File+" with %d entries")
}

// number picks the words for none, one or many.
func number(n int, none, one, many string) string {
	switch n {
	case 0:
		return none
	case 1:
		return one
	}
	return fmt.Sprintf(many, n)
}
