package embed_test

import (
	"context"
	"net/http"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentmemory/internal/embed"
	"agentmemory/internal/endpoint"
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
		wantState := func(want endpoint.State, requests int) {
			t.Helper()
			if got, _ := r.Breaker().State(); got != want || s.count() != requests {
				t.Errorf("%s after %d requests, want %s after %d", got, s.count(), want, requests)
			}
		}
		for range 3 {
			ask()
		}
		wantState(endpoint.Open, 3)
		if err := ask(); memory.CodeOf(err) != memory.Unavailable {
			t.Errorf("open: %v", err)
		}
		wantState(endpoint.Open, 3)
		time.Sleep(5 * time.Second)
		wantState(endpoint.HalfOpen, 3)
		ask() // fails: opens for twice as long
		wantState(endpoint.Open, 4)
		time.Sleep(9 * time.Second)
		wantState(endpoint.Open, 4)
		time.Sleep(time.Second)
		ask()
		wantState(endpoint.Open, 5)
		time.Sleep(20 * time.Second)
		if err := ask(); err != nil {
			t.Error(err)
		}
		wantState(endpoint.Closed, 6)
	})
}

func TestHalfOpenLetsOneTrialThrough(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		b := endpoint.NewBreaker("embedder", endpoint.Rest{First: 5 * time.Second, Longest: 5 * time.Minute}, time.Now)
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
		if state, _ := r.Breaker().State(); state != endpoint.Closed {
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
