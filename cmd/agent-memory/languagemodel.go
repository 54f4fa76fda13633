package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"agentmemory/internal/llm"
	"agentmemory/tools"
)

// modelKeyVariable holds the key of the language model.
const modelKeyVariable = variablePrefix + "LLM_API_KEY"

// modelFailureKey is where the last failure of the language model is noted.
const modelFailureKey = "llm.last_failure"

// languageModel is the model that the settings name. One that is set up wrongly
// stops nothing: summaries are then written without it, and status says why.
type languageModel struct {
	e      *engine
	client *llm.Client // nil: problem says why
	wrong  error
}

// openLanguageModel prepares the configured model; nothing is sent.
func (e *engine) openLanguageModel(_ context.Context, a *app) error {
	c := e.config
	if c.text(setModelURL) == "" && c.text(setModelName) == "" {
		return nil
	}
	e.model = &languageModel{e: e}
	client, err := llm.New(llm.Settings{
		BaseURL: c.text(setModelURL), Model: c.text(setModelName), RemoteHost: c.text(setModelHost),
		Key:     func() (string, error) { return a.secret(modelKeyVariable, c.text(setModelKeyFile)) },
		Timeout: c.duration(setModelTimeout), Now: e.now,
	})
	if err != nil {
		e.model.wrong = fmt.Errorf("setting up the language model: %w", err)
		return nil //nolint:nilerr // it is optional; status and each run that wants it tell
	}
	e.model.client = client
	e.onClose(func() error { client.Close(); return nil })
	return nil
}

// Reword implements tools.Rewriter.
func (m *languageModel) Reword(ctx context.Context, lines []string) ([]string, error) {
	if m.wrong != nil {
		return nil, m.wrong
	}
	worded, err := m.client.Reword(ctx, lines)
	m.note(context.WithoutCancel(ctx), err)
	return worded, err //nolint:wrapcheck // says what it was doing
}

// failure is the last failure of the model, as it is kept.
type failure struct {
	At      time.Time `json:"at"`
	Message string    `json:"message"`
}

// note keeps a failure for status and doctor, which other processes answer, and
// takes it back when the model answers again. A question that its caller called
// off is neither.
func (m *languageModel) note(ctx context.Context, err error) {
	if errors.Is(err, context.Canceled) {
		return
	}
	var raw []byte
	if err != nil {
		raw, _ = json.Marshal(failure{At: m.e.now(), Message: publicError(err).Message})
	}
	if before, _ := m.e.store.Meta(ctx, modelFailureKey); len(before) == 0 && len(raw) == 0 {
		return
	}
	if err := m.e.store.SetMeta(ctx, modelFailureKey, raw); err != nil {
		m.e.log.Warn().Err(err).Msg("noting how the language model is")
	}
}

// usedBy says which work asks the model.
func (m *languageModel) usedBy() string {
	if m.e.config.boolean(setRefine) {
		return "wrapup, compound, capture"
	}
	return "wrapup, compound"
}

// Health implements tools.Check. It asks the model nothing.
func (m *languageModel) Health(ctx context.Context) (map[string]any, []string, error) {
	facts := map[string]any{"model": m.e.config.text(setModelName), "base_url": m.e.config.text(setModelURL), "used_by": m.usedBy()}
	if m.wrong != nil {
		shown := publicError(m.wrong)
		return facts, []string{shown.Message + " (" + shown.Hint + ")"}, nil
	}
	raw, err := m.e.store.Meta(ctx, modelFailureKey)
	if err != nil {
		return facts, nil, fmt.Errorf("reading the last failure: %w", err)
	}
	var last failure
	if len(raw) == 0 || json.Unmarshal(raw, &last) != nil {
		return facts, nil, nil
	}
	at := last.At.In(m.e.config.zone()).Format(time.RFC3339)
	facts["last_failure"] = map[string]string{"at": at, "message": last.Message}
	return facts, []string{"at " + at + ": " + last.Message}, nil
}

// rewording is what reflect may ask of the model; nil when there is none.
func (e *engine) rewording() *tools.Rewording {
	if e.model == nil {
		return nil
	}
	return &tools.Rewording{Model: e.model, Kept: &wordingsOf{wordings: e.wordings(), namespace: e.ns()}}
}
