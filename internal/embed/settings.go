package embed

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// The providers that New knows.
const (
	Ollama = "ollama"
	OpenAI = "openai"
)

// Settings configure a remote embedder. Only Provider and Model, and for openai
// BaseURL, must be given.
type Settings struct {
	Provider string // Ollama or OpenAI
	Model    string // as the provider calls it
	// BaseURL is the root of the API; a final /api or /v1 is dropped. Default for Ollama:
	// http://127.0.0.1:11434; OpenAI has none.
	BaseURL string
	// RemoteHost is the one host besides this machine that texts may be sent
	// to; it must be the host of BaseURL. A slip in a URL thus sends nothing.
	RemoteHost string
	// Key returns the API key; nil or "" sends none. It is asked for at each
	// request, so that a rotated key is picked up.
	Key func() (string, error)

	Dimension int  // that answers must have; 0: learn it from the first
	Shorten   bool // ask the provider for Dimension, for models that can shorten vectors

	QueryPrefix    string // put before questions, for models trained with one
	DocumentPrefix string // put before documents

	Timeout   time.Duration // of one request; default 30 s
	BatchSize int           // texts a request; default 32, at most 512
	Retries   int           // after the first attempt, documents only; default 3, negative: none

	Now       func() time.Time  // required
	Transport http.RoundTripper // nil: direct connections, no proxy
}

const (
	ollamaURL      = "http://127.0.0.1:11434"
	defaultTimeout = 30 * time.Second
	defaultBatch   = 32
	maxBatch       = 512
	defaultRetries = 3
)

// complete checks the settings and fills in the defaults.
func (s Settings) complete() (Settings, error) {
	if s.Provider != Ollama && s.Provider != OpenAI {
		return s, memory.Errorf(memory.InvalidArgument, "embedder %q is not known", s.Provider).WithHint("use %s or %s", Ollama, OpenAI)
	}
	if s.Model == "" {
		return s, memory.Errorf(memory.InvalidArgument, "the %s embedder has no model", s.Provider).WithHint("name one, for example nomic-embed-text")
	}
	if s.Now == nil {
		return s, memory.Errorf(memory.Internal, "the embedder was given no clock")
	}
	if s.Dimension < 0 || s.Dimension > MaxDimension {
		return s, memory.Errorf(memory.InvalidArgument, "dimension %d is not between 0 and %d", s.Dimension, MaxDimension)
	}
	s.defaults()
	return s, nil
}

func (s *Settings) defaults() {
	if s.BaseURL == "" && s.Provider == Ollama {
		s.BaseURL = ollamaURL
	}
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	s.BaseURL = strings.TrimSuffix(strings.TrimSuffix(s.BaseURL, "/v1"), "/api")
	if s.Timeout <= 0 {
		s.Timeout = defaultTimeout
	}
	if s.BatchSize <= 0 {
		s.BatchSize = defaultBatch
	}
	s.BatchSize = min(s.BatchSize, maxBatch)
	if s.Retries == 0 {
		s.Retries = defaultRetries
	}
}

// identity is the name under which vectors are kept: whatever changes stored
// vectors must change it.
func (s *Settings) identity() string {
	if s.DocumentPrefix == "" {
		return s.Model
	}
	sum := sha256.Sum256([]byte(s.DocumentPrefix))
	return s.Model + "+" + hex.EncodeToString(sum[:4])
}
