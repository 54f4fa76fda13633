package main

import (
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"
)

// fakeChat answers like a chat service: word says what becomes of each line.
func fakeChat(t *testing.T, asked *atomic.Int64, word func(line string) string) string {
	t.Helper()
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		asked.Add(1)
		var request struct {
			Messages []struct{ Content string }
		}
		var lines []string
		if json.NewDecoder(r.Body).Decode(&request) != nil || json.Unmarshal([]byte(request.Messages[1].Content), &lines) != nil {
			http.Error(w, "bad question", http.StatusBadRequest)
			return
		}
		for i := range lines {
			lines[i] = word(lines[i])
		}
		text, _ := json.Marshal(lines)
		_ = json.NewEncoder(w).Encode(map[string]any{"choices": []any{map[string]any{"message": map[string]string{"content": string(text)}}}})
	}))
	t.Cleanup(s.Close)
	return s.URL + "/v1"
}

const (
	longEnglish   = "We sat together for a long and friendly talk in the afternoon, Marta decided on SQLite 3.53 for the ledger"
	longChinese   = "大家上午在会议室里讨论了很久这个问题，最后决定账本不用 Postgres，端口是 8081"
	shortEnglish  = "Marta decided on SQLite 3.53 for the ledger"
	forWordedDay  = "second-brain/summaries/2026-03-11-wrapup.md"
	forWordedWeek = "memory/weekly/2026-03-09.md"
)

func shortened(line string) string {
	switch line {
	case longEnglish:
		return "a long talk in the afternoon, Marta decided on SQLite 3.53 for the ledger"
	case longChinese:
		return "讨论了这个问题，最后决定账本用 Postgres，端口是 8081" // the negation is lost
	}
	return line
}

func TestAModelShortensSummariesAndNothingElse(t *testing.T) {
	var asked atomic.Int64
	url := fakeChat(t, &asked, shortened)
	env, home := surround(t, "AGENT_MEMORY_LLM_BASE_URL="+url, "AGENT_MEMORY_LLM_MODEL=small")
	root := filepath.Join(home, ".agent-memory")
	answer[rememberView](t, env, "remember", longEnglish)
	answer[rememberView](t, env, "remember", longChinese)
	if asked.Load() != 0 {
		t.Fatal("remember asked the model")
	}
	first := answer[map[string]any](t, env, "wrapup")
	day := read(t, root, forWordedDay)
	if !strings.Contains(day, shortened(longEnglish)) || strings.Contains(day, longEnglish) {
		t.Errorf("the English line is not shortened:\n%s", day)
	}
	if !strings.Contains(day, longChinese) {
		t.Errorf("a wording that lost a negation was taken:\n%s", day)
	}
	if got, _ := json.Marshal(first["wording"]); string(got) != `{"refused":1,"requests":2,"reworded":1}` && string(got) != `{"refused":1,"requests":1,"reworded":1}` {
		t.Errorf("report %s", got)
	}
	before := asked.Load()
	answer[map[string]any](t, env, "wrapup")
	answer[map[string]any](t, env, "compound") // the same lines
	answer[map[string]any](t, env, "compound")
	if asked.Load() != before {
		t.Errorf("the same lines were sent again: %d requests after %d", asked.Load(), before)
	}
	if again := read(t, root, forWordedDay); again != day {
		t.Errorf("the second run changed the file:\n%s", again)
	}
	if week := read(t, root, forWordedWeek); !strings.Contains(week, shortened(longEnglish)) {
		t.Errorf("the week:\n%s", week)
	}
	if journal := read(t, root, "memory/2026-03-11.md"); !strings.Contains(journal, longEnglish) || !strings.Contains(journal, longChinese) {
		t.Errorf("the journal lost words:\n%s", journal)
	}
	off, _ := surround(t, "HOME="+home)
	off.Variables = append(off.Variables, "HOME="+home)
	answer[map[string]any](t, off, "wrapup", "--workspace", root)
	if day := read(t, root, forWordedDay); !strings.Contains(day, longEnglish) {
		t.Errorf("switched off, the line does not stand in its own words:\n%s", day)
	}
}

func TestAModelThatFailsLeavesTheSummaryAsItIs(t *testing.T) {
	for name, handler := range map[string]http.HandlerFunc{
		"errors":  func(w http.ResponseWriter, _ *http.Request) { http.Error(w, "boom", http.StatusInternalServerError) },
		"garbage": func(w http.ResponseWriter, _ *http.Request) { _, _ = w.Write([]byte("hello")) },
		"hangs":   func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() },
	} {
		t.Run(name, func(t *testing.T) {
			var asked atomic.Int64
			s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				asked.Add(1)
				_, _ = io.Copy(io.Discard, r.Body) // else a client that leaves is not noticed
				handler(w, r)
			}))
			defer s.Close()
			env, home := surround(t, "AGENT_MEMORY_LLM_BASE_URL="+s.URL, "AGENT_MEMORY_LLM_MODEL=small", "AGENT_MEMORY_LLM_TIMEOUT=200ms")
			answer[rememberView](t, env, "remember", longEnglish)
			got := answer[map[string]any](t, env, "wrapup")
			if notes, _ := json.Marshal(got["notes"]); !strings.Contains(string(notes), "degraded") || !strings.Contains(string(notes), "language model") {
				t.Errorf("notes %s", notes)
			}
			if day := read(t, home, ".agent-memory", forWordedDay); !strings.Contains(day, longEnglish) || asked.Load() != 1 {
				t.Errorf("asked %d times:\n%s", asked.Load(), day)
			}
			status := answer[map[string]any](t, env, "status")
			if degraded, _ := json.Marshal(status["degraded"]); !strings.Contains(string(degraded), "llm: at 2026-03-11T21:30:00Z") {
				t.Errorf("status: %s", degraded)
			}
		})
	}
}

func TestNothingIsSentToAHostThatWasNotNamed(t *testing.T) {
	env, home := surround(t, "AGENT_MEMORY_LLM_BASE_URL=https://api.example.com/v1", "AGENT_MEMORY_LLM_MODEL=small")
	answer[rememberView](t, env, "remember", longEnglish)
	got := answer[map[string]any](t, env, "wrapup")
	if notes, _ := json.Marshal(got["notes"]); !strings.Contains(string(notes), "not this machine") {
		t.Errorf("notes %s", notes)
	}
	if day := read(t, home, ".agent-memory", forWordedDay); !strings.Contains(day, longEnglish) {
		t.Errorf("the summary:\n%s", day)
	}
	_, out, _ := program(t, env, "doctor")
	if !strings.Contains(out, "llm.remote_host") {
		t.Errorf("doctor does not say what to do:\n%s", out)
	}
}

// A summary may show a memory in words that the memory does not hold: a purge
// must find those, too.
func TestAPurgeFindsOtherWordings(t *testing.T) {
	sequential(t)
	var asked atomic.Int64
	url := fakeChat(t, &asked, shortened)
	env, home := surround(t, "AGENT_MEMORY_LLM_BASE_URL="+url, "AGENT_MEMORY_LLM_MODEL=small")
	root := filepath.Join(home, ".agent-memory")
	got := answer[rememberView](t, env, "remember", longEnglish)
	answer[rememberView](t, env, "remember", "账本每天备份")
	answer[map[string]any](t, env, "wrapup")
	answer[map[string]any](t, env, "compound")
	answer[map[string]any](t, env, "sync") // the summaries' lines are passages now
	answer[map[string]any](t, env, "forget", got.MemoryID, "--purge")
	err := filepath.WalkDir(root, func(path string, d os.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if strings.Contains(string(raw), shortEnglish) {
			t.Errorf("%s still shows it", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
