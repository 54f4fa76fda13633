package main

import (
	"context"
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"
	"time"

	"agentmemory/internal/llm"
	"agentmemory/store"
)

// Whoever calls a run off says nothing about the model: only what the model does
// is noted as its failure.
func TestACancelledQuestionIsNoFailureOfTheModel(t *testing.T) {
	t.Parallel()
	s, err := store.Open(t.Context(), store.Options{Path: t.TempDir() + "/memory.db", Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	ctx, cancel := context.WithCancel(t.Context())
	over := make(chan struct{})
	service := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if ctx.Err() == nil {
			cancel() // the caller gives up while the model thinks
			<-over
			return
		}
		http.Error(w, "no such model", http.StatusNotFound)
	}))
	defer service.Close()
	defer close(over)
	client, err := llm.New(llm.Settings{BaseURL: service.URL + "/v1", Model: "small", Key: func() (string, error) { return "", nil }, Timeout: time.Minute, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	m := &languageModel{e: &engine{store: s, now: time.Now}, client: client}
	if _, err := m.Reword(ctx, []string{"a line"}); !errors.Is(err, context.Canceled) {
		t.Errorf("the cancelled question: %v", err)
	}
	if noted, err := s.Meta(t.Context(), modelFailureKey); len(noted) > 0 || err != nil {
		t.Errorf("noted as a failure: %s, %v", noted, err)
	}
	if _, err := m.Reword(t.Context(), []string{"a line"}); err == nil {
		t.Error("the model answered")
	}
	if noted, err := s.Meta(t.Context(), modelFailureKey); len(noted) == 0 || err != nil {
		t.Errorf("its own failure is not noted: %v", err)
	}
}
