package llm

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/endpoint"
	"agentmemory/internal/memory"
)

const (
	maxRequestBytes = 64 << 10        // of the texts in one request
	maxAnswerBytes  = 512 << 10       // of one answer
	restFor         = 5 * time.Minute // of a model that keeps failing
)

// Client asks one model. It may be used by several goroutines.
type Client struct {
	settings Settings
	service  *endpoint.Service
	breaker  *endpoint.Breaker
}

// New checks the settings and returns a client. Nothing is sent before a question is.
func New(s Settings) (*Client, error) {
	s, err := s.complete()
	if err != nil {
		return nil, err
	}
	service, err := endpoint.New(endpoint.Settings{
		Name: serviceName, Table: "llm", Example: exampleURL, BaseURL: s.BaseURL, RemoteHost: s.RemoteHost, Key: s.Key, Timeout: s.Timeout, Now: s.Now, Transport: s.Transport,
		Missing: fmt.Sprintf("check llm.base_url (it usually ends in /v1) and llm.model; Ollama: ollama pull %s", s.Model),
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // its message is for callers
	}
	return &Client{settings: s, service: service, breaker: endpoint.NewBreaker(serviceName, endpoint.Rest{First: restFor, Longest: restFor}, s.Now)}, nil
}

// Model returns the name of the model.
func (c *Client) Model() string { return c.settings.Model }

// Address returns where the model is asked.
func (c *Client) Address() string { return c.settings.BaseURL }

// Close ends idle connections.
func (c *Client) Close() { c.service.Close() }

// Complete returns what the model answers to a question under instructions. It
// asks once; the same question gets the same answer as far as the model allows.
func (c *Client) Complete(ctx context.Context, instructions, question string) (string, error) {
	if len(instructions)+len(question) > maxRequestBytes {
		return "", memory.Errorf(memory.TooLarge, "a question to the language model is longer than %d bytes", maxRequestBytes)
	}
	if err := c.breaker.Allow(); err != nil {
		return "", err //nolint:wrapcheck // says what is wrong
	}
	answer, err := c.send(ctx, instructions, question)
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
		c.breaker.Abandoned()
		return "", fmt.Errorf("asking the language model: %w", ctx.Err())
	}
	if err != nil {
		c.breaker.Failed()
		return "", err
	}
	c.breaker.Succeeded()
	return answer, nil
}

func (c *Client) send(ctx context.Context, instructions, question string) (string, error) {
	body, err := c.service.Post(ctx, "/chat/completions", map[string]any{
		"model": c.settings.Model, "messages": []message{{"system", instructions}, {"user", question}},
		"temperature": 0, "stream": false,
	}, maxAnswerBytes)
	if err != nil {
		return "", err //nolint:wrapcheck // its message is for callers
	}
	return c.answered(body)
}

// message is one turn of a chat.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

// answered returns the text of the one answer that was asked for.
func (c *Client) answered(body []byte) (string, error) {
	var answer struct {
		Choices []struct {
			Message message `json:"message"`
			Finish  string  `json:"finish_reason"`
		} `json:"choices"`
	}
	if json.Unmarshal(body, &answer) != nil { // the error would name our types
		return "", c.service.Unusable(errors.New("it is not the JSON of a chat"))
	}
	if len(answer.Choices) == 0 || strings.TrimSpace(answer.Choices[0].Message.Content) == "" {
		return "", c.service.Unusable(errors.New("it says nothing"))
	}
	if answer.Choices[0].Finish == "length" {
		return "", c.service.Unusable(errors.New("it was cut off"))
	}
	return answer.Choices[0].Message.Content, nil
}
