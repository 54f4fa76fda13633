package capture

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
)

// skipper is a Source that can go to a line without understanding those before it.
type skipper interface {
	// Skip returns the cursor behind the first lines of a conversation; the zero
	// cursor if it has fewer.
	Skip(ctx context.Context, c Conversation, lines int64) (Cursor, error)
}

const skipBuffer = 256 << 10

// Skip implements skipper: it counts line ends, and reads two lines.
func (f *Folder) Skip(ctx context.Context, c Conversation, lines int64) (Cursor, error) {
	file, err := f.open(c.Path, 0)
	if err != nil {
		return Cursor{}, err
	}
	defer file.Close()
	begin, end, err := lineAt(ctx, file, lines)
	if err != nil || end == 0 {
		return Cursor{}, err
	}
	first, err := f.digestAt(c.Path, 0)
	if err != nil {
		return Cursor{}, err
	}
	last, err := f.digestAt(c.Path, begin)
	return Cursor{Offset: end, Number: lines, Head: first, Last: begin, Tail: last}, err
}

// lineAt returns where line n begins and ends, n from 1; zeros if there are fewer.
func lineAt(ctx context.Context, from io.Reader, n int64) (begin, end int64, err error) {
	r := bufio.NewReaderSize(from, skipBuffer)
	var offset int64
	for n > 0 {
		if err := ctx.Err(); err != nil {
			return 0, 0, fmt.Errorf("going to a message: %w", err)
		}
		piece, err := r.Peek(1)
		if err == nil {
			piece, err = r.Peek(r.Buffered())
		}
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return 0, 0, nil
		}
		if err != nil {
			return 0, 0, fmt.Errorf("going to a message: %w", err)
		}
		taken := 0
		for n > 0 {
			i := bytes.IndexByte(piece[taken:], '\n')
			if i < 0 {
				taken = len(piece)
				break
			}
			taken += i + 1
			if n--; n == 1 {
				begin = offset + int64(taken)
			}
		}
		offset += int64(taken)
		_, _ = r.Discard(taken) // it is in the buffer
	}
	return begin, offset, nil
}

func (f *Folder) digestAt(name string, offset int64) (string, error) {
	file, err := f.open(name, offset)
	if err != nil {
		return "", err
	}
	defer file.Close()
	l, err := newLineReader(file, offset).next()
	return l.digest, err
}
