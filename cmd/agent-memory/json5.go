package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// decodeJSON5 reads the JSON with comments, trailing commas, bare keys and
// single quotes that people write into configuration files (https://json5.org).
func decodeJSON5(text []byte, target any) error {
	c := &json5{in: bytes.TrimPrefix(text, []byte("\ufeff"))}
	if err := c.convert(); err != nil {
		return err
	}
	if err := json.Unmarshal(c.out.Bytes(), target); err != nil {
		return fmt.Errorf("decoding JSON5: %w", err)
	}
	return nil
}

// json5 rewrites JSON5 as JSON, token by token.
type json5 struct {
	in  []byte
	pos int
	out bytes.Buffer
}

func (c *json5) convert() error {
	for c.pos < len(c.in) {
		if err := c.token(); err != nil {
			return err
		}
	}
	return nil
}

func (c *json5) token() error {
	b := c.in[c.pos]
	switch {
	case b == '/':
		return c.comment()
	case b == '"' || b == '\'':
		return c.text(b)
	case b == ',':
		c.comma()
	case startsWord(rune(b)) || b >= utf8.RuneSelf:
		c.word()
	case b == '+':
		c.pos++ // JSON has no sign before a positive number
	case b == '-' || b >= '0' && b <= '9':
		c.number()
	default:
		c.out.WriteByte(b)
		c.pos++
	}
	return nil
}

func (c *json5) comment() error {
	rest := c.in[c.pos:]
	switch {
	case bytes.HasPrefix(rest, []byte("//")):
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			end = len(rest)
		}
		c.pos += end
	case bytes.HasPrefix(rest, []byte("/*")):
		end := bytes.Index(rest, []byte("*/"))
		if end < 0 {
			return errors.New("comment without end")
		}
		c.pos += end + 2
	default:
		return fmt.Errorf("stray / at byte %d", c.pos)
	}
	return nil
}

// comma leaves out a comma that only a closing bracket follows.
func (c *json5) comma() {
	next := &json5{in: c.in, pos: c.pos + 1}
	for next.pos < len(next.in) {
		b := next.in[next.pos]
		if b == '/' && next.comment() == nil {
			continue
		}
		if !unicode.IsSpace(rune(b)) {
			break
		}
		next.pos++
	}
	if next.pos >= len(c.in) || c.in[next.pos] != '}' && c.in[next.pos] != ']' {
		c.out.WriteByte(',')
	}
	c.pos++
}

func (c *json5) text(quote byte) error {
	c.pos++
	var s strings.Builder
	for c.pos < len(c.in) && c.in[c.pos] != quote {
		if c.in[c.pos] == '\\' && c.pos+1 < len(c.in) {
			c.escape(&s)
			continue
		}
		s.WriteByte(c.in[c.pos])
		c.pos++
	}
	if c.pos >= len(c.in) {
		return errors.New("string without end")
	}
	c.pos++
	return c.write(s.String())
}

// escape decodes one escape sequence; those of JSON are left to its decoder.
func (c *json5) escape(s *strings.Builder) {
	next := c.in[c.pos+1]
	c.pos += 2
	if strings.IndexByte(`"\/bfnrt`, next) >= 0 {
		var decoded string
		if json.Unmarshal([]byte{'"', '\\', next, '"'}, &decoded) == nil {
			s.WriteString(decoded)
		}
		return
	}
	if next == 'u' && c.pos+4 <= len(c.in) {
		var decoded string
		if json.Unmarshal([]byte(`"\u`+string(c.in[c.pos:c.pos+4])+`"`), &decoded) == nil {
			s.WriteString(decoded)
			c.pos += 4
		}
		return
	}
	if next != '\n' { // an escaped line end continues the string
		s.WriteByte(next)
	}
}

// number passes a number on, exponent included.
func (c *json5) number() {
	for c.pos < len(c.in) && strings.IndexByte("0123456789+-.eE", c.in[c.pos]) >= 0 {
		c.out.WriteByte(c.in[c.pos])
		c.pos++
	}
}

// word passes the words of JSON on, and quotes a bare key.
func (c *json5) word() {
	start := c.pos
	for c.pos < len(c.in) {
		r, size := utf8.DecodeRune(c.in[c.pos:])
		if !startsWord(r) && !unicode.IsDigit(r) {
			break
		}
		c.pos += size
	}
	if c.pos == start {
		c.pos++ // no letter of any language: the decoder is to report it
	}
	word := string(c.in[start:c.pos])
	if word == "true" || word == "false" || word == "null" {
		c.out.WriteString(word)
		return
	}
	_ = c.write(word)
}

func (c *json5) write(s string) error {
	quoted, err := json.Marshal(s)
	if err != nil {
		return fmt.Errorf("quoting: %w", err)
	}
	c.out.Write(quoted)
	return nil
}

func startsWord(r rune) bool { return r == '_' || r == '$' || unicode.IsLetter(r) }
