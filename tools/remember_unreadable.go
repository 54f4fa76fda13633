package tools

import (
	"fmt"
	"strings"
	"unicode/utf8"
)

// sayUnreadable adds to the reasons of what was kept that characters of it are
// lost: JSON puts U+FFFD where bytes were no UTF-8, long before a tool is called.
func sayUnreadable(outcomes []Outcome, items []RememberItem) {
	for i := range outcomes {
		lost := strings.Count(items[i].Content, string(utf8.RuneError))
		if lost > 0 && outcomes[i].Error == nil {
			outcomes[i].Reason += fmt.Sprintf("; %d characters could not be read and stand as %c", lost, utf8.RuneError)
		}
	}
}
