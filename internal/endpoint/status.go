package endpoint

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// StatusError is an answer other than 200.
type StatusError struct {
	cause      *memory.Error
	Status     int
	RetryAfter time.Duration // 0: not said
}

func (e *StatusError) Error() string { return e.cause.Error() }

// Unwrap gives the failure the code that callers see.
func (e *StatusError) Unwrap() error { return e.cause }

// Rejected reports whether a service works and does not want this text: too
// long, or not to its taste.
func Rejected(err error) bool {
	status, ok := errors.AsType[*StatusError](err)
	return ok && (status.cause.Code == memory.InvalidArgument || status.cause.Code == memory.TooLarge)
}

func (s *Service) refused(response *http.Response, key string) error {
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
	status := response.StatusCode
	e := memory.Errorf(codeOf(status), "the %s answered %d: %s", s.settings.Name, status, said)
	switch {
	case status == http.StatusNotFound && s.settings.Missing != "":
		e = e.WithHint("%s", s.settings.Missing)
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		e = e.WithHint("check the key of the %s", s.settings.Name)
	}
	return &StatusError{cause: e, Status: status, RetryAfter: retryAfter(response.Header.Get("Retry-After"), s.settings.Now())}
}

func codeOf(status int) memory.Code {
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

// maxRetryAfter is the longest that a service is believed.
const maxRetryAfter = 60 * time.Second

// retryAfter reads a Retry-After header (RFC 9110 §10.2.3): seconds or a date.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.Atoi(header); err == nil {
		return min(max(0, time.Duration(seconds))*time.Second, maxRetryAfter)
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(0, at.Sub(now)), maxRetryAfter)
	}
	return 0
}
