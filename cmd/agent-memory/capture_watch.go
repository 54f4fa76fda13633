package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"time"

	"agentmemory/internal/jobs"
	"agentmemory/lifecycle"
	"agentmemory/tools"
)

// The bounds of how often a server looks for conversations that have ended: a
// tenth of the silence by which it tells.
const (
	looksAtLeast = time.Minute
	looksAtMost  = time.Second / 2
)

// quiet is the silence after which a conversation has ended.
func (t *transcripts) quiet() time.Duration { return t.e.config.duration(setCaptureQuiet) }

// noticing reports whether a server captures conversations as they end: where
// capture is on and the profile's sync follows conversations.
func (e *engine) noticing() bool {
	return e.transcripts != nil && e.transcripts.quiet() > 0 && slices.ContainsFunc(e.config.jobs(e.profile.Jobs), func(j lifecycle.Job) bool {
		return j.Name == "sync" && j.After == jobs.Conversation
	})
}

// notice captures conversations as they end, until ctx does. Of several servers
// one does it; the others find nothing left.
func (e *engine) notice(ctx context.Context) error {
	ticker := time.NewTicker(min(max(e.transcripts.quiet()/10, looksAtMost), looksAtLeast))
	defer ticker.Stop()
	var tried []string // what cannot be read is tried once, until it changes
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-ticker.C:
		}
		found, err := e.transcripts.collector.Finished(ctx, e.transcripts.quiet())
		if err == nil && len(found) > 0 && !slices.Equal(found, tried) {
			tried = found
			err = e.captureFinished(ctx)
			if _, busy := errors.AsType[*jobs.BusyError](err); busy {
				tried = nil // whoever is at it may look at files only
			}
		}
		if err != nil && ctx.Err() == nil {
			e.log.Warn().Err(err).Msg("capturing conversations that have ended")
		}
	}
}

// captureFinished captures them, and lets follow what follows a sync.
func (e *engine) captureFinished(ctx context.Context) error {
	added, err := e.captureAsJob(ctx, "ended", 0, tools.SyncArgs{Finished: true})
	if err != nil || added == 0 {
		return err
	}
	return e.followCapture(ctx)
}

// captureAsJob captures conversations as a job of its own: it is no sync of a
// period, but must not run beside one, for which it waits. It returns how many
// memories were added or changed.
func (e *engine) captureAsJob(ctx context.Context, why string, patience time.Duration, wanted tools.SyncArgs) (added int, err error) {
	s, err := e.scheduler()
	if err != nil {
		return 0, err
	}
	wanted.What = "sessions"
	raw, err := json.Marshal(wanted)
	if err != nil {
		return 0, fmt.Errorf("encoding the arguments: %w", err)
	}
	sync := e.audit.watch(tools.Bind(tools.SyncSpec(), e.sync().Run), e.now)
	job, _ := s.Timetable.Job("sync")
	job.Name, job.Excludes = jobs.Conversation, []string{"sync"}
	runner := *s.Runner
	runner.Patience = patience
	_, err = runner.Run(ctx, jobs.Order{Job: job, Why: why}, func(ctx context.Context, _ jobs.Job) (string, error) {
		result, err := sync.Call(ctx, raw)
		if r, ok := result.(tools.SyncResult); ok && r.Sessions != nil {
			added = r.Sessions.Added + r.Sessions.Merged
		}
		return told(result), err
	})
	if err == nil {
		e.Notify()
	}
	return added, err
}

// followCapture runs what follows a sync.
func (e *engine) followCapture(ctx context.Context) error {
	s, err := e.scheduler()
	if err != nil {
		return err
	}
	for _, next := range s.Timetable.Following("sync") {
		s.RunNow(ctx, next.Name, "after "+jobs.Conversation)
	}
	return nil
}
