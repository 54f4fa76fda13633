package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
)

// The journals that are put away, and where they go.
var (
	away  = []string{"memory/2026-01-05.md", "memory/2026-01-06.md"}
	putTo = []string{"memory/archive/2026/2026-01-05.md", "memory/archive/2026/2026-01-06.md"}
)

// mortal is a store whose process dies at one of its calls; calls counts down to it.
type mortal struct {
	mirror.Store
	calls int
}

var errKilled = errors.New("killed")

func (m *mortal) live() error {
	if m.calls--; m.calls < 0 {
		return errKilled
	}
	return nil
}

func (m *mortal) Apply(ctx context.Context, changes []memory.Change) ([]memory.Applied, error) {
	if err := m.live(); err != nil {
		return nil, err
	}
	return m.Store.Apply(ctx, changes)
}

func (m *mortal) Published(ctx context.Context, files []memory.FileVersion, ids []int64) error {
	if err := m.live(); err != nil {
		return err
	}
	return m.Store.Published(ctx, files, ids)
}

func (m *mortal) Bases(ctx context.Context, path string, limit int) ([]memory.FileVersion, error) {
	if err := m.live(); err != nil {
		return nil, err
	}
	return m.Store.Bases(ctx, path, limit)
}

func (m *mortal) FileStates(ctx context.Context, names ...string) (map[string]memory.FileState, error) {
	if err := m.live(); err != nil {
		return nil, err
	}
	return m.Store.FileStates(ctx, names...)
}

func (m *mortal) SetFileStates(ctx context.Context, states []memory.FileState) error {
	if err := m.live(); err != nil {
		return err
	}
	return m.Store.SetFileStates(ctx, states)
}

func (m *mortal) ByIDs(ctx context.Context, ids []string) ([]memory.Memory, error) {
	if err := m.live(); err != nil {
		return nil, err
	}
	return m.Store.ByIDs(ctx, ids)
}

func (m *mortal) ForgetFile(ctx context.Context, paths ...string) error {
	if err := m.live(); err != nil {
		return err
	}
	return m.Store.ForgetFile(ctx, paths...)
}

// putAwayBench has journals of weeks ago, with lines of a person and of ours,
// that a run has put away. It returns their texts from before.
func putAwayBench(t *testing.T) (b *bench, m *mortal, journals []string) {
	t.Helper()
	b, m, journals = journalsBench(t)
	if archived, err := b.putAway(); err != nil || !slices.Equal(archived, putTo) {
		t.Fatalf("put away %v: %v", archived, err)
	}
	b.clock.pass(time.Hour)
	b.sync()
	return b, m, journals
}

// putAway is what compound does to the journals.
func (b *bench) putAway() (archived []string, err error) {
	run := b.Begin(context.Background(), "compound")
	return b.Compounds().PutAway(run, []string{"2026-01-05", "2026-01-06"})
}

func journalsBench(t *testing.T) (b *bench, m *mortal, journals []string) {
	t.Helper()
	m = &mortal{}
	b = newBench(t, func(o *mirror.Options) {
		m.Store, m.calls = o.Store, 1<<30
		o.Store = m
	})
	for i, name := range away {
		old := time.Date(2026, 1, 5+i, 9, 30, 0, 0, time.UTC)
		b.remember(fmt.Sprintf("we wrote this on day %d", i), func(m *memory.Memory) { m.CreatedAt, m.URI = old, memory.JournalURI(m.Type, old) })
		b.drain()
		b.save(name, b.read(name)+fmt.Sprintf("- a person typed this on day %d\n- 手写的一行，第%d天\n", i, i))
	}
	b.clock.pass(time.Hour)
	b.sync()
	b.forget(b.remember("nobody needs this"), memory.OpStatus)
	b.drain()
	for _, name := range away {
		journals = append(journals, b.read(name))
	}
	return b, m, journals
}

// A compound that is killed while it puts journals away can be taken back all
// the same: the journals are then as before, with no line twice.
func TestAPuttingAwayThatIsKilledCanBeUndone(t *testing.T) {
	t.Parallel()
	kills := 0
	for calls := 0; ; calls++ {
		b, m, journals := journalsBench(t)
		m.calls = calls
		_, err := b.putAway()
		if err != nil && !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		b.open()
		b.sync()
		b.clock.pass(time.Hour)
		b.sync()
		if _, undone := b.Undo(context.Background(), ""); undone != nil && memory.CodeOf(undone) != memory.NotFound {
			t.Fatalf("killed after %d calls: %v", calls, undone)
		}
		b.broughtBack(calls, journals)
		if err == nil {
			break
		}
		kills++
	}
	if kills < 5 {
		t.Errorf("killed %d times only", kills)
	}
}

// A run that is killed before its facts are in the files leaves their summary to
// the next process: taken back, nothing is left of the entity.
func TestTheSummaryOfFactsThatAreTakenBackGoes(t *testing.T) {
	ctx := context.Background()
	b := newBench(t, func(o *mirror.Options) {
		o.Summarise = func(facts []memory.Memory, _ time.Time) memory.Projection {
			section := memory.Section{Name: "hot"}
			for _, f := range facts {
				section.Entries = append(section.Entries, memory.ProjectedLine{MemoryID: f.ID, Text: f.Content})
			}
			return memory.Projection{Sections: []memory.Section{section}}
		}
	})
	fact := memory.Memory{
		ID: memory.DerivedID(items, "fuel", 0), Namespace: memory.DefaultNamespace, Type: memory.Knowledge, Form: memory.Fact, Content: "the forge runs on gas", Status: memory.Active,
		URI: "fact://projects/forge/fuel", Trust: memory.TrustAgent, CreatedAt: b.clock.Now(), Home: memory.Place{File: items}, ContentHash: memory.Hash("the forge runs on gas"),
	}
	add := []memory.Change{{Op: memory.OpAdd, Memory: fact}}
	if err := b.Expect(b.Begin(ctx, "extract"), []*memory.Memory{{}}, add); err != nil {
		t.Fatal(err)
	}
	b.apply(add[0])
	b.open()
	b.sync()
	b.stands("memory/life/projects/forge/summary.md", "the forge runs on gas", 1)
	b.clock.pass(time.Hour)
	if _, err := b.Undo(ctx, ""); err != nil {
		t.Fatal(err)
	}
	if left := b.files("memory/life"); len(left) > 0 {
		t.Errorf("left: %v", left)
	}
	if folders, err := b.EntityFolders(ctx, memory.DefaultNamespace); err != nil || len(folders) > 0 {
		t.Errorf("entities %v, %v", folders, err)
	}
}

// where tells what the workspace has of the journals: each live memory with its
// home, and the files.
func (b *bench) where() string {
	b.t.Helper()
	var lines []string
	for _, m := range b.all() {
		lines = append(lines, strings.Join([]string{m.ID, m.Content, string(m.Status), m.Home.File}, " | "))
	}
	slices.Sort(lines)
	for _, name := range slices.Concat(away, putTo) {
		raw, err := os.ReadFile(filepath.Join(b.dir, name))
		if err == nil {
			lines = append(lines, name+":\n"+string(raw))
		}
	}
	return strings.Join(lines, "\n")
}

// An undo that is killed is done or not begun after the next start, wherever
// it was: no line of a person is lost or stands twice.
func TestAnUndoThatIsKilledIsDoneOrNotBegun(t *testing.T) {
	t.Parallel()
	kills := 0
	for calls := 0; killedUndo(t, calls, func(b *bench, m *mortal) {
		b.open()
		m.calls = calls % 5 // the recovery dies as well, or not
		if _, err := b.Sync(context.Background(), memory.SyncOptions{}); err != nil && !errors.Is(err, errKilled) {
			t.Fatal(err)
		}
		b.open()
	}); calls++ {
		kills++
	}
	if kills < 5 {
		t.Errorf("killed %d times only", kills)
	}
}

// The same holds if the database is lost with the process.
func TestAnUndoThatIsKilledWithItsDatabaseIsDoneOrNotBegun(t *testing.T) {
	t.Parallel()
	for calls := 0; killedUndo(t, calls, func(b *bench, _ *mortal) { b.lose() }); calls += 2 {
	}
}

// Who calls for the undo again after a kill gets that one, not another run's.
func TestAnUndoThatIsCalledForAgainIsTheSame(t *testing.T) {
	ctx := context.Background()
	b, m, journals := putAwayBench(t)
	m.calls = 8
	if _, err := b.Undo(ctx, ""); !errors.Is(err, errKilled) {
		t.Fatalf("it was to be killed: %v", err)
	}
	b.open()
	done, err := b.Undo(ctx, "")
	if err != nil || done.Phase != "compound" || len(done.Files) != 4 {
		t.Fatalf("%+v, %v", done, err)
	}
	b.broughtBack(8, journals)
	if _, err := b.Undo(ctx, ""); memory.CodeOf(err) != memory.NotFound {
		t.Errorf("another undo: %v", err)
	}
}

// killedUndo kills an undo at one of its calls, unless it makes fewer, and
// judges what stands after the next start.
func killedUndo(t *testing.T, calls int, restart func(*bench, *mortal)) (killed bool) {
	t.Helper()
	ctx := context.Background()
	b, m, journals := putAwayBench(t)
	before := b.where()
	m.calls = calls
	_, err := b.Undo(ctx, "")
	if err != nil && !errors.Is(err, errKilled) {
		t.Fatal(err)
	}
	killed = err != nil
	restart(b, m)
	b.sync()
	b.clock.pass(time.Hour)
	b.sync()
	if b.where() == before {
		if _, err := b.Undo(ctx, ""); err != nil {
			t.Fatalf("after %d calls, again: %v", calls, err)
		}
	}
	b.broughtBack(calls, journals)
	return killed
}

// broughtBack reports unless the journals are as they were before they were put away.
func (b *bench) broughtBack(calls int, journals []string) {
	b.t.Helper()
	ok := len(b.all()) == 3*len(away)+1 && b.byContent("nobody needs this").Status == memory.Forgotten
	for i, name := range away {
		_, err := os.Stat(filepath.Join(b.dir, putTo[i]))
		ok = ok && errors.Is(err, os.ErrNotExist) && b.read(name) == journals[i]
		for _, text := range []string{"we wrote this on day %d", "a person typed this on day %d", "手写的一行，第%d天"} {
			text = fmt.Sprintf(text, i)
			m := b.byContent(text)
			ok = ok && m.Status == memory.Active && m.Home.File == name
		}
	}
	if !ok {
		b.t.Errorf("killed after %d calls:\n%s", calls, b.where())
	}
}

// What an agent makes of a memory while a run is being taken back was changed since:
// it is left alone. What is only used comes back all the same.
func TestAnUndoLeavesAloneWhatIsWordedMeanwhile(t *testing.T) {
	for _, c := range []struct {
		op     memory.Op
		stands string
	}{{memory.OpUpdate, "the limit is 200"}, {memory.OpReinforce, "the limit is 100"}} {
		t.Run(string(c.op), func(t *testing.T) { undoneMeanwhile(t, c.op, c.stands) })
	}
}

func undoneMeanwhile(t *testing.T, op memory.Op, stands string) {
	b, o := overtakenBench(t)
	was := b.remember("the limit is 100")
	b.drain()
	b.clock.pass(time.Minute)
	now := was
	now.Content, now.ContentHash = "the limit is 150", memory.Hash("the limit is 150")
	change := []memory.Change{{Op: memory.OpUpdate, Memory: now}}
	if err := b.Expect(b.Begin(t.Context(), "tidy"), []*memory.Memory{&was}, change); err != nil {
		t.Fatal(err)
	}
	b.apply(change[0])
	b.drain()
	b.clock.pass(time.Minute)
	o.meanwhile = func() {
		again := b.get(was.ID)
		again.AccessCount++
		if op == memory.OpUpdate {
			again.Content = stands
		}
		b.apply(memory.Change{Op: op, Memory: again, Reason: "said by the agent"})
	}
	done, err := b.Undo(t.Context(), "")
	if err != nil || slices.Contains(done.Kept, was.ID) != (op == memory.OpUpdate) {
		t.Errorf("%+v, %v", done, err)
	}
	b.clock.pass(time.Minute)
	b.sync()
	b.drain()
	everything := ""
	for _, text := range b.files("memory") {
		everything += text
	}
	if got := b.get(was.ID).Content; !strings.Contains(everything, stands) || op != memory.OpUpdate && got != stands {
		t.Errorf("the memory says %q, and the files do not say %q:\n%s", got, stands, everything)
	}
}
