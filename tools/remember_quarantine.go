package tools

import (
	"fmt"

	"agentmemory/internal/redact"
)

// quarantineReason tells a person why a text is kept aside, and what to do.
func quarantineReason(reasons []redact.Reason) string {
	if len(reasons) == 0 {
		return "" // asked for by its source, not by its text
	}
	return fmt.Sprintf("kept aside: %s. It is not recalled until a person allows it: `agent-memory approve` shows it", suspicion(reasons[0]))
}

// suspicion puts a finding of the redactor into words. What was found is quoted
// only where it can be seen.
func suspicion(r redact.Reason) string {
	switch r.Rule {
	case "hidden_text":
		return "the text held " + hiddenBy(r.Excerpt) + ", which a person cannot see but a model reads; they were taken out"
	case "hidden_markup":
		return fmt.Sprintf("the text hides something in its markup (%q)", r.Excerpt)
	case "role_forgery", "tool_forgery":
		return fmt.Sprintf("the text imitates the marks of a conversation or of a tool (%q)", r.Excerpt)
	case "exfiltration":
		return fmt.Sprintf("the text asks to send data away (%q)", r.Excerpt)
	case "memory_poisoning", "memory_wipe":
		return fmt.Sprintf("the text tries to change what is remembered (%q)", r.Excerpt)
	}
	return fmt.Sprintf("the text reads like orders to an AI, not like something to remember (%q)", r.Excerpt)
}

func hiddenBy(kind string) string {
	switch kind {
	case redact.RemovedTags:
		return "invisible tag characters (U+E0000 and following)"
	case redact.RemovedSelectors:
		return "runs of invisible variation selectors"
	}
	return "invisible characters"
}
