package mirror

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"

	"agentmemory/internal/memory"
	"agentmemory/markdown"
)

// underWayFile says which undo is under way. It stands from before the first
// file is brought back until all is done: a process that ends in between would
// else leave a journal back in its place whose memories still live in the
// archive, and the next look would take its lines for new ones.
const underWayFile = undoDir + "/under-way.json"

// underWay is what it holds: enough for any process to end the undo.
type underWay struct {
	Journal string      `json:"journal"`
	Files   []returning `json:"files"`
}

// returning is a file that an undo brings back; nil: there is none.
type returning struct {
	Path   string  `json:"path"`
	Stood  *string `json:"stood"` // when the undo began
	Want   *string `json:"want"`
	Merged bool    `json:"merged,omitempty"` // what others wrote since is in Want
}

// announce writes down durably what the undo is about to do.
func (u *undoing) announce() error {
	text, err := json.Marshal(underWay{u.journal, u.files})
	if err != nil {
		return fmt.Errorf("encoding what is to be undone: %w", err)
	}
	if err := replaceOwn(u.Root, underWayFile, text); err != nil {
		return fmt.Errorf("noting what is to be undone: %w", err)
	}
	return nil
}

// end takes the journal of the run away, then what announced its undo: in this
// order nothing is undone twice.
func (u *undoing) end() error {
	if err := u.discard(u.journal); err != nil {
		return err
	}
	if err := markdown.SyncDir(u.Root, undoDir); err != nil {
		return err
	}
	return u.discard(underWayFile)
}

// finishUndo ends the undo that a process before this one could not end. The
// caller holds the lock; nothing may look at the files before.
func (m *Mirror) finishUndo(ctx context.Context) (done memory.Undone, namespace string, err error) {
	u, err := m.interrupted()
	if u == nil || err != nil {
		return done, "", err
	}
	states, err := u.Store.FileStates(ctx)
	if err != nil {
		return done, "", fmt.Errorf("reading the states of files: %w", err)
	}
	if len(states) == 0 {
		if err := u.anew(ctx); err != nil {
			return done, "", err
		}
	}
	if err := u.all(ctx); err != nil {
		return done, "", fmt.Errorf("ending the undo of %s, which was cut short: %w", u.done.Phase, err)
	}
	return u.done, u.namespace, u.end()
}

// interrupted returns the undo that is under way; nil: there is none.
func (m *Mirror) interrupted() (*undoing, error) {
	raw, err := readOwn(m.Root, underWayFile)
	if raw == nil || err != nil {
		return nil, err
	}
	var note underWay
	if err := json.Unmarshal(raw, &note); err != nil {
		m.Log("what says which undo is under way cannot be read; undo it again", err)
		return nil, m.discard(underWayFile)
	}
	lines, err := m.journal(note.Journal)
	if errors.Is(err, fs.ErrNotExist) || err == nil && (len(lines) == 0 || lines[0].Run == nil) {
		return nil, m.discard(underWayFile) // all was done but this
	}
	if err != nil {
		return nil, err
	}
	u := m.Of(lines[0].Run.in()).undoing(note.Journal, lines)
	u.files = note.Files
	return u, nil
}

// anew lets a new database learn from the files as they are to be, before it
// is told what the undo changes.
func (u *undoing) anew(ctx context.Context) error {
	for _, f := range u.files {
		if _, err := u.bring(ctx, f); err != nil {
			return err
		}
	}
	_, err := u.pass(ctx, passOptions{ours: u.restored})
	return err
}

// target returns the text that a file has now and the one that it is to have.
// They differ from what was announced if somebody saved it after the undo had
// been cut short.
func (u *undoing) target(ctx context.Context, f returning) (stands, want *string, err error) {
	raw, err := readFile(u.Root, f.Path)
	if err != nil {
		return nil, nil, err
	}
	stands = textOf(raw)
	if same(stands, f.Stood) || same(stands, f.Want) {
		return stands, f.Want, nil
	}
	if stands, err = u.rested(ctx, f.Path); err != nil || stands == nil {
		return nil, nil, err // they removed it: that stays
	}
	if f.Stood == nil || f.Want != nil && distance(*f.Want, *stands) < distance(*f.Stood, *stands) {
		return stands, stands, nil // it was back before they edited it
	}
	text := string(markdown.Merge(f.Path, []byte(*f.Stood), []byte(deref(f.Want)), []byte(*stands)).Text)
	return stands, &text, nil
}
