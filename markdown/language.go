package markdown

import (
	"strings"
	"unicode/utf8"
)

// Language is the language of headings in generated files.
type Language string

// The languages. Any other is treated as English.
const (
	Chinese Language = "zh"
	English Language = "en"
)

// pick returns the word in the workspace's language.
func (l Language) pick(zh, en string) string {
	if l == Chinese {
		return zh
	}
	return en
}

// cutRunes shortens text to at most limit characters, the last of them "…".
func cutRunes(text string, limit int) string {
	if utf8.RuneCountInString(text) <= limit {
		return text
	}
	return strings.TrimRight(string([]rune(text)[:limit-1]), " ") + "…"
}

// plainLine makes one list line of any text: no line breaks, no comments, and
// nothing at its start that Markdown takes for a heading, list or block.
func plainLine(text string, limit int) string {
	line := Escape(oneLine(text))
	if line != "" && (startsBlock(line) || line[0] == '|' || line[0] == '<' && !strings.HasPrefix(line, `<\`)) {
		line = `\` + line
	}
	return cutRunes(line, limit)
}

// document joins lines to a file's text.
func document(lines []string) []byte {
	return []byte(strings.Join(lines, "\n") + "\n")
}
