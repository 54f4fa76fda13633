package main

import (
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"agentmemory/internal/embed/lsa"
	"agentmemory/internal/memory"
	"agentmemory/store"
)

// checkVectors wants complete vectors of a provider in every namespace, each of a
// generation of its own, by which nothing of another one is found.
func checkVectors(t *testing.T, dir, provider string) {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Path: filepath.Join(dir, ".agent-memory", "memory.db"), Now: time.Now, ReadOnly: true})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	seen := map[int64]string{}
	for agent, canary := range canaries() {
		namespace := agent
		if agent == "" {
			namespace = memory.DefaultNamespace
		}
		m, params, err := s.Serving(t.Context(), namespace)
		if err != nil || m.Generation == 0 || m.Provider != provider || seen[m.Generation] != "" {
			t.Fatalf("%s: %+v serves, %q too, %v", namespace, m, seen[m.Generation], err)
		}
		seen[m.Generation] = namespace
		if pending, err := s.CountPending(t.Context(), m); err != nil || pending != 0 {
			t.Errorf("%s: %d contents without a vector, %v", namespace, pending, err)
		}
		query := []float32{1, 0.1, 0}
		if provider == lsa.Provider {
			space, err := lsa.Decode(params)
			if err != nil {
				t.Fatal(err)
			}
			query = space.Query("who sleeps in the cellar")
		}
		near, err := s.Nearest(t.Context(), m, query, memory.Filter{Namespace: namespace}, 50)
		if err != nil || len(near) < 2 {
			t.Fatalf("%s: %v, %v", namespace, near, err)
		}
		keys := make([]int64, len(near))
		for i, n := range near {
			keys[i] = n.Key
		}
		found, err := s.Load(t.Context(), keys)
		if err != nil || len(found) != len(near) {
			t.Fatalf("%s: %d of %d found, %v", namespace, len(found), len(near), err)
		}
		for _, m := range found {
			if m.Namespace != namespace || !strings.Contains(m.Content, canary) {
				t.Errorf("the vectors of %s found %q of %s", namespace, m.Content, m.Namespace)
			}
		}
	}
}

func TestEveryNamespaceHasVectorsOfItsOwn(t *testing.T) {
	t.Parallel()
	env, dir, _ := agents(t)
	answer[map[string]any](t, env, as(dir, "", "sync")...)
	checkVectors(t, dir, lsa.Provider)
	// A process of a private agent makes its own; what it searches is its own.
	answer[rememberView](t, env, as(dir, "空", "remember", "the okapi dreams of leaves")...)
	answer[map[string]any](t, env, as(dir, "空", "sync")...)
	checkVectors(t, dir, lsa.Provider)
	status := answer[map[string]any](t, env, as(dir, "", "status")...)
	if health := dig[map[string]any](t, status, "health", "vectors"); health["pending"] != 0.0 || health["provider"] != lsa.Provider {
		t.Errorf("%v", health)
	}
}

func TestAServiceMakesTheVectorsOfEveryNamespace(t *testing.T) {
	t.Parallel()
	env, dir, _ := agents(t)
	var asked atomic.Int64
	url := fakeOllama(t, &asked)
	answer[map[string]any](t, env, append(as(dir, "", "sync"), "--set", "embedding.provider=ollama", "--set", "embedding.model=fake", "--set", "embedding.base_url="+url)...)
	checkVectors(t, dir, "ollama")
	if asked.Load() == 0 {
		t.Error("the service was not asked")
	}
}
