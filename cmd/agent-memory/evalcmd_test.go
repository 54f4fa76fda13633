package main

import (
	"testing"

	"agentmemory/internal/rank"
)

// What is measured is what users get: the ranking that belongs to the embedder
// of the settings.
func TestEvalRanksAsTheEmbedderOfTheSettingsAsks(t *testing.T) {
	for provider, want := range map[string]rank.Parameters{
		"builtin": rank.Defaults(), "none": rank.Defaults(), "openai": rank.ForService(), "ollama": rank.ForService(),
	} {
		env, _ := surround(t)
		got, err := evalBench{&app{env: env, setFlags: []string{"embedding.provider=" + provider}}}.parameters()
		if err != nil || got != want {
			t.Errorf("%s: %+v, %v", provider, got, err)
		}
	}
}
