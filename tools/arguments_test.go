package tools_test

import (
	"fmt"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/rank"
	"agentmemory/lifecycle"
	"agentmemory/tools"
)

func (k *kit) recall() *tools.Recall {
	profile, err := lifecycle.ProfileByName("")
	if err != nil {
		k.t.Fatal(err)
	}
	return &tools.Recall{Store: k.store, Accesses: nobody{}, Profile: profile, Parameters: rank.Defaults(), Now: k.clock.Now, Namespace: memory.DefaultNamespace}
}

// Times between which nothing can lie, and weeks and quarters that are not
// understood, are refused: "nothing is remembered" would be the wrong answer.
func TestTimesThatCannotBeMeantAreRefused(t *testing.T) {
	k := newKit(t)
	k.call("remember", `{"content":"The gateway listens on port 8443"}`)
	for _, a := range []tools.RecallArgs{
		{After: "2026-02-22", Before: "2026-02-20"}, {After: "yesterday", Before: "yesterday"}, {Query: "gateway", After: "昨天", Before: "上周"},
		{After: "2026-W09"}, {Before: "2026-w53"}, {After: "2026 Q1"}, {After: "2026年第3周"}, {After: "2026年第二季度"}, {After: "２０２６年２月３０日"},
	} {
		if got, err := k.recall().Run(t.Context(), a); memory.CodeOf(err) != memory.InvalidArgument {
			t.Errorf("%+v: %+v, %v", a, got.Count, err)
		}
	}
	for _, a := range []tools.RecallArgs{{After: "2026-02-21", Before: "2026-02-22"}, {After: "昨天", Before: "明天"}, {After: "2026年"}, {After: "2026年2月"}} {
		if got, err := k.recall().Run(t.Context(), a); err != nil || got.Count != 1 {
			t.Errorf("%+v: %+v, %v", a, got.Count, err)
		}
	}
}

// What came closest is text of memories as well.
func TestNearMissesAreMarkedAsData(t *testing.T) {
	k := newKit(t)
	k.call("remember", `{"content":"The gateway listens on port 8443"}`)
	got, err := k.recall().Run(t.Context(), tools.RecallArgs{Query: "Where does the old gateway of Lisbon keep its cooking recipes and violin strings?", MinScore: 0.99})
	if err != nil || !got.Abstained || len(got.Near) == 0 || got.Notice == "" {
		t.Errorf("%+v, %v", got, err)
	}
}

// What stands beside the items of a batch holds for each that says nothing else.
func TestLabelsBesideItemsHoldForEach(t *testing.T) {
	k := newKit(t)
	k.call("remember", `{"type":"event","source":"mail","session_id":"s1","agent_id":"writer","importance":0.9,"items":[
		{"content":"Mei moved to Lisbon","uri":"event://people/mei"},
		{"content":"The gateway listens on port 8443","uri":"knowledge://gateway","type":"knowledge","source":"wiki","importance":0.1,"actor":"ops"}]}`)
	for uri, want := range map[string]string{"event://people/mei": "event mail s1 writer 0.9", "knowledge://gateway": "knowledge wiki s1 ops 0.1"} {
		m, _ := k.call("recall_path", `{"uri":"`+uri+`"}`)["memory"].(map[string]any)
		if got := fmt.Sprint(m["type"], " ", m["source"], " ", m["session_id"], " ", m["actor"], " ", m["importance"]); got != want {
			t.Errorf("%s: %s, want %s", uri, got, want)
		}
	}
	for _, args := range []string{
		`{"uri":"knowledge://a/b","items":[{"content":"one"},{"content":"two"}]}`, `{"supersedes":"x","items":[{"content":"one"}]}`,
		`{"title":"a title","items":[{"content":"one"}]}`, `{"links":["x"],"items":[{"content":"one"}]}`, `{"fields":{"a":"b"},"items":[{"content":"one"}]}`,
	} {
		if e := k.refused("remember", args); e.Code != memory.InvalidArgument {
			t.Errorf("%s: %v", args, e)
		}
	}
}

// A day is that of a wrap-up; no other phase looks at it.
func TestADayGoesWithTheWrapupOnly(t *testing.T) {
	k := newKit(t)
	for _, args := range []string{`{"phase":"decay","date":"2026-02-20"}`, `{"date":"2026-02-20"}`, `{"undo":true,"date":"2026-02-20"}`} {
		if e := k.refused("reflect", args); e.Code != memory.InvalidArgument {
			t.Errorf("%s: %v", args, e)
		}
	}
}

// Who accepts deletions where no file is looked at believes that it was done.
func TestDeletionsAreAcceptedWithFilesOnly(t *testing.T) {
	for _, a := range []tools.SyncArgs{{What: "sessions", AcceptDeletions: true}, {Finished: true, AcceptDeletions: true}} {
		if _, err := (&tools.Sync{}).Run(t.Context(), a); memory.CodeOf(err) != memory.InvalidArgument {
			t.Errorf("%+v: %v", a, err)
		}
	}
}
