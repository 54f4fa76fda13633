package tools

import (
	"context"
	"encoding/json"
	"fmt"
	"sync"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/redact"
	"agentmemory/internal/text"
	"agentmemory/lifecycle"
)

// Limits of one remember call.
const (
	maxItems   = 500
	guardTries = 50 // of planning again when another process was faster: each time, one of them got on
)

// Writer carries out changes in one transaction.
type Writer interface {
	Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error)
}

// Journal takes memories while the database cannot: they are appended to their
// file under the same id and indexed later. The address returned is the one that
// the file gave it.
type Journal interface {
	AppendDirect(ctx context.Context, m memory.Memory) (uri string, err error)
}

// Notifier is told that the outbox holds something for the files.
type Notifier interface{ Notify() }

// RememberArgs are one item, or several.
type RememberArgs struct {
	RememberItem
	Items []RememberItem `json:"items"`
}

// RememberResult is the outcome of one item; for a batch, Results holds one outcome each.
type RememberResult struct {
	Outcome
	Count   int       `json:"count,omitempty"`
	Results []Outcome `json:"results,omitempty"`
}

// Outcome tells what became of one item.
type Outcome struct {
	Action   string        `json:"action"`
	MemoryID string        `json:"memoryId,omitempty"`
	URI      string        `json:"uri,omitempty"`
	Reason   string        `json:"reason"`
	Path     string        `json:"path,omitempty"`
	Redacted []string      `json:"redacted,omitempty"`
	Degraded string        `json:"degraded,omitempty"`
	Error    *memory.Error `json:"error,omitempty"`
}

// Remember is the use case behind the tool of that name.
type Remember struct {
	Store     Writer
	Alike     *LookAlikes
	Journal   Journal
	Mirror    Notifier
	Cleaner   TextCleaner
	IDs       *memory.IDSource
	Home      func(memory.Memory) string           // the file in which a memory is to stand
	Entity    func(memory.Memory) lifecycle.Entity // what a fact without an address belongs to; nil: it stands in the journal
	Waiting   func(file string) string             // why a file cannot be written, as far as known; "": nothing is known; nil: always so
	Profile   lifecycle.Profile
	Now       func() time.Time // in the workspace's zone
	Namespace string

	indexers sync.Pool // of *text.Indexer
}

// RememberSpec describes the tool.
func RememberSpec() Spec {
	batch := Argument{Name: "items", Kind: Objects, Items: itemSchema(true), PerItem: true, Announce: `{"type":"array","items":{"type":"object"}}`, Description: "many at once, same arguments"}
	return Spec{
		Name:        "remember",
		Title:       "Remember",
		Description: "Keep a durable statement (decision, preference, rule, correction, task). Duplicates merge; contradictions supersede.",
		Hints:       Hints{Idempotent: true},
		Input:       append(itemSchema(false), batch),
		Output: json.RawMessage(`{"type":"object","properties":{"action":{"type":"string"},"memoryId":{"type":"string"},` +
			`"uri":{"type":"string"},"reason":{"type":"string"},"results":{"type":"array","items":{"type":"object"}}},"required":["action","reason"]}`),
	}
}

// Run remembers one item or a batch, as few transactions as there can be. What is
// wrong with one item is reported there and does not hinder the others.
func (r *Remember) Run(ctx context.Context, a RememberArgs) (RememberResult, error) {
	if len(a.Items) == 0 {
		items := []RememberItem{a.RememberItem}
		outcomes, err := r.all(ctx, items)
		if err != nil {
			return RememberResult{}, err
		}
		sayUnreadable(outcomes, items)
		if outcomes[0].Error != nil {
			return RememberResult{}, outcomes[0].Error
		}
		return RememberResult{Outcome: outcomes[0]}.WaitingFor(r.Waiting), nil
	}
	if a.Content != "" {
		return RememberResult{}, memory.Errorf(memory.InvalidArgument, "content and items were both given").WithHint("put everything into items")
	}
	if len(a.Items) > maxItems {
		return RememberResult{}, memory.Errorf(memory.TooLarge, "%d items, more than %d", len(a.Items), maxItems).WithHint("send them in several calls")
	}
	items, err := a.each()
	if err != nil {
		return RememberResult{}, err
	}
	outcomes, err := r.all(ctx, items)
	if err != nil {
		return RememberResult{}, err
	}
	sayUnreadable(outcomes, items)
	return batchResult(outcomes).WaitingFor(r.Waiting), nil
}

// WaitingFor says of each memory that is not in its file yet why the file cannot
// be written. What was remembered is safe, but a reader of the file misses it.
func (r RememberResult) WaitingFor(waiting func(file string) string) RememberResult {
	if waiting == nil {
		return r
	}
	r.Outcome = r.Outcome.waitingFor(waiting)
	for i, o := range r.Results {
		r.Results[i] = o.waitingFor(waiting)
		if r.Degraded == "" {
			r.Degraded = r.Results[i].Degraded
		}
	}
	return r
}

func (o Outcome) waitingFor(waiting func(file string) string) Outcome {
	if o.Path == "" || o.Degraded != "" {
		return o
	}
	if why := waiting(o.Path); why != "" {
		o.Degraded = "mirror_pending"
		o.Reason += fmt.Sprintf("; kept in the database, but %s cannot be written: %s", o.Path, why)
	}
	return o
}

func batchResult(outcomes []Outcome) RememberResult {
	counts := map[string]int{}
	for _, o := range outcomes {
		counts[o.Action]++
	}
	reason := ""
	for _, action := range []string{"added", "updated", "merged", "reinforced", "superseded", "skipped", "quarantined", "failed"} {
		if counts[action] > 0 {
			if reason != "" {
				reason += ", "
			}
			reason += fmt.Sprintf("%d %s", counts[action], action)
		}
	}
	return RememberResult{Outcome: Outcome{Action: "batch", Reason: reason}, Count: len(outcomes), Results: outcomes}
}

// pending is one item on its way.
type pending struct {
	memory     memory.Memory
	said       *lifecycle.Analysis
	redacted   []string
	suspicious []redact.Reason
	verdict    lifecycle.Verdict
	outcome    *Outcome
	// onlyCorrecting: it is kept only if it sets something right.
	onlyCorrecting bool
}

// indexer knows the stems of what was remembered before. It goes back when the
// call is over; while nobody calls, it is forgotten.
func (r *Remember) indexer() *text.Indexer {
	if known, is := r.indexers.Get().(*text.Indexer); is {
		return known
	}
	return text.NewIndexer()
}

func (r *Remember) all(ctx context.Context, items []RememberItem) ([]Outcome, error) {
	outcomes := make([]Outcome, len(items))
	var open []*pending
	indexer := r.indexer()
	defer r.indexers.Put(indexer)
	for i, item := range items {
		p := &pending{outcome: &outcomes[i]}
		if err := r.prepare(item, p, indexer); err != nil {
			p.fail(err)
			continue
		}
		open = append(open, p)
	}
	if err := r.write(ctx, open); err != nil {
		return nil, err
	}
	return outcomes, nil
}

func (p *pending) fail(err error) {
	*p.outcome = Outcome{Action: "failed", Reason: err.Error(), Error: shown(err)}
	p.outcome.Reason = p.outcome.Error.Message
}

// prepare checks and cleans an item and completes the memory that it asks for.
func (r *Remember) prepare(item RememberItem, p *pending, indexer *text.Indexer) error {
	if item.Invalid != nil {
		return item.Invalid
	}
	m, err := item.memory(r.Namespace, r.Now())
	if err != nil {
		return err
	}
	if m.ID, err = r.IDs.Next(); err != nil {
		return fmt.Errorf("making an id: %w", err)
	}
	return r.finish(m, p, indexer)
}

// finish cleans a memory and gives it what every new one has.
func (r *Remember) finish(m memory.Memory, p *pending, indexer *text.Indexer) error {
	p.redacted, p.suspicious = clean(r.Cleaner, &m)
	if err := checkMemory(m); err != nil {
		return err
	}
	m = lifecycle.Marked(m)
	if m.Title == "" && (m.Form == memory.Task || m.Form == memory.Decision) {
		m.Title = lifecycle.OneLine(memory.Memory{Content: titleOf(m)}, titleChars) // the heading of its card
	}
	if m.Form == memory.Fact {
		m.URI = r.factURI(m)
	}
	if m.URI == "" {
		m.URI = formURI(m, r.Now())
	}
	m.ContentHash = memory.Hash(m.Content)
	p.memory, p.said = m, lifecycle.AnalysisOf(m, indexer)
	return nil
}

// factURI gives a fact an address of its own within its entity, unless the caller
// chose one.
func (r *Remember) factURI(m memory.Memory) string {
	if e, whole := lifecycle.EntityNamedBy(m.URI); whole {
		return e.FactURI(m.ID)
	}
	if m.URI == "" && r.Entity != nil {
		return r.Entity(m).FactURI(m.ID)
	}
	return m.URI
}

// attempt plans every open item against the store as it is now and applies all
// plans in one transaction. It returns the items whose plan had been overtaken.
func (r *Remember) attempt(ctx context.Context, open []*pending) ([]*pending, error) {
	var changes []memory.Change
	var planned []*pending
	for _, p := range open {
		similar, err := r.Alike.Of(ctx, p.memory, p.said)
		if memory.IsNotFound(err) {
			p.fail(err)
			continue
		}
		if err != nil {
			return nil, fmt.Errorf("looking for similar memories: %w", err)
		}
		planned = append(planned, p)
		p.verdict = lifecycle.Guard(lifecycle.Arrival{Memory: p.memory, OnlyCorrecting: p.onlyCorrecting, Now: r.Now(), Analysis: p.said}, similar, r.Profile.Guard)
		r.complete(p.verdict.Changes)
		changes = append(changes, p.verdict.Changes...)
	}
	var applied []memory.Applied
	if len(changes) > 0 {
		var err error
		if applied, err = r.Store.Apply(ctx, changes); err != nil {
			return nil, fmt.Errorf("writing: %w", err)
		}
	}
	return settle(planned, applied), nil
}

// complete gives new memories an address and a home.
func (r *Remember) complete(changes []memory.Change) {
	for i := range changes {
		m := &changes[i].Memory
		if changes[i].Op != memory.OpAdd {
			continue
		}
		if m.URI == "" {
			m.URI = memory.JournalURI(m.Type, r.at(*m))
		}
		m.Home = memory.Place{File: r.Home(*m)}
	}
}

// at is the minute of the diary to which a memory belongs, in the workspace's zone.
func (r *Remember) at(m memory.Memory) time.Time {
	now := r.Now()
	if m.CreatedAt.IsZero() {
		return now
	}
	return m.CreatedAt.In(now.Location())
}

// settle writes the outcomes of what was applied and returns what was not.
func settle(open []*pending, applied []memory.Applied) []*pending {
	var again []*pending
	for _, p := range open {
		mine := applied[:len(p.verdict.Changes)]
		applied = applied[len(p.verdict.Changes):]
		if conflicting(mine) {
			again = append(again, p)
			continue
		}
		p.settle(mine)
	}
	return again
}

func conflicting(applied []memory.Applied) bool {
	for _, a := range applied {
		if a.Conflict != memory.NoConflict && a.Conflict != memory.ConflictTombstone {
			return true
		}
	}
	return false
}

func (p *pending) settle(applied []memory.Applied) {
	o := Outcome{
		Action: string(p.verdict.Action), MemoryID: p.verdict.MemoryID, URI: p.verdict.URI,
		Reason: p.verdict.Reason, Redacted: p.redacted,
	}
	if why := quarantineReason(p.suspicious); why != "" && p.verdict.Action == lifecycle.Held {
		o.Reason = why
	}
	if strange := strangeFields(p.memory); strange != "" {
		o.Reason += "; " + strange
	}
	for _, a := range applied {
		if a.Conflict == memory.ConflictTombstone {
			o.Action, o.MemoryID, o.URI, o.Reason = string(lifecycle.Skipped), "", "", "this was forgotten for good; forget undo=true brings back what was not purged"
			continue
		}
		if a.Memory.ID == p.verdict.MemoryID {
			o.URI, o.Path = a.Memory.URI, a.Memory.Home.File
		}
	}
	*p.outcome = o
}

// withoutStore keeps what a database that cannot be written does not take: in
// the journal, to be indexed later. Other failures are the caller's.
func (r *Remember) withoutStore(ctx context.Context, open []*pending, cause error) error {
	if code := memory.CodeOf(cause); code != memory.Unavailable && code != memory.ReadOnly {
		return cause
	}
	for _, p := range open {
		if p.outcome.Action != "" {
			continue // refused before
		}
		m := p.memory
		if m.URI == "" {
			m.URI = memory.JournalURI(m.Type, r.at(m))
		}
		m.Home = memory.Place{File: r.Home(m)}
		uri, err := r.Journal.AppendDirect(ctx, m)
		if err != nil {
			p.fail(memory.Errorf(memory.CodeOf(cause), "nothing was kept: %s; and %s cannot be written either: %s", shown(cause).Message, m.Home.File, err).
				WithHint("free some space, or make the workspace writable for this user, and repeat the call"))
			continue
		}
		*p.outcome = Outcome{
			Action: string(lifecycle.Added), MemoryID: m.ID, URI: uri, Path: m.Home.File, Redacted: p.redacted,
			Reason: "written to the journal; the index follows when the database can be written again", Degraded: "index_pending",
		}
	}
	return nil
}
