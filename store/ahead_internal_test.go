package store

import (
	"fmt"
	"testing"

	"agentmemory/internal/memory"
)

// What is read ahead while somebody commits may be old: it is read again, unless
// they never stop.
func TestReadingAheadIsRepeatedForThoseWhoCommitMeanwhile(t *testing.T) {
	for commits, want := range map[int]string{0: "0", 2: "2", aheadTries: ""} {
		s := opened(t)
		m := elsewhere(t, s, memory.Change{Op: memory.OpAdd, Memory: plainNote("the limit is 100")})
		if _, err := s.look(t.Context()); err != nil {
			t.Fatal(err)
		}
		reads := 0
		err := s.shown.keepPiece(1, func() (map[int64]*keptCandidate, error) {
			read, err := s.readPiece(t.Context(), 0)
			if reads++; reads <= commits {
				m.AccessCount = reads
				elsewhere(t, s, memory.Change{Op: memory.OpReinforce, Memory: m})
				if _, err := s.look(t.Context()); err != nil {
					t.Fatal(err)
				}
			}
			return read, err
		})
		if err != nil {
			t.Fatal(err)
		}
		kept := ""
		if k, ok := s.shown.kept.get(1); ok {
			kept = fmt.Sprint(k.Accesses)
		}
		if kept != want || reads != min(commits+1, aheadTries) {
			t.Errorf("after %d commits %q uses are kept, want %q, and %d reads", commits, kept, want, reads)
		}
	}
}
