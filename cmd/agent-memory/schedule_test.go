package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/jobs"
	"agentmemory/lifecycle"
)

// later is the same machine some time afterwards.
func later(env surroundings, d time.Duration) surroundings {
	now := env.Now()
	env.Now = func() time.Time { return now.Add(d) }
	return env
}

func TestScheduleRunsWhatIsDueOnce(t *testing.T) {
	env, home := surround(t) // Wednesday, 21:30
	answer[rememberView](t, env, "remember", "账本用 SQLite", "--type", "knowledge")
	if code, out, errs := program(t, env, "schedule", "run"); code != 0 || out != "nothing is due\n" {
		t.Fatalf("at first: %d %q %s", code, out, errs)
	}
	code, out, errs := program(t, later(env, time.Hour), "schedule", "run")
	if code != 0 || !strings.Contains(out, "sync: done: the files held nothing new") || !strings.Contains(out, "surface: done: wrote RECENT.md with 1 entry") || !strings.Contains(out, "watchdog: done") {
		t.Fatalf("at 22:30: %d %q %s", code, out, errs)
	}
	if recent := read(t, home, ".agent-memory", "RECENT.md"); !strings.Contains(recent, "账本用 SQLite") {
		t.Errorf("RECENT.md:\n%s", recent)
	}
	if _, out, _ := program(t, later(env, 61*time.Minute), "schedule", "run"); out != "nothing is due\n" {
		t.Errorf("again: %q", out)
	}
	status := answer[map[string]any](t, later(env, time.Hour), "status")
	if last := status["health"].(map[string]any)["jobs"].(map[string]any)["sync"]; last != "done 2026-03-11 22:30 (missed): the files held nothing new" {
		t.Errorf("status: %v", last)
	}
}

func TestScheduleList(t *testing.T) {
	env, _ := surround(t)
	view := answer[scheduleView](t, env, "schedule", "list")
	if view.Profile != "openclaw" || len(view.Jobs) != 7 || view.Jobs[0].Job != "sync" || view.Jobs[0].Next == nil || !view.Jobs[0].Next.Equal(time.Date(2026, 3, 11, 22, 0, 0, 0, time.UTC)) {
		t.Errorf("%+v", view)
	}
	_, out, _ := program(t, env, "schedule")
	for _, want := range []string{"sync      0 14,22 * * *, after conversation, next 2026-03-11 22:00", "surface   after sync\n", "never run"} {
		if !strings.Contains(out, want) {
			t.Errorf("%q is missing in:\n%s", want, out)
		}
	}
}

func TestEveryJobOfEveryProfileRuns(t *testing.T) {
	sequential(t)
	t.Parallel()
	for _, profile := range lifecycle.ProfileNames() {
		env, _ := surround(t, "AGENT_MEMORY_PROFILE="+profile)
		answer[rememberView](t, env, "remember", "部署只在周二", "--type", "knowledge")
		for _, job := range answer[scheduleView](t, env, "schedule", "list").Jobs {
			if !knownJob(job.Job) {
				t.Logf("%s: %s is no phase of this version", profile, job.Job)
				continue
			}
			if code, out, errs := program(t, env, "schedule", "run", job.Job); code != 0 || !strings.Contains(out, job.Job+": done") {
				t.Errorf("%s: %s: %d %s%s", profile, job.Job, code, out, errs)
			}
		}
	}
}

// knownJob tells whether the program has the phase that a job is.
func knownJob(name string) bool {
	if name == "sync" || name == jobs.WatchdogJob {
		return true
	}
	for _, spec := range toolSpecs() {
		if spec.Name == "reflect" {
			return strings.Contains(strings.Join(spec.Input[0].Enum, " "), phaseOf(name))
		}
	}
	return false
}

// A call is noted like a run of the schedule; what only looks is not.
func TestCallsAreNotedAsRuns(t *testing.T) {
	env, home := surround(t)
	answer[map[string]any](t, env, "surface", "--dry-run")
	answer[map[string]any](t, env, "sync", "files")
	if _, err := os.Stat(filepath.Join(home, ".agent-memory", "memory", "state")); err == nil {
		t.Error("a dry run, or taking over files, was noted")
	}
	answer[map[string]any](t, env, "surface")
	answer[map[string]any](t, env, "reflect", "tidy")
	list := answer[scheduleView](t, env, "schedule", "list")
	for _, j := range list.Jobs {
		if done := j.Last != nil && j.Last.Outcome == jobs.Done; done != (j.Job == "surface" || j.Job == "reflect") {
			t.Errorf("%s: %+v", j.Job, j.Last)
		}
	}
}

func TestACallWithWrongWordsIsNoFailureOfTheJob(t *testing.T) {
	env, home := surround(t)
	if code, out, _ := program(t, env, "wrapup", "--date", "bogus"); code == 0 {
		t.Error(out)
	}
	if code, out, errs := program(t, env, "watchdog"); code != 0 || strings.Contains(out, "failing") {
		t.Errorf("exit status %d\n%s%s", code, out, errs)
	}
	if code, _, errs := program(t, env, "reflect"); code != 0 { // all, as the schedule has it
		t.Error(errs)
	}
	if raw := read(t, home, ".agent-memory", "memory", "state", "job-reflect.json"); !strings.Contains(raw, `"done"`) {
		t.Error(raw)
	}
}

func TestCallsWaitForNoJobTheyDoNotTouch(t *testing.T) {
	env, home := surround(t)
	answer[map[string]any](t, env, "sync", "files")
	root, err := os.OpenRoot(filepath.Join(home, ".agent-memory"))
	if err != nil {
		t.Fatal(err)
	}
	defer root.Close()
	held, err := (&jobs.Locks{Root: root}).Take(jobs.Job{Name: "compound", Excludes: []string{"wrapup"}})
	if err != nil {
		t.Fatal(err)
	}
	defer held.Release()
	answer[map[string]any](t, env, "surface")
	code, out, _ := program(t, env, "schedule", "run", "compound")
	if code != 0 || out != "compound: skipped, compound is running already\n" {
		t.Errorf("%d %q", code, out)
	}
}

func TestWatchdogConversation(t *testing.T) {
	for _, language := range []struct{ name, title, recovered string }{{"en", "# A job needs attention: sync (disabled)", "Well again since"}, {"zh", "# 任务异常: sync (已关闭)", "已恢复正常"}} {
		env, home := surround(t, "AGENT_MEMORY_PROFILE=watchtower", "AGENT_MEMORY_LANGUAGE="+language.name)
		say := func(after time.Duration, want int, text string, args ...string) {
			t.Helper()
			code, out, errs := program(t, later(env, after), args...)
			if code != want || !strings.Contains(out, text) {
				t.Fatalf("%q after %s: %d %s%s", args, after, code, out, errs)
			}
		}
		p := &printer{language: language.name}
		say(0, 0, p.text("healthy"), "watchdog")
		say(0, 0, p.say("%s is switched off", "sync"), "schedule", "disable", "sync")
		say(2*time.Hour, 0, p.text("an alert if it is so at the next look too"), "watchdog")
		say(4*time.Hour, exitProblems, "sync      "+p.text("disabled")+p.text(" — ALERT"), "watchdog")
		say(6*time.Hour, exitProblems, p.text(" — alert stands"), "watchdog", "--json=false")
		say(6*time.Hour, exitProblems, p.say("%s: %s: %s", "watchdog", p.text("done"), ""), "schedule", "run", "watchdog")
		if report := read(t, home, ".agent-memory", "memory", "failure-reports", "2026-03-12-0130-sync.md"); !strings.HasPrefix(report, language.title) {
			t.Errorf("report:\n%s", report)
		}
		status := answer[map[string]any](t, later(env, 6*time.Hour), "status")
		if degraded := status["degraded"].([]any); len(degraded) != 1 || !strings.Contains(degraded[0].(string), "jobs: sync is disabled") {
			t.Errorf("status: %v", degraded)
		}
		say(6*time.Hour, 0, p.say("%s is switched on", "sync"), "schedule", "enable", "sync")
		say(6*time.Hour, 0, p.text("well again"), "watchdog")
		if report := read(t, home, ".agent-memory", "memory", "failure-reports", "2026-03-12-0130-sync.md"); !strings.Contains(report, language.recovered) {
			t.Errorf("report:\n%s", report)
		}
		answer[jobs.Verdict](t, later(env, 6*time.Hour), "watchdog")
	}
}

func TestScheduleRefusesWhatIsNoJob(t *testing.T) {
	env, _ := surround(t)
	for _, args := range [][]string{{"schedule", "run", "tidy"}, {"schedule", "disable", "everything"}, {"schedule", "print", "--for", "atd"}, {"schedule", "print", "--for", "crontab", "--write", "x"}, {"schedule", "print"}} {
		if code, out, errs := program(t, env, args...); code != 2 || out != "" || !strings.Contains(errs, "agent-memory: ") {
			t.Errorf("%q: %d %q %q", args, code, out, errs)
		}
	}
}

// What the watchdog remembers is a file that people may edit.
func TestAWatchdogStateThatMakesNoSenseHarmsNothing(t *testing.T) {
	t.Parallel()
	env, home := surround(t)
	program(t, env, "init")
	for _, text := range []string{
		`{"jobs":{"sync":{"anomalies":2,"alerted":"2026-03-11T10:00:00Z","last3":null}}}`,
		`{"jobs":{"sync":{"anomalies":2,"alerted":"2026-03-11T10:00:00Z","last3":[],"report":"MEMORY.md"}}}`, `{"jobs":null}`, `[]`,
	} {
		writeFile(t, filepath.Join(home, ".agent-memory", "memory", "state", "memory-watchdog-state.json"), text)
		answer[map[string]any](t, env, "status")
		program(t, env, "watchdog")
	}
	if _, err := os.Stat(filepath.Join(home, ".agent-memory", "MEMORY.md")); err == nil {
		t.Error("the watchdog wrote into a file that is none of its own")
	}
}
