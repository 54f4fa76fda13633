package main

import (
	"context"
	"time"

	"agentmemory/tools"
)

// The parts of the mirror are asked for by what they can do.

func purgerOf(part any) tools.Purger {
	p, _ := part.(tools.Purger)
	return p
}

func projectionsOf(part any) tools.Projections {
	p, _ := part.(tools.Projections)
	return p
}

// mirrorRun keeps files and store in step until ctx ends.
func (e *engine) mirrorRun(ctx context.Context) error {
	if r, ok := any(e.mirror).(interface {
		Run(ctx context.Context) error
	}); ok {
		return r.Run(ctx)
	}
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(200 * time.Millisecond):
		}
		if size, _, err := e.store.OutboxSize(ctx); err != nil || size == 0 {
			continue
		}
		if err := e.mirror.Drain(ctx); err != nil && ctx.Err() == nil {
			e.log.Warn().Err(err).Msg("writing files")
		}
	}
}
