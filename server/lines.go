package server

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
)

// tailLength is how much of the end of an overlong line is kept: enough for
// the id, which some clients write last.
const tailLength = 256

// lines reads messages, one a line, and never holds more than max bytes of one.
type lines struct {
	in    *bufio.Reader
	max   int
	first bool
}

// line is one message, without its line end. Of one longer than max only the
// two ends are kept.
type line struct {
	text []byte
	long bool
	tail []byte
}

func newLines(in io.Reader, limit int) *lines {
	return &lines{in: bufio.NewReaderSize(in, 64<<10), max: limit, first: true}
}

// next returns the next line, also a last one that lacks its line end; io.EOF
// comes alone, afterwards.
func (l *lines) next() (line, error) {
	var out line
	for {
		part, err := l.in.ReadSlice('\n')
		out.add(part, l.max)
		if errors.Is(err, bufio.ErrBufferFull) {
			continue
		}
		if errors.Is(err, io.EOF) && (len(out.text) > 0 || out.long) {
			err = nil
		}
		out.text = withoutEnd(out.text)
		if l.first { // some shells start a pipe with a byte order mark
			out.text = bytes.TrimPrefix(out.text, []byte("\ufeff"))
			l.first = false
		}
		return out, err
	}
}

func withoutEnd(text []byte) []byte {
	return bytes.TrimSuffix(bytes.TrimSuffix(text, []byte("\n")), []byte("\r"))
}

func (l *line) add(part []byte, limit int) {
	room := limit + 2 - len(l.text) // the line end does not count
	if !l.long && len(part) <= room {
		l.text = append(l.text, part...)
		l.long = len(withoutEnd(l.text)) > limit
		return
	}
	if !l.long {
		l.text = append(l.text, part[:room]...)
		l.long = true
	}
	l.tail = append(l.tail, part[max(0, len(part)-tailLength):]...)
	l.tail = l.tail[max(0, len(l.tail)-tailLength):]
}

// id finds the id of an overlong request, so that its sender gets an answer
// instead of waiting: at the start of the line, or as the last member of it.
// Both are sure to be the message's own, not of something quoted inside it.
func (l *line) id() []byte {
	head := regexp.MustCompile(`^\s*\{\s*(?:"jsonrpc"\s*:\s*"2\.0"\s*,\s*)?"id"\s*:\s*(-?\d+|"[^"\\]*")\s*,`)
	if m := head.FindSubmatch(l.text[:min(len(l.text), tailLength)]); m != nil {
		return m[1]
	}
	last := regexp.MustCompile(`,\s*"id"\s*:\s*(-?\d+|"[^"\\]*")\s*\}\s*$`)
	if m := last.FindSubmatch(l.tail); m != nil {
		return m[1]
	}
	return nil
}
