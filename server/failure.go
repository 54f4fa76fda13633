package server

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"runtime/debug"
	"strings"

	"agentmemory/internal/memory"
)

// panicked is a recovered panic with the stack that it came from.
type panicked struct {
	value any
	stack []byte
}

func (p *panicked) Error() string { return fmt.Sprintf("panic: %v", p.value) }

// recovered turns a panic of the function that defers it into *err.
func recovered(err *error) {
	if v := recover(); v != nil {
		*err = &panicked{value: v, stack: debug.Stack()}
	}
}

// shown maps a failure to what the caller may see. Anything that was not made
// for callers is logged under a short id, and only the id is shown: raw errors
// carry paths and content.
func (s *Server) shown(what string, err error) *memory.Error {
	var e *memory.Error
	switch {
	case errors.As(err, &e) && e.Code != memory.Internal:
		s.log.Debug().Str("call", what).Str("code", string(e.Code)).Msg("refused")
		return e
	case errors.Is(err, context.DeadlineExceeded):
		return memory.Errorf(memory.DeadlineExceeded, "the call took too long").WithHint("try again, or ask for less at once")
	case errors.Is(err, context.Canceled):
		return memory.Errorf(memory.Unavailable, "the call was cancelled")
	}
	id := strings.ToLower(rand.Text()[:8])
	event := s.log.Error().Str("log_id", id).Str("call", what).Err(err)
	var p *panicked
	if errors.As(err, &p) {
		event = event.Bytes("stack", p.stack)
	}
	event.Msg("internal error")
	return memory.Errorf(memory.Internal, "internal error").WithHint("the server's log has the cause under %s", id)
}

// protocolError is a failure of a resource or prompt, for which MCP has no
// result: its text goes into the JSON-RPC error.
type protocolError struct{ shown *memory.Error }

func (p protocolError) Error() string {
	if p.shown.Hint == "" {
		return fmt.Sprintf("%s: %s", p.shown.Code, p.shown.Message)
	}
	return fmt.Sprintf("%s: %s (%s)", p.shown.Code, p.shown.Message, p.shown.Hint)
}
