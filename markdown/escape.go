package markdown

import "strings"

// Escape makes text safe inside an entry: each "<!--" becomes "<\!--", and what
// looks escaped already gets one more back slash, so that Unescape is exact.
// Metadata in content can therefore never be taken for ours.
func Escape(text string) string { return rewriteOpeners(text, 0, escapeMark) }

// Unescape is the inverse of Escape.
func Unescape(text string) string { return rewriteOpeners(text, 1, "") }

// rewriteOpeners finds each "<", at least drop back slashes, "!--"; it removes
// drop of the back slashes and adds the prefix add.
func rewriteOpeners(text string, drop int, add string) string {
	if !strings.Contains(text, "!--") {
		return text
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(text, '<')
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:i+1])
		text = text[i+1:]
		slashes := len(text) - len(strings.TrimLeft(text, "\\"))
		if slashes >= drop && strings.HasPrefix(text[slashes:], "!--") {
			b.WriteString(add)
			text = text[drop:]
		}
	}
}
