package capture

import (
	"bufio"
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
)

// maxLine is the longest line that is read, in bytes; hosts put whole images
// into one. A longer one is counted as bad and passed over unread.
const maxLine = 8 << 20

// line is one line of a file, without its end.
type line struct {
	text   []byte // valid until the next line is read
	end    int64  // offset after the line
	long   bool   // longer than maxLine: text is empty
	whole  bool   // ended by a line feed
	digest string
}

// lineReader reads lines without ever holding more than one.
type lineReader struct {
	from   *bufio.Reader
	offset int64
	buffer []byte
}

func newLineReader(r io.Reader, offset int64) *lineReader {
	return &lineReader{from: bufio.NewReaderSize(r, 64<<10), offset: offset}
}

// next returns the next line; io.EOF after the last one. A last line without a
// line feed is returned as not whole.
func (r *lineReader) next() (line, error) {
	r.buffer = r.buffer[:0]
	sum := sha256.New()
	l := line{}
	for {
		piece, err := r.from.ReadSlice('\n')
		r.offset += int64(len(piece))
		if l.long = l.long || len(r.buffer)+len(piece) > maxLine; !l.long {
			r.buffer = append(r.buffer, piece...)
		}
		sum.Write(bytes.TrimSuffix(piece, []byte{'\n'})) // the same before its end is written
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
			continue
		case errors.Is(err, io.EOF) && len(r.buffer) == 0 && !l.long:
			return line{}, io.EOF
		case err != nil && !errors.Is(err, io.EOF):
			return line{}, fmt.Errorf("reading a line: %w", err)
		}
		l.whole, l.end = err == nil, r.offset
		l.digest = hex.EncodeToString(sum.Sum(nil)[:8])
		if !l.long {
			l.text = bytes.TrimSpace(r.buffer)
		}
		return l, nil
	}
}
