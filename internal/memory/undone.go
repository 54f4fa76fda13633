package memory

import "time"

// Undone tells what the undo of a run of reflect brought back.
type Undone struct {
	Phase    string    `json:"phase"`
	At       time.Time `json:"at"`       // when the run began
	Memories int       `json:"memories"` // brought back into the state before
	Files    []string  `json:"files"`    // restored, byte for byte where Merged does not list them
	Merged   []string  `json:"merged"`   // others had changed these since: their lines stay
	Kept     []string  `json:"kept"`     // memories that were changed since and were left alone
}
