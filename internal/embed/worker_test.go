package embed_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"agentmemory/internal/embed"
	"agentmemory/internal/endpoint"
	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/store/storetest"
)

// filled returns a store with memories of these contents.
func filled(t *testing.T, texts ...string) *store.Store {
	t.Helper()
	s, _ := storetest.Open(t)
	add(t, s, texts...)
	return s
}

func add(t *testing.T, s *store.Store, texts ...string) {
	t.Helper()
	var changes []memory.Change
	for _, text := range texts {
		changes = append(changes, memory.Change{Op: memory.OpAdd, Memory: memory.Memory{
			URI: "knowledge://test/" + memory.Hash(text)[:12], Namespace: memory.DefaultNamespace, Type: memory.Knowledge, Form: memory.Note,
			Content: text, Status: memory.Active, Trust: memory.TrustAgent, Home: memory.Place{File: "memory/topics/knowledge.md"},
		}})
	}
	applied, err := s.Apply(t.Context(), changes)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range applied {
		if a.Conflict != memory.NoConflict {
			t.Fatalf("%+v", a)
		}
	}
}

// working runs a worker until the test ends.
func working(t *testing.T, e embed.Embedder, s *store.Store, o embed.WorkerOptions) *embed.Worker {
	t.Helper()
	w := embed.NewWorker(e, s, s, o)
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

func numbered(n int) []string {
	var texts []string
	for i := range n {
		texts = append(texts, fmt.Sprintf("memory %d", i))
	}
	return texts
}

func TestWorkerEmbedsWhatIsPending(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, db := &service{}, filled(t, numbered(80)...)
		w := working(t, simulated(t, s), db, embed.WorkerOptions{})
		got := status(t, w)
		if got.Pending != 0 || got.Serving.Name != "m" || got.Serving.Dimension != 3 || got.Serving.Generation == 0 || got.Building.Name != "" || got.Breaker != endpoint.Closed {
			t.Errorf("%+v", got)
		}
		if s.count() != 4 { // the dimension, 32, 32, 16
			t.Errorf("%d requests", s.count())
		}
		add(t, db, "new")
		w.Notify()
		w.Notify()
		if got := status(t, w); got.Pending != 0 || s.count() != 5 {
			t.Errorf("after a notice: %+v, %d requests", got, s.count())
		}
		add(t, db, "by another process")
		if got := status(t, w); got.Pending != 1 {
			t.Errorf("unnoticed: %+v", got)
		}
		time.Sleep(time.Minute)
		if got := status(t, w); got.Pending != 0 {
			t.Errorf("after a poll: %+v", got)
		}
	})
}

// A new model is made beside the old one, which serves until the new is whole.
func TestModelsAreSwitchedWhole(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		db := filled(t, numbered(40)...)
		old := embed.NewWorker(simulated(t, &service{}), db, db, embed.WorkerOptions{})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := old.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Fatal(err)
		}
		s := &service{fail: func(n int, _ http.ResponseWriter, _ *http.Request) bool {
			if n == 2 {
				time.Sleep(20 * time.Second)
			}
			return false
		}}
		next := remote(t, embed.Settings{Provider: embed.OpenAI, Model: "next", BaseURL: "http://127.0.0.1", Now: time.Now, Transport: inside{s}})
		w := working(t, next, db, embed.WorkerOptions{})
		time.Sleep(10 * time.Second)
		if got := status(t, w); got.Serving.Name != "m" || got.Building.Name != "next" || got.Pending != 8 {
			t.Errorf("half way: %+v", got)
		}
		time.Sleep(20 * time.Second)
		if got := status(t, w); got.Serving.Name != "next" || got.Building.Name != "" || got.Pending != 0 {
			t.Errorf("in the end: %+v", got)
		}
		if all, err := db.Generations(t.Context(), memory.DefaultNamespace); err != nil || len(all) != 1 {
			t.Errorf("%d generations are left, %v", len(all), err)
		}
	})
}

func TestOneProcessEmbeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var taken atomic.Bool
		taken.Store(true)
		lock := func(ctx context.Context) (context.Context, func(), bool) { return ctx, func() {}, !taken.Load() }
		s, db := &service{}, filled(t, "a")
		w := working(t, simulated(t, s), db, embed.WorkerOptions{TryLock: lock})
		if synctest.Wait(); s.count() != 0 {
			t.Errorf("%d requests while another process works", s.count())
		}
		taken.Store(false) // it died
		time.Sleep(time.Minute)
		if got := status(t, w); got.Pending != 0 || s.count() == 0 {
			t.Errorf("%+v", got)
		}
	})
}

func TestWorkerWaitsForAFailingService(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var down, reported = atomic.Bool{}, 0
		down.Store(true)
		s := &service{fail: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			if down.Load() {
				http.Error(w, "down", http.StatusBadGateway)
			}
			return down.Load()
		}}
		db := filled(t, "a", "b")
		w := working(t, simulated(t, s), db, embed.WorkerOptions{Report: func(error) { reported++ }})
		time.Sleep(time.Hour)
		if got := status(t, w); got.LastError == "" || got.Breaker == endpoint.Closed || reported == 0 {
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
		if got := status(t, w); got.Pending != 0 || got.Serving.Name != "m" || got.LastError != "" || got.Breaker != endpoint.Closed {
			t.Errorf("after recovery: %+v", got)
		}
	})
}

func TestOneBadTextDoesNotHoldUpTheOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		s, refused := &service{}, 0
		s.fail = func(n int, w http.ResponseWriter, _ *http.Request) bool {
			tooLong := slices.ContainsFunc(s.requests[n].Input, func(x string) bool { return strings.HasPrefix(x, "long") })
			if tooLong {
				http.Error(w, "context length exceeded", http.StatusBadRequest)
			}
			return tooLong
		}
		db := filled(t, "a", "long 1", "b", "c", "long 2", "d")
		w := working(t, simulated(t, s), db, embed.WorkerOptions{Batch: 4, Report: func(error) { refused++ }})
		if got := status(t, w); got.Pending != 0 || got.LastError != "" || refused != 2 {
			t.Errorf("%+v, %d refused", got, refused)
		}
		before := s.count()
		time.Sleep(time.Hour)
		if synctest.Wait(); s.count() != before {
			t.Errorf("refused texts were sent %d times more", s.count()-before)
		}
	})
}

// failingQueue is a store whose disk is full.
type failingQueue struct {
	*store.Store
	full atomic.Bool
}

func (q *failingQueue) PutVectors(ctx context.Context, m memory.Model, v []memory.Vector) error {
	if q.full.Load() {
		return errors.New("disk full")
	}
	return q.Store.PutVectors(ctx, m, v)
}

func TestWorkerSurvivesAStoreThatFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		q := &failingQueue{Store: filled(t, "a")}
		q.full.Store(true)
		w := embed.NewWorker(simulated(t, &service{}), q, q, embed.WorkerOptions{})
		ctx, cancel := context.WithTimeout(t.Context(), 15*time.Second)
		defer cancel()
		go func() {
			time.Sleep(5 * time.Second)
			if got, err := w.Status(ctx); err != nil || !strings.Contains(got.LastError, "disk full") || got.Pending != 1 {
				t.Errorf("%+v, %v", got, err)
			}
			q.full.Store(false)
		}()
		if err := w.Run(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		if got := status(t, w); got.Pending != 0 || got.LastError != "" {
			t.Errorf("%+v", got)
		}
	})
}
