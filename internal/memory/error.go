package memory

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// Code classes an error for callers and for the mapping to exit statuses.
type Code string

// The codes. Each adapter maps them in one table.
const (
	InvalidArgument   Code = "invalid_argument"
	NotFound          Code = "not_found"
	Conflicting       Code = "conflict"
	TooLarge          Code = "too_large"
	NeedsConfirmation Code = "needs_confirmation"
	ReadOnly          Code = "read_only"
	Unavailable       Code = "unavailable"
	NewerStore        Code = "newer_store"
	PermissionDenied  Code = "permission_denied"
	DeadlineExceeded  Code = "deadline_exceeded"
	Internal          Code = "internal"
)

// Error is what a caller sees: what kind, what happened, what to do about it.
// Err, if any, is logged and never shown to a remote caller.
type Error struct {
	Code    Code   `json:"code"`
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
	Err     error  `json:"-"`
}

func (e *Error) Error() string {
	if e.Err != nil && !strings.HasSuffix(e.Message, Spoken(e.Err)) { // Errorf says it already
		return fmt.Sprintf("%s: %s: %v", e.Code, e.Message, e.Err)
	}
	return fmt.Sprintf("%s: %s", e.Code, e.Message)
}

func (e *Error) Unwrap() error { return e.Err }

// Errorf returns an Error without a hint; %w is kept as the cause.
func Errorf(code Code, format string, args ...any) *Error {
	return &Error{Code: code, Message: Sentencef(strings.ReplaceAll(format, "%w", "%v"), args...), Err: errors.Unwrap(fmt.Errorf(format, args...))}
}

// Sentencef formats a sentence for people: errors among the arguments are said
// without their codes, which are for programs.
func Sentencef(format string, args ...any) string {
	said := slices.Clone(args)
	for i, arg := range args {
		var coded *Error
		if err, is := arg.(error); is && errors.As(err, &coded) {
			said[i] = Spoken(err)
		}
	}
	return fmt.Sprintf(format, said...)
}

// Spoken is the text of an error without the codes of the Errors in its chain.
func Spoken(err error) string {
	text := err.Error()
	for e := (*Error)(nil); err != nil && errors.As(err, &e); err = e.Err {
		text = strings.Replace(text, string(e.Code)+": "+e.Message, e.Message, 1)
	}
	return text
}

// WithHint returns the error with advice for the caller.
func (e *Error) WithHint(format string, args ...any) *Error {
	c := *e
	c.Hint = fmt.Sprintf(format, args...)
	return &c
}

// CodeOf returns the code of the first *Error in err's chain, else Internal.
func CodeOf(err error) Code {
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// IsNotFound reports whether err says that there is no such memory.
func IsNotFound(err error) bool { return CodeOf(err) == NotFound }
