package server

import (
	"context"
	"errors"
	"fmt"
	"io"
	stdlog "log"
	"log/slog"
	"net"
	"net/http"
	"path"
	"slices"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"

	"agentmemory/internal/memory"
)

const (
	headerTime    = 5 * time.Second
	bodyTime      = 30 * time.Second
	idleTime      = 2 * time.Minute
	keepAliveTime = 25 * time.Second // shorter than the usual 30 s and 60 s limits of proxies
	settleTime    = 50 * time.Millisecond
	maxHeader     = 16 << 10

	streamablePath = "/mcp"
)

// HTTPOptions say where HTTP is served and to whom.
type HTTPOptions struct {
	Addr        string       // host:port; an empty host means 127.0.0.1
	Listener    net.Listener // used instead of Addr if not nil
	Token       string       // bearer token that every call must carry; none asked for if empty
	AllowRemote bool         // permits an address beyond loopback, which also needs Token
	Hosts       []string     // further names under which clients reach the server
	Origins     []string     // further web origins, as scheme://host[:port]; those of loopback are allowed

	keepAlive time.Duration // for tests; 0 means keepAliveTime
}

// HTTP serves until ctx ends: Streamable HTTP at /mcp, the older HTTP+SSE at
// /sse with /message, and /healthz. Calls accepted by then are finished for up
// to five seconds. The end of ctx is not an error.
func (s *Server) HTTP(ctx context.Context, o HTTPOptions) error {
	listener, err := listen(ctx, o)
	if err != nil {
		return err
	}
	if err := o.check(listener.Addr()); err != nil {
		_ = listener.Close()
		return err
	}
	web := s.web(o, listener.Addr())
	served := make(chan error, 1)
	go func() { served <- web.http.Serve(listener) }()
	s.log.Info().Str("addr", o.named(listener.Addr())).Msg("serving HTTP")
	select {
	case err := <-served:
		return fmt.Errorf("serving HTTP: %w", err)
	case <-ctx.Done():
		return web.shutdown(context.WithoutCancel(ctx))
	}
}

func listen(ctx context.Context, o HTTPOptions) (net.Listener, error) {
	if o.Listener != nil {
		return o.Listener, nil
	}
	host, port, err := net.SplitHostPort(o.Addr)
	if err != nil {
		return nil, memory.Errorf(memory.InvalidArgument, "address %q is not host:port", o.Addr).WithHint("for example 127.0.0.1:8765")
	}
	if host == "" {
		host = "127.0.0.1"
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", net.JoinHostPort(host, port))
	if err != nil {
		return nil, memory.Errorf(memory.Unavailable, "listening on %s: %w", o.Addr, err).
			WithHint("another program may be serving there, or it is no address of this machine; choose another")
	}
	return listener, nil
}

// check refuses to be reachable from elsewhere by accident.
func (o HTTPOptions) check(addr net.Addr) error {
	if tcp, ok := addr.(*net.TCPAddr); ok && tcp.IP.IsLoopback() {
		return nil
	}
	if !o.AllowRemote {
		return memory.Errorf(memory.PermissionDenied, "%s is reachable from other machines", o.named(addr)).
			WithHint("bind 127.0.0.1, or allow remote clients with --allow-remote and --token-file FILE")
	}
	if o.Token == "" {
		return memory.Errorf(memory.PermissionDenied, "serving other machines needs a token").
			WithHint("--token-file FILE names it; without one, everybody who reaches %s could read and change the memories", o.named(addr))
	}
	return nil
}

// named is a bound address as it was asked for: the system calls 0.0.0.0 [::]
// where one socket serves both families.
func (o HTTPOptions) named(addr net.Addr) string {
	_, port, err := net.SplitHostPort(addr.String())
	host, _, unclear := net.SplitHostPort(o.Addr)
	if o.Listener != nil || host == "" || err != nil || unclear != nil {
		return addr.String()
	}
	return net.JoinHostPort(host, port)
}

// web is one HTTP listener with the two MCP transports behind it.
type web struct {
	server     *Server
	http       *http.Server
	streamable *mcpserver.StreamableHTTPServer
	sse        *mcpserver.SSEServer
}

func (s *Server) web(o HTTPOptions, addr net.Addr) *web {
	alive := keepAliveTime
	if o.keepAlive > 0 {
		alive = o.keepAlive
	}
	own := append([]string{"http://" + addr.String()}, o.Origins...)
	headers := mcpserver.WithCORSAllowedHeaders("Content-Type", "Authorization", "Last-Event-ID",
		"Mcp-Session-Id", "Mcp-Protocol-Version", "Mcp-Method", "Mcp-Name")
	w := &web{
		server: s,
		// Without sessions nothing is kept per client; guards of our own replace the check of the host.
		streamable: mcpserver.NewStreamableHTTPServer(s.mcp,
			mcpserver.WithStateLess(true),
			mcpserver.WithHeartbeatInterval(alive),
			mcpserver.WithDisableLocalhostProtection(true),
			mcpserver.WithStreamableHTTPLogger(slog.New(slog.DiscardHandler)),
			mcpserver.WithStreamableHTTPCORS(mcpserver.WithCORSAllowedOrigins(own...), headers)),
		// Without origins of its own mcp-go would let every web page read /sse.
		sse: mcpserver.NewSSEServer(s.mcp,
			mcpserver.WithKeepAliveInterval(alive),
			mcpserver.WithSSEDisableLocalhostProtection(true),
			mcpserver.WithSSEContextFunc(olderRevisions),
			mcpserver.WithSSECORS(mcpserver.WithCORSAllowedOrigins(own...), headers)),
	}
	w.http = &http.Server{
		Handler:           w.routes(newGuard(o, s)),
		ReadHeaderTimeout: headerTime,
		IdleTimeout:       idleTime,
		MaxHeaderBytes:    maxHeader,
		ErrorLog:          stdlog.New(io.Discard, "", 0),
	}
	return w
}

func (w *web) routes(g *guard) http.Handler {
	mux := http.NewServeMux()
	mux.Handle(streamablePath, g.protect(bodied(w.streamable, w.server.inspect), http.MethodPost, http.MethodGet, http.MethodDelete))
	mux.Handle("/sse", g.protect(w.sse.SSEHandler(), http.MethodGet))
	mux.Handle("/message", g.protect(bodied(headless(w.sse.MessageHandler()), readable), http.MethodPost))
	mux.Handle("/healthz", g.local(methods(http.HandlerFunc(healthy), http.MethodGet, http.MethodHead)))
	mux.Handle("/", g.local(http.HandlerFunc(notFound)))
	return http.MaxBytesHandler(exact(mux, g.local(http.HandlerFunc(notFound))), MaxMessage)
}

// exact leaves paths that are not written in their shortest form to another
// handler: the multiplexer would redirect them, whoever asks.
func exact(next, other http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if path.Clean(r.URL.Path) != r.URL.Path {
			other.ServeHTTP(w, r)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// olderRevisions lets a client that asks /sse first for the newest revision
// learn that it is to use an older one there.
func olderRevisions(ctx context.Context, _ *http.Request) context.Context {
	older := slices.DeleteFunc(slices.Clone(mcp.ValidProtocolVersions), mcp.IsModernProtocol)
	return mcpserver.WithSupportedProtocolVersions(ctx, older)
}

// headless hides a header by which mcp-go would hold /message to the rules of
// a revision that does not know it.
func headless(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r.Header.Del(mcp.HeaderProtocolVersion)
		next.ServeHTTP(w, r)
	})
}

// readable checks a message whose refusal, if it is about more than its shape,
// is to come over the stream.
func readable(raw []byte) (message, *rpcError) {
	m, refused := shape(raw)
	if refused == nil && m.isRequest() && !fits(m.method, raw) {
		refused = m.refuse(invalidParams, "params are not those of %s", m.method)
	}
	return m, refused
}

func notFound(w http.ResponseWriter, _ *http.Request) { refuse(w, http.StatusNotFound, "not found") }

func healthy(w http.ResponseWriter, _ *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	_, _ = io.WriteString(w, `{"status":"ok"}`+"\n")
}

// shutdown finishes what was accepted, then ends the streams, which would stay
// open for ever.
func (w *web) shutdown(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, grace)
	defer cancel()
	closed := make(chan error, 1)
	go func() { closed <- w.http.Shutdown(ctx) }() // closes the listener first
	if w.server.calls.wait(ctx) == nil {
		time.Sleep(settleTime) // an answer on /sse is queued a moment after its call has ended
	}
	w.streamable.CloseSessions(ctx)
	w.sse.CloseSessions()
	if err := <-closed; err != nil && !errors.Is(err, context.DeadlineExceeded) {
		return fmt.Errorf("shutting HTTP down: %w", err)
	}
	return w.http.Close()
}
