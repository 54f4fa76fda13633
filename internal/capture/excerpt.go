package capture

import (
	"context"
	"errors"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/redact"
)

// Bounds of an excerpt.
const (
	around       = 3       // spoken messages shown before and after what is asked for
	maxQuoted    = 2 << 10 // bytes of one message
	maxExcerpt   = 24 << 10
	unbounded    = int64(1) << 62
	cutOff       = " […]"
	leadIn       = 200 // lines that are read before what is asked for
	maxCandidate = 8   // conversations of one id that are tried
)

// Passage says which part of which conversation is wanted. First 0 is from the beginning,
// Last 0 to the end.
type Passage struct {
	SessionID   string
	First, Last int64
	Limit       int // messages, besides a few around them
}

// Excerpt is a bounded piece of a conversation: what was said, redacted,
// without tool output and injected context.
type Excerpt struct {
	Conversation Conversation
	Lines        []Line
	More         bool // more was said after it within what was asked for
}

// Line is one message of an excerpt.
type Line struct {
	Number  int64
	Role    Role
	At      time.Time
	Text    string
	Context bool // around what was asked for
}

// Excerpt reads a piece of a conversation that lies in one of the sources. It
// writes nothing. A conversation that is not there is NotFound.
func (c *Collector) Excerpt(ctx context.Context, p Passage) (Excerpt, error) {
	s, err := readState(c.Root)
	if err != nil {
		return Excerpt{}, err
	}
	for _, origin := range c.Origins {
		found, err := c.excerptIn(ctx, origin, p, s)
		if err == nil || !memory.IsNotFound(err) {
			return found, err
		}
	}
	return Excerpt{}, memory.Errorf(memory.NotFound, "no conversation %s is there any more", clip(p.SessionID, 80))
}

func (c *Collector) excerptIn(ctx context.Context, origin Origin, p Passage, s state) (Excerpt, error) {
	source, err := origin.Open(ctx)
	if err != nil {
		return Excerpt{}, memory.Errorf(memory.NotFound, "%s cannot be read", origin.Name) // others may be
	}
	defer source.Close()
	var candidates []Conversation
	err = source.Conversations(ctx, func(v Conversation) error {
		v.Place = origin.Place
		known := s.Sessions[v.key()]
		if v.ID == p.SessionID || known != nil && known.SessionID == p.SessionID || v.ID == "" && strings.Contains(v.Path, p.SessionID) {
			candidates = append(candidates, v)
		}
		if len(candidates) == maxCandidate {
			return errFull
		}
		return nil
	})
	if err != nil && !errors.Is(err, errFull) {
		return Excerpt{}, err
	}
	for _, v := range candidates {
		if e, err := c.Extractor().excerpt(ctx, source, v, p); err != nil || e.Conversation.ID == p.SessionID {
			return e, err
		}
	}
	return Excerpt{}, memory.Errorf(memory.NotFound, "no such conversation")
}

func (e *Extractor) excerpt(ctx context.Context, source Source, c Conversation, p Passage) (Excerpt, error) {
	if p.Last == 0 {
		p.Last = unbounded
	}
	x := &excerpting{e: e, want: p, left: maxExcerpt, result: Excerpt{Conversation: c}}
	from, err := before(ctx, source, c, p.First)
	if err != nil {
		return Excerpt{}, err
	}
	_, err = source.Read(ctx, &x.result.Conversation, from, x.hear)
	if err != nil && !errors.Is(err, errFull) {
		return Excerpt{}, err
	}
	return x.result, nil
}

// before is where to begin to read for a message: the few spoken messages before
// it that are shown may lie between many lines of tools.
func before(ctx context.Context, source Source, c Conversation, number int64) (Cursor, error) {
	s, ok := source.(skipper)
	if !ok || number <= leadIn {
		return Cursor{}, nil
	}
	return s.Skip(ctx, c, number-leadIn)
}

// excerpting is one reading of an excerpt.
type excerpting struct {
	e      *Extractor
	want   Passage
	before []Line // said last before what is wanted
	after  int
	shown  int // of what is wanted
	left   int // bytes
	result Excerpt
}

func (x *excerpting) hear(m Message) error {
	m, _ = x.e.said.settle(m)
	if m.Nature != Spoken {
		return nil
	}
	l := Line{Number: m.Number, Role: m.Role, At: m.At, Text: m.Text}
	switch {
	case m.Number < x.want.First:
		x.before = append(x.before, l)
		x.before = x.before[max(0, len(x.before)-around):]
		return nil
	case m.Number > x.want.Last:
		if x.after++; x.after > around {
			return errFull
		}
		l.Context = true
	}
	for _, b := range x.before {
		b.Context = true
		x.add(b)
	}
	x.before = nil
	if !x.add(l) {
		x.result.More = !l.Context
		return errFull
	}
	return nil
}

// add appends a message, redacted and clipped; false when the excerpt is full.
func (x *excerpting) add(l Line) bool {
	if x.left <= 0 || !l.Context && x.shown >= x.want.Limit {
		return false
	}
	if !l.Context {
		x.shown++
	}
	l.Text = quoted(x.e.redactor, l.Text)
	x.left -= len(l.Text)
	x.result.Lines = append(x.result.Lines, l)
	return true
}

// quoted redacts before it cuts: half a secret is still one.
func quoted(r *redact.Redactor, text string) string {
	text = r.Clean(text).Text
	if len(text) > maxQuoted {
		return clip(text, maxQuoted) + cutOff
	}
	return text
}
