package server

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	grace        = 5 * time.Second // for accepted calls, once the end has come
	maxInFlight  = 64              // requests of one pipe; bounds memory to 64 MiB of messages
	orderedWait  = 2 * time.Second // longest wait for earlier writes of the same pipe
	unwrittenMax = time.Second     // for the last answers to be taken
)

// Stdio serves one client over in and out until in ends, ctx ends or out
// breaks. Calls accepted by then are finished and answered for up to five
// seconds. The end of in or ctx is not an error.
//
// mcp-go's own reader is not used: it has no limit on a line, drops a last
// line without line end, and cancels running calls when in ends.
func (s *Server) Stdio(ctx context.Context, in io.Reader, out io.Writer) error {
	p := &pipe{server: s, session: newPipeSession(), out: out, running: newInFlight(), slots: make(chan struct{}, maxInFlight), resident: make(chan func())}
	p.cancelled.ids = map[string]bool{}
	done := make(chan struct{})
	close(done)
	p.lastWrite = done
	work, cancel := context.WithCancel(context.WithoutCancel(ctx))
	defer cancel()
	work = s.mcp.WithContext(work, p.session)
	work = context.WithValue(work, flushKey{}, p.flush)
	go p.reside(work)

	accepted := make(chan error, 1)
	go func() { accepted <- p.accept(ctx, work, p.read(work, in)) }()
	failed := p.untilEnd(ctx, accepted)
	finish, stop := context.WithTimeout(work, grace)
	defer stop()
	if p.running.wait(finish) != nil {
		s.log.Warn().Msg("calls still running at the end are cancelled")
		cancel()
		last, stopLast := context.WithTimeout(context.WithoutCancel(ctx), unwrittenMax)
		defer stopLast()
		_ = p.running.wait(last) // their answers say that they were cancelled
	}
	return errors.Join(failed, p.broken())
}

// untilEnd waits until nothing more is accepted. Once ctx has ended it does
// not wait for a client that takes no answers.
func (p *pipe) untilEnd(ctx context.Context, accepted <-chan error) error {
	select {
	case err := <-accepted:
		return err
	case <-ctx.Done():
	}
	late := time.NewTimer(grace)
	defer late.Stop()
	select {
	case err := <-accepted:
		return err
	case <-late.C:
		return nil
	}
}

// pipe is the conversation with one client over two streams.
type pipe struct {
	server    *Server
	session   *pipeSession
	running   *inFlight
	slots     chan struct{}
	lastWrite chan struct{} // closed when the latest call that may change something is answered
	resident  chan func()   // to the goroutine that works on calls, unless it is busy

	mu      sync.Mutex // guards out
	out     io.Writer
	failure atomic.Pointer[error] // of the first write that failed

	cancelled struct {
		sync.Mutex
		ids map[string]bool // requests in flight; true: the client wants no answer any more
	}
}

type incoming struct {
	line line
	err  error
}

// read hands over lines one by one. A read from a stream cannot be
// interrupted, so it has a goroutine of its own, which may outlast the pipe.
func (p *pipe) read(ctx context.Context, in io.Reader) <-chan incoming {
	ch := make(chan incoming)
	go func() {
		defer close(ch)
		for source := newLines(in, MaxMessage); ; {
			l, err := source.next()
			select {
			case ch <- incoming{l, err}:
			case <-ctx.Done():
				return
			}
			if err != nil {
				return
			}
		}
	}()
	return ch
}

// accept works on lines until there are no more, ctx ends or out is broken.
func (p *pipe) accept(ctx, work context.Context, in <-chan incoming) error {
	for p.broken() == nil {
		select {
		case <-ctx.Done():
			return nil
		case next := <-in:
			if errors.Is(next.err, io.EOF) {
				return nil
			}
			if next.err != nil {
				return fmt.Errorf("reading the next message: %w", next.err)
			}
			p.take(ctx, work, next.line)
		}
	}
	return nil
}

func (p *pipe) take(ctx, work context.Context, l line) {
	if l.long {
		p.write(&rpcError{ID: l.id(), Code: invalidRequest, Message: fmt.Sprintf("the message is longer than %d bytes", MaxMessage)})
		return
	}
	if len(l.text) == 0 {
		return
	}
	m, refused := p.server.inspect(l.text)
	switch {
	case refused != nil:
		if refused.ID == nil { // a sender that gets no answer of its own waits for ever
			l.tail = l.text[max(0, len(l.text)-tailLength):]
			refused.ID = l.id()
		}
		p.write(refused)
	case m.method == "notifications/cancelled":
		p.forget(m.cancel)
		p.answer(work, m, l.text)
	case m.isRequest() && (m.method == "tools/call" || m.method == "resources/read"):
		select {
		case p.slots <- struct{}{}:
			p.start(work, m, l.text)
		case <-ctx.Done(): // not accepted any more
		}
	default: // quick, and in order: a handshake may be followed by calls at once
		p.answer(work, m, l.text)
	}
}

// start works on a call, which holds a slot, beside the others, but no call starts before earlier
// writes of the same pipe are answered: what was remembered is recalled.
func (p *pipe) start(ctx context.Context, m message, raw []byte) {
	before, mine := p.lastWrite, make(chan struct{})
	if !p.server.readers[m.name] && m.method == "tools/call" {
		p.lastWrite = mine
	}
	leave := p.running.enter()
	p.expect(m.id)
	call := func() {
		defer func() { close(mine); <-p.slots; leave() }()
		wait := time.NewTimer(orderedWait)
		defer wait.Stop()
		select {
		case <-before:
		case <-wait.C:
		}
		p.answer(ctx, m, raw)
	}
	select {
	case p.resident <- call:
	default:
		go call()
	}
}

// reside works on calls that come one after the other: the stack of a new
// goroutine grows several times on its way into the database.
func (p *pipe) reside(ctx context.Context) {
	for {
		select {
		case call := <-p.resident:
			call()
		case <-ctx.Done():
			return
		}
	}
}

func (p *pipe) answer(ctx context.Context, m message, raw []byte) {
	response, err := p.server.handle(ctx, raw)
	if p.unwanted(m.id) {
		return
	}
	if err != nil {
		shown := p.server.shown(m.method, err)
		p.write(&rpcError{ID: m.id, Code: internalError, Message: protocolError{shown}.Error()})
		return
	}
	if response != nil {
		p.write(response)
	}
}

// handle gives one message to mcp-go.
func (s *Server) handle(ctx context.Context, raw []byte) (response mcp.JSONRPCMessage, err error) {
	defer recovered(&err)
	return s.mcp.HandleMessage(ctx, raw), nil
}

func (p *pipe) expect(id json.RawMessage) {
	p.cancelled.Lock()
	defer p.cancelled.Unlock()
	p.cancelled.ids[string(id)] = false
}

func (p *pipe) forget(id json.RawMessage) {
	p.cancelled.Lock()
	defer p.cancelled.Unlock()
	if _, running := p.cancelled.ids[string(id)]; running {
		p.cancelled.ids[string(id)] = true
	}
}

func (p *pipe) unwanted(id json.RawMessage) bool {
	p.cancelled.Lock()
	defer p.cancelled.Unlock()
	unwanted := p.cancelled.ids[string(id)]
	delete(p.cancelled.ids, string(id))
	return unwanted
}

// write sends one message, after the notices that came before it.
func (p *pipe) write(m any) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sendNotices()
	p.send(m)
}

func (p *pipe) flush() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.sendNotices()
}

func (p *pipe) sendNotices() {
	for {
		select {
		case n := <-p.session.notices:
			p.send(n)
		default:
			return
		}
	}
}

func (p *pipe) send(m any) {
	raw, err := encodeAnswer(m)
	if err != nil {
		p.server.log.Error().Err(err).Msg("encoding a message")
		return
	}
	if _, err := p.out.Write(append(raw, '\n')); err != nil {
		err = fmt.Errorf("writing a message: %w", err)
		p.failure.CompareAndSwap(nil, &err)
	}
}

func (p *pipe) broken() error {
	if err := p.failure.Load(); err != nil {
		return *err
	}
	return nil
}
