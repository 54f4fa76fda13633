package capture

import (
	"context"
	"errors"
	"fmt"
)

// Harvest is what one reading of one conversation gave.
type Harvest struct {
	Conversation Conversation // as it describes itself
	Found        []Found
	Outcome      Outcome
	UserMessages int
	// Passed says why the conversation was not captured; "" if it was. A
	// conversation that was passed over as too short is to be read again
	// from the same cursor when it has grown: Next says from where.
	Passed string
	Next   Cursor
}

// PassedShort says that a conversation is passed over because too little was
// said in it; other reasons are the names of kinds that are not Interactive.
const PassedShort = "short"

// Harvest reads a conversation from a cursor and extracts what is worth
// remembering. One that was never captured before must have at least
// minUserMessages of the user's own.
func (e *Extractor) Harvest(ctx context.Context, s Source, c Conversation, from Cursor, minUserMessages int) (Harvest, error) {
	h := Harvest{Conversation: c, Next: from}
	if c.Kind != Interactive {
		h.Passed = string(c.Kind)
		return h, nil
	}
	passed := errors.New("not to be captured")
	listener, seen := e.Listen(), map[string]bool{}
	var err error
	h.Outcome, err = s.Read(ctx, &h.Conversation, from, func(m Message) error {
		if h.Conversation.Kind != Interactive {
			return passed
		}
		if m.ID != "" && seen[m.ID] {
			return nil // the copy of a message
		}
		if seen[m.ID] = true; m.Role == User && e.said.settle(m).Nature == Spoken {
			h.UserMessages++
		}
		h.Found = append(h.Found, listener.Hear(m)...)
		return nil
	})
	switch {
	case h.Conversation.Kind != Interactive:
		h.Found, h.Passed = nil, string(h.Conversation.Kind)
		return h, nil
	case err != nil:
		return h, fmt.Errorf("harvesting conversation %s: %w", c.ID, err)
	case h.UserMessages < minUserMessages && (from == Cursor{} || h.Outcome.Restarted):
		h.Found, h.Passed = nil, PassedShort
		return h, nil
	}
	h.Next = h.Outcome.Cursor
	return h, nil
}
