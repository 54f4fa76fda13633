package embed_test

import (
	"context"
	"fmt"
	"math"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/embed"
	"agentmemory/internal/memory"
)

func TestProvidersAreAskedInTheirOwnWay(t *testing.T) {
	for _, c := range []struct{ provider, path, suffix string }{
		{embed.Ollama, "/api/embed", ""},
		{embed.OpenAI, "/v1/embeddings", ""},
		{embed.OpenAI, "/v1/embeddings", "/v1/"},
	} {
		s := &service{}
		r := remote(t, embed.Settings{Provider: c.provider, Model: "m", BaseURL: s.start(t) + c.suffix, Key: func() (string, error) { return "k1", nil }})
		got, err := r.Documents(t.Context(), []string{"a", "账本", "three"})
		if err != nil {
			t.Fatal(err)
		}
		sent := s.requests[0]
		if sent.path != c.path || sent.authorization != "Bearer k1" || sent.Model != "m" || len(sent.Input) != 3 || sent.Dimensions != 0 {
			t.Errorf("%s: sent %+v", c.provider, sent)
		}
		for i, text := range []string{"a", "账本", "three"} {
			wantUnit(t, got[i], float64(len(text)))
		}
		if m := r.Model(); m != (memory.Model{Provider: c.provider, Name: "m", Dimension: 3}) {
			t.Errorf("model %+v", m)
		}
	}
}

// wantUnit checks that v is the unit vector along (x, 1, 0).
func wantUnit(t *testing.T, v []float32, x float64) {
	t.Helper()
	norm := math.Hypot(x, 1)
	if len(v) != 3 || math.Abs(float64(v[0])-x/norm) > 1e-6 || math.Abs(float64(v[1])-1/norm) > 1e-6 || v[2] != 0 {
		t.Errorf("got %v, want the unit of (%g, 1, 0)", v, x)
	}
}

func TestDocumentsGoInBatches(t *testing.T) {
	s := &service{}
	r := remote(t, embed.Settings{Provider: embed.Ollama, Model: "m", BaseURL: s.start(t)})
	texts := make([]string, 70)
	for i := range texts {
		texts[i] = strings.Repeat("x", i+1)
	}
	got, err := r.Documents(t.Context(), texts)
	if err != nil {
		t.Fatal(err)
	}
	if len(s.requests) != 3 || len(s.requests[0].Input) != 32 || len(s.requests[2].Input) != 6 {
		t.Errorf("%d requests", len(s.requests))
	}
	wantUnit(t, got[69], 70)
}

func TestPrefixesAreSentAndTellModelsApart(t *testing.T) {
	s := &service{}
	set := embed.Settings{Provider: embed.Ollama, Model: "e5", BaseURL: s.start(t), QueryPrefix: "query: ", DocumentPrefix: "passage: ", Dimension: 3, Shorten: true}
	r := remote(t, set)
	if _, err := r.Documents(t.Context(), []string{"a"}); err != nil {
		t.Fatal(err)
	}
	if _, err := r.Query(t.Context(), "b"); err != nil {
		t.Fatal(err)
	}
	if s.requests[0].Input[0] != "passage: a" || s.requests[1].Input[0] != "query: b" || s.requests[0].Dimensions != 3 {
		t.Errorf("sent %+v", s.requests)
	}
	set.DocumentPrefix = ""
	if name := remote(t, set).Model().Name; name == r.Model().Name || name != "e5" {
		t.Errorf("names %q and %q", name, r.Model().Name)
	}
}

// lies are answers that must be refused, whole, whatever they look like.
func lies() map[string]string {
	return map[string]string{
		"no JSON":            `<html>welcome</html>`,
		"empty object":       `{}`,
		"no vectors":         `{"embeddings":[]}`,
		"too few vectors":    `{"embeddings":[[1,2,3]]}`,
		"too many vectors":   `{"embeddings":[[1,2,3],[1,2,3],[1,2,3]]}`,
		"empty vector":       `{"embeddings":[[1,2,3],[]]}`,
		"null vector":        `{"embeddings":[[1,2,3],null]}`,
		"null in a vector":   `{"embeddings":[[1,2,3],[1,null,3]]}`,
		"NaN":                `{"embeddings":[[1,2,3],[1,NaN,3]]}`,
		"quoted NaN":         `{"embeddings":[[1,2,3],[1,"NaN",3]]}`,
		"beyond float32":     `{"embeddings":[[1,2,3],[1,1e39,3]]}`,
		"beyond float64":     `{"embeddings":[[1,2,3],[1,1e999,3]]}`,
		"all zero":           `{"embeddings":[[1,2,3],[0,0,0]]}`,
		"absurdly long":      `{"embeddings":[[1,2,3],[1e30,0,0]]}`,
		"nested":             `{"embeddings":[[1,2,3],[[1],[2],[3]]]}`,
		"two dimensions":     `{"embeddings":[[1,2,3],[1,2]]}`,
		"truncated":          `{"embeddings":[[1,2,3],[1,2`,
		"other dimension":    `{"embeddings":[[1,2],[3,4]]}`,
		"strings":            `{"embeddings":["AAAA","AAAA"]}`,
		"more than is bound": `{"embeddings":[[1,2,3],[1,2,3]],"pad":"` + strings.Repeat("x", 2<<20) + `"}`,
		"another model":      `{"model":"other","embeddings":[[1,2,3],[1,2,3]]}`,
	}
}

func TestUnusableAnswersAreRefused(t *testing.T) {
	for name, body := range lies() {
		t.Run(name, func(t *testing.T) {
			s := &service{fail: func(n int, w http.ResponseWriter, _ *http.Request) bool {
				if n == 0 {
					return false // an honest first answer: three dimensions, model "m"
				}
				fmt.Fprint(w, body)
				return true
			}}
			r := remote(t, embed.Settings{Provider: embed.Ollama, Model: "m", BaseURL: s.start(t), Retries: -1})
			if _, err := r.Query(t.Context(), "first"); err != nil {
				t.Fatal(err)
			}
			got, err := r.Documents(t.Context(), []string{"a", "b"})
			if err == nil || got != nil || memory.CodeOf(err) != memory.Unavailable {
				t.Errorf("got %v, %v", got, err)
			}
			if r.Model().Dimension != 3 {
				t.Errorf("the model became %+v", r.Model())
			}
		})
	}
}

func TestOpenAIAnswersAreMatchedByIndex(t *testing.T) {
	for name, data := range map[string]string{
		"twice":   `{"index":0,"embedding":[1,2,3]},{"index":0,"embedding":[1,2,3]}`,
		"outside": `{"index":0,"embedding":[1,2,3]},{"index":2,"embedding":[1,2,3]}`,
		"below":   `{"index":0,"embedding":[1,2,3]},{"index":-1,"embedding":[1,2,3]}`,
		"one":     `{"index":0,"embedding":[1,2,3]}`,
	} {
		s := &service{fail: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			fmt.Fprintf(w, `{"data":[%s]}`, data)
			return true
		}}
		r := remote(t, embed.Settings{Provider: embed.OpenAI, Model: "m", BaseURL: s.start(t), Retries: -1})
		if got, err := r.Documents(t.Context(), []string{"a", "b"}); err == nil {
			t.Errorf("%s: got %v", name, got)
		}
	}
}

func TestStatusesBecomeCodes(t *testing.T) {
	for status, want := range map[int]memory.Code{
		400: memory.InvalidArgument, 401: memory.PermissionDenied, 403: memory.PermissionDenied, 404: memory.NotFound,
		413: memory.TooLarge, 422: memory.InvalidArgument, 429: memory.Unavailable, 500: memory.Unavailable, 503: memory.Unavailable,
	} {
		s := &service{fail: func(_ int, w http.ResponseWriter, _ *http.Request) bool {
			http.Error(w, "nope", status)
			return true
		}}
		r := remote(t, embed.Settings{Provider: embed.Ollama, Model: "m", BaseURL: s.start(t)})
		if _, err := r.Query(t.Context(), "a"); memory.CodeOf(err) != want {
			t.Errorf("%d: %v", status, err)
		}
		if n := s.count(); n != 1 {
			t.Errorf("%d: a question was asked %d times", status, n)
		}
	}
}

func TestRedirectsAreNotFollowed(t *testing.T) {
	stranger := &service{}
	elsewhere := stranger.start(t)
	s := &service{fail: func(_ int, w http.ResponseWriter, r *http.Request) bool {
		http.Redirect(w, r, elsewhere, http.StatusTemporaryRedirect)
		return true
	}}
	r := remote(t, embed.Settings{Provider: embed.Ollama, Model: "m", BaseURL: s.start(t), Retries: -1})
	if _, err := r.Query(t.Context(), "a"); err == nil {
		t.Error("no error")
	}
	if stranger.count() != 0 {
		t.Error("the text was sent to a host that nobody configured")
	}
}

func TestHangingServersTimeOut(t *testing.T) {
	hang := make(chan struct{})
	for name, fail := range map[string]func(int, http.ResponseWriter, *http.Request) bool{
		"before the header": func(_ int, _ http.ResponseWriter, r *http.Request) bool { <-hang; return true },
		"in the body": func(_ int, w http.ResponseWriter, r *http.Request) bool {
			fmt.Fprint(w, `{"embeddings":[[1,2`)
			w.(http.Flusher).Flush()
			<-hang
			return true
		},
	} {
		s := &service{fail: fail}
		r := remote(t, embed.Settings{Provider: embed.Ollama, Model: "m", BaseURL: s.start(t), Timeout: 50 * time.Millisecond, Retries: -1})
		if _, err := r.Query(t.Context(), "a"); memory.CodeOf(err) != memory.DeadlineExceeded {
			t.Errorf("%s: %v", name, err)
		}
	}
	close(hang)
}

func TestServersThatAreNotThere(t *testing.T) {
	gone := httptest.NewServer(nil)
	gone.Close()
	r := remote(t, embed.Settings{Provider: embed.Ollama, Model: "m", BaseURL: gone.URL, Retries: -1})
	if _, err := r.Query(t.Context(), "a"); memory.CodeOf(err) != memory.Unavailable {
		t.Errorf("got %v", err)
	}
}

func TestKeysStayOutOfErrors(t *testing.T) {
	const key = "sk-very-secret-key-0123456789"
	s := &service{fail: func(_ int, w http.ResponseWriter, r *http.Request) bool {
		http.Error(w, "bad header "+r.Header.Get("Authorization"), http.StatusUnauthorized)
		return true
	}}
	r := remote(t, embed.Settings{Provider: embed.OpenAI, Model: "m", BaseURL: s.start(t), Key: func() (string, error) { return key, nil }})
	_, err := r.Query(t.Context(), "a")
	if err == nil || strings.Contains(err.Error(), key) || strings.Contains(fmt.Sprintf("%+v %#v", err, err), key) {
		t.Errorf("got %v", err)
	}
}

func TestKeyThatCannotBeReadIsAnError(t *testing.T) {
	s := &service{}
	r := remote(t, embed.Settings{Provider: embed.OpenAI, Model: "m", BaseURL: s.start(t), Key: func() (string, error) { return "", context.Canceled }})
	if _, err := r.Query(t.Context(), "a"); memory.CodeOf(err) != memory.Unavailable || s.count() != 0 {
		t.Errorf("got %v after %d requests", err, s.count())
	}
}

func TestKeysAreNotSentInTheClear(t *testing.T) {
	sent := 0
	wire := inside{http.HandlerFunc(func(http.ResponseWriter, *http.Request) { sent++ })}
	r := remote(t, embed.Settings{Provider: embed.OpenAI, Model: "m", BaseURL: "http://gpu.example.net", RemoteHost: "gpu.example.net",
		Key: func() (string, error) { return "k", nil }, Transport: wire})
	if _, err := r.Query(t.Context(), "a"); memory.CodeOf(err) != memory.PermissionDenied || sent != 0 {
		t.Errorf("got %v after %d requests", err, sent)
	}
}

func TestSettingsAreChecked(t *testing.T) {
	good := embed.Settings{Provider: embed.Ollama, Model: "m", Now: clock()}
	for name, c := range map[string]struct {
		change func(*embed.Settings)
		want   memory.Code
	}{
		"complete":             {func(*embed.Settings) {}, ""},
		"unknown provider":     {func(s *embed.Settings) { s.Provider = "magic" }, memory.InvalidArgument},
		"no model":             {func(s *embed.Settings) { s.Model = "" }, memory.InvalidArgument},
		"no clock":             {func(s *embed.Settings) { s.Now = nil }, memory.Internal},
		"openai without host":  {func(s *embed.Settings) { s.Provider = embed.OpenAI }, memory.InvalidArgument},
		"no scheme":            {func(s *embed.Settings) { s.BaseURL = "127.0.0.1:11434" }, memory.InvalidArgument},
		"file":                 {func(s *embed.Settings) { s.BaseURL = "file:///etc/passwd" }, memory.InvalidArgument},
		"key in the URL":       {func(s *embed.Settings) { s.BaseURL = "http://u:p@127.0.0.1" }, memory.InvalidArgument},
		"query in the URL":     {func(s *embed.Settings) { s.BaseURL = "http://127.0.0.1?key=x" }, memory.InvalidArgument},
		"other host":           {func(s *embed.Settings) { s.BaseURL = "https://api.openai.com" }, memory.PermissionDenied},
		"other host, named":    {func(s *embed.Settings) { s.BaseURL, s.RemoteHost = "https://api.openai.com/v1", "API.openai.com" }, ""},
		"another one is named": {func(s *embed.Settings) { s.BaseURL, s.RemoteHost = "https://evil.example", "api.openai.com" }, memory.PermissionDenied},
		"looks like loopback":  {func(s *embed.Settings) { s.BaseURL = "http://127.0.0.1.evil.example" }, memory.PermissionDenied},
		"local network":        {func(s *embed.Settings) { s.BaseURL = "http://192.168.1.5:11434" }, memory.PermissionDenied},
		"loopback by name":     {func(s *embed.Settings) { s.BaseURL = "http://localhost:11434/" }, ""},
		"loopback, version 6":  {func(s *embed.Settings) { s.BaseURL = "http://[::1]:11434" }, ""},
		"vast dimension":       {func(s *embed.Settings) { s.Dimension = 1 << 20 }, memory.InvalidArgument},
	} {
		s := good
		c.change(&s)
		r, err := embed.New(s)
		if c.want == "" {
			if err != nil {
				t.Errorf("%s: %v", name, err)
			} else {
				r.Close()
			}
		} else if memory.CodeOf(err) != c.want {
			t.Errorf("%s: got %v, want %s", name, err, c.want)
		}
	}
}

func FuzzAnswers(f *testing.F) {
	for _, body := range lies() {
		if len(body) < 1000 {
			f.Add(body)
		}
	}
	f.Add(`{"data":[{"index":0,"embedding":[1,2,3]}],"embeddings":[[1,2,3]]}`)
	f.Fuzz(func(t *testing.T, body string) {
		for _, provider := range []string{embed.Ollama, embed.OpenAI} {
			wire := inside{http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, body) })}
			r := remote(t, embed.Settings{Provider: provider, Model: "m", BaseURL: "http://127.0.0.1", Transport: wire, Retries: -1})
			got, err := r.Query(t.Context(), "q")
			if err != nil {
				continue
			}
			var sum float64
			for _, x := range got {
				sum += float64(x) * float64(x)
			}
			if math.Abs(sum-1) > 1e-3 || len(got) != r.Model().Dimension {
				t.Fatalf("accepted %v", got)
			}
		}
	})
}
