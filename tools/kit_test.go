package tools_test

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/redact"
	"agentmemory/lifecycle"
	"agentmemory/store"
	"agentmemory/store/storetest"
	"agentmemory/tools"
)

// kit is every use case on one real store. Only the files are not real here:
// the archive and the journal are kept in memory.
type kit struct {
	t       testing.TB
	store   *store.Store
	clock   *storetest.Clock
	archive *archive
	tools   map[string]tools.Tool
}

func newKit(t testing.TB) *kit {
	t.Helper()
	s, clock := storetest.Open(t)
	profile, err := lifecycle.ProfileByName("")
	if err != nil {
		t.Fatal(err)
	}
	k := &kit{t: t, store: s, clock: clock, archive: &archive{}, tools: map[string]tools.Tool{}}
	path := &tools.RecallPath{Store: s, Accesses: nobody{}, Profile: profile, Now: clock.Now, Namespace: memory.DefaultNamespace}
	for _, tool := range []tools.Tool{
		tools.Bind(tools.RememberSpec(), (&tools.Remember{
			Store: s, Alike: &tools.LookAlikes{Store: s, ByID: s.ByID}, Journal: noJournal{}, Mirror: nobody{}, Cleaner: redact.New(),
			IDs: memory.NewIDSource(clock.Now, rand.Reader), Home: home, Profile: profile, Now: clock.Now, Namespace: memory.DefaultNamespace,
		}).Run),
		tools.Bind(tools.ForgetSpec(), (&tools.Forget{Store: s, Archive: k.archive, Listing: nobody{}, Purger: nobody{}, Mirror: nobody{}, Namespace: memory.DefaultNamespace}).Run),
		tools.Bind(tools.RecallPathSpec(), path.Run),
		tools.Bind(tools.StatusSpec(), (&tools.Status{Store: s, Profile: profile, Now: clock.Now, Namespace: memory.DefaultNamespace}).Run),
		tools.Bind(tools.BootSpec(), (&tools.Boot{Store: s, Files: nobody{}, Accesses: nobody{}, Profile: profile, Now: clock.Now, Namespace: memory.DefaultNamespace}).Run),
		tools.Bind(tools.LinkSpec(), (&tools.Link{Store: s, Paths: path, Mirror: nobody{}}).Run),
		tools.Bind(tools.SnapshotSpec(), (&tools.Snapshot{Store: s, Mirror: nobody{}, Namespace: memory.DefaultNamespace}).Run),
		tools.Bind(tools.ReflectSpec(), (&tools.Reflect{
			Store: s, Archive: k.archive, Mirror: nobody{}, Profile: profile, Now: clock.Now, Namespace: memory.DefaultNamespace,
			Fold: func(context.Context) (int, error) { return 0, nil },
		}).Run),
	} {
		k.tools[tool.Name] = tool
	}
	return k
}

func home(m memory.Memory) string {
	if m.Status == memory.Quarantined {
		return ".agent-memory/untrusted/held.md"
	}
	return "memory/2026-02-21.md"
}

// call runs a tool with JSON arguments and returns its JSON answer.
func (k *kit) call(name, args string) map[string]any {
	k.t.Helper()
	result, err := k.tools[name].Call(k.t.Context(), json.RawMessage(args))
	if err != nil {
		k.t.Fatalf("%s %s: %v", name, args, err)
	}
	return asJSON(k.t, result)
}

// refused runs a tool that must fail and returns the error that its caller sees.
func (k *kit) refused(name, args string) *memory.Error {
	k.t.Helper()
	result, err := k.tools[name].Call(k.t.Context(), json.RawMessage(args))
	var e *memory.Error
	if !errors.As(err, &e) {
		k.t.Fatalf("%s %s: answered %v, %v", name, args, result, err)
	}
	return e
}

func asJSON(t testing.TB, v any) map[string]any {
	t.Helper()
	raw, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	var out map[string]any
	if err := json.Unmarshal(raw, &out); err != nil {
		t.Fatal(err)
	}
	return out
}

func text(v any) string {
	s, _ := v.(string)
	return s
}

// nobody takes notes for nobody.
type nobody struct{}

func (nobody) Notify()            {}
func (nobody) Used(...string)     {}
func (nobody) Returned(...string) {}

// ReadText finds no file.
func (nobody) ReadText(context.Context, string) (string, error) { return "", nil }

func (nobody) Unlist(context.Context, ...string) error              { return nil }
func (nobody) AnnouncePurge(context.Context, []memory.Memory) error { return nil }
func (nobody) Copies(context.Context, []memory.Memory) ([]memory.Memory, error) {
	return nil, nil
}
func (nobody) Purge(context.Context, []memory.Memory) (bool, error) {
	return false, nil
}

type noJournal struct{}

func (noJournal) AppendDirect(context.Context, memory.Memory) (string, error) {
	return "", errors.New("the journal was not expected to be needed")
}

// archive keeps what is removed, as the archive files do.
type archive struct{ kept []memory.Memory }

func (a *archive) Append(_ context.Context, _ string, memories []memory.Memory) error {
	a.kept = append(a.kept, memories...)
	return nil
}

func (a *archive) Find(_ context.Context, match func(memory.Memory) bool) ([]memory.Memory, error) {
	newest := map[string]memory.Memory{}
	for _, m := range a.kept {
		if match(m) {
			newest[m.ID] = m
		}
	}
	var found []memory.Memory
	for _, m := range newest {
		found = append(found, m)
	}
	return found, nil
}

func mention(s string, parts ...string) bool {
	for _, p := range parts {
		if !strings.Contains(s, p) {
			return false
		}
	}
	return true
}

// nobodyElse is the lock of a process that is alone.
func nobodyElse(ctx context.Context) (context.Context, func(), bool) { return ctx, func() {}, true }
