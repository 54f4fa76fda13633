package llm

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

const (
	maxRequestBytes = 64 << 10  // of the texts in one request
	maxAnswerBytes  = 512 << 10 // of one answer
	maxErrorBytes   = 2 << 10   // of an error answer that are read
	maxErrorExcerpt = 160       // bytes of it that are shown
)

// Client asks one model. It may be used by several goroutines.
type Client struct {
	settings Settings
	http     *http.Client
	breaker  breaker
}

// New checks the settings and returns a client. Nothing is sent before a question is.
func New(s Settings) (*Client, error) {
	s, err := s.complete()
	if err != nil {
		return nil, err
	}
	transport := s.Transport
	if transport == nil {
		transport = &http.Transport{
			DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout: 5 * time.Second,
			IdleConnTimeout:     30 * time.Second,
			MaxIdleConnsPerHost: 1,
			ForceAttemptHTTP2:   true,
		}
	}
	// A redirect would carry texts and key to a host that nobody configured.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Client{settings: s, http: &http.Client{Transport: transport, CheckRedirect: stay}, breaker: breaker{now: s.Now}}, nil
}

// Model returns the name of the model.
func (c *Client) Model() string { return c.settings.Model }

// Address returns where the model is asked.
func (c *Client) Address() string { return c.settings.BaseURL }

// Close ends idle connections.
func (c *Client) Close() { c.http.CloseIdleConnections() }

// Complete returns what the model answers to a question under instructions. It
// asks once; the same question gets the same answer as far as the model allows.
func (c *Client) Complete(ctx context.Context, instructions, question string) (string, error) {
	if len(instructions)+len(question) > maxRequestBytes {
		return "", memory.Errorf(memory.TooLarge, "a question to the language model is longer than %d bytes", maxRequestBytes)
	}
	if err := c.breaker.allow(); err != nil {
		return "", err
	}
	answer, err := c.send(ctx, instructions, question)
	if ctx.Err() != nil && errors.Is(ctx.Err(), context.Canceled) {
		c.breaker.abandon()
		return "", fmt.Errorf("asking the language model: %w", ctx.Err())
	}
	c.breaker.tell(err == nil)
	return answer, err
}

func (c *Client) send(ctx context.Context, instructions, question string) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.settings.Timeout)
	defer cancel()
	request, key, err := c.request(ctx, instructions, question)
	if err != nil {
		return "", err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return "", unreachable(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return "", c.refused(response, key)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, maxAnswerBytes+1))
	if err != nil {
		return "", unreachable(fmt.Errorf("reading the answer: %w", err))
	}
	if len(body) > maxAnswerBytes {
		return "", nonsense(fmt.Errorf("the answer is longer than %d bytes", maxAnswerBytes))
	}
	return answered(body)
}

// message is one turn of a chat.
type message struct {
	Role    string `json:"role"`
	Content string `json:"content"`
}

func (c *Client) request(ctx context.Context, instructions, question string) (*http.Request, string, error) {
	body, err := json.Marshal(map[string]any{
		"model": c.settings.Model, "messages": []message{{"system", instructions}, {"user", question}},
		"temperature": 0, "stream": false,
	})
	if err != nil {
		return nil, "", fmt.Errorf("writing the request to the language model: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.settings.BaseURL+"/chat/completions", bytes.NewReader(body))
	if err != nil {
		return nil, "", fmt.Errorf("preparing the request to the language model: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	key, err := c.settings.Key()
	if err != nil {
		return nil, "", memory.Errorf(memory.Unavailable, "reading the key of the language model: %w", err)
	}
	if key == "" {
		return request, "", nil
	}
	if !c.settings.keyAllowed() {
		return nil, "", memory.Errorf(memory.PermissionDenied, "the key is not sent over plain http to another host").WithHint("use https")
	}
	request.Header.Set("Authorization", "Bearer "+key)
	return request, key, nil
}

// answered returns the text of the one answer that was asked for.
func answered(body []byte) (string, error) {
	var answer struct {
		Choices []struct {
			Message message `json:"message"`
			Finish  string  `json:"finish_reason"`
		} `json:"choices"`
	}
	if json.Unmarshal(body, &answer) != nil { // the error would name our types
		return "", nonsense(errors.New("it is not the JSON of a chat"))
	}
	if len(answer.Choices) == 0 || strings.TrimSpace(answer.Choices[0].Message.Content) == "" {
		return "", nonsense(errors.New("it says nothing"))
	}
	if answer.Choices[0].Finish == "length" {
		return "", nonsense(errors.New("it was cut off"))
	}
	return answer.Choices[0].Message.Content, nil
}

// unreachable wraps a failure of the connection. The address is left out: it is in
// the configuration, and errors of net/http repeat the whole URL.
func unreachable(err error) error {
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		return memory.Errorf(memory.DeadlineExceeded, "the language model did not answer in time").
			WithHint("raise llm.timeout, or choose a smaller model")
	}
	var request *url.Error
	if errors.As(err, &request) {
		err = request.Err
	}
	var operation *net.OpError
	if errors.As(err, &operation) {
		err = operation.Err
	}
	return memory.Errorf(memory.Unavailable, "the language model cannot be reached: %w", err).
		WithHint("is the service running? Without llm.base_url no model is used")
}

func nonsense(err error) error {
	return memory.Errorf(memory.Unavailable, "the language model gave an unusable answer: %w", err)
}

func (c *Client) refused(response *http.Response, key string) error {
	raw, err := io.ReadAll(io.LimitReader(response.Body, maxErrorBytes))
	if err != nil {
		raw = nil // the status says enough
	}
	said := strings.Join(strings.Fields(string(raw)), " ")
	if key != "" {
		said = strings.ReplaceAll(said, key, "…")
	}
	if len(said) > maxErrorExcerpt {
		said = strings.ToValidUTF8(said[:maxErrorExcerpt], "") + "…"
	}
	status := response.StatusCode
	e := memory.Errorf(statusCode(status), "the language model answered %d: %s", status, said)
	switch status {
	case http.StatusNotFound:
		return e.WithHint("check llm.base_url (it usually ends in /v1) and llm.model; Ollama: ollama pull %s", c.settings.Model)
	case http.StatusUnauthorized, http.StatusForbidden:
		return e.WithHint("check the key of the language model")
	}
	return e
}

func statusCode(status int) memory.Code {
	switch status {
	case http.StatusUnauthorized, http.StatusForbidden:
		return memory.PermissionDenied
	case http.StatusNotFound:
		return memory.NotFound
	case http.StatusRequestEntityTooLarge:
		return memory.TooLarge
	case http.StatusBadRequest, http.StatusUnprocessableEntity:
		return memory.InvalidArgument
	}
	return memory.Unavailable
}
