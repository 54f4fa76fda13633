//go:build mutant_leak

package server

import "context"

// bounded is wrong on purpose: something that was started for a call, and what
// it holds, stays for ever. bench/promises has to notice.
func bounded(ctx context.Context) (context.Context, context.CancelFunc) {
	held := make([]byte, 32<<10)
	for i := range held {
		held[i] = byte(i)
	}
	go func() {
		<-context.WithoutCancel(ctx).Done()
		held[0]++
	}()
	return ctx, func() {}
}
