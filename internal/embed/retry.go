package embed

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"
)

const (
	firstDelay = 500 * time.Millisecond
	maxDelay   = 60 * time.Second // also of a Retry-After
)

// retryAfter reads a Retry-After header (RFC 9110 §10.2.3): seconds or a date.
func retryAfter(header string, now time.Time) time.Duration {
	header = strings.TrimSpace(header)
	if seconds, err := strconv.Atoi(header); err == nil {
		return min(max(0, time.Duration(seconds))*time.Second, maxDelay)
	}
	if at, err := http.ParseTime(header); err == nil {
		return min(max(0, at.Sub(now)), maxDelay)
	}
	return 0
}

// retryDelay returns how long to wait before the attempt after number n
// (from 0), and whether another attempt makes sense at all.
func retryDelay(err error, n int) (time.Duration, bool) {
	var status *statusError
	if !errors.As(err, &status) {
		return 0, false // a hanging or lying server is the breaker's business
	}
	if status.status != http.StatusTooManyRequests && status.status < 500 {
		return 0, false
	}
	if status.retryAfter > 0 {
		return status.retryAfter, true
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
