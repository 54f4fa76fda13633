package markdown

import (
	"slices"
	"strings"
)

// marker is the start of a list item.
type marker struct {
	offset     int  // column at which content starts
	size       int  // bytes before the content of the first line
	empty      bool // nothing follows on its line
	interrupts bool // may follow a paragraph without a blank line
}

// listMarker reads "- ", "* ", "+ ", "1. " or "1) " after at most three spaces.
func listMarker(line string) (marker, bool) {
	indent, size := indentation(line)
	if indent >= tabStop || isRule(line) {
		return marker{}, false
	}
	width := bulletWidth(line[size:])
	if width == 0 {
		return marker{}, false
	}
	ordered := width > 1
	one := !ordered || line[size:size+width-1] == "1"
	size += width
	rest := line[size:]
	if isBlank(rest) {
		return marker{offset: indent + width + 1, size: len(line), empty: true}, true
	}
	columns, bytes := contentIndent(rest, indent+width)
	if columns == 0 {
		return marker{}, false
	}
	return marker{offset: indent + width + columns, size: size + bytes, interrupts: one}, true
}

// contentIndent returns the columns and bytes between a list marker that ends
// at column start and its content; more than four columns are indented code,
// which starts after the first.
func contentIndent(rest string, start int) (columns, size int) {
	for size < len(rest) && (rest[size] == ' ' || rest[size] == '\t') {
		if rest[size] == '\t' {
			columns += tabStop - (start+columns)%tabStop
		} else {
			columns++
		}
		size++
	}
	if columns > tabStop {
		return 1, 1
	}
	return columns, size
}

// bulletWidth returns the bytes of a list mark, 0 if there is none.
func bulletWidth(s string) int {
	if s != "" && strings.IndexByte("-*+", s[0]) >= 0 {
		return 1
	}
	digits := 0
	for digits < len(s) && s[digits] >= '0' && s[digits] <= '9' {
		digits++
	}
	if digits == 0 || digits > 9 || digits == len(s) || s[digits] != '.' && s[digits] != ')' {
		return 0
	}
	return digits + 1
}

// isRule reports whether a line is a thematic break.
func isRule(line string) bool {
	indent, size := indentation(line)
	line = strings.TrimRight(line[size:], " \t")
	if indent >= tabStop || line == "" || strings.IndexByte("-*_", line[0]) < 0 {
		return false
	}
	marks := strings.Count(line, line[:1])
	return marks >= 3 && marks+strings.Count(line, " ")+strings.Count(line, "\t") == len(line)
}

// underline returns the level of the heading that a line of "=" or "-" makes of
// the paragraph before it, else 0.
func underline(line string) int {
	line = strings.TrimRight(strings.TrimLeft(line, " "), " \t")
	switch {
	case line == "":
		return 0
	case strings.Trim(line, "=") == "":
		return 1
	case strings.Trim(line, "-") == "":
		return 2
	}
	return 0
}

func atxHeading(line string) (level int, text string, ok bool) {
	indent, size := indentation(line)
	line = line[size:]
	level = len(line) - len(strings.TrimLeft(line, "#"))
	rest := line[level:]
	if indent >= tabStop || level == 0 || level > 6 || rest != "" && rest[0] != ' ' && rest[0] != '\t' {
		return 0, "", false
	}
	text = strings.Trim(rest, " \t")
	if open := strings.TrimRight(text, "#"); open == "" || strings.HasSuffix(open, " ") || strings.HasSuffix(open, "\t") {
		text = strings.TrimRight(open, " \t")
	}
	return level, text, true
}

// fence is the opening line of fenced code.
type fence struct {
	mark   byte
	length int
}

func openFence(line string) (fence, bool) {
	indent, size := indentation(line)
	line = line[size:]
	if indent >= tabStop || line == "" || line[0] != '`' && line[0] != '~' {
		return fence{}, false
	}
	f := fence{mark: line[0], length: len(line) - len(strings.TrimLeft(line, line[:1]))}
	if f.length < 3 || f.mark == '`' && strings.Contains(line[f.length:], "`") {
		return fence{}, false
	}
	return f, true
}

func (f fence) closedBy(line string) bool {
	g, ok := openFence(line)
	if !ok || g.mark != f.mark || g.length < f.length {
		return false
	}
	_, size := indentation(line)
	return isBlank(line[size+g.length:])
}

// htmlEnd tells where an HTML block ends: at a line that holds one of marks, or,
// for blank, before the next blank line.
type htmlEnd struct {
	marks []string
	blank bool
}

func (e htmlEnd) in(line string) bool {
	line = strings.ToLower(line)
	return slices.ContainsFunc(e.marks, func(m string) bool { return strings.Contains(line, m) })
}

// openHTML recognises the start of an HTML block, kinds 1 to 7 of CommonMark;
// the seventh does not interrupt a paragraph.
func openHTML(line string, inParagraph bool) (htmlEnd, bool) {
	indent, size := indentation(line)
	line = line[size:]
	if indent >= tabStop || len(line) < 2 || line[0] != '<' {
		return htmlEnd{}, false
	}
	switch {
	case strings.HasPrefix(line, "<!--"):
		return htmlEnd{marks: []string{"-->"}}, true
	case strings.HasPrefix(line, "<?"):
		return htmlEnd{marks: []string{"?>"}}, true
	case strings.HasPrefix(line, "<![CDATA["):
		return htmlEnd{marks: []string{"]]>"}}, true
	case strings.HasPrefix(line, "<!") && len(line) > 2 && isLetter(line[2]):
		return htmlEnd{marks: []string{">"}}, true
	}
	return openTag(line, inParagraph)
}

func openTag(line string, inParagraph bool) (htmlEnd, bool) {
	body, closing := strings.CutPrefix(line[1:], "/")
	end := 0
	for end < len(body) && (isLetter(body[end]) || end > 0 && (body[end] == '-' || body[end] >= '0' && body[end] <= '9')) {
		end++
	}
	name, rest := strings.ToLower(body[:end]), body[end:]
	if name == "" {
		return htmlEnd{}, false
	}
	bounded := rest == "" || strings.IndexByte(" \t>", rest[0]) >= 0
	if !closing && bounded && slices.Contains([]string{"script", "pre", "style", "textarea"}, name) {
		return htmlEnd{marks: []string{"</script>", "</pre>", "</style>", "</textarea>"}}, true
	}
	if (bounded || strings.HasPrefix(rest, "/>")) && slices.Contains(blockTags(), name) {
		return htmlEnd{blank: true}, true
	}
	whole := strings.HasSuffix(strings.TrimRight(rest, " \t"), ">") && strings.Count(rest, ">") == 1
	return htmlEnd{blank: true}, !inParagraph && whole && (bounded || rest == "/>")
}

func isLetter(c byte) bool { return c|0x20 >= 'a' && c|0x20 <= 'z' }

func blockTags() []string {
	return []string{
		"address", "article", "aside", "base", "basefont", "blockquote", "body", "caption", "center", "col",
		"colgroup", "dd", "details", "dialog", "dir", "div", "dl", "dt", "fieldset", "figcaption", "figure",
		"footer", "form", "frame", "frameset", "h1", "h2", "h3", "h4", "h5", "h6", "head", "header", "hr", "html",
		"iframe", "legend", "li", "link", "main", "menu", "menuitem", "nav", "noframes", "ol", "optgroup",
		"option", "p", "param", "search", "section", "summary", "table", "tbody", "td", "tfoot", "th", "thead",
		"title", "tr", "track", "ul",
	}
}

// frontMatter returns the number of lines of a YAML header, 0 if there is none.
func frontMatter(lines []string) int {
	if len(lines) < 3 || strings.TrimRight(bare(lines[0]), " ") != "---" {
		return 0
	}
	if name, _, found := strings.Cut(bare(lines[1]), ":"); !found || name == "" || strings.ContainsAny(name, " \t-#*>`") {
		return 0
	}
	for i := 2; i < len(lines); i++ {
		if strings.TrimRight(bare(lines[i]), " ") == "---" {
			return i + 1
		}
	}
	return 0
}
