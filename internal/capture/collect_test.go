package capture_test

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

	"agentmemory/internal/capture"
	"agentmemory/internal/memory"

	"github.com/google/go-cmp/cmp"
)

// desk is a workspace, and a folder of plain conversations beside it.
type desk struct {
	root  *os.Root
	chats string
	now   time.Time
	taken []string // id, class and text of all that was handed over
}

func newDesk(t testing.TB) *desk {
	t.Helper()
	root, err := os.OpenRoot(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { root.Close() })
	return &desk{root: root, chats: t.TempDir(), now: time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC)}
}

func (d *desk) collector(classes ...capture.Class) *capture.Collector {
	return &capture.Collector{Root: d.root, Extractor: func() *capture.Extractor { return extractor(classes...) }, Now: func() time.Time { return d.now }, Origins: []capture.Origin{{
		Name: "jsonl", Place: "~/chats/", Open: func(context.Context) (capture.OpenSource, error) { return capture.OpenFolder(capture.Plain, d.chats) },
	}}}
}

func (d *desk) chat(t testing.TB, name string, lines ...string) {
	t.Helper()
	path := filepath.Join(d.chats, name)
	if _, err := os.Stat(path); err != nil {
		write(t, path, "")
	}
	appendTo(t, path, strings.Join(lines, ""))
}

// collect runs a capture and returns the texts that it handed over.
func (d *desk) collect(t testing.TB, scope capture.Scope) ([]string, capture.Collection) {
	t.Helper()
	var texts []string
	found, err := d.collector().Collect(t.Context(), scope, func(_ context.Context, h capture.Harvest) error {
		for _, f := range h.Found {
			texts = append(texts, f.Text)
			d.taken = append(d.taken, f.ID(h.Conversation)+" "+f.Text)
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return texts, found
}

func at(role, text, when string) string {
	return fmt.Sprintf(`{"role":%q,"content":%q,"time":%q}`, role, text, when) + "\n"
}

func TestWhatIsNewIsHandedOverOnce(t *testing.T) {
	d := newDesk(t)
	d.chat(t, "a.jsonl", said("user", "我们决定用 NATS"), said("user", "你好"))
	d.chat(t, "b.jsonl", said("user", "记住：周五不发布"))
	steps := []struct {
		name string
		do   func()
		want []string
	}{
		{"the first run", func() {}, []string{"我们决定用 NATS"}},
		{"nothing new", func() {}, nil},
		{"a short one grows", func() { d.chat(t, "b.jsonl", said("user", "谢谢")) }, []string{"周五不发布"}},
		{"a torn line waits", func() { d.chat(t, "a.jsonl", `{"role":"user","content":"以后提交`) }, nil},
		{"and is completed", func() { d.chat(t, "a.jsonl", `都要先跑测试。"}`+"\n") }, []string{"以后提交都要先跑测试。"}},
		{"a proposal", func() { d.chat(t, "a.jsonl", said("assistant", "我建议把日志保留三十天。")) }, nil},
		{"accepted in another run", func() { d.chat(t, "a.jsonl", said("user", "好的，就这么办")) }, []string{"我建议把日志保留三十天。"}},
	}
	for _, s := range steps {
		s.do()
		got, _ := d.collect(t, capture.Scope{Limits: capture.Limits{MinUserMessages: 2}})
		if diff := cmp.Diff(s.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", s.name, diff)
		}
	}
}

// Whatever happens to the state file and the transcripts, the same thing has
// the same id: who keeps it can tell that it was there.
func TestIDsSurviveEverything(t *testing.T) {
	d := newDesk(t)
	d.chat(t, "a.jsonl", said("user", "我们决定用 NATS"), said("user", "记住：周五不发布"))
	d.collect(t, capture.Scope{})
	first := slices.Clone(d.taken)
	for name, damage := range map[string]func(){
		"no state":     func() { d.root.Remove(capture.StatePath) },
		"broken state": func() { d.root.WriteFile(capture.StatePath, []byte("{torn"), 0o600) },
		"newer state":  func() { d.root.WriteFile(capture.StatePath, []byte(`{"version":9,"sessions":{}}`), 0o600) },
		"strange state": func() {
			d.root.WriteFile(capture.StatePath, []byte(`{"version":1,"sessions":{"~/chats/a.jsonl":null}}`), 0o600)
		},
		"rewritten file": func() {
			write(t, filepath.Join(d.chats, "a.jsonl"), said("user", "我们决定用 NATS")+said("user", "记住：周五不发布")+"\n")
		},
	} {
		damage()
		d.taken = nil
		d.collect(t, capture.Scope{})
		if len(d.taken) > 0 && !cmp.Equal(first, d.taken) || len(d.taken) == 0 && name != "rewritten file" {
			t.Errorf("%s: %v, not %v", name, d.taken, first)
		}
	}
}

// What take refused is handed over again, and a dry run notes nothing.
func TestOnlyWhatWasTakenCounts(t *testing.T) {
	d := newDesk(t)
	d.chat(t, "a.jsonl", said("user", "我们决定用 NATS"))
	boom := errors.New("disk full")
	_, err := d.collector().Collect(t.Context(), capture.Scope{}, func(context.Context, capture.Harvest) error { return boom })
	if !errors.Is(err, boom) {
		t.Errorf("%v", err)
	}
	if got, _ := d.collect(t, capture.Scope{DryRun: true}); len(got) != 1 {
		t.Errorf("after a failure: %v", got)
	}
	if got, _ := d.collect(t, capture.Scope{}); len(got) != 1 {
		t.Errorf("after a dry run: %v", got)
	}
	if got, _ := d.collect(t, capture.Scope{}); len(got) != 0 {
		t.Errorf("after it was taken: %v", got)
	}
}

func TestLookBackLeavesNoGap(t *testing.T) {
	d := newDesk(t)
	scope := capture.Scope{LookBack: 3 * time.Hour}
	d.chat(t, "a.jsonl", at("user", "我们决定用 NATS", "2026-02-20T09:00:00Z"), at("user", "我们决定推迟上线", "2026-02-21T20:00:00Z"))
	if got, _ := d.collect(t, scope); !cmp.Equal(got, []string{"我们决定推迟上线"}) {
		t.Errorf("the first run looks back three hours: %v", got)
	}
	d.chat(t, "a.jsonl", at("user", "以后提交都要先跑测试。", "2026-02-21T23:00:00Z"))
	d.now = time.Date(2026, 2, 22, 10, 0, 0, 0, time.UTC)
	if got, _ := d.collect(t, scope); len(got) != 1 {
		t.Errorf("the next morning: %v", got)
	}
}

// A conversation of any length is handed over in pieces that fit into memory,
// and a run that was cut off goes on where it was.
func TestLongConversationsComeInPieces(t *testing.T) {
	t.Parallel()
	d := newDesk(t)
	var lines []string
	for i := range 1000 {
		lines = append(lines, said("user", fmt.Sprintf("记住：第 %d 号箱子在 %d 号架子上", i, i*7)))
	}
	d.chat(t, "a.jsonl", lines...)
	pieces, total := 0, map[string]int{}
	stop := errors.New("killed")
	take := func(_ context.Context, h capture.Harvest) error {
		if pieces++; pieces == 3 {
			return stop
		}
		if len(h.Found) > 220 {
			t.Errorf("a piece of %d", len(h.Found))
		}
		for _, f := range h.Found {
			total[f.ID(h.Conversation)]++
		}
		return nil
	}
	if _, err := d.collector().Collect(t.Context(), capture.Scope{}, take); !errors.Is(err, stop) {
		t.Fatal(err)
	}
	if _, err := d.collector().Collect(t.Context(), capture.Scope{}, take); err != nil {
		t.Fatal(err)
	}
	for id, n := range total {
		if n != 1 {
			t.Errorf("%s: %d times", id, n)
		}
	}
	if len(total) != 1000 || pieces < 6 {
		t.Errorf("%d things in %d pieces", len(total), pieces)
	}
}

// What cannot be read is a warning, and the rest is captured.
func TestOneBadSourceDoesNotHinderTheOthers(t *testing.T) {
	d := newDesk(t)
	d.chat(t, "a.jsonl", said("user", "我们决定用 NATS"), "not JSON\n")
	c := d.collector()
	c.Origins = append([]capture.Origin{{Name: "openclaw", Open: func(ctx context.Context) (capture.OpenSource, error) {
		return capture.OpenDatabase(ctx, filepath.Join(d.chats, "missing.sqlite"), "main")
	}}}, c.Origins...)
	n := 0
	found, err := c.Collect(t.Context(), capture.Scope{}, func(_ context.Context, h capture.Harvest) error {
		n += len(h.Found)
		return nil
	})
	if err != nil || n != 1 || len(found.Warnings) != 2 || found.BadLines != 1 {
		t.Errorf("%d found, %+v, %v", n, found, err)
	}
}

func TestExcerpt(t *testing.T) {
	d := newDesk(t)
	d.chat(t, "s1.jsonl", said("user", "一"), said("tool", "output"), said("assistant", "二"), said("user", "我们决定用 NATS，密码是 Maple2024x"), said("assistant", "四"),
		said("user", "五"), said("user", "六"), said("user", "七"), said("user", "八"))
	c := d.collector()
	for _, x := range []struct {
		first, last int64
		limit       int
		want        string
		more        bool
	}{
		{4, 4, 20, "(1 一) (3 二) 4 我们决定用 NATS，密码是 [redacted:password] (5 四) (6 五) (7 六)", false},
		{0, 0, 2, "1 一 3 二", true},
		{6, 9, 2, "(3 二) (4 我们决定用 NATS，密码是 [redacted:password]) (5 四) 6 五 7 六", true},
		{40, 50, 2, "", false},
	} {
		e, err := c.Excerpt(t.Context(), capture.Passage{SessionID: "s1", First: x.first, Last: x.last, Limit: x.limit})
		if err != nil {
			t.Fatal(err)
		}
		var parts []string
		for _, l := range e.Lines {
			part := fmt.Sprintf("%d %s", l.Number, l.Text)
			if l.Context {
				part = "(" + part + ")"
			}
			parts = append(parts, part)
		}
		if got := strings.Join(parts, " "); got != x.want || e.More != x.more {
			t.Errorf("%d-%d: %s (more: %v), want %s", x.first, x.last, got, e.More, x.want)
		}
	}
	if _, err := c.Excerpt(t.Context(), capture.Passage{SessionID: "s2", Limit: 1}); !memory.IsNotFound(err) {
		t.Errorf("another conversation: %v", err)
	}
	if files, _ := filepath.Glob(filepath.Join(d.root.Name(), "*")); len(files) != 0 {
		t.Errorf("reading wrote %v", files)
	}
}

// One key of OpenClaw has several conversations, one after each reset.
func TestConversationsOfOneKeyAreApart(t *testing.T) {
	a := newAgent(t, agentSchema)
	a.session("s1", "agent:main:main", "channel", "human", "")
	a.exec("INSERT INTO session_windows (session_id, session_key, reason) VALUES ('s2', 'agent:main:main', 'reset')")
	for seq, said := range []string{"你好", "我们决定用 NATS", "谢谢", "好", "再见"} {
		a.say("s1", seq+1, event(fmt.Sprint("a", seq), "user", said))
	}
	a.say("s2", 1, event("b1", "user", "记住：周五不发布"))
	d := newDesk(t)
	c := d.collector()
	c.Origins = []capture.Origin{{Name: "openclaw", Place: "~/db#", Open: func(ctx context.Context) (capture.OpenSource, error) {
		return capture.OpenDatabase(ctx, a.path, "main")
	}}}
	collect := func() (texts []string) {
		if _, err := c.Collect(t.Context(), capture.Scope{}, func(_ context.Context, h capture.Harvest) error {
			for _, f := range h.Found {
				texts = append(texts, f.Text)
			}
			return nil
		}); err != nil {
			t.Fatal(err)
		}
		return texts
	}
	if got := collect(); len(got) != 2 {
		t.Errorf("first: %v", got)
	}
	a.say("s2", 2, event("b2", "user", "以后提交都要先跑测试。"))
	if got := collect(); !cmp.Equal(got, []string{"以后提交都要先跑测试。"}) {
		t.Errorf("then: %v", got)
	}
}

// A lock that cannot be made is not another capture that one could wait for.
func TestALockThatCannotBeMadeSaysWhy(t *testing.T) {
	d := newDesk(t)
	if err := d.root.MkdirAll("memory/.locks/capture.lock", 0o700); err != nil {
		t.Fatal(err)
	}
	_, err := d.collector().Collect(t.Context(), capture.Scope{}, func(context.Context, capture.Harvest) error { return nil })
	if memory.CodeOf(err) != memory.Unavailable || !strings.Contains(err.Error(), "capture.lock") {
		t.Errorf("%v", err)
	}
}
