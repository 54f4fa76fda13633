package embed

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

const (
	maxVectorBytes  = 256 << 10 // of JSON for one vector
	maxAnswerBytes  = 1 << 20   // on top of the vectors
	maxErrorBytes   = 2 << 10   // of an error answer that are read
	maxErrorExcerpt = 160       // bytes of it that are shown
)

// client sends one request and judges one answer. It neither retries nor waits.
type client struct {
	settings Settings
	protocol protocol
	http     *http.Client
}

func newClient(s Settings) *client {
	transport := s.Transport
	if transport == nil {
		transport = &http.Transport{
			DialContext:           (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout:   5 * time.Second,
			ResponseHeaderTimeout: s.Timeout,
			IdleConnTimeout:       90 * time.Second,
			MaxIdleConnsPerHost:   2,
			ForceAttemptHTTP2:     true,
		}
	}
	// A redirect would carry texts and key to a host that nobody configured.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &client{settings: s, protocol: protocolOf(s.Provider), http: &http.Client{Transport: transport, CheckRedirect: stay}}
}

// send asks for the vectors of texts once. The vectors are as the provider gave them.
func (c *client) send(ctx context.Context, texts []string) ([][]float32, string, error) {
	ctx, cancel := context.WithTimeout(ctx, c.settings.Timeout)
	defer cancel()
	request, key, err := c.request(ctx, texts)
	if err != nil {
		return nil, "", err
	}
	response, err := c.http.Do(request)
	if err != nil {
		return nil, "", c.unreachable(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, "", c.refused(response, key)
	}
	limit := int64(maxAnswerBytes + len(texts)*maxVectorBytes)
	body, err := io.ReadAll(io.LimitReader(response.Body, limit+1))
	if err != nil {
		return nil, "", c.unreachable(fmt.Errorf("reading the answer: %w", err))
	}
	if int64(len(body)) > limit {
		return nil, "", c.nonsense(fmt.Errorf("the answer is longer than %d bytes", limit))
	}
	vectors, model, err := c.protocol.parse(body, len(texts))
	if err != nil {
		return nil, "", c.nonsense(err)
	}
	return vectors, model, nil
}

func (c *client) request(ctx context.Context, texts []string) (*http.Request, string, error) {
	body, err := json.Marshal(c.protocol.request(&c.settings, texts))
	if err != nil {
		return nil, "", fmt.Errorf("writing the request to the embedder: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, c.settings.BaseURL+c.protocol.path(), bytes.NewReader(body))
	if err != nil {
		return nil, "", fmt.Errorf("preparing the request to the embedder: %w", err)
	}
	request.Header.Set("Content-Type", "application/json")
	key, err := c.settings.Key()
	if err != nil {
		return nil, "", memory.Errorf(memory.Unavailable, "reading the key of the %s embedder: %w", c.settings.Provider, err)
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

// unreachable wraps a failure of the connection. The address is left out: it is in
// the configuration, and errors of net/http repeat the whole URL.
func (c *client) unreachable(err error) error {
	code, what := memory.Unavailable, "cannot be reached"
	var timeout net.Error
	if errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout() {
		code, what = memory.DeadlineExceeded, "did not answer in time"
	}
	return memory.Errorf(code, "the %s embedder %s: %w", c.settings.Provider, what, err)
}

func (c *client) nonsense(err error) error {
	return memory.Errorf(memory.Unavailable, "the %s embedder gave an unusable answer: %w", c.settings.Provider, err)
}

// statusError is an answer other than 200.
type statusError struct {
	cause      *memory.Error
	status     int
	retryAfter time.Duration // 0: not said
}

func (e *statusError) Error() string { return e.cause.Error() }
func (e *statusError) Unwrap() error { return e.cause }

func (c *client) refused(response *http.Response, key string) error {
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
	e := c.advise(response.StatusCode, memory.Errorf(statusCode(response.StatusCode), "the %s embedder answered %d: %s", c.settings.Provider, response.StatusCode, said))
	return &statusError{cause: e, status: response.StatusCode, retryAfter: retryAfter(response.Header.Get("Retry-After"), c.settings.Now())}
}

// advise adds what usually helps.
func (c *client) advise(status int, e *memory.Error) *memory.Error {
	switch {
	case status == http.StatusNotFound && c.settings.Provider == Ollama:
		return e.WithHint("fetch the model first: ollama pull %s", c.settings.Model)
	case status == http.StatusNotFound:
		return e.WithHint("check base URL and model")
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return e.WithHint("check the key of the embedder")
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
