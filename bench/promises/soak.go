//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"agentmemory/bench/stdio"
	"agentmemory/bench/subject"
	"agentmemory/bench/web"
)

// soak is a day of mixed use, compressed: four clients over HTTP at a server that
// schedules, two at each of two servers over standard input, a person who
// writes, and the jobs of the 24 hours by clocks that run ahead.
type soak struct {
	*trial
	ws      string
	http    *web.Server
	stdio   []*stdio.Server
	clients []*soaker
	noted   []string       // by a person
	stderr  map[int]string // by process, where its traces go
}

// soaked lets eight clients work for a while, then asks for everything that was
// acknowledged, and whether the servers have grown meanwhile.
func soaked(ctx context.Context, t *trial) (done string, err error) {
	s := &soak{trial: t, stderr: map[int]string{}}
	if s.ws, err = t.Fresh("soak"); err != nil {
		return "", err
	}
	if err := s.begin(ctx); err != nil {
		return "", err
	}
	length := time.Duration(t.count(24, 600)) * time.Second
	growth, err := s.work(ctx, length)
	if err != nil {
		return "", errors.Join(err, s.stop())
	}
	threads, err := s.goroutines(ctx)
	if err != nil {
		return "", err
	}
	calls, recalls := 0, []time.Duration{}
	for _, c := range s.clients {
		calls += c.calls
		recalls = append(recalls, c.recalls...)
	}
	slices.Sort(recalls)
	kept, err := s.everythingKept(ctx)
	if err != nil {
		return "", err
	}
	done = fmt.Sprintf("8 clients, 3 servers, %d calls in %s with the jobs of a day: %d memories kept; recall p50 %s, p99 %s; %s; %s",
		calls, length, kept, at(recalls, .5), at(recalls, .99), growth, threads)
	return done, broken(errors.Join(growth.check(), threads.check()))
}

// at is a quantile of sorted times.
func at(sorted []time.Duration, q float64) time.Duration {
	if len(sorted) == 0 {
		return 0
	}
	return sorted[int(q*float64(len(sorted)-1))].Round(100 * time.Microsecond)
}

// begin starts the servers and makes the clients.
func (s *soak) begin(ctx context.Context) (err error) {
	if s.http, err = s.serveHTTP(ctx, "http"); err != nil {
		return err
	}
	for i := range 8 {
		var server caller = s.http
		if i%4 == 0 {
			one, err := s.serveStdio(ctx, fmt.Sprint("stdio", i))
			if err != nil {
				return err
			}
			s.stdio = append(s.stdio, one)
		}
		if i%2 == 1 {
			server = s.stdio[i/4]
		}
		random := rand.New(rand.NewPCG(s.random.Uint64(), uint64(i))) //nolint:gosec // not for secrets
		s.clients = append(s.clients, &soaker{server: server, who: i, random: random})
	}
	return nil
}

// traced keeps what a server writes to its standard error.
func (s *soak) traced(name string) (file string, wrapper []string) {
	file = filepath.Join(s.Dir, name+".err")
	return file, []string{"sh", "-c", `exec "$@" 2>"` + file + `"`, "sh"}
}

func (s *soak) serveHTTP(ctx context.Context, name string) (*web.Server, error) {
	file, wrapper := s.traced(name)
	server, err := web.Start(ctx, append(wrapper, s.Binary, "serve", "--schedule", "--workspace", s.ws), s.Env())
	if err == nil {
		s.stderr[server.PID()] = file
	}
	return server, err
}

func (s *soak) serveStdio(ctx context.Context, name string) (*stdio.Server, error) {
	file, wrapper := s.traced(name)
	server, err := s.Serve(ctx, s.ws, wrapper...)
	if err == nil {
		s.stderr[server.PID()] = file
	}
	return server, err
}

// work runs clients, person and jobs for a while and watches the servers.
func (s *soak) work(ctx context.Context, length time.Duration) (growth, error) {
	working, stop := context.WithTimeout(ctx, length)
	defer stop()
	var wg sync.WaitGroup
	problems := make([]error, len(s.clients)+2)
	for i, c := range s.clients {
		wg.Go(func() { problems[i] = c.work(ctx, working.Done()) })
	}
	wg.Go(func() { problems[len(s.clients)] = s.jobs(ctx, working.Done(), length) })
	wg.Go(func() { problems[len(s.clients)+1] = s.person(working.Done()) })
	watched := growth{}
	for _, pid := range s.pids() {
		watched[pid] = &usage{}
	}
	for working.Err() == nil {
		if err := watched.look(); err != nil {
			return watched, errors.Join(err, errors.Join(problems...))
		}
		select {
		case <-working.Done():
		case <-time.After(500 * time.Millisecond):
		}
	}
	wg.Wait()
	return watched, errors.Join(problems...)
}

func (s *soak) pids() []int {
	pids := []int{s.http.PID()}
	for _, one := range s.stdio {
		pids = append(pids, one.PID())
	}
	return pids
}

// jobs runs what is due at each hour of a day, by a clock that is ahead.
func (s *soak) jobs(ctx context.Context, done <-chan struct{}, length time.Duration) error {
	for hour := range 24 {
		select {
		case <-done:
			return nil
		case <-time.After(length / 25):
		}
		cmd := exec.CommandContext(ctx, s.Binary, "schedule", "run", "--workspace", s.ws)
		cmd.Env = append(s.Env(), fmt.Sprintf("AGENT_MEMORY_CLOCK=+%dh", hour+1))
		if out, err := cmd.CombinedOutput(); err != nil && cmd.ProcessState.ExitCode() != watchdogAlert {
			return broken(fmt.Errorf("the jobs of hour %d: %w\n%s", hour, err, out))
		}
	}
	return nil
}

const watchdogAlert = 12 // exit status: a job is overdue by these clocks

// person appends lines to a journal of their own.
func (s *soak) person(done <-chan struct{}) error {
	day := time.Now().AddDate(0, 0, -1).Format(time.DateOnly)
	path := filepath.Join(s.ws, "memory", day+".md")
	for n := 0; ; n++ {
		select {
		case <-done:
			return nil
		case <-time.After(1500 * time.Millisecond):
		}
		line := fmt.Sprintf("- 手写 note%s: what a person noted, number %d", word(n), n)
		raw, err := os.ReadFile(path)
		if err != nil {
			raw = []byte("# " + day + "\n\n")
		}
		if err := os.WriteFile(path, append(raw, line+"\n"...), 0o600); err != nil {
			return fmt.Errorf("writing a note: %w", err)
		}
		s.noted = append(s.noted, line)
	}
}

func (s *soak) stop() error {
	err := s.http.Stop(20 * time.Second)
	for _, one := range s.stdio {
		err = errors.Join(err, one.Stop(20*time.Second))
	}
	return err
}

// everythingKept asks for all that was acknowledged, after all servers are gone.
func (s *soak) everythingKept(ctx context.Context) (int, error) {
	if _, err := s.CLI(ctx, "sync", "--workspace", s.ws); err != nil {
		return 0, broken(err)
	}
	var sent, kept []string
	for _, c := range s.clients {
		sent = append(sent, c.sent...)
		kept = append(kept, c.live...)
	}
	if err := errors.Join(s.KeptTexts(ctx, s.ws, sent, kept), s.notesKept()); err != nil {
		return 0, broken(err)
	}
	last, err := s.serveStdio(ctx, "last")
	if err != nil {
		return 0, err
	}
	var problems []error
	for _, text := range kept {
		problems = append(problems, recalled(ctx, last, text))
	}
	return len(kept), errors.Join(broken(errors.Join(problems...)), last.Stop(20*time.Second))
}

// notesKept looks for every line of people, also where jobs have archived it.
func (s *soak) notesKept() error {
	text, err := everyMarkdown(s.ws)
	if err != nil {
		return err
	}
	lines := slices.Clone(s.noted)
	for _, file := range subject.HumanFiles() {
		lines = append(lines, strings.Split(strings.TrimSpace(file), "\n")...)
	}
	var problems []error
	for _, line := range lines {
		if !strings.Contains(text, line) {
			problems = append(problems, fmt.Errorf("a person's line is lost: %q", line))
		}
	}
	return errors.Join(problems...)
}

// recalled asks for a text by the word that only it has.
func recalled(ctx context.Context, server caller, text string) error {
	var r struct {
		Memories []struct {
			Content string `json:"content"`
		} `json:"memories"`
	}
	if err := server.Call(ctx, "recall", map[string]any{"query": strings.Fields(text)[0]}, &r); err != nil {
		return fmt.Errorf("asking for %q: %w", text, err)
	}
	for _, m := range r.Memories {
		if m.Content == text {
			return nil
		}
	}
	return fmt.Errorf("acknowledged, but not recalled: %q", text)
}

// goroutines ends the servers by SIGQUIT, upon which they write all traces, and
// one more that has done nothing yet.
func (s *soak) goroutines(ctx context.Context) (traces, error) {
	counts := traces{}
	idle, err := s.serveStdio(ctx, "idle")
	if err != nil {
		return counts, err
	}
	if err := idle.Call(ctx, "recall", map[string]any{"query": "a first question"}, nil); err != nil {
		return counts, err
	}
	s.http.HangUp()
	time.Sleep(3 * time.Second)
	counts.idle, err = s.quit(idle.PID(), idle.Wait)
	if err != nil {
		return counts, err
	}
	waits := []func() error{func() error { return s.http.Wait(20 * time.Second) }}
	for _, one := range s.stdio {
		waits = append(waits, one.Wait)
	}
	for i, pid := range s.pids() {
		n, err := s.quit(pid, waits[i])
		if err != nil {
			return counts, err
		}
		counts.worked = append(counts.worked, n)
	}
	return counts, nil
}

func (s *soak) quit(pid int, wait func() error) (int, error) {
	if err := syscall.Kill(pid, syscall.SIGQUIT); err != nil {
		return 0, fmt.Errorf("asking for traces: %w", err)
	}
	_ = wait() // it ends by the signal
	raw, err := os.ReadFile(s.stderr[pid])
	if err != nil {
		return 0, fmt.Errorf("reading traces: %w", err)
	}
	n := strings.Count(string(raw), "\ngoroutine ")
	if n == 0 {
		return 0, fmt.Errorf("a server ended without traces: %s", raw)
	}
	return n, nil
}
