package llm_test

import (
	"encoding/json"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"agentmemory/internal/llm"
	"agentmemory/internal/memory"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// service imitates a chat service and notes what it was asked.
type service struct {
	mu      sync.Mutex
	asked   int
	path    string
	key     string
	request struct {
		Model    string
		Stream   bool
		Messages []struct{ Role, Content string }
	}
	answer http.HandlerFunc
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.asked++
	s.path, s.key = r.URL.Path, r.Header.Get("Authorization")
	raw, _ := io.ReadAll(r.Body)
	if err := json.Unmarshal(raw, &s.request); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.answer(w, r)
}

// times is how often it was asked; a handler may still be ending.
func (s *service) times() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.asked
}

func (s *service) start(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

func says(text string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"role": "assistant", "content": text}, "finish_reason": "stop"}}})
	}
}

func writes(status int, body string) http.HandlerFunc {
	return func(w http.ResponseWriter, _ *http.Request) {
		w.WriteHeader(status)
		_, _ = io.WriteString(w, body)
	}
}

// clock is moved by hand.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func open(t *testing.T, s llm.Settings) *llm.Client {
	t.Helper()
	if s.Now == nil {
		s.Now = (&clock{at: time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC)}).now
	}
	if s.Model == "" {
		s.Model = "small"
	}
	c, err := llm.New(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(c.Close)
	return c
}

func TestAQuestionGetsAnAnswer(t *testing.T) {
	s := &service{answer: says("yes")}
	c := open(t, llm.Settings{BaseURL: s.start(t) + "/", Key: func() (string, error) { return "secret", nil }})
	got, err := c.Complete(t.Context(), "be brief", "is it?")
	if err != nil || got != "yes" {
		t.Fatalf("%q, %v", got, err)
	}
	if s.path != "/v1/chat/completions" || s.key != "Bearer secret" || s.request.Model != "small" || s.request.Stream {
		t.Errorf("asked %s with %q: %+v", s.path, s.key, s.request)
	}
	if m := s.request.Messages; len(m) != 2 || m[0].Content != "be brief" || m[1].Content != "is it?" {
		t.Errorf("messages %+v", m)
	}
}

func TestBadAnswersAreErrorsWithCodes(t *testing.T) {
	for name, test := range map[string]struct {
		answer http.HandlerFunc
		code   memory.Code
		says   string
	}{
		"not JSON":      {writes(200, "<html>hello</html>"), memory.Unavailable, "unusable"},
		"no choices":    {writes(200, `{"choices":[]}`), memory.Unavailable, "says nothing"},
		"another shape": {writes(200, `{"choices":"none"}`), memory.Unavailable, "unusable"},
		"empty":         {says("  "), memory.Unavailable, "says nothing"},
		"cut off":       {writes(200, `{"choices":[{"message":{"content":"[\"a"},"finish_reason":"length"}]}`), memory.Unavailable, "cut off"},
		"oversized":     {writes(200, `{"choices":[{"message":{"content":"`+strings.Repeat("x", 600<<10)+`"}}]}`), memory.Unavailable, "longer than"},
		"no such model": {writes(404, `{"error":"model not found"}`), memory.NotFound, "model not found"},
		"wrong key":     {writes(401, `bad key secret`), memory.PermissionDenied, "bad key …"},
		"server error":  {writes(500, strings.Repeat("boom ", 1000)), memory.Unavailable, "…"},
		"a redirect":    {func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "/elsewhere", http.StatusFound) }, memory.Unavailable, "302"},
		"a closed line": {func(w http.ResponseWriter, _ *http.Request) { panic(http.ErrAbortHandler) }, memory.Unavailable, "cannot be reached"},
		"a broken promise": {func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Length", "1000")
			_, _ = io.WriteString(w, `{"choices"`)
		}, memory.Unavailable, "reading the answer"},
	} {
		t.Run(name, func(t *testing.T) {
			s := &service{answer: test.answer}
			c := open(t, llm.Settings{BaseURL: s.start(t), Key: func() (string, error) { return "secret", nil }})
			_, err := c.Complete(t.Context(), "i", "q")
			if err == nil || memory.CodeOf(err) != test.code || !strings.Contains(err.Error(), test.says) {
				t.Fatalf("%v (%s)", err, memory.CodeOf(err))
			}
			if strings.Contains(err.Error(), "secret") || strings.Contains(err.Error(), "127.0.0.1") || len(err.Error()) > 400 {
				t.Errorf("the message tells too much: %v", err)
			}
			if n := s.times(); n != 1 {
				t.Errorf("asked %d times", n)
			}
		})
	}
}

func TestAModelThatHangsIsNotWaitedFor(t *testing.T) {
	s := &service{answer: func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }}
	c := open(t, llm.Settings{BaseURL: s.start(t), Timeout: 50 * time.Millisecond})
	_, err := c.Complete(t.Context(), "i", "q")
	var e *memory.Error
	if !errors.As(err, &e) || e.Code != memory.DeadlineExceeded || !strings.Contains(e.Hint, "llm.timeout") {
		t.Fatalf("%v", err)
	}
}

func TestAServiceThatKeepsFailingIsLeftAlone(t *testing.T) {
	at := &clock{at: time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC)}
	s := &service{answer: writes(500, "")}
	c := open(t, llm.Settings{BaseURL: s.start(t), Now: at.now})
	ask := func() error { _, err := c.Complete(t.Context(), "i", "q"); return err }
	for range 5 {
		if ask() == nil {
			t.Fatal("a failure was no error")
		}
	}
	if s.asked != 3 {
		t.Fatalf("asked %d times, not 3", s.asked)
	}
	at.at = at.at.Add(6 * time.Minute)
	_ = ask() // the trial fails
	_ = ask()
	if s.asked != 4 {
		t.Fatalf("after the rest: asked %d times, not 4", s.asked)
	}
	at.at = at.at.Add(6 * time.Minute)
	s.answer = says("well again")
	for range 3 {
		if err := ask(); err != nil {
			t.Fatal(err)
		}
	}
}

func TestNothingIsSentWhereItMustNot(t *testing.T) {
	for name, test := range map[string]struct {
		s    llm.Settings
		code memory.Code
	}{
		"no model":          {llm.Settings{BaseURL: "http://127.0.0.1:1/v1"}, memory.InvalidArgument},
		"no address":        {llm.Settings{Model: "m"}, memory.InvalidArgument},
		"another scheme":    {llm.Settings{Model: "m", BaseURL: "file:///etc/passwd"}, memory.InvalidArgument},
		"a key in the URL":  {llm.Settings{Model: "m", BaseURL: "https://u:p@localhost/v1"}, memory.InvalidArgument},
		"a query":           {llm.Settings{Model: "m", BaseURL: "https://localhost/v1?key=1"}, memory.InvalidArgument},
		"another machine":   {llm.Settings{Model: "m", BaseURL: "https://api.example.com/v1"}, memory.PermissionDenied},
		"not the one named": {llm.Settings{Model: "m", BaseURL: "https://api.example.com/v1", RemoteHost: "example.com"}, memory.PermissionDenied},
	} {
		t.Run(name, func(t *testing.T) {
			test.s.Now = (&clock{}).now
			if _, err := llm.New(test.s); memory.CodeOf(err) != test.code {
				t.Errorf("%v", err)
			}
		})
	}
	c := open(t, llm.Settings{BaseURL: "http://api.example.com/v1", RemoteHost: "api.example.com", Key: func() (string, error) { return "secret", nil }, Transport: refusing{t}})
	if _, err := c.Complete(t.Context(), "i", "q"); memory.CodeOf(err) != memory.PermissionDenied {
		t.Errorf("a key over plain http: %v", err)
	}
	if _, err := open(t, llm.Settings{BaseURL: "http://localhost/v1", Transport: refusing{t}}).Complete(t.Context(), "", strings.Repeat("x", 70<<10)); memory.CodeOf(err) != memory.TooLarge {
		t.Errorf("a question of 70 KB: %v", err)
	}
}

// refusing fails the test when anything is sent.
type refusing struct{ t *testing.T }

func (r refusing) RoundTrip(*http.Request) (*http.Response, error) {
	r.t.Error("something was sent")
	return nil, errors.New("refused")
}

func TestRewordReadsTheListAndNothingElse(t *testing.T) {
	for name, test := range map[string]struct {
		answer string
		want   []string // nil: refused
	}{
		"a list":          {`["a", "乙"]`, []string{"a", "乙"}},
		"in a code block": {"```json\n[\"a\", \"b\"]\n```", []string{"a", "b"}},
		"after a thought": {"<think>is it [1]?</think>[\"a\",\"b\"]", []string{"a", "b"}},
		"one too few":     {`["a"]`, nil},
		"one too many":    {`["a","b","c"]`, nil},
		"numbers":         {`[1, 2]`, nil},
		"talk":            {`Sure! Here you are.`, nil},
		"two lists":       {`["a","b"] or ["c","d"]`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			s := &service{answer: says(test.answer)}
			c := open(t, llm.Settings{BaseURL: s.start(t)})
			got, err := c.Reword(t.Context(), []string{"one line", "第二行"})
			if (err != nil) != (test.want == nil) || !slices.Equal(got, test.want) {
				t.Fatalf("%q, %v", got, err)
			}
			if asked := s.request.Messages[1].Content; asked != `["one line","第二行"]` {
				t.Errorf("asked %s", asked)
			}
		})
	}
}
