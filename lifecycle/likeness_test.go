package lifecycle

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
)

// drawLong draws the clauses of a text that is long enough to be bounded.
func drawLong(t *rapid.T) []string {
	var clauses []string
	for range rapid.IntRange(3, 14).Draw(t, "clauses") {
		clauses = append(clauses, strings.TrimSpace(drawContent(t)))
	}
	return clauses
}

// drawEdited draws what somebody else may have written about the same: clauses
// left out, put in, denied, and in another order; mostly few.
func drawEdited(t *rapid.T, clauses []string) []string {
	edited := slices.Clone(clauses)
	for range rapid.IntRange(0, 10).Draw(t, "edits") {
		at := rapid.IntRange(0, len(edited)-1).Draw(t, "at")
		switch rapid.IntRange(0, 4).Draw(t, "edit") {
		case 0:
			if len(edited) > 1 {
				edited = slices.Delete(edited, at, at+1)
			}
		case 1:
			edited = slices.Insert(edited, at, drawContent(t))
		case 2:
			edited[at] = drawContent(t)
		case 3:
			edited[at] = strings.NewReplacer(" is ", " is not ", " uses ", " doesn't use ", "喜欢", "不喜欢", "用", "不用", "8080", "9090", "done", "in progress").Replace(edited[at])
		case 4:
			other := rapid.IntRange(0, len(edited)-1).Draw(t, "other")
			edited[at], edited[other] = edited[other], edited[at]
		}
	}
	return edited
}

// holdsEnough says of a stored text what the store asks of its terms.
func holdsEnough(a *Analysis, topic []string, content string) bool {
	terms := text.Index(content)
	of := func(wanted []string) float64 {
		with, n := text.SharedWith(wanted), 0
		for _, t := range terms {
			if with.Meets(t) {
				n++
			}
		}
		return float64(n) / float64(len(wanted))
	}
	return of(topic) >= AlikeTopic || of(a.Terms) >= AlikeTerms
}

// What does not hold enough of a long text's topic is related to it in no way
// that the guard knows, so that leaving it out changes no verdict.
func TestWhatHoldsTooLittleOfTheTopicIsUnrelated(t *testing.T) {
	bounded, related := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		clauses := drawLong(t)
		between := rapid.SampledFrom([]string{", ", "，", "; ", " and ", ". "}).Draw(t, "between")
		in, old := incoming(strings.Join(clauses, between)), stored("a", strings.Join(drawEdited(t, clauses), between), learned(0))
		if rapid.Bool().Draw(t, "the other way") {
			in.Content, old.Content = old.Content, in.Content
		}
		in.ContentHash, old.ContentHash = memory.Hash(in.Content), memory.Hash(old.Content)
		said := AnalysisOf(in, nil)
		topic := said.Topic(in.Content)
		if topic == nil {
			return
		}
		bounded++
		for _, p := range Profiles() {
			if p.Guard.Cosine > 0 {
				continue // asks for everything
			}
			v := Guard(Arrival{Memory: in, Now: today(), Analysis: said}, []Similar{{Memory: old}}, p.Guard)
			if v.Action == Added && len(v.Changes[0].Memory.Links) == 0 {
				continue
			}
			related++
			if !holdsEnough(said, topic, old.Content) {
				t.Errorf("%s: %s although %q holds too little of %q", p.Name, v.Reason, old.Content, in.Content)
			}
		}
	})
	if bounded == 0 || related == 0 {
		t.Errorf("%d texts were bounded, %d related: nothing was tried", bounded, related)
	}
}
