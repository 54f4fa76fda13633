//go:build !mutant_leak

package server

import "context"

// bounded gives a call a context of its own that ends with the call, so that
// nothing which was started for it goes on.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	return context.WithCancel(ctx)
}
