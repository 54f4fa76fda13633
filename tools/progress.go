package tools

import "context"

// Progress is told how far a long piece of work is.
type Progress func(done, total int, what string)

type progressKey struct{}

// WithProgress returns a context whose long work reports to p.
func WithProgress(ctx context.Context, p Progress) context.Context {
	return context.WithValue(ctx, progressKey{}, p)
}

// ProgressFrom returns the reporter of the context; it is never nil.
func ProgressFrom(ctx context.Context) Progress {
	if p, ok := ctx.Value(progressKey{}).(Progress); ok && p != nil {
		return p
	}
	return func(int, int, string) {}
}
