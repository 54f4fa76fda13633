// Package llm asks an optional language model, through the chat interface that
// OpenAI defined and Ollama, llama.cpp and vLLM serve too, for proposals: other
// wordings of lines. Nothing here decides anything; whoever asked
// checks what comes back.
package llm

import (
	"net/http"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Settings configure the model. BaseURL, Model and Now must be given.
type Settings struct {
	// BaseURL is the root of the interface, such as http://127.0.0.1:11434/v1;
	// /chat/completions is asked below it.
	BaseURL string
	Model   string // as the service calls it
	// RemoteHost is the one host besides this machine that texts may be sent
	// to; it must be the host of BaseURL. A slip in a URL thus sends nothing.
	RemoteHost string
	// Key returns the key of the service; nil or "" sends none. It is asked for
	// at each request, so that a rotated key is picked up.
	Key func() (string, error)

	Timeout   time.Duration     // of one request; default 60 s
	Now       func() time.Time  // for the breaker
	Transport http.RoundTripper // nil: direct connections, no proxy
}

const (
	serviceName    = "language model"
	exampleURL     = "http://127.0.0.1:11434/v1"
	defaultTimeout = 60 * time.Second
)

// complete checks the settings and fills in the defaults.
func (s Settings) complete() (Settings, error) {
	if s.Now == nil {
		return s, memory.Errorf(memory.Internal, "the language model was given no clock")
	}
	if s.Model == "" {
		return s, memory.Errorf(memory.InvalidArgument, "the language model has no name").
			WithHint("set llm.model, for example qwen3:4b, or remove llm.base_url to use none")
	}
	if s.Timeout <= 0 {
		s.Timeout = defaultTimeout
	}
	s.BaseURL = strings.TrimRight(s.BaseURL, "/")
	return s, nil
}
