package embed

import (
	"context"
	"time"

	"agentmemory/internal/endpoint"
)

const (
	maxVectorBytes = 256 << 10 // of JSON for one vector
	maxAnswerBytes = 1 << 20   // on top of the vectors
)

// client sends one request and judges one answer. It neither retries nor waits.
type client struct {
	*endpoint.Service
	settings Settings
	protocol protocol
}

func newClient(s Settings) (*client, error) {
	service, err := endpoint.New(endpoint.Settings{
		Name: s.name(), Table: "embedding", Example: ollamaURL, BaseURL: s.BaseURL, RemoteHost: s.RemoteHost, Key: s.Key, Timeout: s.Timeout, Now: s.Now, Transport: s.Transport,
		Missing: s.missing(),
	})
	if err != nil {
		return nil, err //nolint:wrapcheck // its message is for callers
	}
	return &client{Service: service, settings: s, protocol: protocolOf(s.Provider)}, nil
}

// name is how messages speak of the service.
func (s *Settings) name() string { return s.Provider + " embedder" }

// missing is what helps where the service does not know the model.
func (s *Settings) missing() string {
	if s.Provider == Ollama {
		return "fetch the model first: ollama pull " + s.Model
	}
	return "check base URL and model"
}

// newBreaker returns the breaker of a service that is asked often.
func newBreaker(s Settings) *endpoint.Breaker {
	return endpoint.NewBreaker("embedder", endpoint.Rest{First: 5 * time.Second, Longest: 5 * time.Minute}, s.Now)
}

// send asks for the vectors of texts once. The vectors are as the provider gave them.
func (c *client) send(ctx context.Context, texts []string) ([][]float32, string, error) {
	body, err := c.Post(ctx, c.protocol.path(), c.protocol.request(&c.settings, texts), maxAnswerBytes+len(texts)*maxVectorBytes)
	if err != nil {
		return nil, "", err //nolint:wrapcheck // its message is for callers
	}
	vectors, model, err := c.protocol.parse(body, len(texts))
	if err != nil {
		return nil, "", c.Unusable(err)
	}
	return vectors, model, nil
}
