package store_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/text"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// acknowledged is what a process was told of one of its operations.
type acknowledged struct {
	Op      memory.Op
	ID, URI string
	Content string
}

const operations = 60

// TestProcess is not a test of its own: it is what TestProcessesShareOneStore
// runs several times at once.
func TestProcess(t *testing.T) {
	path := os.Getenv("STORE_TEST_PATH")
	if path == "" {
		t.Skip("runs only as a child of TestProcessesShareOneStore")
	}
	who, err := strconv.Atoi(os.Getenv("STORE_TEST_PROCESS"))
	if err != nil {
		t.Fatal(err)
	}
	s, err := store.Open(t.Context(), options(path, storetest.NewClock(time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC))))
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	var mine []memory.Memory
	for i := range operations {
		told, err := operate(t, s, &mine, who, i)
		if err != nil {
			t.Fatal(err)
		}
		line, err := json.Marshal(told)
		if err != nil {
			t.Fatal(err)
		}
		fmt.Printf("acknowledged %s\n", line)
	}
}

// operate does the i-th operation of a process: mostly adds, some updates and
// removals of its own memories, and searches for what it has just written.
func operate(t *testing.T, s *store.Store, mine *[]memory.Memory, who, i int) (acknowledged, error) {
	change := add(note(fmt.Sprintf("process%d wrote entry%d", who, i)))
	switch {
	case i%5 == 3:
		change = memory.Change{Op: memory.OpUpdate, Memory: (*mine)[0]}
		change.Memory.Content = fmt.Sprintf("process%d rewrote entry%d", who, i)
	case i%10 == 9:
		change = memory.Change{Op: memory.OpRemove, Memory: (*mine)[1]}
		*mine = append((*mine)[:1:1], (*mine)[2:]...)
	}
	applied, err := s.Apply(t.Context(), []memory.Change{change})
	if err != nil {
		return acknowledged{}, err
	}
	m := applied[0].Memory
	if applied[0].Conflict != memory.NoConflict {
		return acknowledged{}, fmt.Errorf("operation %d: conflict %s", i, applied[0].Conflict)
	}
	if change.Op == memory.OpRemove {
		return acknowledged{Op: change.Op, ID: m.ID}, nil
	}
	if change.Op == memory.OpAdd {
		*mine = append(*mine, m)
	}
	found, _, err := s.Search(t.Context(), text.Index(fmt.Sprintf("process%d entry%d", who, i)), memory.Filter{}, 1)
	if err != nil || len(found) != 1 || found[0].ID != m.ID {
		return acknowledged{}, fmt.Errorf("operation %d is not found: %+v, %w", i, found, err)
	}
	return acknowledged{Op: change.Op, ID: m.ID, URI: m.URI, Content: m.Content}, nil
}

func TestProcessesShareOneStore(t *testing.T) {
	t.Parallel()
	s, _ := storetest.Open(t)
	const processes = 4
	told := make([][]acknowledged, processes)
	var wait sync.WaitGroup
	for who := range processes {
		wait.Go(func() { told[who] = runProcess(t, s.Path(), who) })
	}
	wait.Wait()
	want := map[string]acknowledged{}
	numbers := map[string]string{}
	for who, all := range told {
		if len(all) != operations {
			t.Errorf("process %d had %d operations acknowledged, want %d", who, len(all), operations)
		}
		for _, a := range all {
			if other, taken := numbers[a.URI]; taken && a.Op == memory.OpAdd {
				t.Errorf("%s was given to %s and %s", a.URI, other, a.ID)
			}
			if a.Op == memory.OpRemove {
				delete(want, a.ID)
				continue
			}
			numbers[a.URI] = a.ID
			want[a.ID] = a
		}
	}
	expectExactly(t, s, want)
}

func expectExactly(t *testing.T, s *store.Store, want map[string]acknowledged) {
	t.Helper()
	all, err := s.List(t.Context(), memory.Filter{})
	if err != nil {
		t.Fatal(err)
	}
	if len(all) != len(want) {
		t.Errorf("the store holds %d memories, %d were acknowledged", len(all), len(want))
	}
	for _, m := range all {
		if a := want[m.ID]; a.Content != m.Content || a.URI != m.URI {
			t.Errorf("%s holds %q at %s, acknowledged was %q at %s", m.ID, m.Content, m.URI, a.Content, a.URI)
		}
	}
}

func runProcess(t *testing.T, path string, who int) (told []acknowledged) {
	ctx, cancel := context.WithTimeout(t.Context(), 2*time.Minute)
	defer cancel()
	c := exec.CommandContext(ctx, os.Args[0], "-test.run=^TestProcess$", "-test.v")
	c.Env = append(os.Environ(), "STORE_TEST_PATH="+path, fmt.Sprintf("STORE_TEST_PROCESS=%d", who))
	out, err := c.CombinedOutput()
	if err != nil {
		t.Errorf("process %d: %v\n%s", who, err, out)
	}
	lines := bufio.NewScanner(strings.NewReader(string(out)))
	for lines.Scan() {
		raw, ok := strings.CutPrefix(lines.Text(), "acknowledged ")
		if !ok {
			continue
		}
		var a acknowledged
		if err := json.Unmarshal([]byte(raw), &a); err != nil {
			t.Errorf("process %d: %v", who, err)
		}
		told = append(told, a)
	}
	return told
}
