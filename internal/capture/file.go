package capture

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"agentmemory/internal/memory"

	"github.com/klauspost/compress/zstd"
)

const (
	headLines = 8        // read again to know whose conversation goes on
	maxWindow = 32 << 20 // of memory for a compressed file
)

// Read implements Source.
func (f *Folder) Read(ctx context.Context, c *Conversation, from Cursor, each func(Message) error) (Outcome, error) {
	var out Outcome
	if from != (Cursor{}) {
		same, err := f.unchanged(c, &from)
		if err != nil {
			return out, err
		}
		if !same {
			from, out.Restarted = Cursor{}, true
		}
	}
	file, err := f.open(c.Path, from.Offset)
	if err != nil {
		return out, err
	}
	defer file.Close()
	out.Cursor = from
	r := &fileReading{format: f.format, lines: newLineReader(file, from.Offset), conversation: c, out: &out, each: each}
	err = r.run(ctx)
	return out, err
}

// open opens a file at an offset of its uncompressed text.
func (f *Folder) open(name string, offset int64) (io.ReadCloser, error) {
	file, err := f.root.Open(name)
	if err != nil {
		return nil, memory.Errorf(memory.Unavailable, "opening a conversation: %w", err)
	}
	if !strings.HasSuffix(name, ".zst") {
		if _, err := file.Seek(offset, io.SeekStart); err != nil {
			file.Close()
			return nil, fmt.Errorf("going to where reading stopped: %w", err)
		}
		return file, nil
	}
	d, err := zstd.NewReader(file, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow), zstd.WithDecoderLowmem(true))
	if err != nil {
		file.Close()
		return nil, fmt.Errorf("reading a compressed conversation: %w", err)
	}
	z := &compressedFile{Decoder: d, file: file}
	if _, err := io.CopyN(io.Discard, d, offset); err != nil && !errors.Is(err, io.EOF) {
		z.Close()
		return nil, fmt.Errorf("going to where reading stopped: %w", err)
	}
	return z, nil
}

// compressedFile closes its decoder and the file below.
type compressedFile struct {
	*zstd.Decoder
	file *os.File
}

func (z *compressedFile) Close() error {
	z.Decoder.Close()
	return z.file.Close()
}

// unchanged reads the head again, which completes c, and reports whether the
// file still begins and continues up to the cursor as it did.
func (f *Folder) unchanged(c *Conversation, from *Cursor) (bool, error) {
	file, err := f.open(c.Path, 0)
	if err != nil {
		return false, err
	}
	defer file.Close()
	lines := newLineReader(file, 0)
	known := *c
	for i := range headLines {
		l, err := lines.next()
		if err != nil || i == 0 && l.digest != from.Head {
			return false, nil
		}
		if len(l.text) > 0 {
			_, _ = f.format.decode(l.text, &known) // bad lines were counted when they were new
		}
		if l.end >= from.Offset {
			break
		}
	}
	same, err := f.endsAt(c.Path, from)
	if same {
		*c = known
	}
	return same, err
}

// endsAt reports whether the last line read is still where it was. If its line
// feed was written only after it was read, the cursor moves behind that.
func (f *Folder) endsAt(name string, from *Cursor) (bool, error) {
	file, err := f.open(name, from.Last)
	if err != nil {
		return false, err
	}
	defer file.Close()
	l, err := newLineReader(file, from.Last).next()
	if err != nil || l.digest != from.Tail {
		return false, nil
	}
	from.Offset = l.end
	return true, nil
}

// fileReading is one reading of one file.
type fileReading struct {
	format       format
	lines        *lineReader
	conversation *Conversation
	out          *Outcome
	each         func(Message) error
}

func (r *fileReading) run(ctx context.Context) error {
	for ctx.Err() == nil {
		l, err := r.lines.next()
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return r.broken(err)
		}
		// A record is an object: no true beginning of one is valid JSON.
		if !l.whole && (l.long || len(l.text) > 0 && !json.Valid(l.text)) {
			r.out.Torn = true
			return nil
		}
		if err := r.line(l); err != nil {
			return err
		}
	}
	return ctx.Err()
}

// broken judges an error of reading: a compressed file that ends early is
// still being written, as a torn line is.
func (r *fileReading) broken(err error) error {
	if errors.Is(err, io.ErrUnexpectedEOF) {
		r.out.Torn = true
		return nil
	}
	r.out.bad(r.out.Cursor.Number+1, err.Error())
	return memory.Errorf(memory.Unavailable, "reading a conversation: %w", err)
}

func (r *fileReading) line(l line) error {
	number := r.out.Cursor.Number + 1
	messages, err := r.decode(l)
	if err != nil {
		r.out.bad(number, err.Error())
	}
	for _, m := range messages {
		m.Number, m.Before = number, r.out.Cursor
		if err := r.each(m); err != nil {
			return err
		}
		r.out.Messages++
	}
	next := Cursor{Offset: l.end, Number: number, Head: r.out.Cursor.Head, Last: r.out.Cursor.Offset, Tail: l.digest}
	if number == 1 {
		next.Head = l.digest
	}
	r.out.Cursor = next
	return nil
}

func (r *fileReading) decode(l line) ([]Message, error) {
	switch {
	case l.long:
		return nil, fmt.Errorf("longer than %d bytes", maxLine)
	case len(l.text) == 0:
		return nil, nil
	}
	return r.format.decode(bytes.TrimPrefix(l.text, []byte("\uFEFF")), r.conversation)
}
