package jobs

import (
	"encoding/json"
	"encoding/xml"
	"fmt"
	"strings"
	"time"

	"agentmemory/internal/memory"
)

// Foreign are the schedulers for which the timetable can be written down.
func Foreign() []string { return []string{"crontab", "systemd", "launchd", "openclaw"} }

// Entries is a timetable for another scheduler: files to be put in place, or
// lines to be pasted or run.
type Entries struct {
	Name string `json:"name"` // path of the file, "" for lines
	Text string `json:"text"`
}

// Caller is how another scheduler starts a job.
type Caller struct {
	Program   string // absolute path
	Workspace string
}

func (c Caller) arguments(job string) []string {
	return []string{c.Program, "--workspace", c.Workspace, "schedule", "run", "--due", job}
}

// For writes the timetable down for another scheduler. Jobs that follow others
// are not named: they run with what they follow.
func (t Timetable) For(foreign string, c Caller) ([]Entries, error) {
	switch foreign {
	case "crontab":
		return []Entries{{Text: t.crontab(c)}}, nil
	case "systemd":
		return t.systemd(c), nil
	case "launchd":
		return t.launchd(c), nil
	case "openclaw":
		return []Entries{{Text: t.openClaw(c)}}, nil
	}
	return nil, memory.Errorf(memory.InvalidArgument, "no scheduler is named %q", foreign).WithHint("schedulers: %s", strings.Join(Foreign(), ", "))
}

// zoneName is the name of the zone for other programs, "" for the system's.
func (t Timetable) zoneName() string {
	if t.Zone == time.Local {
		return ""
	}
	return t.Zone.String()
}

// timed calls f for each time of each job.
func (t Timetable) timed(f func(Job, Expression)) {
	for _, job := range t.Jobs {
		for _, x := range job.Times {
			f(job, x)
		}
	}
}

func (t Timetable) crontab(c Caller) string {
	var b strings.Builder
	b.WriteString("# agent-memory: add with crontab -e\n")
	if name := t.zoneName(); name != "" {
		fmt.Fprintf(&b, "# cronie obeys CRON_TZ; Debian's cron takes the system's zone\nCRON_TZ=%s\n", name)
	}
	t.timed(func(job Job, x Expression) {
		command := shellLine(c.arguments(job.Name))
		fmt.Fprintf(&b, "%s %s >/dev/null\n", x, strings.ReplaceAll(command, "%", `\%`))
	})
	return b.String()
}

func (t Timetable) openClaw(c Caller) string {
	var b strings.Builder
	b.WriteString("# Runs in OpenClaw's gateway, without a model. Remove again with: openclaw automations remove NAME\n")
	t.timed(func(job Job, x Expression) {
		argv, _ := json.Marshal(c.arguments(job.Name)) // strings always encode
		fmt.Fprintf(&b, "openclaw automations create %s\n", shellLine([]string{
			x.String(), "--name", "memory-" + job.Name, "--command-argv", string(argv), "--command-cwd", c.Workspace,
			"--timeout-seconds", fmt.Sprint(int(job.Timeout.Seconds())), "--no-deliver",
		}))
	})
	return b.String()
}

// shellLine quotes words for a POSIX shell.
func shellLine(words []string) string {
	quoted := make([]string, len(words))
	for i, w := range words {
		quoted[i] = w
		if w == "" || strings.Trim(w, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-_./:=,@+") != "" {
			quoted[i] = "'" + strings.ReplaceAll(w, "'", `'\''`) + "'"
		}
	}
	return strings.Join(quoted, " ")
}

func (t Timetable) systemd(c Caller) []Entries {
	arguments := c.arguments("")
	words := make([]string, 0, len(arguments))
	for _, w := range arguments[:len(arguments)-1] {
		words = append(words, unitWord(w))
	}
	const folder = "~/.config/systemd/user/"
	list := []Entries{{
		Name: folder + "agent-memory@.service",
		Text: fmt.Sprintf("[Unit]\nDescription=agent-memory job %%i\n\n[Service]\nType=oneshot\nExecStart=%s %%i\n", strings.Join(words, " ")),
	}}
	for _, job := range t.Jobs {
		if len(job.Times) == 0 {
			continue
		}
		var b strings.Builder
		fmt.Fprintf(&b, "[Unit]\nDescription=agent-memory: %s\n\n[Timer]\n", job.Name)
		for _, x := range job.Times {
			for _, when := range x.calendar() {
				fmt.Fprintf(&b, "OnCalendar=%s\n", strings.TrimSpace(when+" "+t.zoneName()))
			}
		}
		fmt.Fprintf(&b, "Persistent=true\nUnit=agent-memory@%s.service\n\n[Install]\nWantedBy=timers.target\n", job.Name)
		list = append(list, Entries{Name: folder + "agent-memory-" + job.Name + ".timer", Text: b.String()})
	}
	return list
}

// unitWord quotes a word for ExecStart.
func unitWord(w string) string {
	w = strings.NewReplacer("%", "%%", "$", "$$", `\`, `\\`, `"`, `\"`).Replace(w)
	return `"` + w + `"`
}

func (t Timetable) launchd(c Caller) []Entries {
	var list []Entries
	for _, job := range t.Jobs {
		if len(job.Times) == 0 {
			continue
		}
		label := "agent-memory." + job.Name
		var b strings.Builder
		b.WriteString(xml.Header + `<!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">` + "\n<plist version=\"1.0\">\n<dict>\n")
		fmt.Fprintf(&b, "\t<key>Label</key>\n\t<string>%s</string>\n\t<key>ProgramArguments</key>\n\t<array>\n", label)
		for _, w := range c.arguments(job.Name) {
			b.WriteString("\t\t<string>")
			_ = xml.EscapeText(&b, []byte(w)) // a strings.Builder takes everything
			b.WriteString("</string>\n")
		}
		b.WriteString("\t</array>\n\t<key>StartCalendarInterval</key>\n\t<array>\n")
		for _, x := range job.Times {
			b.WriteString(x.intervals())
		}
		b.WriteString("\t</array>\n</dict>\n</plist>\n")
		list = append(list, Entries{Name: "~/Library/LaunchAgents/" + label + ".plist", Text: b.String()})
	}
	return list
}
