package memory_test

import (
	"bytes"
	"crypto/rand"
	"errors"
	"fmt"
	"sort"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"

	"pgregory.net/rapid"
)

func TestParseURI(t *testing.T) {
	tests := []struct {
		in   string
		want memory.URI
		ok   bool
	}{
		{"knowledge://preferences/editor", memory.URI{Scheme: "knowledge", Path: "preferences/editor"}, true},
		{"event://journal/2026-02-21#2200-1", memory.URI{Scheme: "event", Path: "journal/2026-02-21", Fragment: "2200-1"}, true},
		{"knowledge://偏好/编辑器", memory.URI{Scheme: "knowledge", Path: "偏好/编辑器"}, true},
		{"knowledge://../../etc/passwd", memory.URI{}, false},
		{"knowledge://a/./b", memory.URI{}, false},
		{"knowledge://a//b", memory.URI{}, false},
		{`knowledge://a\..\b`, memory.URI{}, false},
		{"knowledge://a\x00b", memory.URI{}, false},
		{"knowledge://a\u202eb", memory.URI{}, false},
		{"file:///etc/passwd", memory.URI{}, false},
		{"session://abc#1-2", memory.URI{}, false},
		{"knowledge://", memory.URI{}, false},
		{"plain words", memory.URI{}, false},
		{"knowledge://" + strings.Repeat("a", memory.MaxURI), memory.URI{}, false},
	}
	for _, tt := range tests {
		got, err := memory.ParseURI(tt.in)
		if (err == nil) != tt.ok || got != tt.want {
			t.Errorf("ParseURI(%q) = %+v, %v", tt.in, got, err)
		}
		if err != nil && memory.CodeOf(err) != memory.InvalidArgument {
			t.Errorf("ParseURI(%q): code %s", tt.in, memory.CodeOf(err))
		}
	}
}

func TestCoreIsTheSameAddressAsIdentityCore(t *testing.T) {
	a, _ := memory.ParseURI("core://agent")
	b, _ := memory.ParseURI("identity://core/agent")
	if a.Key() != b.Key() {
		t.Errorf("%s and %s are different keys", a.Key(), b.Key())
	}
}

func FuzzParseURI(f *testing.F) {
	f.Add("knowledge://a/b#c")
	f.Add("event://journal/2026-02-21#2200-1")
	f.Fuzz(func(t *testing.T, s string) {
		u, err := memory.ParseURI(s)
		if err != nil {
			return
		}
		again, err := memory.ParseURI(u.String())
		if err != nil || again != u {
			t.Errorf("%q parses to %+v, which parses to %+v, %v", s, u, again, err)
		}
	})
}

func TestIDsIncreaseAndAreValid(t *testing.T) {
	now := time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC)
	source := memory.NewIDSource(func() time.Time { return now }, rand.Reader)
	var ids []string
	for i := range 5000 {
		if i == 2500 {
			now = now.Add(-time.Hour) // a clock that goes backwards
		}
		id, err := source.Next()
		if err != nil {
			t.Fatal(err)
		}
		if len(id) != 26 || !memory.ValidID(id) {
			t.Fatalf("%q is no id", id)
		}
		ids = append(ids, id)
	}
	if !sort.StringsAreSorted(ids) {
		t.Error("ids do not increase")
	}
}

func TestIDNeedsRandomness(t *testing.T) {
	source := memory.NewIDSource(time.Now, bytes.NewReader(nil))
	if _, err := source.Next(); err == nil {
		t.Error("an id without randomness")
	}
}

func TestValidID(t *testing.T) {
	for id, want := range map[string]bool{
		"06g3zk9w2r4tq8m1c5xd7hj0nb": true, "D1:3": true, "fact-001": true, "old/42": true, "a/b/c": false,
		"": false, "a b": false, "../x": false, strings.Repeat("a", 65): false, "記憶": false, "a/": false,
	} {
		if memory.ValidID(id) != want {
			t.Errorf("ValidID(%q) = %v", id, !want)
		}
	}
}

func TestPriorityFollowsTypeFormAndPin(t *testing.T) {
	tests := []struct {
		m    memory.Memory
		want memory.Priority
	}{
		{memory.Memory{Type: memory.Identity}, 0},
		{memory.Memory{Type: memory.Event, Pinned: true}, 0},
		{memory.Memory{Type: memory.Emotion}, 1},
		{memory.Memory{Type: memory.Knowledge}, 2},
		{memory.Memory{Type: memory.Event}, 3},
		{memory.Memory{Type: memory.Event, Form: memory.Decision}, 2},
		{memory.Memory{Type: memory.Event, Form: memory.Fact}, 2},
		{memory.Memory{Type: memory.Knowledge, Form: memory.Task}, 3},
	}
	for _, tt := range tests {
		if got := tt.m.Priority(); got != tt.want {
			t.Errorf("%s %s pinned=%v: P%d, want P%d", tt.m.Type, tt.m.Form, tt.m.Pinned, got, tt.want)
		}
	}
}

func TestTrustOfDerivedMemoriesIsTheLowest(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		trust := rapid.SampledFrom([]memory.Trust{memory.TrustUser, memory.TrustAgent, memory.TrustExternal, "forged"})
		a, b := trust.Draw(t, "a"), trust.Draw(t, "b")
		got := a.Lowest(b)
		if got.Rank() > a.Rank() || got.Rank() > b.Rank() {
			t.Fatalf("%s and %s give %s", a, b, got)
		}
	})
}

func TestMatchGlob(t *testing.T) {
	tests := []struct {
		pattern, s string
		want       bool
	}{
		{"memory-sync:*", "memory-sync:2026-02-21", true},
		{"memory-sync:2026-0?-*", "memory-sync:2026-02-21", true},
		{"*", "", true},
		{"a*c", "a/b/c", true},
		{"a*c", "ab", false},
		{"备份:?", "备份:一", true},
		{"*a*b*", "xxaxxbxx", true},
		{"", "x", false},
	}
	for _, tt := range tests {
		if got := memory.MatchGlob(tt.pattern, tt.s); got != tt.want {
			t.Errorf("MatchGlob(%q, %q) = %v", tt.pattern, tt.s, got)
		}
	}
}

func TestMatchGlobIsNotExponential(t *testing.T) {
	if memory.MatchGlob(strings.Repeat("*a", 200), strings.Repeat("a", 5000)+"b") {
		t.Error("matches without the end")
	}
}

func TestSlugIsSafeAndTellsTitlesApart(t *testing.T) {
	for title, want := range map[string]string{
		"Use SQLite, not Postgres": "use-sqlite-not-postgres",
		"账本用 SQLite":               "账本用-sqlite",
		"  ../../etc  ":            "etc",
	} {
		if got := memory.Slug(title); got != want {
			t.Errorf("Slug(%q) = %q, want %q", title, got, want)
		}
	}
	long := strings.Repeat("word ", 40)
	if memory.Slug(long+"a") == memory.Slug(long+"b") {
		t.Error("two long titles share a slug")
	}
	if memory.Slug("!!!") == "" || memory.Slug("!!!") == memory.Slug("???") {
		t.Error("titles without letters need slugs of their own")
	}
}

func TestErrorKeepsCodeCauseAndHint(t *testing.T) {
	cause := errors.New("disk full")
	err := fmt.Errorf("saving: %w", memory.Errorf(memory.Unavailable, "writing: %w", cause).WithHint("free %d MB", 5))
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.Unavailable || e.Hint != "free 5 MB" || !errors.Is(err, cause) {
		t.Errorf("%#v", e)
	}
	if memory.CodeOf(cause) != memory.Internal {
		t.Error("an unknown error is internal")
	}
}

func TestJournalURI(t *testing.T) {
	at := time.Date(2026, 2, 21, 22, 0, 59, 0, time.FixedZone("CST", 8*3600))
	got := memory.JournalURI(memory.Event, at)
	if got != "event://journal/2026-02-21#2200-" || !memory.NeedsNumber(got) || memory.NeedsNumber(got+"1") {
		t.Error(got)
	}
}
