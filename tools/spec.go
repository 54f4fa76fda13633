// Package tools holds the use cases of the program, one a file: what can be
// asked, what is answered, and what happens in between. Each is used unchanged
// by MCP, HTTP and the command line; what it needs from the outside it
// declares as a small interface.
package tools

import (
	"context"
	"encoding/json"
)

// Hints are the four MCP tool annotations.
type Hints struct {
	ReadOnly, Destructive, Idempotent, OpenWorld bool
}

// Spec describes a use case to its callers.
type Spec struct {
	Name        string
	Title       string
	Description string
	Hints       Hints
	Input       Schema // of the arguments
	Output      json.RawMessage
}

// Tool is a use case with its types erased, as adapters see it: arguments and
// result are JSON. A failure that the caller can mend is a *memory.Error.
type Tool struct {
	Spec
	Call func(ctx context.Context, args json.RawMessage) (any, error)
}

// Bind makes a Tool of a typed use case: arguments are decoded by the rules of
// the schema (unknown names refused, lenient about strings for numbers and the
// other way round), so that no adapter parses anything itself.
func Bind[A, R any](spec Spec, run func(context.Context, A) (R, error)) Tool {
	return Tool{Spec: spec, Call: func(ctx context.Context, raw json.RawMessage) (any, error) {
		var args A
		if err := spec.Input.Decode(raw, &args); err != nil {
			return nil, err
		}
		return run(ctx, args)
	}}
}
