package jobs_test

import (
	"encoding/xml"
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/jobs"
)

func written(t *testing.T, foreign, cron string, z *time.Location, c jobs.Caller) string {
	t.Helper()
	list, err := table(t, z, jobs.Entry{Name: "sync", Cron: cron}, jobs.Entry{Name: "surface", After: "sync"}).For(foreign, c)
	if err != nil {
		t.Fatal(err)
	}
	var b strings.Builder
	for _, e := range list {
		b.WriteString(e.Text)
	}
	if strings.Contains(b.String(), "surface") {
		t.Errorf("%s names a job that follows another:\n%s", foreign, b.String())
	}
	return b.String()
}

func TestTimetablesForOthers(t *testing.T) {
	berlin := zone(t, "Europe/Berlin")
	awkward := jobs.Caller{Program: "/opt/agent-memory", Workspace: `/home/o'hara/50% "记忆" $x`}
	for _, c := range []struct{ foreign, cron, want string }{
		{"crontab", "0 14,22 * * *", "CRON_TZ=Europe/Berlin\n0 14,22 * * * /opt/agent-memory --workspace '/home/o'\\''hara/50\\% \"记忆\" $x' schedule run --due sync >/dev/null\n"},
		{"systemd", "0 14,22 * * *", "OnCalendar=*-*-* 14,22:00:00 Europe/Berlin\n"},
		{"systemd", "15 */2 * * *", "OnCalendar=*-*-* 00,02,04,06,08,10,12,14,16,18,20,22:15:00 Europe/Berlin\n"},
		{"systemd", "0 22 * * 0", "OnCalendar=Sun *-*-* 22:00:00 Europe/Berlin\n"},
		{"systemd", "0 22 * * 7", "OnCalendar=Sun *-*-* 22:00:00 Europe/Berlin\n"},
		{"systemd", "0 5 1,15 * 1-5", "OnCalendar=*-*-01,15 05:00:00 Europe/Berlin\nOnCalendar=Mon,Tue,Wed,Thu,Fri *-*-* 05:00:00 Europe/Berlin\n"},
		{"systemd", "* * * jan *", "OnCalendar=*-01-* *:*:00 Europe/Berlin\n"},
		{"systemd", "0 0 * * *", `ExecStart="/opt/agent-memory" "--workspace" "/home/o'hara/50%% \"记忆\" $$x" "schedule" "run" "--due" %i`},
		{"launchd", "0 22 * * 0", "<dict>\n\t\t\t<key>Weekday</key>\n\t\t\t<integer>0</integer>\n\t\t\t<key>Hour</key>\n\t\t\t<integer>22</integer>\n\t\t\t<key>Minute</key>\n\t\t\t<integer>0</integer>\n\t\t</dict>\n"},
		{"openclaw", "0 14,22 * * *", "openclaw automations create '0 14,22 * * *' --name memory-sync --command-argv '[\"/opt/agent-memory\",\"--workspace\",\"/home/o'\\''hara/50% \\\"记忆\\\" $x\",\"schedule\",\"run\",\"--due\",\"sync\"]' --command-cwd"},
	} {
		if got := written(t, c.foreign, c.cron, berlin, awkward); !strings.Contains(got, c.want) {
			t.Errorf("%s of %s lacks %q:\n%s", c.foreign, c.cron, c.want, got)
		}
	}
	if got := written(t, "launchd", "*/30 14,22 1 * *", berlin, awkward); strings.Count(got, "<key>Day</key>") != 4 {
		t.Errorf("two hours, two minutes and one day are four dictionaries:\n%s", got)
	}
	if got := written(t, "crontab", "0 0 * * *", time.Local, awkward); strings.Contains(got, "CRON_TZ") {
		t.Errorf("the system's zone needs no name:\n%s", got)
	}
}

func TestLaunchdFilesAreXML(t *testing.T) {
	text := written(t, "launchd", "0 14,22 * * *", time.UTC, jobs.Caller{Program: "/opt/a&b", Workspace: "<记忆>"})
	d := xml.NewDecoder(strings.NewReader(text))
	for {
		_, err := d.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatalf("%v in\n%s", err, text)
		}
	}
}

// What systemd itself says of the calendar events of every profile.
func TestSystemdUnderstandsTheTimers(t *testing.T) {
	analyze, err := exec.LookPath("systemd-analyze")
	if err != nil {
		t.Skip("systemd-analyze is not installed")
	}
	seen := map[string]bool{}
	for _, profile := range []string{"openclaw", "four-layer", "fusion", "yue", "watchtower", "para"} {
		list, err := table(t, zone(t, "Europe/Berlin"), entries(t, profile)...).For("systemd", jobs.Caller{Program: "/opt/agent-memory", Workspace: "/w"})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range list {
			for line := range strings.Lines(e.Text) {
				if when, ok := strings.CutPrefix(strings.TrimSpace(line), "OnCalendar="); ok && !seen[when] {
					seen[when] = true
					if out, err := exec.CommandContext(t.Context(), analyze, "calendar", when).CombinedOutput(); err != nil {
						t.Errorf("%s: %v: %s", when, err, out)
					}
				}
			}
		}
	}
	if len(seen) < 8 {
		t.Errorf("only %d calendar events", len(seen))
	}
}

// A shell must read the lines as they were meant.
func TestShellsReadTheLines(t *testing.T) {
	shell, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("there is no sh")
	}
	dir := filepath.Join(t.TempDir(), `it's 100% "记忆" $HOME `+"`x`")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	script := written(t, "openclaw", "0 14 * * *", time.UTC, jobs.Caller{Program: "/opt/agent-memory", Workspace: dir})
	script = strings.ReplaceAll(script, "openclaw automations create", "printf '%s\\n'")
	out, err := exec.CommandContext(t.Context(), shell, "-c", script).Output()
	if err != nil || !strings.Contains(string(out), "\n--command-cwd\n"+dir+"\n") {
		t.Errorf("%v: %s", err, out)
	}
}
