package main

import (
	"context"
	"encoding/json"
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
	return e.transcripts != nil && e.transcripts.quiet() > 0 && slices.ContainsFunc(e.profile.Jobs, func(j lifecycle.Job) bool {
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
		}
		if err != nil && ctx.Err() == nil {
			e.log.Warn().Err(err).Msg("capturing conversations that have ended")
		}
	}
}

// captureFinished captures them as a job of its own, and lets follow what
// follows a sync.
func (e *engine) captureFinished(ctx context.Context) error {
	s, err := e.scheduler()
	if err != nil {
		return err
	}
	raw, err := json.Marshal(map[string]any{"what": "sessions", "finished": true})
	if err != nil {
		return fmt.Errorf("encoding the arguments: %w", err)
	}
	sync := e.audit.watch(tools.Bind(tools.SyncSpec(), e.sync().Run), e.now)
	job, _ := s.Timetable.Job("sync")
	job.Name, job.Excludes = jobs.Conversation, []string{"sync"}
	added := 0
	_, err = s.Runner.Run(ctx, jobs.Order{Job: job, Why: "ended"}, func(ctx context.Context, _ jobs.Job) (string, error) {
		result, err := sync.Call(ctx, raw)
		if r, ok := result.(tools.SyncResult); ok && r.Sessions != nil {
			added = r.Sessions.Added + r.Sessions.Merged
		}
		return told(result), err
	})
	if err != nil || added == 0 {
		return err
	}
	e.Notify()
	for _, next := range s.Timetable.Following("sync") {
		s.RunNow(ctx, next.Name, "after "+jobs.Conversation)
	}
	return nil
}
