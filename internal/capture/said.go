package capture

import "strings"

// The marks between which our own hooks hand context to an agent. What stands
// between them is never captured again.
const (
	ContextOpen  = "<agent-memory-context>"
	ContextClose = "</agent-memory-context>"
)

// said refines the nature of a message by what it says, and takes out of its
// text what the host, or we, put there.
type said struct {
	injected []string    // beginnings of messages that nobody typed
	silent   []string    // answers that mean "nothing to say"
	blocks   [][2]string // marks of text that was put into a message
	own      []string    // with which we begin what we put beside a message
}

func newSaid(own []string) said {
	return said{
		own: own,
		injected: []string{
			"<task-notification>", "<command-name>", "<command-message>", "<command-args>", "<local-command-stdout>", "<local-command-stderr>", "<local-command-caveat>",
			"<bash-input>", "<bash-stdout>", "<bash-stderr>", "<user-memory-input>", "<environment_context>", "<user_instructions>", "<permissions instructions>", "<turn_aborted>",
			"<skill>", "# AGENTS.md instructions", "Caveat: The messages below", "[Request interrupted", "[OpenClaw heartbeat poll]", "This session is being continued from a previous conversation",
			"Stop hook feedback:", "<subagent_notification>",
		},
		silent: []string{"NO_REPLY", "HEARTBEAT_OK", "ANNOUNCE_SKIP", "REPLY_SKIP", "No response requested."},
		blocks: [][2]string{
			{"<system-reminder>", "</system-reminder>"}, {ContextOpen, ContextClose}, {"<environment_context>", "</environment_context>"},
			{"<relevant-memories>", "</relevant-memories>"}, {"<relevant_memories>", "</relevant_memories>"}, {"<memory-context>", "</memory-context>"}, {"<ide_selection>", "</ide_selection>"}, {"<ide_opened_file>", "</ide_opened_file>"},
		},
	}
}

// settle returns the message as it was said, with its true nature, and what was
// taken out of it.
func (s said) settle(m Message) (said Message, removed string) {
	if m.Nature != Spoken {
		return m, ""
	}
	for _, b := range s.blocks {
		var inner string
		m.Text, inner = without(m.Text, b[0], b[1])
		removed = joined(removed, inner)
	}
	for _, o := range s.own {
		var after string
		m.Text, after, _ = strings.Cut(m.Text, o)
		removed = joined(removed, after)
	}
	m.Text = strings.TrimSpace(m.Text)
	switch {
	case m.Text == "" || m.Role == User && startsWithAny(m.Text, s.injected...):
		m.Nature = Injected
	case m.Role == Assistant && s.nothing(m.Text):
		m.Nature = Silent
	}
	return m, removed
}

func (s said) nothing(text string) bool {
	text = strings.Trim(text, " \t\r\n.*`")
	for _, mark := range s.silent {
		if strings.EqualFold(text, strings.Trim(mark, ".")) {
			return true
		}
	}
	return false
}

// without removes what stands between two marks, up to the end where the
// closing one is missing: better to lose words than to take ours for theirs.
func without(text, open, end string) (rest, removed string) {
	if !strings.Contains(text, open) {
		return text, ""
	}
	var b strings.Builder
	for {
		before, after, found := strings.Cut(text, open)
		b.WriteString(before)
		if !found {
			return b.String(), removed
		}
		var inner string
		inner, text, _ = strings.Cut(after, end)
		removed = joined(removed, inner)
	}
}
