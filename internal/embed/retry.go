package embed

import (
	"context"
	"errors"
	"net/http"
	"time"

	"agentmemory/internal/endpoint"
)

const (
	firstDelay = 500 * time.Millisecond
	maxDelay   = 60 * time.Second
)

// retryDelay returns how long to wait before the attempt after number n
// (from 0), and whether another attempt makes sense at all.
func retryDelay(err error, n int) (time.Duration, bool) {
	var status *endpoint.StatusError
	if !errors.As(err, &status) {
		return 0, false // a hanging or lying server is the breaker's business
	}
	if status.Status != http.StatusTooManyRequests && status.Status < 500 {
		return 0, false
	}
	if status.RetryAfter > 0 {
		return status.RetryAfter, true
	}
	return min(firstDelay<<n, maxDelay), true
}

// sleep waits for d or until the context ends.
func sleep(ctx context.Context, d time.Duration) error {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-timer.C:
		return nil
	}
}
