package main

import (
	"encoding/json"
	"strings"
	"testing"

	"agentmemory/tools"
)

// Whoever gives only the entity's address means a fact of it: each is one of its
// own, and none takes the place of another.
func TestFactsRememberedAtTheAddressOfAnEntity(t *testing.T) {
	env, home := surround(t)
	dir, life := shadow(t, home)
	const address = "fact://projects/ledger"
	said := []string{"Mei owns the ledger", "账本只在一台机器上运行"}
	seen := map[string]bool{}
	for _, args := range [][]string{{"--form", "fact", said[0]}, {said[1]}} { // the address tells the form, too
		got := answer[tools.RememberResult](t, env, append([]string{"--workspace", dir, "remember", "--uri", address}, args...)...)
		if got.Action != "added" || !strings.HasPrefix(got.URI, address+"/") || seen[got.URI] || got.Path != "memory/life/projects/ledger/items.json" {
			t.Errorf("%v: %+v", args, got)
		}
		seen[got.URI] = true
	}
	if again := answer[tools.RememberResult](t, env, "--workspace", dir, "remember", "--uri", address, said[0]); again.Action != "skipped" || !seen[again.URI] {
		t.Errorf("the same fact again: %+v", again)
	}
	var facts []struct{ Fact, Status string }
	if err := json.Unmarshal([]byte(read(t, life, "projects", "ledger", "items.json")), &facts); err != nil {
		t.Fatal(err)
	}
	if len(facts) != 2 || facts[0].Fact != said[0] || facts[1].Fact != said[1] || facts[0].Status != "active" || facts[1].Status != "active" {
		t.Errorf("%+v", facts)
	}
	summary := read(t, life, "projects", "ledger", "summary.md")
	for _, s := range said {
		if !strings.Contains(summary, s) {
			t.Errorf("the summary lacks %q:\n%s", s, summary)
		}
	}
}

// An address that names one fact still holds one, and so does one that is no entity's.
func TestAFactWithAnAddressOfItsOwnIsUpdatedInPlace(t *testing.T) {
	env, home := surround(t)
	dir, _ := shadow(t, home)
	for _, uri := range []string{"fact://projects/ledger/owner", "fact://people/mei"} {
		answer[tools.RememberResult](t, env, "--workspace", dir, "remember", "--uri", uri, "Mei owns the ledger")
		if got := answer[tools.RememberResult](t, env, "--workspace", dir, "remember", "--uri", uri, "Jun owns the ledger"); got.Action != "updated" || got.URI != uri {
			t.Errorf("%s: %+v", uri, got)
		}
	}
}
