package memory_test

import (
	"errors"
	"fmt"
	"io"
	"testing"

	"agentmemory/internal/memory"
)

// Codes are for programs: a message says each error in its words, the outermost
// code stands before what is logged.
func TestMessagesHoldNoCodesOfTheirCauses(t *testing.T) {
	missing := memory.Errorf(memory.NotFound, "no memory has id %q", "x")
	for _, c := range []struct {
		err             *memory.Error
		message, logged string
	}{
		{missing, `no memory has id "x"`, `not_found: no memory has id "x"`},
		{memory.Errorf(memory.InvalidArgument, "line 3: %w", missing), `line 3: no memory has id "x"`, `invalid_argument: line 3: no memory has id "x"`},
		{memory.Errorf(memory.InvalidArgument, "line 3: %w", fmt.Errorf("reading it: %w", missing)), `line 3: reading it: no memory has id "x"`, `invalid_argument: line 3: reading it: no memory has id "x"`},
		{memory.Errorf(memory.Internal, "a: %v", memory.Errorf(memory.Conflicting, "b: %w", missing)), `a: b: no memory has id "x"`, `internal: a: b: no memory has id "x"`},
		{memory.Errorf(memory.Unavailable, "reading: %w", io.ErrUnexpectedEOF), "reading: unexpected EOF", "unavailable: reading: unexpected EOF"},
		{&memory.Error{Code: memory.Internal, Message: "something failed", Err: missing}, "something failed", `internal: something failed: not_found: no memory has id "x"`},
	} {
		if c.err.Message != c.message || c.err.Error() != c.logged {
			t.Errorf("message %q, logged %q; want %q, %q", c.err.Message, c.err.Error(), c.message, c.logged)
		}
	}
	if outer := memory.Errorf(memory.InvalidArgument, "line 3: %w", missing); !errors.Is(outer, missing) || memory.CodeOf(outer) != memory.InvalidArgument {
		t.Error("the cause is lost")
	}
}
