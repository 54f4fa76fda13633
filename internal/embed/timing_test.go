package embed_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentmemory/internal/embed"
	"agentmemory/internal/memory"
)

// simulated returns an embedder over a service without network, inside a
// bubble of simulated time.
func simulated(t *testing.T, s *service) *embed.Remote {
	return remote(t, embed.Settings{Provider: embed.Ollama, Model: "m", Now: time.Now, Transport: inside{s}})
}

func failing(status int, times int, header ...string) func(int, http.ResponseWriter, *http.Request) bool {
	return func(n int, w http.ResponseWriter, _ *http.Request) bool {
		if n >= times {
			return false
		}
		if len(header) == 2 {
			w.Header().Set(header[0], header[1])
		}
		http.Error(w, "busy", status)
		return true
	}
}

func TestDocumentsAreTriedAgain(t *testing.T) {
	date := time.Date(2000, 1, 1, 0, 0, 7, 0, time.UTC).Format(http.TimeFormat) // bubbles begin at midnight
	for name, c := range map[string]struct {
		fail  func(int, http.ResponseWriter, *http.Request) bool
		tries int
		took  time.Duration
		ok    bool
	}{
		"at once":                    {nil, 1, 0, true},
		"after two failures":         {failing(500, 2), 3, 1500 * time.Millisecond, true},
		"when told to wait":          {failing(429, 1, "Retry-After", "9"), 2, 9 * time.Second, true},
		"until a date":               {failing(503, 1, "Retry-After", date), 2, 7 * time.Second, true},
		"not for hours":              {failing(503, 1, "Retry-After", "86400"), 2, time.Minute, true},
		"nonsense is no time":        {failing(503, 1, "Retry-After", "soon"), 2, 500 * time.Millisecond, true},
		"not when the text is wrong": {failing(400, 1), 1, 0, false},
		"not without permission":     {failing(401, 1), 1, 0, false},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				s, start := &service{fail: c.fail}, time.Now()
				_, err := simulated(t, s).Documents(t.Context(), []string{"a"})
				if (err == nil) != c.ok || s.count() != c.tries || time.Since(start) != c.took {
					t.Errorf("%d tries in %v: %v", s.count(), time.Since(start), err)
				}
			})
		})
	}
}

func TestBreakerLeavesAFailingServiceAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{fail: failing(500, 5)}
		r := simulated(t, s)
		ask := func() error { _, err := r.Query(t.Context(), "a"); return err }
		wantState := func(want embed.BreakerState, requests int) {
			t.Helper()
			if got, _ := r.Breaker().State(); got != want || s.count() != requests {
				t.Errorf("%s after %d requests, want %s after %d", got, s.count(), want, requests)
			}
		}
		for range 3 {
			ask()
		}
		wantState(embed.Open, 3)
		if err := ask(); memory.CodeOf(err) != memory.Unavailable {
			t.Errorf("open: %v", err)
		}
		wantState(embed.Open, 3)
		time.Sleep(5 * time.Second)
		wantState(embed.HalfOpen, 3)
		ask() // fails: opens for twice as long
		wantState(embed.Open, 4)
		time.Sleep(9 * time.Second)
		wantState(embed.Open, 4)
		time.Sleep(time.Second)
		ask()
		wantState(embed.Open, 5)
		time.Sleep(20 * time.Second)
		if err := ask(); err != nil {
			t.Error(err)
		}
		wantState(embed.Closed, 6)
	})
}

func TestHalfOpenLetsOneTrialThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := embed.NewBreaker(time.Now)
		for range 3 {
			b.Failed()
		}
		time.Sleep(5 * time.Second)
		if err := b.Allow(); err != nil {
			t.Error(err)
		}
		if b.Allow() == nil {
			t.Error("a second trial was let through")
		}
		b.Abandoned() // its caller gave up: the next one tries
		if err := b.Allow(); err != nil {
			t.Error(err)
		}
	})
}

func TestImpatientCallersDoNotOpenTheBreaker(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{fail: func(int, http.ResponseWriter, *http.Request) bool { time.Sleep(2 * time.Second); return false }}
		r := simulated(t, s)
		for range 5 {
			ctx, cancel := context.WithTimeout(t.Context(), time.Second)
			if _, err := r.Query(ctx, "a"); err == nil {
				t.Error("no error")
			}
			cancel()
		}
		if state, _ := r.Breaker().State(); state != embed.Closed {
			t.Error(state)
		}
	})
}

func TestQuestionsWaitNoLongerThanTheirCallers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var slow atomic.Bool
		slow.Store(true)
		s := &service{fail: func(int, http.ResponseWriter, *http.Request) bool {
			if slow.Load() {
				time.Sleep(5 * time.Second)
			}
			return false
		}}
		a, start := embed.NewAsker(simulated(t, s), 0), time.Now()
		if _, err := a.Query(t.Context(), "a"); memory.CodeOf(err) != memory.DeadlineExceeded || time.Since(start) != embed.QuestionPatience {
			t.Errorf("after %v: %v", time.Since(start), err)
		}
		for range 3 {
			a.Query(t.Context(), "b")
		}
		start = time.Now()
		if _, err := a.Query(t.Context(), "c"); memory.CodeOf(err) != memory.Unavailable || time.Since(start) != 0 {
			t.Errorf("the fifth question waited %v: %v", time.Since(start), err)
		}
		time.Sleep(5 * time.Second)
		slow.Store(false)
		if v, err := a.Query(t.Context(), "d"); err != nil || len(v) != 3 {
			t.Errorf("once the model is loaded: %v, %v", v, err)
		}
	})
}

// queue is a store of contents and vectors in memory.
type queue struct {
	mu       sync.Mutex
	contents []memory.PendingVector
	vectors  map[memory.Model]map[string][]float32
	err      error
}

func (q *queue) add(texts ...string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	for _, t := range texts {
		q.contents = append(q.contents, memory.PendingVector{ContentHash: memory.Hash(t), Content: t})
	}
}

func (q *queue) PendingVectors(_ context.Context, m memory.Model, limit int) ([]memory.PendingVector, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	var out []memory.PendingVector
	for _, c := range q.contents {
		if q.vectors[m][c.ContentHash] == nil && len(out) < limit {
			out = append(out, c)
		}
	}
	return out, q.err
}

func (q *queue) PutVectors(_ context.Context, m memory.Model, vs []memory.Vector) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.vectors == nil {
		q.vectors = map[memory.Model]map[string][]float32{}
	}
	if q.vectors[m] == nil {
		q.vectors[m] = map[string][]float32{}
	}
	for _, v := range vs {
		q.vectors[m][v.ContentHash] = v.Values
	}
	return nil
}

func (q *queue) VectorProgress(_ context.Context, m memory.Model) (int, int, error) {
	q.mu.Lock()
	defer q.mu.Unlock()
	return len(q.vectors[m]), len(q.contents), nil
}

// working runs a worker in the bubble until the test ends.
func working(t *testing.T, e embed.Embedder, q *queue, o embed.WorkerOptions) *embed.Worker {
	t.Helper()
	w := embed.NewWorker(e, q, o)
	ctx, cancel := context.WithCancel(t.Context())
	stopped := make(chan error)
	go func() { stopped <- w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-stopped; !errors.Is(err, context.Canceled) {
			t.Errorf("the worker ended with %v", err)
		}
	})
	return w
}

func status(t *testing.T, w *embed.Worker) embed.WorkerStatus {
	t.Helper()
	synctest.Wait()
	s, err := w.Status(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func TestWorkerEmbedsWhatIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, q, completed := &service{}, &queue{}, 0
		for i := range 80 {
			q.add(fmt.Sprintf("memory %d", i))
		}
		w := working(t, simulated(t, s), q, embed.WorkerOptions{Generation: 7, Completed: func(context.Context, memory.Model) error { completed++; return nil }})
		got := status(t, w)
		if got.Done != 80 || got.Pending() != 0 || got.Model != (memory.Model{Provider: "ollama", Name: "m", Dimension: 3, Generation: 7}) || got.Breaker != embed.Closed {
			t.Errorf("%+v", got)
		}
		if s.count() != 4 || completed != 1 { // the dimension, 32, 32, 16
			t.Errorf("%d requests, completed %d times", s.count(), completed)
		}
		q.add("new")
		w.Notify()
		w.Notify()
		if got := status(t, w); got.Done != 81 {
			t.Errorf("after a notice: %+v", got)
		}
		q.add("by another process")
		time.Sleep(time.Minute)
		if got := status(t, w); got.Done != 82 {
			t.Errorf("after a poll: %+v", got)
		}
	})
}

func TestWorkerWaitsForAFailingService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var down atomic.Bool
		down.Store(true)
		s := &service{fail: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			if down.Load() {
				http.Error(w, "down", http.StatusBadGateway)
			}
			return down.Load()
		}}
		q, reported := &queue{}, 0
		q.add("a", "b")
		w := working(t, simulated(t, s), q, embed.WorkerOptions{Report: func(error) { reported++ }})
		time.Sleep(time.Hour)
		got := status(t, w)
		if got.Done != 0 || got.Pending() != 2 || got.LastError == "" || got.Breaker == embed.Closed || reported == 0 {
			t.Errorf("%+v", got)
		}
		if n := s.count(); n < 8 || n > 30 { // 5 minutes apart in the end
			t.Errorf("%d requests in an hour", n)
		}
		before := s.count()
		for range 100 {
			w.Notify()
			time.Sleep(time.Second)
		}
		if n := s.count() - before; n > 2 {
			t.Errorf("notices made %d requests to a failing service", n)
		}
		down.Store(false)
		time.Sleep(5 * time.Minute)
		if got := status(t, w); got.Done != 2 || got.LastError != "" || got.Breaker != embed.Closed {
			t.Errorf("after recovery: %+v", got)
		}
	})
}

func TestOneBadTextDoesNotHoldUpTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s := &service{}
		s.fail = func(n int, w http.ResponseWriter, _ *http.Request) bool {
			tooLong := slices.ContainsFunc(s.requests[n].Input, func(x string) bool { return strings.HasPrefix(x, "long") })
			if tooLong {
				http.Error(w, "context length exceeded", http.StatusBadRequest)
			}
			return tooLong
		}
		q := &queue{}
		q.add("a", "long 1", "b", "c", "long 2", "d")
		w := working(t, simulated(t, s), q, embed.WorkerOptions{Batch: 4})
		if got := status(t, w); got.Done != 4 || got.Rejected != 2 || got.Pending() != 0 || got.LastError != "" {
			t.Errorf("%+v", got)
		}
		before := s.count()
		time.Sleep(time.Hour)
		if synctest.Wait(); s.count() != before {
			t.Errorf("rejected texts were sent %d times more", s.count()-before)
		}
	})
}

func TestWorkerSurvivesAStoreThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &queue{err: errors.New("disk full")}
		w := working(t, simulated(t, &service{}), q, embed.WorkerOptions{})
		if got := status(t, w); !strings.Contains(got.LastError, "disk full") {
			t.Errorf("%+v", got)
		}
		q.mu.Lock()
		q.err = nil
		q.mu.Unlock()
		q.add("a")
		time.Sleep(10 * time.Second)
		if got := status(t, w); got.Done != 1 || got.LastError != "" {
			t.Errorf("%+v", got)
		}
	})
}
