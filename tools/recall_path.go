package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// maxHops bounds the walk along links.
const maxHops = 4

// PathStore is what reading by address needs of the store.
type PathStore interface {
	ByID(ctx context.Context, namespace, id string) (memory.Memory, error)
	ByURI(ctx context.Context, namespace, uri string) (memory.Memory, error)
	List(ctx context.Context, f memory.Filter) ([]memory.Memory, error)
}

// Accesses takes note of what was read; it never blocks and writes no file.
type Accesses interface {
	Used(ids ...string)
	Returned(ids ...string)
}

// Conversations reads a bounded piece of a raw transcript, redacted. What is
// not there is NotFound.
type Conversations interface {
	Excerpt(ctx context.Context, p SessionPassage, limit int) (ConversationView, error)
}

// SessionPassage is what session://ID#FIRST-LAST addresses. First 0 is from the
// beginning, Last 0 to the end.
type SessionPassage struct {
	SessionID   string
	First, Last int64
}

// ConversationView is a piece of a conversation: quoted words, no instructions.
type ConversationView struct {
	SessionID string     `json:"session_id"`
	Path      string     `json:"session_path"`
	Messages  []SaidView `json:"messages"`
	More      bool       `json:"more,omitempty"` // of the range was said than limit shows
}

// SaidView is one message of it.
type SaidView struct {
	Number  int64  `json:"number"`
	Role    string `json:"role"`
	At      string `json:"at,omitempty"`
	Text    string `json:"text"`
	Context bool   `json:"context,omitempty"` // said around what was asked for
}

// RecallPathArgs address memories by URI, or by the beginning of one.
type RecallPathArgs struct {
	URI   string `json:"uri"`
	Limit int    `json:"limit"`
	Depth int    `json:"depth"`
	Hops  int    `json:"traverse_hops"`
}

// RecallPathResult holds one memory (exact), several (prefix) or a piece of a conversation.
type RecallPathResult struct {
	Found        bool              `json:"found"`
	URI          string            `json:"uri,omitempty"`
	Memory       *MemoryView       `json:"memory,omitempty"`
	Related      []RelatedView     `json:"related,omitzero"` // of one memory: there, though empty
	Prefix       string            `json:"prefix,omitempty"`
	Count        int               `json:"count"`
	Memories     []MemoryView      `json:"memories,omitempty"`
	Conversation *ConversationView `json:"conversation,omitempty"`
	Hint         string            `json:"hint,omitempty"`
	Notice       string            `json:"notice,omitempty"`
}

// RelatedView is a memory that links lead to.
type RelatedView struct {
	ID       string `json:"id"`
	URI      string `json:"uri"`
	Content  string `json:"content"`
	Relation string `json:"relation"`
	Hop      int    `json:"hop"`
}

// RecallPath is the use case behind the tool recall_path.
type RecallPath struct {
	Store         PathStore
	Accesses      Accesses
	Conversations Conversations // nil when no transcript reader is configured
	Profile       lifecycle.Profile
	Now           func() time.Time
	Namespace     string
}

// RecallPathSpec describes the tool.
func RecallPathSpec() Spec {
	return Spec{
		Name:        "recall_path",
		Title:       "Recall by address",
		Description: "Read the memory at a uri (knowledge://preferences/editor), or list what is below a prefix.",
		Hints:       Hints{ReadOnly: true, Idempotent: true},
		Input: Schema{
			{Name: "uri", Kind: String, Aliases: []string{"path"}, Description: "exact uri, prefix, or session://ID#RANGE", Required: true},
			{Name: "limit", Kind: Integer, Min: 1, Max: 200, Default: 20},
			{Name: "depth", Kind: Integer, Min: 0, Max: 16, Description: "0: all levels"},
			{Name: "traverse_hops", Kind: Integer, Min: 0, Max: maxHops, Description: "follow links"},
			{Name: "agent_id", Kind: String, Hidden: true},
		},
		Output: json.RawMessage(`{"type":"object","properties":{"found":{"type":"boolean"},"count":{"type":"integer"},"memory":{"type":"object"},"memories":{"type":"array","items":{"type":"object"}}},"required":["found"]}`),
	}
}

// Run looks for the exact address first, then for what lies below it.
func (r *RecallPath) Run(ctx context.Context, a RecallPathArgs) (RecallPathResult, error) {
	if strings.HasPrefix(a.URI, "session://") {
		return r.conversation(ctx, a)
	}
	m, err := r.read(ctx, a.URI)
	switch {
	case err == nil:
		return r.exact(ctx, a, m)
	case !memory.IsNotFound(err) && memory.CodeOf(err) != memory.InvalidArgument:
		return RecallPathResult{}, fmt.Errorf("reading %s: %w", a.URI, err)
	}
	return r.below(ctx, a)
}

// read returns the memory at an address. An id will do for one: those of
// imported memories, old numbers among them, are what their readers know.
func (r *RecallPath) read(ctx context.Context, uri string) (memory.Memory, error) {
	if strings.Contains(uri, "://") || !memory.ValidID(uri) {
		return r.Store.ByURI(ctx, r.Namespace, uri)
	}
	m, err := r.Store.ByID(ctx, r.Namespace, uri)
	if memory.IsNotFound(err) {
		return r.Store.ByURI(ctx, r.Namespace, uri) // it says what an address looks like
	}
	return m, err
}

func (r *RecallPath) exact(ctx context.Context, a RecallPathArgs, m memory.Memory) (RecallPathResult, error) {
	if m.Status == memory.Quarantined {
		return r.withheld(m), nil
	}
	r.Accesses.Used(m.ID)
	related, err := r.walk(ctx, m, min(a.Hops, maxHops), a.Limit)
	if err != nil {
		return RecallPathResult{}, err
	}
	view := viewOf(m, r.Profile, r.Now())
	if err := findMemory(r.Store.ByID).beside(ctx, r.Namespace, &view); err != nil {
		return RecallPathResult{}, err
	}
	return RecallPathResult{Found: true, URI: m.URI, Memory: &view, Related: related, Count: 1, Notice: recallNotice}, nil
}

// withheld tells of a memory that is kept aside, and nothing of what it says.
func (r *RecallPath) withheld(m memory.Memory) RecallPathResult {
	m.Content, m.Title, m.Fields, m.Links = "", "", nil, nil
	view := viewOf(m, r.Profile, r.Now())
	return RecallPathResult{Found: true, URI: m.URI, Memory: &view, Related: []RelatedView{}, Count: 1,
		Hint: "it is kept aside, and not recalled until a person allows it: `agent-memory approve` shows it"}
}

// walk follows links breadth first, each memory once.
func (r *RecallPath) walk(ctx context.Context, from memory.Memory, hops, limit int) ([]RelatedView, error) {
	related := []RelatedView{}
	seen := map[string]bool{from.ID: true}
	level := []memory.Memory{from}
	for hop := 1; hop <= hops; hop++ {
		var next []memory.Memory
		for _, m := range level {
			for _, link := range m.Links {
				target, err := r.target(ctx, link.Target)
				if memory.IsNotFound(err) || seen[target.ID] || err == nil && !target.Status.Recallable() {
					continue
				}
				if err != nil {
					return nil, fmt.Errorf("following the link of %s to %s: %w", m.ID, link.Target, err)
				}
				seen[target.ID] = true
				next = append(next, target)
				related = append(related, RelatedView{ID: target.ID, URI: target.URI, Content: target.Content, Relation: link.Relation, Hop: hop})
				if len(related) == limit {
					return related, nil
				}
			}
		}
		level = next
	}
	return related, nil
}

func (r *RecallPath) target(ctx context.Context, idOrURI string) (memory.Memory, error) {
	if strings.Contains(idOrURI, "://") {
		return r.Store.ByURI(ctx, r.Namespace, idOrURI)
	}
	return r.Store.ByID(ctx, r.Namespace, idOrURI)
}

func (r *RecallPath) below(ctx context.Context, a RecallPathArgs) (RecallPathResult, error) {
	if !strings.Contains(a.URI, "://") {
		_, err := memory.ParseURI(a.URI)
		return RecallPathResult{}, err
	}
	filter := memory.Filter{Namespace: r.Namespace, URIPrefix: a.URI, Levels: a.Depth, Order: memory.ByURI, Limit: a.Limit}
	found, err := r.Store.List(ctx, filter)
	if err != nil {
		return RecallPathResult{}, fmt.Errorf("listing below %s: %w", a.URI, err)
	}
	views := []MemoryView{}
	for _, m := range found {
		views = append(views, viewOf(m, r.Profile, r.Now()))
	}
	if len(views) == 0 {
		return RecallPathResult{Found: false, URI: a.URI, Hint: "nothing at or below this address; recall searches by words"}, nil
	}
	return RecallPathResult{Found: true, Prefix: a.URI, Count: len(views), Memories: views, Notice: recallNotice}, nil
}

func (r *RecallPath) conversation(ctx context.Context, a RecallPathArgs) (RecallPathResult, error) {
	if r.Conversations == nil {
		return RecallPathResult{}, memory.Errorf(memory.Unavailable, "capture is off: no conversations are configured").
			WithHint("the memory's session_path and message_range say where the conversation is; agent-memory init --capture switches it on")
	}
	passage, err := parseSession(a.URI)
	if err != nil {
		return RecallPathResult{}, err
	}
	view, err := r.Conversations.Excerpt(ctx, passage, a.Limit)
	if memory.IsNotFound(err) {
		return RecallPathResult{Found: false, URI: a.URI, Hint: "the program that kept this conversation has removed it, or its source is not in capture.sources"}, nil
	}
	if err != nil {
		return RecallPathResult{}, fmt.Errorf("reading %s: %w", a.URI, err)
	}
	return RecallPathResult{Found: true, URI: a.URI, Count: len(view.Messages), Conversation: &view, Notice: recallNotice}, nil
}

// parseSession reads session://ID, session://ID#12 or session://ID#12-14.
func parseSession(uri string) (SessionPassage, error) {
	id, span, ranged := strings.Cut(strings.TrimPrefix(uri, "session://"), "#")
	p := SessionPassage{SessionID: id}
	wrong := memory.Errorf(memory.InvalidArgument, "%s addresses no part of a conversation", quoteShort(uri)).
		WithHint("write session://SESSION_ID#MESSAGE_RANGE, such as session://2ff46cd5#12-14")
	if id == "" || len(id) > memory.MaxLabel {
		return p, wrong
	}
	if !ranged {
		return p, nil
	}
	first, last, several := strings.Cut(span, "-")
	var err error
	if p.First, err = strconv.ParseInt(first, 10, 64); err != nil || p.First < 0 {
		return p, wrong
	}
	if p.Last = p.First; !several {
		return p, nil
	}
	if p.Last, err = strconv.ParseInt(last, 10, 64); last != "" && (err != nil || p.Last < p.First) {
		return p, wrong
	}
	return p, nil
}
