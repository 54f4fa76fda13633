package memory

import "context"

// Fence returns an error when the work that it stands before was overtaken by
// another process. It is asked while nobody else can commit.
type Fence func() error

type fenceKey struct{}

// WithFence returns a context under which everything that commits asks a fence
// first, besides those that ctx already has.
func WithFence(ctx context.Context, f Fence) context.Context {
	before, _ := ctx.Value(fenceKey{}).(Fence)
	return context.WithValue(ctx, fenceKey{}, Fence(func() error {
		if before != nil {
			if err := before(); err != nil {
				return err
			}
		}
		return f()
	}))
}

// Fenced asks the fences of a context. Whoever commits calls it under the lock
// that the commit needs, so that nobody takes over in between.
func Fenced(ctx context.Context) error {
	if f, ok := ctx.Value(fenceKey{}).(Fence); ok && fencesHold {
		return f()
	}
	return nil
}
