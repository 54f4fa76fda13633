package tools

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
	"agentmemory/lifecycle"
)

// Sizes of the pools that are ranked for one answer.
const (
	lexicalPool  = 100 // candidates of the full-text index
	sessionPool  = 300 // the same, when sessions are ranked: many entries speak for one
	semanticPool = 50  // nearest vectors
	contextBest  = 20  // candidates whose neighbours are read as well
	contextReach = 2   // entries before and after
	nearMisses   = 3
)

// meaningDeadline is how long an answer waits for vectors before it goes out by words alone.
const meaningDeadline = 300 * time.Millisecond

// farBack is the age from which a named time is looked for in the cold layer at once.
const farBack = 30 * 24 * time.Hour

// answer searches the warm layer first, and the cold one only when the warm
// one does not hold the answer or the question names a time long ago.
func (r *Recall) answer(ctx context.Context, a RecallArgs, f memory.Filter) (RecallResult, error) {
	now := r.Now()
	question := rank.Parse(bounded(a.Query), now)
	meaning := r.startMeaning(ctx, question.Text, f, r.nearest(a))
	layers := []memory.Layer{f.Layer}
	if f.Layer == memory.LayerAuto {
		layers = []memory.Layer{memory.LayerWarm, memory.LayerAll}
		if question.Period.Past(now, farBack) {
			layers = layers[1:]
		}
	}
	ranked, seen := rank.Result{Abstained: true}, sight{meaning: meaning, related: question.Related(r.Parameters.Related)}
	for _, f.Layer = range layers {
		found, err := r.rank(ctx, question, f, a, &seen)
		if err != nil {
			return RecallResult{}, err
		}
		if ranked.Abstained || !found.Abstained {
			ranked = found
		}
		if ranked.Abstained {
			continue
		}
		if more, err := r.leavesOut(ctx, question, ranked); err != nil || !more {
			if err != nil {
				return RecallResult{}, err
			}
			break
		}
	}
	return r.present(ctx, a, ranked, meaning.degraded())
}

// nearest is how many vectors take part in an answer.
func (r *Recall) nearest(a RecallArgs) int {
	if a.GroupBy == UnitSession {
		return max(semanticPool, r.Parameters.Spoken)
	}
	return semanticPool
}

// bounded cuts a question to the part that is read, at a character.
func bounded(s string) string {
	if len(s) <= maxQuestion {
		return s
	}
	return strings.ToValidUTF8(s[:maxQuestion], "")
}

// sight is what was seen in a layer. Another layer that shows the same candidates
// gives the same answer, provided that none was hidden by the first.
type sight struct {
	meaning *pendingMeaning  // of all layers
	related []memory.Related // words to those of the question
	found   []memory.Candidate
	hidden  bool // something was left out for its layer
	result  rank.Result
}

// same reports whether a search found what was found before.
func (s *sight) same(found []memory.Candidate) bool {
	return s.found != nil && !s.hidden && slices.EqualFunc(s.found, found, func(a, b memory.Candidate) bool { return a.Key == b.Key })
}

// rank collects the candidates of one layer and orders them.
func (r *Recall) rank(ctx context.Context, q rank.Query, f memory.Filter, a RecallArgs, seen *sight) (rank.Result, error) {
	options, pool := r.options(a.MinScore), lexicalPool
	if a.GroupBy == UnitSession {
		options.BySession, pool = true, sessionPool
	}
	ranking := rank.New(q, options)
	found, corpus, err := r.Store.SearchRelated(ctx, q.Words(), seen.related, f, pool)
	if err != nil {
		return rank.Result{}, fmt.Errorf("searching for %d terms: %w", len(q.Terms), err)
	}
	if seen.same(found) {
		return seen.result, nil
	}
	seen.found = found
	ranking.Statistics(corpus)
	ranking.Relate(seen.related)
	ranking.Found(found)
	if err := r.addContext(ctx, ranking, f, seen); err != nil {
		return rank.Result{}, err
	}
	if err := r.addMeaning(ctx, ranking, f, seen); err != nil {
		return rank.Result{}, err
	}
	seen.result = ranking.Finish(r.ranked(a.Limit))
	return seen.result, nil
}

// options sets the ranking up; a lowest score that the caller or the profile
// asks for takes the place of the calibrated threshold.
func (r *Recall) options(minScore float64) rank.Options {
	now := r.Now()
	parameters := r.Parameters
	if minScore > 0 {
		parameters.Threshold = minScore
	}
	return rank.Options{Parameters: parameters, Now: now,
		Vitality: func(c memory.Candidate) float64 { return r.Profile.Measure.Score(remembered(c), now) },
		First:    func(c memory.Candidate) bool { return r.Profile.Recall.TaskFirst && taskOrSummary(c) },
	}
}

// remembered is the part of a memory that its measures depend on.
func remembered(c memory.Candidate) memory.Memory {
	return memory.Memory{Type: c.Type, Form: c.Form, Pinned: c.Pinned, Confidence: c.Confidence, Stability: c.Stability,
		InitialImportance: c.Importance, Importance: c.Importance, AccessCount: c.Accesses, LastAccess: c.LastAccess, ObservedAt: c.Observed, CreatedAt: c.Created}
}

// taskOrSummary reports whether a candidate is what should be read before the
// details: a task card, a state, or the summary of an entity.
func taskOrSummary(c memory.Candidate) bool {
	return toReadFirst(c.Form, c.Group)
}

func toReadFirst(form memory.Form, file string) bool {
	return form == memory.Task || form == memory.State || strings.HasSuffix(file, "/summary.md")
}

// addContext adds the neighbours of the best candidates. They may become hits
// themselves only where no filter could have excluded them.
func (r *Recall) addContext(ctx context.Context, ranking *rank.Ranking, f memory.Filter, seen *sight) error {
	around, err := r.Store.Around(ctx, ranking.Best(contextBest), contextReach)
	if err != nil {
		return fmt.Errorf("reading the neighbours of candidates: %w", err)
	}
	eligible, evidence := make([]memory.Candidate, 0, len(around)), []memory.Candidate(nil)
	for _, c := range around {
		seen.hidden = seen.hidden || !inLayer(c, f.Layer)
		if unrestricted(f) && c.Status.Recallable() && inLayer(c, f.Layer) {
			eligible = append(eligible, c)
		} else {
			evidence = append(evidence, c)
		}
	}
	ranking.Context(eligible)
	ranking.Evidence(evidence)
	return nil
}

func unrestricted(f memory.Filter) bool {
	return len(f.Types)+len(f.Forms)+len(f.Statuses) == 0 && f.Actor == "" && f.Target == "" && f.Domain == "" && f.URIPrefix == "" &&
		f.SourceGlob == "" && f.SessionID == "" && f.File == "" && f.After.IsZero() && f.Before.IsZero()
}

func inLayer(c memory.Candidate, l memory.Layer) bool {
	switch l {
	case memory.LayerWarm:
		return !c.Cold
	case memory.LayerCold:
		return c.Cold || c.Status == memory.Archived
	}
	return true
}

func (r *Recall) addMeaning(ctx context.Context, ranking *rank.Ranking, f memory.Filter, seen *sight) error {
	neighbours := seen.meaning.wait()
	missing, err := r.Store.Candidates(ctx, ranking.Missing(neighbours))
	if err != nil {
		return fmt.Errorf("reading what vectors found: %w", err)
	}
	for _, c := range missing {
		if !inLayer(c, f.Layer) {
			seen.hidden = true
			continue
		}
		ranking.Context([]memory.Candidate{c})
	}
	ranking.Vectors(neighbours)
	return nil
}

// present loads the hits and renders the answer.
func (r *Recall) present(ctx context.Context, a RecallArgs, ranked rank.Result, degraded []string) (RecallResult, error) {
	result := RecallResult{Query: a.Query, Confidence: round3(ranked.Confidence), Abstained: ranked.Abstained, Memories: []RecallHit{}, Degraded: degraded}
	hits := ranked.Hits
	if ranked.Abstained {
		hits = hits[:min(nearMisses, len(hits))]
	}
	keys := make([]int64, len(hits))
	byID := make(map[string]rank.Scored, len(hits))
	for i, h := range hits {
		keys[i] = h.Key
		byID[h.ID] = h
	}
	loaded, err := r.Store.Load(ctx, keys)
	if err != nil && len(loaded) == 0 {
		return RecallResult{}, fmt.Errorf("loading %d hits: %w", len(keys), err)
	}
	if err != nil {
		result.Degraded = append(result.Degraded, "damaged_rows") // left out; status and doctor name them
	}
	now := r.Now()
	for _, m := range loaded {
		h := byID[m.ID]
		switch {
		case ranked.Abstained:
			result.Near = append(result.Near, NearMiss{ID: m.ID, URI: m.URI, Content: m.Content, Score: round3(h.Score)})
		case h.Score >= a.MinScore:
			result.Memories = append(result.Memories, hitOf(m, h, a.Explain, r.Profile, now))
		}
	}
	result.Memories = r.cardsFirst(result.Memories, a.Limit)
	return r.completed(result), nil
}

func hitOf(m memory.Memory, h rank.Scored, explain bool, p lifecycle.Profile, now time.Time) RecallHit {
	hit := RecallHit{MemoryView: viewOf(m, p, now), Score: round3(h.Score), Duplicates: h.Explanation.Duplicates}
	if explain {
		x := h.Explanation.Rounded()
		hit.Explain, hit.Why = &x, x.String()
	}
	return hit
}
