package endpoint_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/endpoint"
	"agentmemory/internal/memory"
)

func settings(address string) endpoint.Settings {
	return endpoint.Settings{
		Name: "translator", Table: "translation", Example: "http://127.0.0.1:1", BaseURL: address, Timeout: 200 * time.Millisecond, Now: time.Now,
		Key: func() (string, error) { return "sesame-4711", nil }, Missing: "fetch the dictionary",
	}
}

// Texts go to this machine, or to the one host that was named twice.
func TestWhereTextsMayGo(t *testing.T) {
	for address, want := range map[string]memory.Code{
		"http://127.0.0.1:1": "", "http://localhost": "", "http://[::1]:2": "", "https://named.example/v1": "",
		"": memory.InvalidArgument, "ftp://127.0.0.1": memory.InvalidArgument, "127.0.0.1:1": memory.InvalidArgument,
		"http://u:p@127.0.0.1": memory.InvalidArgument, "http://127.0.0.1?q=1": memory.InvalidArgument,
		"https://other.example": memory.PermissionDenied, "http://127.0.0.1.evil.example": memory.PermissionDenied, "http://10.0.0.1": memory.PermissionDenied,
	} {
		s := settings(address)
		s.RemoteHost = "named.example"
		if _, err := endpoint.New(s); memory.CodeOf(err) != want && !(err == nil && want == "") {
			t.Errorf("%q: %v, want %q", address, err, want)
		}
	}
	s := settings("http://named.example")
	s.RemoteHost = "named.example"
	service, err := endpoint.New(s)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := service.Post(t.Context(), "/", nil, 10); memory.CodeOf(err) != memory.PermissionDenied {
		t.Errorf("the key over plain http: %v", err)
	}
}

// Whatever a service does, the failure says what it is, and neither key nor address.
func TestWhatServicesDo(t *testing.T) {
	for name, c := range map[string]struct {
		serve http.HandlerFunc
		code  memory.Code
		says  string
	}{
		"a redirect": {func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "https://evil.example", http.StatusFound)
		}, memory.Unavailable, "answered 302"},
		"no model": {func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "none", http.StatusNotFound) }, memory.NotFound, "answered 404: none"},
		"its own key": {func(w http.ResponseWriter, r *http.Request) {
			http.Error(w, r.Header.Get("Authorization"), http.StatusForbidden)
		}, memory.PermissionDenied, "answered 403: Bearer …"},
		"too long": {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte(strings.Repeat("x", 2000))) }, memory.Unavailable, "longer than 1000 bytes"},
		"silence": {func(_ http.ResponseWriter, r *http.Request) {
			select {
			case <-r.Context().Done():
			case <-time.After(time.Second):
			}
		}, memory.DeadlineExceeded, "did not answer in time"},
		"hanging up": {func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) }, memory.Unavailable, "cannot be reached"},
		"an answer":  {func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("yes")) }, "", "yes"},
	} {
		s := httptest.NewServer(c.serve)
		service, err := endpoint.New(settings(s.URL))
		if err != nil {
			t.Fatal(err)
		}
		body, err := service.Post(t.Context(), "/ask", map[string]string{"q": "?"}, 1000)
		said := string(body)
		if err != nil {
			said = err.Error()
		}
		if (err != nil) != (c.code != "") || err != nil && memory.CodeOf(err) != c.code || !strings.Contains(said, c.says) || strings.Contains(said, "sesame") || strings.Contains(said, s.URL) {
			t.Errorf("%s: %q (%v)", name, said, err)
		}
		service.Close()
		s.Close()
	}
}

// A breaker of a fixed rest stays at it; one that doubles stops at its longest.
func TestRests(t *testing.T) {
	now := time.Date(2026, 3, 11, 12, 0, 0, 0, time.UTC)
	b := endpoint.NewBreaker("translator", endpoint.Rest{First: time.Minute, Longest: 3 * time.Minute}, func() time.Time { return now })
	for range 3 {
		if err := b.Allow(); err != nil {
			t.Fatal(err)
		}
		b.Failed()
	}
	for _, want := range []time.Duration{time.Minute, 2 * time.Minute, 3 * time.Minute, 3 * time.Minute} {
		if state, until := b.State(); state != endpoint.Open || until.Sub(now) != want || b.Allow() == nil {
			t.Errorf("%s for %s, want %s", state, until.Sub(now), want)
		}
		now = now.Add(want)
		if err := b.Allow(); err != nil || b.Allow() == nil {
			t.Errorf("one trial after %s: %v", want, err)
		}
		b.Failed()
	}
	now = now.Add(time.Hour)
	if b.Allow() != nil {
		t.Error("no trial")
	}
	b.Succeeded()
	if state, _ := b.State(); state != endpoint.Closed {
		t.Errorf("it is %s after a success", state)
	}
}

// Requests that were on their way when the service was given up fail later than
// the one that was too many: they say nothing new.
func TestLateFailuresDoNotProlongTheRest(t *testing.T) {
	now := time.Date(2026, 3, 11, 21, 30, 0, 0, time.UTC)
	b := endpoint.NewBreaker("translator", endpoint.Rest{First: time.Second, Longest: time.Hour}, func() time.Time { return now })
	for range 8 {
		if err := b.Allow(); err != nil {
			t.Fatal(err)
		}
	}
	for range 8 {
		b.Failed()
	}
	if state, until := b.State(); state != endpoint.Open || until.Sub(now) != time.Second {
		t.Errorf("%s for %s", state, until.Sub(now))
	}
}
