package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"sync/atomic"
	"testing"
	"time"
)

// live is a server in this process that is spoken to line by line.
type live struct {
	t       *testing.T
	in      *io.PipeWriter
	answers *bufio.Reader
	ended   chan int
	next    int
}

func startLive(t *testing.T, env surroundings) *live {
	t.Helper()
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	l := &live{t: t, in: inWrite, answers: bufio.NewReader(outRead), ended: make(chan int, 1)}
	go func() {
		code := run(t.Context(), []string{"agent-memory", "serve"}, streams{In: inRead, Out: outWrite, Err: &bytes.Buffer{}}, env)
		_ = outWrite.Close()
		l.ended <- code
	}()
	l.send(hello)
	return l
}

func (l *live) send(line string) map[string]any {
	l.t.Helper()
	if _, err := io.WriteString(l.in, line+"\n"); err != nil {
		l.t.Fatal(err)
	}
	text, err := l.answers.ReadBytes('\n')
	if err != nil {
		l.t.Fatal(err)
	}
	var answer map[string]any
	if err := json.Unmarshal(text, &answer); err != nil {
		l.t.Fatal(err)
	}
	return answer
}

func (l *live) call(tool, args string) map[string]any {
	l.t.Helper()
	l.next++
	answer := l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":%q,"arguments":%s}}`, l.next+1, tool, args))
	return dig[map[string]any](l.t, answer, "result", "structuredContent")
}

func (l *live) close() {
	l.t.Helper()
	_ = l.in.Close()
	if code := <-l.ended; code != 0 {
		l.t.Errorf("exit status %d", code)
	}
}

// fakeOllama answers like Ollama's /api/embed: texts about drinks lie together.
func fakeOllama(t *testing.T, asked *atomic.Int64) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		var request struct {
			Input []string `json:"input"`
		}
		if err := json.NewDecoder(r.Body).Decode(&request); err != nil {
			http.Error(w, err.Error(), http.StatusBadRequest)
			return
		}
		asked.Add(1)
		vectors := make([][]float32, len(request.Input))
		for i, text := range request.Input {
			vectors[i] = []float32{1, 0.1, 0}
			if bytes.Contains([]byte(text), []byte("deploy")) {
				vectors[i] = []float32{0, 0.1, 1}
			}
		}
		_ = json.NewEncoder(w).Encode(map[string]any{"model": "fake", "embeddings": vectors})
	}))
	t.Cleanup(s.Close)
	return s.URL
}

func TestAConfiguredServiceMakesTheVectors(t *testing.T) {
	var asked atomic.Int64
	url := fakeOllama(t, &asked)
	env, _ := surround(t, "AGENT_MEMORY_EMBEDDING_PROVIDER=ollama", "AGENT_MEMORY_EMBEDDING_MODEL=fake", "AGENT_MEMORY_EMBEDDING_BASE_URL="+url)
	l := startLive(t, env)
	defer l.close()
	l.call("remember", `{"content":"Green tea is what Marta drinks","type":"knowledge"}`)
	l.call("remember", `{"content":"The deploy takes six minutes","type":"knowledge"}`)
	deadline := time.Now().Add(20 * time.Second)
	for {
		health := dig[map[string]any](t, l.call("status", `{}`), "health", "vectors")
		if health["provider"] == "ollama" && health["pending"] == 0.0 {
			break
		}
		if time.Now().After(deadline) {
			t.Fatalf("the vectors are not made: %v", health)
		}
		time.Sleep(50 * time.Millisecond)
	}
	before := asked.Load()
	if got := l.call("recall", `{"query":"green tea"}`); got["count"] == 0.0 {
		t.Errorf("%v", got)
	}
	if asked.Load() == before {
		t.Error("the question was not embedded")
	}
}

func TestAServiceThatIsAwayIsReportedAndWordsStillAnswer(t *testing.T) {
	env, _ := surround(t, "AGENT_MEMORY_EMBEDDING_PROVIDER=ollama", "AGENT_MEMORY_EMBEDDING_MODEL=fake", "AGENT_MEMORY_EMBEDDING_BASE_URL=http://127.0.0.1:1")
	l := startLive(t, env)
	defer l.close()
	l.call("remember", `{"content":"Green tea is what Marta drinks","type":"knowledge"}`)
	if got := l.call("recall", `{"query":"green tea"}`); got["count"] != 1.0 {
		t.Errorf("%v", got)
	}
	deadline := time.Now().Add(20 * time.Second)
	for {
		if degraded := dig[[]any](t, l.call("status", `{}`), "degraded"); len(degraded) > 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatal("status says nothing of the service")
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// A command leaves nothing for a server that may never run.
func TestCommandsMakeVectorsByTheConfiguredService(t *testing.T) {
	t.Parallel()
	var asked atomic.Int64
	url := fakeOllama(t, &asked)
	env, dir := surround(t)
	vectorsOf := func(env surroundings) map[string]any {
		t.Helper()
		_, out, errs := program(t, env, "status", "--json", "--workspace", dir)
		var answer map[string]any
		if err := json.Unmarshal([]byte(out), &answer); err != nil {
			t.Fatalf("%v: %s%s", err, out, errs)
		}
		return dig[map[string]any](t, answer, "health", "vectors")
	}
	if code, _, errs := program(t, env, "remember", "Green tea is what Marta drinks", "--workspace", dir); code != 0 {
		t.Fatal(errs)
	}
	env.Variables = append(env.Variables, "AGENT_MEMORY_EMBEDDING_PROVIDER=ollama", "AGENT_MEMORY_EMBEDDING_MODEL=fake", "AGENT_MEMORY_EMBEDDING_BASE_URL="+url)
	if got := vectorsOf(env); got["pending"] != 1.0 || got["configured"] != "ollama fake" {
		t.Errorf("before a sync: %v", got)
	}
	if code, _, errs := program(t, env, "sync", "--workspace", dir); code != 0 {
		t.Fatal(errs)
	}
	if got := vectorsOf(env); got["provider"] != "ollama" || got["pending"] != 0.0 {
		t.Errorf("after a sync: %v", got)
	}
	if code, _, errs := program(t, env, "remember", "The deploy takes six minutes", "--workspace", dir); code != 0 {
		t.Fatal(errs)
	}
	if got := vectorsOf(env); got["pending"] != 0.0 {
		t.Errorf("after remember: %v", got)
	}
}

// A service that does not answer holds a command up for moments only.
func TestCommandDoesNotWaitForAHangingService(t *testing.T) {
	hang := make(chan struct{})
	s := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) {
		select {
		case <-hang:
		case <-r.Context().Done():
		}
	}))
	t.Cleanup(s.Close)
	t.Cleanup(func() { close(hang) })
	env, dir := surround(t, "AGENT_MEMORY_EMBEDDING_PROVIDER=ollama", "AGENT_MEMORY_EMBEDDING_MODEL=fake", "AGENT_MEMORY_EMBEDDING_BASE_URL="+s.URL)
	began := time.Now()
	code, out, errs := program(t, env, "remember", "Green tea is what Marta drinks", "--workspace", dir)
	if took := time.Since(began); code != 0 || took > 4*time.Second {
		t.Errorf("exit status %d after %s: %s%s", code, took, out, errs)
	}
}
