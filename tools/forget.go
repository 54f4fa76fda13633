package tools

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"agentmemory/internal/memory"
)

// confirmAbove is the number of matches above which forget asks back.
const confirmAbove = 20

// ForgetStore is what forgetting needs of the store.
type ForgetStore interface {
	ByID(ctx context.Context, namespace, id string) (memory.Memory, error)
	ByURI(ctx context.Context, namespace, uri string) (memory.Memory, error)
	List(ctx context.Context, f memory.Filter) ([]memory.Memory, error)
	Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error)
	History(ctx context.Context, id string) ([]memory.Revision, error)
}

// Archive keeps removed memories in files, from which they can be restored.
type Archive interface {
	// Append writes the memories and syncs the file before it returns.
	Append(ctx context.Context, reason string, memories []memory.Memory) error
	// Find returns the newest archived copy of each memory that match accepts.
	Find(ctx context.Context, match func(memory.Memory) bool) ([]memory.Memory, error)
}

// Listing is the derived files, MEMORY.md and RECENT.md.
type Listing interface {
	// Unlist takes the lines of memories out of them.
	Unlist(ctx context.Context, ids ...string) error
}

// Purger removes every byte of the memories from the database and the files.
type Purger interface {
	// AnnouncePurge notes what is about to leave the store, so that a purge which
	// is cut short can be ended by the next process.
	AnnouncePurge(ctx context.Context, memories []memory.Memory) error
	// Copies returns the other memories whose lines Purge takes out of the files,
	// because they say the same words.
	Copies(ctx context.Context, memories []memory.Memory) ([]memory.Memory, error)
	// Purge reports pending = true while another reader still holds old pages; a
	// TooLarge error beside it names the files that could not be read.
	Purge(ctx context.Context, memories []memory.Memory) (pending bool, err error)
}

// ForgetArgs choose what to forget, and how thoroughly.
type ForgetArgs struct {
	ID      string `json:"id"`
	URI     string `json:"uri"`
	Source  string `json:"source"`
	Hard    bool   `json:"hard"`
	Purge   bool   `json:"purge"`
	Undo    bool   `json:"undo"`
	Confirm bool   `json:"confirm"`
}

// ForgetResult tells what was forgotten or restored.
type ForgetResult struct {
	Action      string   `json:"action"` // forgotten, deleted, purged, restored
	ID          string   `json:"id,omitempty"`
	Count       int      `json:"count"`
	IDs         []string `json:"ids"`
	NewVitality float64  `json:"new_vitality"`
	Pending     bool     `json:"pending,omitempty"`
	Undo        string   `json:"undo,omitempty"`
	Degraded    string   `json:"degraded,omitempty"`
}

// Forget is the use case behind the tool of that name.
type Forget struct {
	Store     ForgetStore
	Archive   Archive
	Purger    Purger
	Listing   Listing
	Mirror    Notifier
	Namespace string
}

// ForgetSpec describes the tool.
func ForgetSpec() Spec {
	return Spec{
		Name:  "forget",
		Title: "Forget",
		Description: "Forget by id, uri or source glob (memory-sync:2026-02-*). Default: archived, undo brings it back; " +
			"hard drops history and vectors too; purge erases every copy.",
		Hints: Hints{Destructive: true, Idempotent: true},
		Input: Schema{
			{Name: "id", Kind: String, Aliases: []string{"memoryId"}},
			{Name: "uri", Kind: String, Aliases: []string{"path"}},
			{Name: "source", Kind: String},
			{Name: "hard", Kind: Boolean},
			{Name: "purge", Kind: Boolean},
			{Name: "undo", Kind: Boolean},
			{Name: "confirm", Kind: Boolean, Description: fmt.Sprintf("needed above %d matches", confirmAbove)},
			{Name: "agent_id", Kind: String, Hidden: true},
		},
		Output: json.RawMessage(`{"type":"object","properties":{"action":{"type":"string"},"count":{"type":"integer"}},"required":["action","count"]}`),
	}
}

// Run forgets or restores the selected memories.
func (f *Forget) Run(ctx context.Context, a ForgetArgs) (ForgetResult, error) {
	if strings.ContainsAny(a.ID, "*?") && a.Source == "" {
		a.ID, a.Source = "", a.ID // no id holds these: a glob given without its name
	}
	if err := a.check(); err != nil {
		return ForgetResult{}, err
	}
	if a.Undo {
		return f.restore(ctx, a)
	}
	targets, err := f.targets(ctx, a)
	if err != nil {
		return ForgetResult{}, err
	}
	if len(targets) > confirmAbove && !a.Confirm {
		return ForgetResult{}, memory.Errorf(memory.NeedsConfirmation, "%d memories match", len(targets)).
			WithHint("repeat the call with confirm: true to forget all of them")
	}
	return f.forget(ctx, a, targets)
}

func (a ForgetArgs) check() error {
	selectors := 0
	for _, s := range []string{a.ID, a.URI, a.Source} {
		if s != "" {
			selectors++
		}
	}
	if selectors != 1 {
		return memory.Errorf(memory.InvalidArgument, "forget needs exactly one of id, uri and source").
			WithHint("for example id=06g3zk9w2r4tq8m1c5xd7hj0nb or source=memory-sync:2026-02-21")
	}
	if a.Undo && (a.Hard || a.Purge) {
		return memory.Errorf(memory.InvalidArgument, "undo cannot be combined with hard or purge")
	}
	return nil
}

func (f *Forget) targets(ctx context.Context, a ForgetArgs) ([]memory.Memory, error) {
	if a.Source != "" {
		found, err := f.Store.List(ctx, memory.Filter{Namespace: f.Namespace, SourceGlob: a.Source, Statuses: a.reach()})
		if err != nil {
			return nil, fmt.Errorf("listing memories of source %q: %w", a.Source, err)
		}
		if len(found) == 0 {
			return nil, memory.Errorf(memory.NotFound, "no memory has a source like %q", a.Source).
				WithHint("recall shows what each memory is from, such as memory-sync:2026-02-21")
		}
		return found, nil
	}
	m, err := f.one(ctx, a)
	if err != nil {
		return nil, err
	}
	if m.Form == memory.Passage {
		return nil, memory.Errorf(memory.InvalidArgument, "%s is a passage of %s, which belongs to a person", m.ID, m.Home.File).
			WithHint("edit or delete the text in that file; the index follows")
	}
	return []memory.Memory{m}, nil
}

// reach is every status that this kind of forgetting may still act on.
func (a ForgetArgs) reach() []memory.Status {
	if a.Hard || a.Purge {
		return memory.Statuses()
	}
	return []memory.Status{memory.Proposed, memory.Active, memory.Missing, memory.Quarantined, memory.Superseded}
}

func (f *Forget) one(ctx context.Context, a ForgetArgs) (memory.Memory, error) {
	if a.ID != "" {
		return f.Store.ByID(ctx, f.Namespace, a.ID)
	}
	return f.Store.ByURI(ctx, f.Namespace, a.URI)
}

func (f *Forget) forget(ctx context.Context, a ForgetArgs, targets []memory.Memory) (ForgetResult, error) {
	kept := targets[:0]
	for _, m := range targets {
		if m.Form != memory.Passage {
			kept = append(kept, m)
		}
	}
	targets = kept
	op, action := a.operation()
	if op == memory.OpPurge {
		var err error
		if targets, err = f.withCopies(ctx, targets, a.Confirm); err != nil {
			return ForgetResult{}, err
		}
	}
	texts, err := f.carryOut(ctx, op, action, targets)
	f.Mirror.Notify()
	if err != nil {
		return ForgetResult{}, err
	}
	result := ForgetResult{Action: action, Count: len(targets), IDs: idsOf(targets)}
	if len(targets) == 1 {
		result.ID = targets[0].ID
	}
	if op != memory.OpPurge {
		result.Undo = undoHint(a)
		if err := f.Listing.Unlist(ctx, result.IDs...); err != nil {
			result.Degraded = "still listed: " + shown(err).Message
		}
		return result, nil
	}
	result.Pending, err = f.Purger.Purge(ctx, texts)
	if result.Pending && memory.CodeOf(err) == memory.TooLarge {
		result.Degraded, err = shown(err).Message, nil
	}
	if err != nil {
		return ForgetResult{}, fmt.Errorf("purging files: %w", err)
	}
	return result, nil
}

// before archives what can be restored later. For a purge it gathers instead
// every text that the memories ever had, for files may still show an old one.
func (f *Forget) before(ctx context.Context, op memory.Op, action string, targets []memory.Memory) ([]memory.Memory, error) {
	if op != memory.OpPurge {
		if err := f.Archive.Append(ctx, action, targets); err != nil {
			return nil, fmt.Errorf("archiving before forgetting: %w", err)
		}
		return nil, nil
	}
	texts, err := f.wordings(ctx, targets)
	if err != nil {
		return nil, err
	}
	if err := f.Purger.AnnouncePurge(ctx, texts); err != nil {
		return nil, fmt.Errorf("announcing the purge: %w", err)
	}
	return texts, nil
}

func (a ForgetArgs) operation() (memory.Op, string) {
	switch {
	case a.Purge:
		return memory.OpPurge, "purged"
	case a.Hard:
		return memory.OpRemove, "deleted"
	}
	return memory.OpStatus, "forgotten"
}

// forgetChanges plans against the revisions that were read. Putting away leaves
// the words as they are, whatever became of them meanwhile.
func forgetChanges(op memory.Op, targets []memory.Memory) []memory.Change {
	changes := make([]memory.Change, 0, len(targets))
	for _, m := range targets {
		c := memory.Change{Op: op, Memory: m, Revision: m.Revision, Reason: "forget"}
		if op == memory.OpStatus {
			c.Memory.Status, c.Revision = memory.Forgotten, 0
		}
		changes = append(changes, c)
	}
	return changes
}

func undoHint(a ForgetArgs) string {
	switch {
	case a.ID != "":
		return "forget id=" + a.ID + " undo=true"
	case a.URI != "":
		return "forget uri=" + a.URI + " undo=true"
	}
	return "forget source=" + a.Source + " undo=true"
}

func idsOf(memories []memory.Memory) []string {
	ids := make([]string, 0, len(memories))
	for _, m := range memories {
		ids = append(ids, m.ID)
	}
	return ids
}

func (f *Forget) restore(ctx context.Context, a ForgetArgs) (ForgetResult, error) {
	archived, err := f.Archive.Find(ctx, a.matcher())
	if err != nil {
		return ForgetResult{}, fmt.Errorf("searching the archive: %w", err)
	}
	archived = slices.DeleteFunc(archived, func(m memory.Memory) bool { return cmp.Or(m.Namespace, memory.DefaultNamespace) != f.Namespace })
	if len(archived) > confirmAbove && !a.Confirm {
		return ForgetResult{}, memory.Errorf(memory.NeedsConfirmation, "%d archived memories match", len(archived)).
			WithHint("repeat the call with confirm: true to restore all of them")
	}
	changes, err := f.restoring(ctx, archived)
	if err != nil {
		return ForgetResult{}, err
	}
	missing, err := f.rewriting(ctx, a)
	if err != nil {
		return ForgetResult{}, err
	}
	if changes = append(changes, missing...); len(changes) == 0 {
		return ForgetResult{}, memory.Errorf(memory.NotFound, "nothing forgotten matches").
			WithHint("memories that were purged are gone for good")
	}
	applied, err := f.Store.Apply(ctx, changes)
	if err != nil {
		return ForgetResult{}, fmt.Errorf("restoring: %w", err)
	}
	f.Mirror.Notify()
	return restored(applied)
}

// restored leaves out what stayed away because something else now has its address.
func restored(applied []memory.Applied) (ForgetResult, error) {
	result := ForgetResult{Action: "restored", IDs: []string{}, NewVitality: 1}
	for _, one := range applied {
		if one.Conflict != memory.NoConflict {
			continue
		}
		result.IDs = append(result.IDs, one.Memory.ID)
	}
	result.Count = len(result.IDs)
	if result.Count == 0 {
		return result, memory.Errorf(memory.Conflicting, "another memory (%s) now holds that content or address", applied[0].Existing).
			WithHint("forget or change %s first", applied[0].Existing)
	}
	if result.Count == 1 {
		result.ID = result.IDs[0]
	}
	return result, nil
}

func (a ForgetArgs) matcher() func(memory.Memory) bool {
	return func(m memory.Memory) bool {
		switch {
		case a.ID != "":
			return m.ID == a.ID
		case a.URI != "":
			return m.URI == a.URI
		}
		return memory.MatchGlob(a.Source, m.Source)
	}
}

// restoring plans the return of archived memories: those still in the store as
// forgotten become active again, those that are gone are added under their old id.
func (f *Forget) restoring(ctx context.Context, archived []memory.Memory) ([]memory.Change, error) {
	var changes []memory.Change
	for _, old := range archived {
		now, err := f.Store.ByID(ctx, f.Namespace, old.ID)
		switch {
		case memory.IsNotFound(err):
			old.Status = restoredStatus(old.Status)
			changes = append(changes, memory.Change{Op: memory.OpAdd, Memory: old, Reason: "undo of a removal", Restore: true, Import: true})
		case err != nil:
			return nil, fmt.Errorf("looking for %s: %w", old.ID, err)
		case now.Status == memory.Forgotten || now.Status == memory.Archived:
			now.Status = restoredStatus(old.Status)
			changes = append(changes, memory.Change{Op: memory.OpStatus, Memory: now, Reason: "undo of forget", Restore: true})
		}
	}
	return changes, nil
}

// restoredStatus is the one that a memory had before it was put away. One that
// was missing gets its line again.
func restoredStatus(before memory.Status) memory.Status {
	switch before {
	case memory.Forgotten, memory.Archived, memory.Missing, "":
		return memory.Active
	}
	return before
}

// rewriting plans to write the lines again that are missing from the files.
func (f *Forget) rewriting(ctx context.Context, a ForgetArgs) ([]memory.Change, error) {
	missing, err := f.Store.List(ctx, memory.Filter{Namespace: f.Namespace, Statuses: []memory.Status{memory.Missing}})
	if err != nil {
		return nil, fmt.Errorf("listing what is missing: %w", err)
	}
	matches := a.matcher()
	var changes []memory.Change
	for _, m := range missing {
		if matches(m) {
			m.Status = memory.Active
			changes = append(changes, memory.Change{Op: memory.OpStatus, Memory: m, Reason: "undo of a deletion in its file"})
		}
	}
	return changes, nil
}
