package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
)

// jsonNode is a value in a JSON or JSON5 text and where it stands: what is
// edited is replaced in place, everything else stays as people wrote it.
type jsonNode struct {
	start, end int         // of the value
	open       byte        // '{' or '[' of a container, 0 of anything else
	keys       []string    // of an object, one for each child
	children   []*jsonNode // of a container
	from       []int       // where each child begins, its key included
}

// parseNodes reads the structure of a text; whether its leaves make sense is
// left to decodeJSON5.
func parseNodes(text string) (*jsonNode, error) {
	var tree any
	if err := decodeJSON5([]byte(text), &tree); err != nil {
		return nil, err
	}
	p := &nodeParser{c: json5{in: []byte(text)}}
	if strings.HasPrefix(text, "\ufeff") {
		p.c.pos = len("\ufeff")
	}
	n, err := p.value()
	if err != nil {
		return nil, err
	}
	return n, nil
}

type nodeParser struct{ c json5 }

// space skips what stands between tokens and returns the next byte.
func (p *nodeParser) space() (byte, error) {
	for p.c.pos < len(p.c.in) {
		switch b := p.c.in[p.c.pos]; {
		case b == '/':
			if err := p.c.comment(); err != nil {
				return 0, err
			}
		case strings.IndexByte(" \t\r\n\v\f", b) >= 0:
			p.c.pos++
		default:
			return b, nil
		}
	}
	return 0, fmt.Errorf("the text ends at byte %d", p.c.pos)
}

func (p *nodeParser) value() (*jsonNode, error) {
	b, err := p.space()
	if err != nil {
		return nil, err
	}
	n := &jsonNode{start: p.c.pos}
	if b == '{' || b == '[' {
		n.open = b
		p.c.pos++
		err = p.children(n)
	} else {
		err = p.leaf()
	}
	n.end = p.c.pos
	return n, err
}

// leaf passes one token.
func (p *nodeParser) leaf() error {
	before := p.c.pos
	if err := p.c.token(); err != nil {
		return err
	}
	if p.c.pos == before {
		return fmt.Errorf("stray byte at %d", before)
	}
	if b := p.c.in[before]; b == '+' || b == '-' { // the sign of a word such as Infinity, or of a number
		if after := p.c.pos; after < len(p.c.in) && after == before+1 {
			return p.c.token()
		}
	}
	return nil
}

func (p *nodeParser) children(n *jsonNode) error {
	for {
		b, err := p.space()
		if err != nil {
			return err
		}
		switch b {
		case '}', ']':
			p.c.pos++
			return nil
		case ',':
			p.c.pos++
			continue
		}
		if err := p.child(n); err != nil {
			return err
		}
	}
}

func (p *nodeParser) child(n *jsonNode) error {
	n.from = append(n.from, p.c.pos)
	if n.open == '{' {
		p.c.out.Reset()
		if err := p.leaf(); err != nil {
			return err
		}
		var key string
		if err := json.Unmarshal(p.c.out.Bytes(), &key); err != nil {
			return fmt.Errorf("reading a key at byte %d: %w", p.c.pos, err)
		}
		n.keys = append(n.keys, key)
		if b, err := p.space(); err != nil || b != ':' {
			return fmt.Errorf("a colon is missing at byte %d", p.c.pos)
		}
		p.c.pos++
	}
	v, err := p.value()
	n.children = append(n.children, v)
	return err
}

// member returns the value of a key, nil if there is none.
func (n *jsonNode) member(key string) *jsonNode {
	for i, k := range n.keys {
		if k == key {
			return n.children[i]
		}
	}
	return nil
}

// index is the position of a key, -1 if there is none.
func (n *jsonNode) index(key string) int {
	for i, k := range n.keys {
		if k == key {
			return i
		}
	}
	return -1
}

// insert puts a child at the end of a container, indented as its neighbours are;
// what stands behind the last of them on its line stays with it. key is "" in a list.
func (n *jsonNode) insert(text, key string, value any) (string, error) {
	outer, unit := lineIndent(text, n.start), indentUnit(text)
	inner := outer + unit
	multiline := strings.Contains(text[n.start:n.end], "\n")
	if multiline && len(n.from) > 0 {
		inner = lineIndent(text, n.from[len(n.from)-1])
	}
	if len(n.children) > 0 && !multiline {
		inner, unit = "", ""
	}
	child, err := renderJSON(value, inner, unit)
	if err != nil {
		return "", err
	}
	if key != "" {
		child = fmt.Sprintf("%q: %s", key, child)
	}
	if len(n.children) == 0 {
		return text[:n.start+1] + "\n" + inner + child + "\n" + outer + text[n.end-1:], nil
	}
	at := n.children[len(n.children)-1].end
	comma := commaAfter(text, at)
	switch {
	case !multiline && comma < 0:
		return text[:at] + ", " + child + text[at:], nil
	case !multiline:
		return text[:comma+1] + " " + child + text[comma+1:], nil
	case comma < 0:
		line := lineEnd(text, at, n.end-1)
		return text[:at] + "," + text[at:line] + "\n" + inner + child + text[line:], nil
	}
	line := lineEnd(text, comma+1, n.end-1)
	return text[:line] + "\n" + inner + child + "," + text[line:], nil
}

// lineEnd is the end of the line of a position, if only a comment stands
// between; else the position itself.
func lineEnd(text string, at, limit int) int {
	end := strings.IndexByte(text[at:limit], '\n')
	if end < 0 {
		return at
	}
	rest := strings.TrimSpace(text[at : at+end])
	if rest == "" || strings.HasPrefix(rest, "//") || strings.HasPrefix(rest, "/*") && strings.Index(rest, "*/") == len(rest)-2 {
		return at + end
	}
	return at
}

// commaAfter is the position of the comma that follows a value, -1 if none does.
func commaAfter(text string, at int) int {
	p := &nodeParser{c: json5{in: []byte(text), pos: at}}
	if b, err := p.space(); err == nil && b == ',' {
		return p.c.pos
	}
	return -1
}

// remove takes a child out, with its line and the comma that parted it from its
// neighbour.
func (n *jsonNode) remove(text string, i int) string {
	begin := len(strings.TrimRight(text[:n.from[i]], " \t"))
	if strings.HasSuffix(text[:begin], "\n") {
		begin = len(strings.TrimSuffix(text[:begin-1], "\r"))
	}
	end := n.children[i].end
	if after := commaAfter(text, end); after >= 0 {
		return text[:begin] + text[after+1:]
	}
	if i > 0 {
		before := commaAfter(text, n.children[i-1].end)
		return text[:before] + text[before+1:begin] + text[end:]
	}
	return text[:begin] + text[end:]
}

func renderJSON(value any, indent, unit string) (string, error) {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if unit != "" {
		e.SetIndent(indent, unit)
	}
	if err := e.Encode(value); err != nil {
		return "", fmt.Errorf("encoding: %w", err)
	}
	return strings.TrimRight(b.String(), "\n"), nil
}

// lineIndent is the white space with which the line of a position begins.
func lineIndent(text string, at int) string {
	line := text[strings.LastIndexByte(text[:at], '\n')+1 : at]
	return line[:len(line)-len(strings.TrimLeft(line, " \t"))]
}

// indentUnit is one step of indentation as the text has it.
func indentUnit(text string) string {
	for line := range strings.Lines(text) {
		if indent := line[:len(line)-len(strings.TrimLeft(line, " \t"))]; indent != "" && strings.TrimSpace(line) != "" {
			return indent
		}
	}
	return "  "
}

// setMember puts a value at a path of objects, making those that are missing;
// what is there already stays, and done is false.
func setMember(text string, value any, path ...string) (_ string, done bool, err error) {
	n, err := parseNodes(text)
	if err != nil {
		return text, false, err
	}
	for i, key := range path {
		if n.open != '{' {
			return text, false, fmt.Errorf("%s is not an object", strings.Join(path[:i], "."))
		}
		next := n.member(key)
		if next == nil {
			for j := len(path) - 1; j > i; j-- {
				value = map[string]any{path[j]: value}
			}
			text, err = n.insert(text, key, value)
			return text, err == nil, err
		}
		n = next
	}
	return text, false, nil
}

// dropMember takes the value at a path out, and the objects and lists that are
// empty without it.
func dropMember(text string, path ...string) (string, error) {
	for depth := len(path); depth > 0; depth-- {
		parent, err := findNode(text, path[:depth-1])
		if err != nil || parent == nil {
			return text, err
		}
		i := parent.index(path[depth-1])
		if i < 0 || depth < len(path) && len(parent.children[i].children) > 0 {
			return text, nil
		}
		text = parent.remove(text, i)
	}
	return text, nil
}

// findNode returns the value at a path of objects, nil if there is none.
func findNode(text string, path []string) (*jsonNode, error) {
	n, err := parseNodes(text)
	for _, key := range path {
		if err != nil || n == nil {
			return nil, err
		}
		n = n.member(key)
	}
	return n, err
}
