package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// People choose when jobs run in their settings; the rest is as the profile says.
func TestTimesFromTheSettings(t *testing.T) {
	for _, c := range []struct {
		name, settings string
		list, without  string // of schedule list
		crontab        string
	}{
		{"nothing is set", "", "reflect   30 4 * * *, next", "", "30 4 * * *"},
		{"another time", `reflect = "5 6 * * *"`, "reflect   5 6 * * *, next", "30 4 * * *", "5 6 * * *"},
		{"several times", `reflect = ["5 6 * * *", "0 18,20 * * 1-5"]`, "reflect   5 6 * * *, 0 18,20 * * 1-5, next", "30 4 * * *", "0 18,20 * * 1-5"},
		{"several times in one text", `reflect = "5 6 * * *; 0 18 * * 1-5"`, "reflect   5 6 * * *, 0 18 * * 1-5, next", "30 4 * * *", "0 18 * * 1-5"},
		{"switched off", `compound = "off"`, "reflect   30 4 * * *", "compound", "30 4 * * *"},
		{"its events stay", `sync = "0 9 * * *"`, "sync      0 9 * * *, after conversation", "14,22", "0 9 * * *"},
		{"after another job", `surface = "after reflect"`, "surface   after reflect", "surface   after sync", "30 4 * * *"},
		{"a job that the profile leaves out", `extract = "0 7 * * *"`, "extract   0 7 * * *", "", "0 7 * * *"},
		{"gc only shows what it would do", `gc = "0 7 * * *"`, "gc        0 7 * * *, dry run", "", "0 7 * * *"},
		{"another zone", `time_zone = "America/New_York"`, "times in America/New_York", "", "CRON_TZ=America/New_York"},
	} {
		env, home := surround(t, "AGENT_MEMORY_TIME_ZONE=Asia/Shanghai")
		setSchedule(t, home, c.settings)
		code, out, errs := program(t, env, "schedule", "list")
		if code != 0 || !strings.Contains(out, c.list) || c.without != "" && strings.Contains(out, c.without) {
			t.Errorf("%s: %d, want %q\n%s%s", c.name, code, c.list, out, errs)
		}
		if _, printed, _ := program(t, env, "schedule", "print", "--for", "crontab"); !strings.Contains(printed, c.crontab) {
			t.Errorf("%s: crontab\n%s", c.name, printed)
		}
	}
}

func setSchedule(t *testing.T, home, settings string) {
	t.Helper()
	dir := filepath.Join(home, ".agent-memory", stateFolder)
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, configFile), []byte("[schedule]\n"+settings+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
}

// What is wrong is said by every command that reads the settings, with what helps.
func TestTimesThatAreNone(t *testing.T) {
	for settings, want := range map[string]string{
		`reflect = "25 4"`:             "schedule.reflect",
		`reflect = "daily"`:            "schedule.reflect",
		`reflect = "61 4 * * *"`:       "schedule.reflect",
		`surface = "after lunch"`:      `no job is named "lunch"`,
		`tidy = "0 4 * * *"`:           "schedule.tidy",
		`time_zone = "Mars/Olympus"`:   "time zone",
		`sync = "after surface"`:       "would run after itself",
		`reflect = "TZ=UTC 0 4 * * *"`: "schedule.reflect",
	} {
		env, home := surround(t)
		setSchedule(t, home, settings)
		for _, command := range []string{"config", "doctor", "schedule"} {
			code, out, errs := program(t, env, command)
			if code == 0 || !strings.Contains(out+errs, want) {
				t.Errorf("%s, %s: %d\n%s%s", settings, command, code, out, errs)
			}
		}
	}
}
