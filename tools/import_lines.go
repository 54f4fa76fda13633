package tools

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"time"

	"agentmemory/internal/memory"
)

// maxLine bounds a line of JSON: content of the greatest length and as much
// history as an export writes, both fully escaped, with room for the rest.
const maxLine = 16 << 20

// Lines is a source of memories written as JSON, one a line (see Record).
type Lines struct {
	Open func() (io.ReadCloser, error) // called once for each reading
	Zone *time.Location                // of times that name none
	// Archived says that they had been put away, where a line does not say otherwise.
	Archived bool
}

// Count returns the number of lines that hold something.
func (l Lines) Count(ctx context.Context) (int, error) {
	n := 0
	err := l.each(ctx, func(int, []byte) bool {
		n++
		return true
	})
	return n, err
}

// Records yields the memory of each line; it stops after a line that is no memory.
func (l Lines) Records(ctx context.Context) iter.Seq2[memory.Imported, error] {
	return func(yield func(memory.Imported, error) bool) {
		stopped := false
		err := l.each(ctx, func(number int, line []byte) bool {
			record, err := ParseRecord(line, l.Zone)
			if l.Archived && record.Memory.Status == memory.Active && !saysStatus(line) {
				record.Memory.Status = memory.Archived
			}
			if err != nil {
				err = lineError(number, err)
			}
			record.Origin = fmt.Sprintf("line %d", number)
			stopped = !yield(record, err) || err != nil
			return !stopped
		})
		if err != nil && !stopped {
			yield(memory.Imported{}, err)
		}
	}
}

func saysStatus(line []byte) bool { return bytes.Contains(line, []byte(`"status"`)) }

func lineError(number int, err error) error {
	var e *memory.Error
	if errors.As(err, &e) {
		return memory.Errorf(e.Code, "line %d: %s", number, e.Message).
			WithHint(`each line is an object such as {"content":"…","actor":"…","session_id":"…","seq":1,"observed_at":"2026-02-21T14:00:00+08:00","id":"…"}`)
	}
	return fmt.Errorf("line %d: %w", number, err)
}

// each calls f for every line that is not blank until f returns false.
func (l Lines) each(ctx context.Context, f func(number int, line []byte) bool) error {
	in, err := l.Open()
	if err != nil {
		return fmt.Errorf("opening the lines: %w", err)
	}
	defer in.Close()
	scanner := bufio.NewScanner(in)
	scanner.Buffer(make([]byte, 64<<10), maxLine)
	for number := 1; scanner.Scan(); number++ {
		if err := ctx.Err(); err != nil {
			return fmt.Errorf("reading line %d: %w", number, err)
		}
		line := bytes.TrimSpace(bytes.TrimPrefix(scanner.Bytes(), []byte("\ufeff")))
		if len(line) > 0 && !f(number, line) {
			return nil
		}
	}
	if errors.Is(scanner.Err(), bufio.ErrTooLong) {
		return memory.Errorf(memory.TooLarge, "a line is longer than %d bytes", maxLine)
	}
	if err := scanner.Err(); err != nil {
		return fmt.Errorf("reading the lines: %w", err)
	}
	return nil
}
