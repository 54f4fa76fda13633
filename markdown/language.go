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
	return cutRunes(escapeStart(Escape(oneLine(text))), limit)
}

// escapeStart puts a back slash where the start of a line would be structure.
func escapeStart(line string) string {
	switch {
	case line == "" || strings.HasPrefix(line, `<\`):
		return line
	case line[0] == '\\' || line[0] == '|' || line[0] == '<':
		return `\` + line
	case !startsBlock(line):
		return line
	}
	if width := bulletWidth(line); width > 1 {
		return line[:width-1] + `\` + line[width-1:]
	}
	return `\` + line
}

// fromPlainLine returns what a line that plainLine made stands for.
func fromPlainLine(line string) string {
	digits := len(line) - len(strings.TrimLeft(line, "0123456789"))
	rest, escaped := strings.CutPrefix(line[digits:], `\`)
	if escaped && (digits == 0 || strings.HasPrefix(rest, ".") || strings.HasPrefix(rest, ")")) {
		line = line[:digits] + rest
	}
	return Unescape(line)
}

// document joins lines to a file's text.
func document(lines []string) []byte {
	return []byte(strings.Join(lines, "\n") + "\n")
}
