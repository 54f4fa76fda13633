package capture

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash/maphash"
	"time"
)

// Bounds of one harvest, whatever the size of a conversation.
const (
	maxPiece   = 200     // things found before they are handed over
	maxContext = 8       // spoken messages that are read again to understand the next one
	maxSeen    = 1 << 15 // messages among which copies are recognised
	maxTitle   = 120     // bytes
)

// Mark says how far a conversation was captured. What is said next may refer to
// what was said before ("yes, do that"): Context is where to read on from to
// understand it.
type Mark struct {
	Cursor  Cursor `json:"cursor"`
	Context Cursor `json:"context"`
}

// Harvest is what a reading of a conversation gave, or a piece of a long one.
type Harvest struct {
	Conversation Conversation // as it describes itself
	Found        []Found
	Messages     int
	UserMessages int
	BadLines     int       // that could not be understood
	Bad          []BadLine // the first of them
	Title        string    // the beginning of the first thing that the user said in this piece
	Fingerprint  string    // of the last thing that the user said; "" if nothing
	LastAt       time.Time // when the last thing was said
	// Passed says why the conversation was not captured; "" if it was. One that
	// was too short is to be read again from the same mark when it has grown.
	Passed string
	Next   Mark
	More   bool // further pieces follow
}

// PassedShort says that a conversation is passed over because too little was
// said in it; other reasons are the names of kinds that are not Interactive.
const PassedShort = "short"

// Limits choose what of a conversation is harvested.
type Limits struct {
	MinUserMessages int       // one that was never captured must have as many of the user's own
	Since           time.Time // what was said before is heard, and not taken
}

// Unread is a conversation and from where on it is to be read.
type Unread struct {
	Source       Source
	Conversation Conversation
	From         Mark
}

// Harvest reads a conversation from a mark, extracts what is worth remembering
// and hands it over piece by piece; memory stays bounded whatever its size.
func (e *Extractor) Harvest(ctx context.Context, u Unread, l Limits, take func(Harvest) error) error {
	c := u.Conversation
	if c.Kind != Interactive {
		return take(Harvest{Conversation: c, Passed: string(c.Kind), Next: u.From})
	}
	h := &harvesting{e: e, source: u.Source, limits: l, conversation: c, from: u.From.Cursor, next: u.From, listener: e.Listen(), seen: newSeen()}
	read, err := h.begin(ctx)
	if err != nil {
		return fmt.Errorf("harvesting conversation %s: %w", c.ID, err)
	}
	for {
		more, err := h.piece(ctx, read)
		if err != nil {
			return fmt.Errorf("harvesting conversation %s: %w", c.ID, err)
		}
		if err := take(h.result); err != nil {
			return err
		}
		if !more {
			return nil
		}
		read = h.result.Next.Cursor
	}
}

// harvesting is one harvest under way.
type harvesting struct {
	e            *Extractor
	source       Source
	limits       Limits
	conversation Conversation
	from         Cursor // what was said up to here is context
	fresh        bool   // nothing of the conversation was captured before
	next         Mark
	listener     *Listener
	recent       []Cursor // of the last spoken messages
	seen         *seen
	result       Harvest
}

var (
	errFull   = errors.New("enough for one piece")
	errPassed = errors.New("not to be captured")
)

// begin finds out where to read from: where the context of the next message
// begins, or the beginning of a file that is not the one it was.
func (h *harvesting) begin(ctx context.Context) (Cursor, error) {
	if h.from == (Cursor{}) {
		h.fresh = true
		return Cursor{}, nil
	}
	out, err := h.source.Read(ctx, &h.conversation, h.from, func(Message) error { return errFull })
	switch {
	case out.Restarted:
		h.from, h.next, h.fresh = Cursor{}, Mark{}, true
		return Cursor{}, nil
	case errors.Is(err, errFull):
		return h.next.Context, nil
	case err != nil:
		return Cursor{}, err
	}
	return h.from, nil
}

// piece reads on until enough was found or nothing is left.
func (h *harvesting) piece(ctx context.Context, from Cursor) (more bool, err error) {
	h.result = Harvest{Next: h.next}
	out, err := h.source.Read(ctx, &h.conversation, from, h.hear)
	h.result.Conversation, h.result.Bad, h.result.BadLines = h.conversation, out.BadLines, out.Bad
	switch {
	case errors.Is(err, errPassed):
		h.result.Found, h.result.Passed = nil, string(h.conversation.Kind)
		return false, nil
	case errors.Is(err, errFull):
		h.fresh, h.result.More = false, true
		return true, nil
	case err != nil:
		return false, err
	case h.conversation.Kind != Interactive:
		h.result.Found, h.result.Passed = nil, string(h.conversation.Kind)
	case h.fresh && h.result.UserMessages < h.limits.MinUserMessages:
		h.result.Found, h.result.Passed, h.result.Next = nil, PassedShort, Mark{}
		return false, nil
	}
	h.result.Next = Mark{Cursor: out.Cursor, Context: h.context(out.Cursor)}
	return false, nil
}

func (h *harvesting) context(end Cursor) Cursor {
	if len(h.recent) == 0 {
		return end
	}
	return h.recent[0]
}

// hear takes one message; its place becomes the end of a piece that is full.
func (h *harvesting) hear(m Message) error {
	if h.conversation.Kind != Interactive {
		return errPassed
	}
	settled, _ := h.e.said.settle(m)
	spoken := settled.Nature == Spoken
	old := m.Number <= h.from.Number
	if enough := h.limits.MinUserMessages; !old && len(h.result.Found) >= maxPiece && (!h.fresh || h.result.UserMessages >= enough) {
		h.next = Mark{Cursor: m.Before, Context: h.context(m.Before)}
		h.result.Next = h.next
		return errFull
	}
	if h.seen.before(m.ID) {
		return nil // the copy of a message
	}
	if spoken {
		h.recent = append(h.recent, m.Before)
		h.recent = h.recent[max(0, len(h.recent)-maxContext):]
	}
	found := h.listener.Hear(m)
	if old {
		return nil
	}
	h.note(m, spoken)
	for _, f := range found {
		if f.At.IsZero() || !f.At.Before(h.limits.Since) {
			h.result.Found = append(h.result.Found, f)
		}
	}
	return nil
}

// note keeps what is to be known of a conversation besides what was found.
func (h *harvesting) note(m Message, spoken bool) {
	h.result.Messages++
	h.result.LastAt = later(h.result.LastAt, m.At)
	if m.Role != User || !spoken {
		return
	}
	h.result.UserMessages++
	sum := sha256.Sum256([]byte(m.Text))
	h.result.Fingerprint = hex.EncodeToString(sum[:8])
	if h.result.Title == "" {
		h.result.Title = clip(m.Text, maxTitle)
	}
}

// seen recognises the ids of the last messages, in bounded memory.
type seen struct {
	seed  maphash.Seed
	known map[uint64]bool
	order []uint64
	next  int
}

func newSeen() *seen { return &seen{seed: maphash.MakeSeed(), known: map[uint64]bool{}} }

// before reports whether an id was there before, and keeps it.
func (s *seen) before(id string) bool {
	if id == "" {
		return false
	}
	h := maphash.String(s.seed, id)
	if s.known[h] {
		return true
	}
	if len(s.order) < maxSeen {
		s.order = append(s.order, h)
	} else {
		delete(s.known, s.order[s.next])
		s.order[s.next] = h
		s.next = (s.next + 1) % maxSeen
	}
	s.known[h] = true
	return false
}
