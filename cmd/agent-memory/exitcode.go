package main

import (
	"context"
	"errors"
	"fmt"

	"agentmemory/internal/memory"
)

// The exit statuses that are not failures of a use case.
const (
	exitOK          = 0
	exitInternal    = 1
	exitProblems    = 12  // doctor found something that needs attention
	exitInterrupted = 130 // as shells report SIGINT
)

const exitHelp = `0 done, 1 internal, 2 invalid argument, 3 not found, 4 conflict,
5 needs confirmation, 6 too large, 7 read only, 8 unavailable, 9 newer store,
10 permission denied, 11 deadline exceeded, 12 doctor or watchdog found problems,
130 interrupted.`

// exitCodes maps the code of a failure to the exit status. It is part of the
// interface: scripts rely on it.
func exitCodes() map[memory.Code]int {
	return map[memory.Code]int{
		memory.Internal:          exitInternal,
		memory.InvalidArgument:   2,
		memory.NotFound:          3,
		memory.Conflicting:       4,
		memory.NeedsConfirmation: 5,
		memory.TooLarge:          6,
		memory.ReadOnly:          7,
		memory.Unavailable:       8,
		memory.NewerStore:        9,
		memory.PermissionDenied:  10,
		memory.DeadlineExceeded:  11,
	}
}

// exitStatus ends the program with a status and nothing more to say.
type exitStatus int

func (s exitStatus) Error() string { return fmt.Sprintf("exit status %d", int(s)) }

func exitCode(err error) int {
	if errors.Is(err, context.Canceled) {
		return exitInterrupted
	}
	if code, known := exitCodes()[publicError(err).Code]; known {
		return code
	}
	return exitInternal
}
