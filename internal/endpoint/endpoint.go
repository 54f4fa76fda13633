// Package endpoint sends questions to a service over HTTP that somebody may have
// configured: an embedder, a language model. It sees to it that texts and keys go
// to the configured host and nowhere else, that nothing waits for ever or reads
// without bounds, and that a service that keeps failing is left alone.
package endpoint

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
	"time"

	"agentmemory/internal/memory"
)

const (
	maxErrorBytes   = 2 << 10 // of an error answer that are read
	maxErrorExcerpt = 160     // bytes of it that are shown
)

// Settings say where a service is and how it is spoken of. Name, BaseURL, Timeout
// and Now must be given.
type Settings struct {
	Name    string // in messages: "language model", "ollama embedder"
	Table   string // of the settings that it is configured by, for hints
	Example string // of a base URL, for hints

	BaseURL string // without a final slash
	// RemoteHost is the one host besides this machine that texts may be sent
	// to; it must be the host of BaseURL. A slip in a URL thus sends nothing.
	RemoteHost string
	// Key returns the key of the service; nil or "" sends none. It is asked for
	// at each request, so that a rotated key is picked up.
	Key func() (string, error)

	Timeout   time.Duration     // of one request
	Now       func() time.Time  // for Retry-After
	Transport http.RoundTripper // nil: direct connections, no proxy
	// Missing is what helps where the service does not know the model.
	Missing string
}

// Service is an endpoint. It neither retries nor waits, and may be used by
// several goroutines.
type Service struct {
	settings Settings
	http     *http.Client
}

// New checks the address and returns the service. Nothing is sent.
func New(s Settings) (*Service, error) {
	if err := s.checkAddress(); err != nil {
		return nil, err
	}
	if s.Key == nil {
		s.Key = func() (string, error) { return "", nil }
	}
	transport := s.Transport
	if transport == nil {
		transport = &http.Transport{
			DialContext:         (&net.Dialer{Timeout: 5 * time.Second}).DialContext,
			TLSHandshakeTimeout: 5 * time.Second,
			IdleConnTimeout:     30 * time.Second,
			MaxIdleConnsPerHost: 2,
			ForceAttemptHTTP2:   true,
		}
	}
	// A redirect would carry texts and key to a host that nobody configured.
	stay := func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }
	return &Service{settings: s, http: &http.Client{Transport: transport, CheckRedirect: stay}}, nil
}

// Close drops idle connections.
func (s *Service) Close() { s.http.CloseIdleConnections() }

// Post sends a question as JSON to a path below the base URL and returns the
// body of the answer, at most limit bytes. An answer other than 200 is a *StatusError.
func (s *Service) Post(ctx context.Context, path string, question any, limit int) ([]byte, error) {
	ctx, cancel := context.WithTimeout(ctx, s.settings.Timeout)
	defer cancel()
	request, key, err := s.request(ctx, path, question)
	if err != nil {
		return nil, err
	}
	response, err := s.http.Do(request)
	if err != nil {
		return nil, s.unreachable(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, s.refused(response, key)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, int64(limit)+1))
	if err != nil {
		return nil, s.unreachable(fmt.Errorf("reading the answer: %w", err))
	}
	if len(body) > limit {
		return nil, s.Unusable(fmt.Errorf("the answer is longer than %d bytes", limit))
	}
	return body, nil
}

func (s *Service) request(ctx context.Context, path string, question any) (*http.Request, string, error) {
	body, err := json.Marshal(question)
	if err != nil {
		return nil, "", fmt.Errorf("writing the request to the %s: %w", s.settings.Name, err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, s.settings.BaseURL+path, bytes.NewReader(body))
	if err != nil {
		return nil, "", fmt.Errorf("preparing the request to the %s: %w", s.settings.Name, err)
	}
	request.Header.Set("Content-Type", "application/json")
	key, err := s.settings.Key()
	if err != nil {
		return nil, "", memory.Errorf(memory.Unavailable, "reading the key of the %s: %w", s.settings.Name, err)
	}
	if key == "" {
		return request, "", nil
	}
	if !s.settings.keyAllowed() {
		return nil, "", memory.Errorf(memory.PermissionDenied, "the key is not sent over plain http to another host").WithHint("use https")
	}
	request.Header.Set("Authorization", "Bearer "+key)
	return request, key, nil
}

// Unusable is the failure of a service that answers what nobody can use.
func (s *Service) Unusable(err error) error {
	return memory.Errorf(memory.Unavailable, "the %s gave an unusable answer: %w", s.settings.Name, err)
}

// unreachable wraps a failure of the connection. The address is left out: it is in
// the configuration, and errors of net/http repeat the whole URL.
func (s *Service) unreachable(err error) error {
	var timeout net.Error
	slow := errors.Is(err, context.DeadlineExceeded) || errors.As(err, &timeout) && timeout.Timeout()
	var request *url.Error
	if errors.As(err, &request) {
		err = request.Err
	}
	var operation *net.OpError
	if errors.As(err, &operation) {
		err = operation.Err
	}
	if slow {
		return memory.Errorf(memory.DeadlineExceeded, "the %s did not answer in time: %w", s.settings.Name, err).
			WithHint("raise %s.timeout, or choose a smaller model", s.settings.Table)
	}
	return memory.Errorf(memory.Unavailable, "the %s cannot be reached: %w", s.settings.Name, err).
		WithHint("is the service running? See %s.base_url", s.settings.Table)
}
