package lifecycle

import (
	"cmp"
	"reflect"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agentmemory/internal/memory"
)

// A reflection reads of what is put away only what memory.Brief keeps: all that
// it plans and reports has to be the same as if it had read everything.
func TestAReflectionPlansTheSameFromASurvey(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		whole, p, now := drawStore(t), drawProfile(t), today()
		since := now.Add(-time.Duration(rapid.IntRange(0, 1000).Draw(t, "hours since")) * time.Hour)
		outline := drawOutline(t, whole)
		survey := surveyed(whole)
		same := func(what string, fromWhole, fromSurvey any) {
			if !reflect.DeepEqual(fromWhole, fromSurvey) {
				t.Fatalf("%s from everything:\n%+v\nfrom a survey:\n%+v", what, fromWhole, fromSurvey)
			}
		}
		decayed, found := Decay(whole, now, since)
		decayedBriefly, foundBriefly := Decay(survey, now, since)
		same("decay", []any{decayed, found}, []any{decayedBriefly, foundBriefly})
		tidied, put := Tidy(whole, now, p)
		tidiedBriefly, putBriefly := Tidy(survey, now, p)
		same("tidy", []any{tidied, put}, []any{tidiedBriefly, putBriefly})
		governed, repaired := Govern(whole, now, p)
		governedBriefly, repairedBriefly := Govern(survey, now, p)
		same("govern", []any{governed, repaired}, []any{governedBriefly, repairedBriefly})
		all, reflection := All(whole, now, since, p)
		allBriefly, reflectionBriefly := All(survey, now, since, p)
		same("all", []any{all, reflection}, []any{allBriefly, reflectionBriefly})

		whole, survey = After(whole, all.Changes), After(survey, allBriefly.Changes)
		same("what it leaves", briefly(among(whole, survey)), briefly(among(survey, whole)))
		same("the audit", Audit(whole), Audit(survey))
		same("the pain points", PainPoints(whole, nil, now), PainPoints(survey, nil, now))
		same("the comparison with MEMORY.md", Consistency(outline, whole, now, p), Consistency(outline, survey, now, p))
	})
}

// surveyed is a store as a survey tells it: without what is put away, unless it
// has links, or something of all this leads to it.
func surveyed(memories []memory.Memory) []memory.Memory {
	var survey, rest []memory.Memory
	led := map[string]bool{}
	for _, m := range memories {
		if m.PutAway() && len(m.Links) == 0 {
			rest = append(rest, m)
			continue
		}
		survey = append(survey, m)
		led[m.SupersededBy] = true
		for _, l := range m.Links {
			led[l.Target] = true
		}
	}
	for _, m := range rest {
		if led[m.ID] {
			survey = append(survey, m)
		}
	}
	return briefly(survey)
}

// among are those memories that are among others, too, by their ids.
func among(memories, others []memory.Memory) []memory.Memory {
	list := []memory.Memory{}
	for _, m := range memories {
		if slices.ContainsFunc(others, func(o memory.Memory) bool { return o.ID == m.ID }) {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b memory.Memory) int { return cmp.Compare(a.ID, b.ID) })
	return list
}

// briefly is memories, those put away as memory.Brief.
func briefly(memories []memory.Memory) []memory.Memory {
	survey := slices.Clone(memories)
	for i, m := range survey {
		if m.PutAway() {
			survey[i] = m.Brief()
		}
	}
	return survey
}
