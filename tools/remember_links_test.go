package tools_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"agentmemory/internal/memory"
	"agentmemory/internal/redact"
)

// A link is "target" or "relation=target"; an address may have an "=" itself.
func TestALinkMayBeAnAddressWithAnEqualsSign(t *testing.T) {
	k := newKit(t)
	k.call("remember", `{"content":"The wiki describes the deployment","uri":"knowledge://lessons/deploy",
		"links":["","https://wiki.example/?page=7","caused=knowledge://lessons/a=b"," reminds = knowledge://lessons/c ","引起=knowledge://lessons/d"]}`)
	m, _ := k.call("recall_path", `{"uri":"knowledge://lessons/deploy"}`)["memory"].(map[string]any)
	links, _ := json.Marshal(m["links"])
	for _, want := range []string{
		`{"relation":"related","target":"https://wiki.example/?page=7"}`, `{"relation":"caused","target":"knowledge://lessons/a=b"}`,
		`{"relation":"reminds","target":"knowledge://lessons/c"}`, `{"relation":"引起","target":"knowledge://lessons/d"}`,
	} {
		if !strings.Contains(string(links), want) {
			t.Errorf("%s is missing in %s", want, links)
		}
	}
}

func TestLinksAndNamesOfFieldsAreBounded(t *testing.T) {
	k := newKit(t)
	for args, code := range map[string]memory.Code{
		`{"content":"a fact","links":["=knowledge://a/b"]}`:                                            memory.InvalidArgument,
		`{"content":"a fact","links":["caused="]}`:                                                     memory.InvalidArgument,
		`{"content":"a fact","links":["` + strings.Repeat("x", memory.MaxURI+1) + `"]}`:                memory.TooLarge,
		`{"content":"a fact","links":["` + strings.Repeat("x", memory.MaxLabel+1) + `=a"]}`:            memory.TooLarge,
		`{"content":"a fact","form":"task","fields":{"` + strings.Repeat("x", 300) + `":"something"}}`: memory.TooLarge,
	} {
		if e := k.refused("remember", args); e.Code != code {
			t.Errorf("%.60s: %s %s", args, e.Code, e.Message)
		}
	}
}

// Secrets and what no one sees are taken out of links as of everything else; ids stay.
func TestLinksAreCleaned(t *testing.T) {
	k := newKit(t)
	k.call("remember", `{"content":"The wiki describes the deployment","uri":"knowledge://lessons/deploy","links":["https://ops:hunter2secret@wiki.example/x","knowledge://a/b\u202e"]}`)
	m, _ := k.call("recall_path", `{"uri":"knowledge://lessons/deploy"}`)["memory"].(map[string]any)
	if links := fmt.Sprint(m["links"]); strings.Contains(links, "hunter2") || strings.Contains(links, "\u202e") {
		t.Error(links)
	}
	c := redact.New()
	for i := range 3000 {
		if id := memory.DerivedID("a file", "a text", i); c.Clean(id).Text != id {
			t.Fatalf("the id %s became %s", id, c.Clean(id).Text)
		}
	}
}
