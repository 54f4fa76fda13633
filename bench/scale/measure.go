package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"time"

	"agentmemory/bench/stdio"
)

type answer struct {
	Count    int      `json:"count"`
	Degraded []string `json:"degraded"`
}

func measure(ctx context.Context, o options, report *Report) error {
	self, err := os.Executable()
	if err != nil {
		return fmt.Errorf("finding the program: %w", err)
	}
	begun := time.Now()
	s, err := stdio.Start(ctx, []string{
		self, "-serve", "-size", strconv.Itoa(o.size), "-dimension", strconv.Itoa(o.dimension), "-dir", o.dir, "-profile", o.profile,
	}, os.Environ())
	if err != nil {
		return err
	}
	defer s.Kill() //nolint:errcheck // an error path only: Stop has ended it before
	m := meter{ctx: ctx, server: s, options: o}
	if err := m.warm(begun, report); err != nil {
		return fmt.Errorf("warming up: %w", err)
	}
	for _, kind := range []struct {
		tool          string
		args          map[string]any
		p50, p95, cpu *float64
	}{
		{"recall", nil, &report.P50, &report.P95, &report.CPU},
		{"plain", nil, &report.PlainP50, &report.PlainP95, &report.PlainCPU},
		{"recall", map[string]any{"type": "event", "actor": "speaker1"}, &report.Filtered, new(float64), new(float64)},
		{"recall", map[string]any{"agent_id": elsewhere}, &report.Space, new(float64), new(float64)},
	} {
		if *kind.p50, *kind.p95, *kind.cpu, err = m.time(kind.tool, kind.args); err != nil {
			return fmt.Errorf("timing %s with %v: %w", kind.tool, kind.args, err)
		}
		if kind.tool == "recall" && kind.args == nil {
			report.Late = m.late
			report.Resident = float64(status(s.PID(), "VmRSS:")) / 1024
		}
	}
	if info, err := os.Stat(o.store()); err == nil {
		report.Disk = float64(info.Size()) / 1e6
	}
	return s.Stop(time.Minute)
}

type meter struct {
	ctx     context.Context
	server  *stdio.Server
	options options
	asked   int
	late    int // answers that had to do without vectors
}

// warming is how long questions may fail at first.
const warming = 2 * time.Minute

// warm asks until an answer used vectors, and then a few times more.
func (m *meter) warm(begun time.Time, report *Report) error {
	for complete := false; !complete; {
		a, err := m.ask("recall", nil)
		if err != nil && time.Since(begun) < warming {
			report.Refused++ // too slow while everything is read for the first time
			continue
		}
		if err != nil {
			return err
		}
		if report.First == 0 {
			report.First = milliseconds(time.Since(begun))
		}
		complete = len(a.Degraded) == 0
	}
	report.Complete = milliseconds(time.Since(begun))
	for range 30 {
		if _, err := m.ask("recall", nil); err != nil {
			return err
		}
	}
	m.late = 0
	return nil
}

// ask asks the next question.
func (m *meter) ask(tool string, args map[string]any) (answer, error) {
	call := map[string]any{"query": question(m.asked, m.options.size)}
	for name, value := range args {
		call[name] = value
	}
	m.asked++
	var a answer
	err := m.server.Call(m.ctx, tool, call, &a)
	if len(a.Degraded) > 0 {
		m.late++
	}
	return a, err
}

func (m *meter) time(tool string, args map[string]any) (p50, p95, cpu float64, err error) {
	before := processor(m.server.PID())
	took := make([]float64, m.options.calls)
	for i := range took {
		begun := time.Now()
		if _, err := m.ask(tool, args); err != nil {
			return 0, 0, 0, err
		}
		took[i] = milliseconds(time.Since(begun))
	}
	cpu = milliseconds(processor(m.server.PID())-before) / float64(len(took))
	slices.Sort(took)
	return took[len(took)/2], took[len(took)*95/100], cpu, nil
}

func milliseconds(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }

// status reads a line of /proc/PID/status in its unit, 0 if there is none.
func status(pid int, line string) int {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(raw), line)
	n, _, _ := strings.Cut(strings.TrimSpace(after), " ")
	value, _ := strconv.Atoi(n) // 0 says that it could not be read
	return value
}

// processor reads the user and system time of a process, in ticks of 10 ms.
func processor(pid int) time.Duration {
	raw, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return 0
	}
	_, after, _ := strings.Cut(string(raw), ") ")
	fields := strings.Fields(after)
	if len(fields) < 13 {
		return 0
	}
	const user, system, tick = 11, 12, 10 * time.Millisecond
	u, _ := strconv.Atoi(fields[user]) // 0 says that it could not be read
	k, _ := strconv.Atoi(fields[system])
	return time.Duration(u+k) * tick
}
