package text_test

import (
	"testing"

	"agentmemory/internal/text"
)

func TestAbbreviated(t *testing.T) {
	for s, want := range map[string]bool{
		"Offer sent to Mrs": true, "(e.g": true, "by J": true, "It was room No": true, "发给 Dr": true,
		"No": false, "So did I": false, "the end": false, "said no": false, "": false, "做完了": false,
	} {
		if got := text.Abbreviated(s); got != want {
			t.Errorf("%q: %v", s, got)
		}
	}
}
