package store_test

import (
	"errors"
	"fmt"
	"reflect"
	"testing"
	"time"

	"pgregory.net/rapid"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// Rows leave SQLite as one text whose parts a byte separates that UTF-8 does not
// have. What does hold it is read all the same, and so are its neighbours.
func TestAnyBytesComeBackAsTheyWere(t *testing.T) {
	s, err := store.Open(t.Context(), options(t.TempDir()+"/memory.db", storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	life := 0
	rapid.Check(t, func(r *rapid.T) {
		life++
		namespace := fmt.Sprint("agent", life)
		text := rapid.StringOf(rapid.RuneFrom([]rune("aä中 ,\x00\x1f\n")))
		odd := rapid.Custom(func(r *rapid.T) string {
			return text.Draw(r, "before") + rapid.SampledFrom([]string{"", "", "\xff", "\xff\xff", "\xc3", "7\xff8\xff"}).Draw(r, "bytes") + text.Draw(r, "after")
		})
		var ids []string
		wanted := map[string]memory.Memory{}
		for i := range rapid.IntRange(1, 4).Draw(r, "memories") {
			m := note(fmt.Sprint(i, odd.Draw(r, "content")))
			m.Namespace = namespace
			m.Title, m.Actor, m.Source, m.Home.File = odd.Draw(r, "title"), odd.Draw(r, "actor"), odd.Draw(r, "source"), odd.Draw(r, "file")
			m.Status = rapid.SampledFrom([]memory.Status{memory.Active, memory.Superseded, memory.Archived, memory.Forgotten}).Draw(r, "status")
			if rapid.Bool().Draw(r, "linked") {
				m.Links = []memory.Link{{Target: text.Draw(r, "target"), Relation: "related"}}
			}
			added := apply(t, s, add(m))[0]
			ids, wanted[added.ID] = append(ids, added.ID), added
		}
		listed, err := s.List(t.Context(), memory.Filter{Namespace: namespace, Statuses: memory.Statuses(), Layer: memory.LayerAll})
		if err != nil || len(listed) != len(wanted) {
			r.Fatalf("listing: %d of %d, %v", len(listed), len(wanted), err)
		}
		surveyed, err := s.Survey(t.Context(), namespace)
		if err != nil {
			r.Fatal(err)
		}
		surveysAll(r, surveyed, listed)
		named, err := s.ByIDs(t.Context(), ids)
		if err != nil {
			r.Fatal(err)
		}
		for _, m := range append(listed, named...) {
			if !reflect.DeepEqual(m, wanted[m.ID]) {
				r.Errorf("read %+v, written %+v", m, wanted[m.ID])
			}
		}
	})
}

// surveysAll checks a survey against a listing of everything.
func surveysAll(r *rapid.T, surveyed, listed []memory.Memory) {
	for _, m := range listed {
		switch {
		case m.PutAway() && len(m.Links) == 0:
			continue
		case m.PutAway():
			m = m.Brief()
		}
		if len(surveyed) == 0 || !reflect.DeepEqual(surveyed[0], m) {
			r.Fatalf("surveyed %+v, wanted %+v", surveyed, m)
		}
		surveyed = surveyed[1:]
	}
	if len(surveyed) > 0 {
		r.Errorf("surveyed besides: %+v", surveyed)
	}
}

func TestARowThatGainedASeparatorIsDamagedAndNotItsNeighbour(t *testing.T) {
	for column, script := range map[string]string{
		"content": "UPDATE texts SET content = content || CAST(x'ff' AS TEXT) WHERE content = 'the limit is 100'",
		"actor":   "UPDATE memories SET actor = CAST(x'ff' AS TEXT) WHERE id = 'damaged'",
		"digest":  "UPDATE memories SET content_hash = x'ff' WHERE id = 'damaged'",
	} {
		t.Run(column, func(t *testing.T) {
			again := damagedBy(t, script)
			mustBeNamedDamaged(t, again)
			var damaged *store.DamagedError
			if _, err := again.Apply(t.Context(), []memory.Change{{Op: memory.OpStatus, Memory: memory.Memory{ID: "damaged", Status: memory.Archived}}}); !errors.As(err, &damaged) {
				t.Errorf("changing it: %v", err)
			}
		})
	}
}
