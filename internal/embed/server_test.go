package embed_test

import (
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"agentmemory/internal/embed"

	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// service imitates a provider. Its vectors say which text they are of, so that
// an answer in the wrong order is noticed: (length of the text, 1, 0).
type service struct {
	mu       sync.Mutex
	requests []request
	fail     func(n int, w http.ResponseWriter, r *http.Request) bool // takes over request n (from 0)
}

type request struct {
	path, authorization string
	Model               string   `json:"model"`
	Input               []string `json:"input"`
	Format              string   `json:"encoding_format"`
	Dimensions          int      `json:"dimensions"`
}

func (s *service) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, _ := io.ReadAll(r.Body)
	got := request{path: r.URL.Path, authorization: r.Header.Get("Authorization")}
	if err := json.Unmarshal(body, &got); err != nil {
		http.Error(w, err.Error(), http.StatusBadRequest)
		return
	}
	s.mu.Lock()
	n := len(s.requests)
	s.requests = append(s.requests, got)
	s.mu.Unlock()
	if s.fail != nil && s.fail(n, w, r) {
		return
	}
	if strings.HasPrefix(got.path, "/v1/") {
		fmt.Fprintf(w, `{"object":"list","model":%q,"data":[%s]}`, got.Model, strings.Join(openAIData(got.Input), ","))
		return
	}
	fmt.Fprintf(w, `{"model":%q,"embeddings":[%s]}`, got.Model, strings.Join(vectorsOf(got.Input), ","))
}

func (s *service) count() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.requests)
}

func vectorsOf(texts []string) []string {
	var out []string
	for _, t := range texts {
		out = append(out, fmt.Sprintf("[%d, 1, 0]", len(t)))
	}
	return out
}

// openAIData lists the vectors backwards, as the index field allows.
func openAIData(texts []string) []string {
	var out []string
	for i := len(texts) - 1; i >= 0; i-- {
		out = append(out, fmt.Sprintf(`{"object":"embedding","index":%d,"embedding":[%d,1,0]}`, i, len(texts[i])))
	}
	return out
}

func (s *service) start(t *testing.T) string {
	t.Helper()
	server := httptest.NewServer(s)
	t.Cleanup(server.Close)
	return server.URL
}

func clock() func() time.Time {
	return func() time.Time { return time.Date(2026, 2, 21, 22, 0, 0, 0, time.UTC) }
}

func remote(t *testing.T, s embed.Settings) *embed.Remote {
	t.Helper()
	if s.Now == nil {
		s.Now = clock()
	}
	r, err := embed.New(s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(r.Close)
	return r
}

// inside serves requests in the caller's goroutine, without a network, for
// tests whose time is simulated.
type inside struct{ handler http.Handler }

func (i inside) RoundTrip(r *http.Request) (*http.Response, error) {
	w := httptest.NewRecorder()
	i.handler.ServeHTTP(w, r)
	if err := r.Context().Err(); err != nil {
		return nil, err
	}
	return w.Result(), nil
}
