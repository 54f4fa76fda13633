package markdown

import (
	"slices"

	"agentmemory/internal/memory"
)

// Eraser deletes entries by id from any file that we manage, and does nothing else.
type Eraser struct{ w Workspace }

// Eraser returns the eraser of the workspace.
func (w Workspace) Eraser() Eraser { return Eraser{w} }

// Erased is the outcome of an erasure.
type Erased struct {
	Removed []Entry
	Before  []byte // what was read
	After   []byte // what was written
	Swapped Swapped
	Temp    string // to be discarded; "" if nothing was written
}

// Erase deletes the entries with these ids, all copies, from the file at path.
// owner is the number for the temporary file. Nothing is written if none is there.
// Where Swapped.Old is not Before, a person saved meanwhile, and the caller merges.
func (e Eraser) Erase(path string, owner int64, ids ...string) (Erased, error) {
	if !Classify(path, memory.TrustExternal).Managed() {
		return Erased{}, memory.Errorf(memory.PermissionDenied, "%s is not ours to erase from", path)
	}
	before, err := e.w.file(path).Read()
	if err != nil {
		return Erased{}, err
	}
	after, removed, err := without(path, before, ids)
	if err != nil || len(removed) == 0 {
		return Erased{}, err
	}
	temp := TempName(owner, after)
	s, err := e.w.file(path).Replace(temp, before, after)
	return Erased{removed, before, after, s, temp}, err
}

// without returns a file's text without the entries of these ids. An archive file
// loses their records; a fact keeps its place, empty.
func without(path string, before []byte, ids []string) (after []byte, removed []Entry, err error) {
	switch kindOf(path) {
	case KindArchive:
		after, removed = eraseArchived(before, ids)
	case KindFacts:
		return eraseFacts(before, ids)
	default:
		doc := Parse(path, before)
		removed = doc.erase(ids)
		after = doc.Bytes()
	}
	return after, removed, nil
}

func eraseArchived(before []byte, ids []string) (after []byte, removed []Entry) {
	records, _ := ParseArchive(before)
	for _, r := range records {
		if slices.Contains(ids, r.Memory.ID) {
			removed = append(removed, FromMemory(r.Memory))
		}
	}
	after, _ = WithoutArchived(before, ids...)
	return after, removed
}

func eraseFacts(before []byte, ids []string) (after []byte, removed []Entry, err error) {
	facts, err := ParseFacts(before)
	if err != nil {
		return nil, nil, err
	}
	for _, id := range ids {
		if i := facts.ByID(id); i >= 0 && !facts.List[i].Meta.Purged {
			removed = append(removed, Entry{ID: id, Form: memory.Fact, Content: facts.List[i].Fact})
			facts.Purge(i)
		}
	}
	return facts.Render(), removed, nil
}

// Discard removes the temporary file of a finished erasure.
func (e Eraser) Discard(path, temp string) error { return Discard(e.w.root, path, temp) }

// erase removes the entries that carry one of the ids, from the end, so that
// ids derived from the occurrence of a text do not move under it.
func (d *Document) erase(ids []string) []Entry {
	var removed []Entry
	entries := d.Entries()
	for _, e := range slices.Backward(entries) {
		if slices.Contains(ids, e.ID) && d.RemoveLine(e.Line) {
			removed = append(removed, e)
		}
	}
	slices.Reverse(removed)
	return removed
}
