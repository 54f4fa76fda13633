package capture

import (
	"fmt"
	"time"

	"agentmemory/internal/memory"
)

// Class is a kind of thing that is taken from a conversation.
type Class string

// The classes.
const (
	Remember     Class = "remember" // what the user asked to be remembered
	Correction   Class = "correction"
	Decision     Class = "decision"
	Rule         Class = "rule" // and limits
	Architecture Class = "architecture"
	Preference   Class = "preference"
	Identity     Class = "identity"
	Task         Class = "task"
	OpenLoop     Class = "open_loop"
	Lesson       Class = "lesson"
	Emotion      Class = "emotion"
)

// Classes lists every class, in the order in which a sentence is offered to them.
func Classes() []Class {
	return []Class{Remember, Correction, OpenLoop, Decision, Lesson, Task, Rule, Architecture, Identity, Preference, Emotion}
}

// Found is one thing worth remembering, in the words in which it was said.
type Found struct {
	Class       Class
	Text        string
	Role        Role // who said it
	At          time.Time
	First, Last int64  // messages that it was taken from
	MessageID   string // the host's, of the last of them; may be empty
	Confidence  float64
	Trust       memory.Trust
	Reasons     []string // why it is to be quarantined; none: it is not
	Said        []Said   // with Options.Said: the messages that it was taken from
}

// Said is a message, redacted and clipped.
type Said struct {
	Number int64
	Role   Role
	Text   string
}

// Range returns the messages that it was taken from: "12" or "11-12".
func (f Found) Range() string {
	if f.First == f.Last {
		return fmt.Sprint(f.Last)
	}
	return fmt.Sprintf("%d-%d", f.First, f.Last)
}

// ID returns the id of the memory that this becomes: the same each time it is
// found in the same message, also in the copy that a fork made of it.
func (f Found) ID(c Conversation) string {
	place := f.MessageID
	if place == "" {
		place = fmt.Sprintf("%s#%d", c.ID, f.Last)
	}
	return memory.DerivedID("conversation of "+string(c.Host)+"\x00"+place, f.Text, 0)
}

// Memory returns what is found as the memory to be written; its type, its
// place in the files and when it was learned are left to the writer. Its
// source is memory-sync:<day>, the day in the zone on which it was said, as far as
// its conversation tells: a day's capture can be taken back by its source.
func (f Found) Memory(c Conversation, zone *time.Location) memory.Memory {
	said := f.At
	if said.IsZero() {
		said = c.Modified
	}
	m := memory.Memory{
		ID: f.ID(c), Form: memory.Note, Content: f.Text, Status: memory.Active, Confidence: f.Confidence, Trust: f.Trust,
		Actor: string(f.Role), SessionID: c.ID, SessionPath: c.Place + c.Path, MessageRange: f.Range(),
		ObservedAt: f.At, Source: "memory-sync:" + said.In(zone).Format(time.DateOnly),
	}
	if f.Role == Assistant && c.Agent != "" {
		m.Actor = c.Agent
	}
	if len(f.Reasons) > 0 {
		m.Status, m.Trust = memory.Quarantined, memory.TrustExternal
	}
	return m
}
