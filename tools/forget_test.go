package tools_test

import (
	"fmt"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

func (k *kit) remembered(content string) (id string) {
	k.t.Helper()
	got := k.call("remember", fmt.Sprintf(`{"content":%q,"source":"memory-sync:2026-02-21"}`, content))
	if got["action"] != "added" {
		k.t.Fatalf("%q: %v", content, got)
	}
	return text(got["memoryId"])
}

func (k *kit) status(id string) memory.Status {
	k.t.Helper()
	m, err := k.store.ByID(k.t.Context(), memory.DefaultNamespace, id)
	if memory.IsNotFound(err) {
		return ""
	}
	if err != nil {
		k.t.Fatal(err)
	}
	return m.Status
}

func TestForgetAndUndo(t *testing.T) {
	for _, hard := range []bool{false, true} {
		t.Run(fmt.Sprintf("hard=%v", hard), func(t *testing.T) {
			k := newKit(t)
			id := k.remembered("小林负责支付服务的值班")
			got := k.call("forget", fmt.Sprintf(`{"id":%q,"hard":%v}`, id, hard))
			if got["count"] != 1.0 || got["id"] != id || text(got["undo"]) == "" {
				t.Errorf("%v", got)
			}
			if s := k.status(id); hard && s != "" || !hard && s != memory.Forgotten {
				t.Errorf("status %q after forget", s)
			}
			k.clock.Advance(400 * 24 * time.Hour)
			k.call("reflect", `{"phase":"all"}`)
			if s := k.status(id); s == memory.Active {
				t.Error("a reflection brought it back")
			}
			if again := k.call("remember", `{"content":"小林负责支付服务的值班"}`); hard && again["action"] != "skipped" {
				t.Errorf("what was removed came back by remember: %v", again)
			}
			got = k.call("forget", fmt.Sprintf(`{"id":%q,"undo":true}`, id))
			if got["action"] != "restored" || k.status(id) != memory.Active {
				t.Errorf("undo: %v, status %q", got, k.status(id))
			}
		})
	}
}

// A line that has gone from its file is written again by an undo, before and
// after its deletion was accepted.
func TestUndoOfADeletionInAFile(t *testing.T) {
	for _, accepted := range []bool{false, true} {
		k := newKit(t)
		id := k.remembered("小林负责支付服务的值班")
		set := func(s memory.Status) {
			t.Helper()
			m, err := k.store.ByID(t.Context(), memory.DefaultNamespace, id)
			if err != nil {
				t.Fatal(err)
			}
			m.Status = s
			if _, err := k.store.Apply(t.Context(), []memory.Change{{Op: memory.OpStatus, Memory: m, FromFile: true, Reason: "test"}}); err != nil {
				t.Fatal(err)
			}
			k.archive.kept = append(k.archive.kept, m)
		}
		set(memory.Missing)
		if accepted {
			missing := k.archive.kept[0]
			set(memory.Forgotten)
			k.archive.kept = []memory.Memory{missing} // as the mirror archives it
		} else {
			k.archive.kept = nil
		}
		if got := k.call("forget", fmt.Sprintf(`{"id":%q,"undo":true}`, id)); got["action"] != "restored" || k.status(id) != memory.Active {
			t.Errorf("accepted %v: %v, status %q", accepted, got, k.status(id))
		}
	}
}

func TestForgetBySourceAsksBackAboveTwenty(t *testing.T) {
	k := newKit(t)
	for i := range 21 {
		k.remembered(fmt.Sprintf("observation %d concerns machine number %d in rack %d", i, i*31, i*7))
	}
	if e := k.refused("forget", `{"source":"memory-sync:*"}`); e.Code != memory.NeedsConfirmation || !mention(e.Message, "21") {
		t.Errorf("%v", e)
	}
	if got := k.call("forget", `{"source":"memory-sync:*","confirm":true}`); got["count"] != 21.0 {
		t.Errorf("%v", got)
	}
	if got := k.call("status", `{}`); got["total"] != 0.0 {
		t.Errorf("%v are left", got["total"])
	}
	if e := k.refused("forget", `{"id":"no-such:*"}`); e.Code != memory.NotFound || !mention(e.Message, "source") {
		t.Errorf("a glob as id: %+v", e)
	}
	if got := k.call("forget", `{"source":"memory-sync:*","undo":true,"confirm":true}`); got["count"] != 21.0 {
		t.Errorf("undo restored %v", got["count"])
	}
}

func TestForgetRefuses(t *testing.T) {
	k := newKit(t)
	rows := []struct {
		args string
		code memory.Code
	}{
		{`{}`, memory.InvalidArgument},
		{`{"id":"a","uri":"knowledge://a"}`, memory.InvalidArgument},
		{`{"id":"nope"}`, memory.NotFound},
		{`{"uri":"knowledge://nope"}`, memory.NotFound},
		{`{"source":"nope:*"}`, memory.NotFound},
		{`{"id":"nope","undo":true}`, memory.NotFound},
		{`{"id":"nope","undo":true,"purge":true}`, memory.InvalidArgument},
		{`{"identifier":"nope"}`, memory.InvalidArgument},
	}
	for _, row := range rows {
		if e := k.refused("forget", row.args); e.Code != row.code {
			t.Errorf("%s: %s %q", row.args, e.Code, e.Message)
		}
	}
}

func TestRecallPath(t *testing.T) {
	k := newKit(t)
	k.call("remember", `{"content":"The editor is Zed","uri":"knowledge://preferences/editor"}`)
	k.call("remember", `{"content":"喜欢深色主题","uri":"knowledge://preferences/theme","links":["reminds=knowledge://preferences/editor"]}`)
	k.call("remember", `{"content":"100% literal prefixes only","uri":"knowledge://pref_%/x"}`)
	if got := k.call("recall_path", `{"path":"knowledge://preferences/","limit":"20"}`); got["count"] != 2.0 || got["found"] != true {
		t.Errorf("prefix: %v", got)
	}
	if got := k.call("recall_path", `{"uri":"knowledge://pref_%/"}`); got["count"] != 1.0 {
		t.Errorf("wildcards must be literal: %v", got)
	}
	got := k.call("recall_path", `{"uri":"knowledge://preferences/theme","traverse_hops":1}`)
	related, _ := got["related"].([]any)
	if len(related) != 1 || related[0].(map[string]any)["relation"] != "reminds" {
		t.Errorf("links: %v", got)
	}
	if got := k.call("recall_path", `{"uri":"knowledge://nothing"}`); got["found"] != false || got["uri"] != "knowledge://nothing" {
		t.Errorf("miss: %v", got)
	}
	if e := k.refused("recall_path", `{"uri":"../../etc/passwd"}`); e.Code != memory.InvalidArgument {
		t.Errorf("%v", e)
	}
}

func TestLineageTools(t *testing.T) {
	k := newKit(t)
	k.call("remember", `{"content":"I am Noah, the contract keeper","uri":"identity://core/name"}`)
	k.call("remember", `{"content":"knowledge://rules/style\n","uri":"system://boot"}`)
	k.call("remember", `{"content":"Answer in short sentences","uri":"knowledge://rules/style"}`)
	if got := k.call("boot", `{}`); got["count"] != 3.0 {
		t.Errorf("boot: %v", got)
	}
	a, b := k.remembered("The gateway moved to the blue cluster"), k.remembered("限流规则在网关里配置")
	k.call("link", fmt.Sprintf(`{"action":"create","source_id":%q,"target_id":%q,"relation":"caused"}`, a, b))
	if got := k.call("link", fmt.Sprintf(`{"action":"traverse","source_id":%q}`, a)); len(got["nodes"].([]any)) != 1 {
		t.Errorf("link: %v", got)
	}
	k.call("remember", `{"content":"Answer in full sentences","uri":"knowledge://rules/style"}`)
	style := k.call("recall_path", `{"uri":"knowledge://rules/style"}`)["memory"].(map[string]any)
	list := k.call("snapshot", fmt.Sprintf(`{"action":"list","memory_id":%q}`, style["id"]))["snapshots"].([]any)
	first := list[0].(map[string]any)
	if first["content"] != "Answer in short sentences" {
		t.Fatalf("snapshots: %v", list)
	}
	k.call("snapshot", fmt.Sprintf(`{"action":"rollback","snapshot_id":%q}`, first["id"]))
	if again := k.call("recall_path", `{"uri":"knowledge://rules/style"}`)["memory"].(map[string]any); again["content"] != "Answer in short sentences" {
		t.Errorf("rollback left %v", again["content"])
	}
}

func TestStatusSaysWhatWaitsForItsFile(t *testing.T) {
	k := newKit(t)
	k.remembered("Nothing mirrors this store, so that its outbox only grows")
	if got := k.call("status", `{}`); len(got["degraded"].([]any)) != 0 {
		t.Errorf("degraded at once: %v", got["degraded"])
	}
	k.clock.Advance(time.Minute)
	got := k.call("status", `{}`)
	if list := got["degraded"].([]any); got["outbox"] != 1.0 || len(list) != 1 || !mention(text(list[0]), "1 changes wait") {
		t.Errorf("%v", got)
	}
}
