// Package capture reads the conversations that other programs keep and finds in
// them what is worth remembering. It opens everything for reading only, holds
// one line at a time, and reports what it did not understand instead of
// guessing: formats of other programs change without notice.
package capture

import (
	"context"
	"strings"
	"time"
)

// Host is the program that keeps a conversation.
type Host string

// The hosts whose conversations can be read.
const (
	OpenClaw   Host = "openclaw"
	ClaudeCode Host = "claude-code"
	Codex      Host = "codex"
	Plain      Host = "jsonl" // one {role, content, time} a line
)

// Kind says who started a conversation. Only Interactive ones are captured.
type Kind string

// The kinds of conversations.
const (
	Interactive Kind = "interactive"
	Scheduled   Kind = "scheduled"
	Heartbeat   Kind = "heartbeat"
	Hook        Kind = "hook"
	SubAgent    Kind = "subagent"
	Bot         Kind = "bot" // started by the system or by another program
)

// Conversation is what is known of a conversation without reading it all.
type Conversation struct {
	Host     Host
	ID       string
	Place    string // its source as people know it; Place + Path say where the conversation is
	Path     string // of its file, below the folder of its source; the session's key for a database
	Kind     Kind
	Agent    string // whose conversation it is, where a host has several agents
	Parent   string // id of the conversation that it was started or forked from
	Started  time.Time
	Modified time.Time
	Size     int64 // bytes of the file; events for a database
}

// file reports whether a conversation is a file of its own.
func (c Conversation) file() bool {
	return strings.HasSuffix(c.Path, ".jsonl") || strings.HasSuffix(c.Path, ".jsonl.zst")
}

// key tells a conversation from every other: in a database several have one path.
func (c Conversation) key() string {
	if c.file() {
		return c.Place + c.Path
	}
	return c.Place + c.Path + " " + c.ID
}

// Role is who said something.
type Role string

// The roles.
const (
	User      Role = "user"
	Assistant Role = "assistant"
)

// Nature tells words that were said from words that were put there.
type Nature string

// The natures. Only Spoken messages are captured.
const (
	Spoken   Nature = "spoken"
	Tool     Nature = "tool"     // a tool's result
	Injected Nature = "injected" // context that the host added
	Summary  Nature = "summary"  // of what was said before, made by a compaction
	Silent   Nature = "silent"   // an answer that means "nothing to say"
)

// Message is one thing said in a conversation.
type Message struct {
	Number int64  // counts lines of the file, or events of the database, from 1
	ID     string // the host's; equal for copies in forked conversations; may be empty
	Role   Role
	Nature Nature
	Text   string
	At     time.Time
	Before Cursor // reading from here gives this message again
}

// Cursor marks how far a conversation has been read. The zero value is its beginning.
type Cursor struct {
	Offset int64  `json:"offset,omitempty"` // bytes (uncompressed) up to the end of the last whole line
	Number int64  `json:"number,omitempty"` // lines, or the number of the last event
	Head   string `json:"head,omitempty"`   // hash of the first line: another one means another file
	Last   int64  `json:"last,omitempty"`   // offset at which the last line read begins
	Tail   string `json:"tail,omitempty"`   // its hash: another one means that the file was rewritten
}

// Outcome tells what a reading found.
type Outcome struct {
	Cursor    Cursor
	Messages  int
	Bad       int       // lines that could not be understood
	BadLines  []BadLine // the first of them
	Torn      bool      // the last line is not complete yet: it waits
	Restarted bool      // the file was rewritten or replaced since the cursor, and read from its beginning
}

// BadLine is a line that could not be understood.
type BadLine struct {
	Number int64
	Reason string
}

const maxBadLines = 10 // that are listed

func (o *Outcome) bad(number int64, reason string) {
	o.Bad++
	if len(o.BadLines) < maxBadLines {
		o.BadLines = append(o.BadLines, BadLine{number, reason})
	}
}

// Source is a place where a host keeps conversations.
type Source interface {
	// Conversations calls each for every conversation, cheaply: nothing of its
	// messages is read. It stops at the first error that each returns.
	Conversations(ctx context.Context, each func(Conversation) error) error
	// Read completes c by what the conversation says of itself, then calls each
	// for its messages after the cursor, in order. Reading stops at the first
	// error that each returns; the outcome then ends before that message.
	Read(ctx context.Context, c *Conversation, from Cursor, each func(Message) error) (Outcome, error)
}
