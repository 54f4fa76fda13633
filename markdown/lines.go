package markdown

import (
	"strings"
	"unicode/utf8"
)

const (
	bom     = "\ufeff"
	tabStop = 4
)

// splitLines cuts text after each line feed; every line keeps its terminator.
func splitLines(text string) []string {
	if text == "" {
		return nil
	}
	lines := strings.SplitAfter(text, "\n")
	if lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// bare returns a line without its terminator.
func bare(line string) string {
	return strings.TrimSuffix(strings.TrimSuffix(line, "\n"), "\r")
}

// lineEnding returns the terminator that most lines have; LF when undecided.
func lineEnding(lines []string) string {
	crlf := 0
	for _, l := range lines {
		if strings.HasSuffix(l, "\r\n") {
			crlf++
		}
	}
	if crlf*2 > len(lines) {
		return "\r\n"
	}
	return "\n"
}

// terminate gives each line the terminator eol.
func terminate(lines []string, eol string) []string {
	out := make([]string, len(lines))
	for i, l := range lines {
		out[i] = l + eol
	}
	return out
}

func isBlank(line string) bool { return strings.Trim(line, " \t\r\n") == "" }

// indentation returns the columns and bytes of leading white space, tabs
// counting to the next multiple of four.
func indentation(line string) (columns, size int) {
	for size < len(line) {
		switch line[size] {
		case ' ':
			columns++
		case '\t':
			columns += tabStop - columns%tabStop
		default:
			return columns, size
		}
		size++
	}
	return columns, size
}

// dedent removes up to n columns of leading white space; a tab that is cut
// leaves spaces for its rest.
func dedent(line string, n int) string {
	column := 0
	for i := 0; i < len(line); i++ {
		if column >= n {
			return strings.Repeat(" ", column-n) + line[i:]
		}
		switch line[i] {
		case ' ':
			column++
		case '\t':
			column += tabStop - column%tabStop
		default:
			return line[i:]
		}
	}
	return strings.Repeat(" ", max(0, column-n))
}

// Sanitise returns text as an entry can hold it: valid UTF-8 without NUL, lines
// ended by LF, lines of white space emptied, no blank lines before or after, no
// white space at the end. Parsing a rendered text gives exactly this.
func Sanitise(text string) string {
	text = strings.ToValidUTF8(text, string(utf8.RuneError))
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = strings.ReplaceAll(text, "\r", "\n")
	text = strings.ReplaceAll(text, "\x00", string(utf8.RuneError))
	if strings.Contains(text, "\n") {
		text = emptyBlankLines(text)
	}
	return strings.TrimRight(text, " \t\n")
}

func emptyBlankLines(text string) string {
	lines := strings.Split(text, "\n")
	for i, l := range lines {
		if isBlank(l) {
			lines[i] = ""
		}
	}
	return strings.TrimLeft(strings.Join(lines, "\n"), "\n")
}

// oneLine folds text to a single line: runs of white space become one space.
func oneLine(text string) string {
	return strings.Join(strings.Fields(Sanitise(text)), " ")
}
