package server

import (
	"bytes"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"io"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"runtime/debug"
	"slices"
	"strings"
	"time"

	"github.com/mark3labs/mcp-go/mcp"
)

const (
	maxCalls   = 64              // HTTP calls worked on at once
	maxStreams = 64              // open event streams
	slotWait   = 2 * time.Second // longest wait for one of maxCalls
)

// guard decides who may call, before anything of a body is read.
type guard struct {
	server  *Server
	hosts   []string // lower case, without port
	origins []string
	token   [sha256.Size]byte
	open    bool // no token is asked for
	calls   chan struct{}
	streams chan struct{}
	bodies  *bodies
}

func newGuard(o HTTPOptions, s *Server) *guard {
	g := &guard{
		server:  s,
		hosts:   []string{"localhost"},
		token:   sha256.Sum256([]byte(o.Token)),
		open:    o.Token == "",
		calls:   make(chan struct{}, maxCalls),
		streams: make(chan struct{}, maxStreams),
		bodies:  newBodies(),
	}
	for _, h := range o.Hosts {
		g.hosts = append(g.hosts, strings.ToLower(hostname(h)))
	}
	for _, origin := range o.Origins {
		g.origins = append(g.origins, strings.ToLower(strings.TrimSuffix(origin, "/")))
	}
	return g
}

// protect wraps a route of MCP: host, origin, method, token, body, load, in this order.
func (g *guard) protect(next http.Handler, allowed ...string) http.Handler {
	return g.local(methods(g.authorised(g.bodies.received(g.limited(next))), append(allowed, http.MethodOptions)...))
}

// local refuses names and origins that are not on the lists: a page in a
// browser must not reach the server, neither directly nor through a DNS name
// that it has pointed here.
func (g *guard) local(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !g.knownHost(r) {
			refuse(w, http.StatusForbidden, "host not allowed; the setting http.allow_hosts names further ones")
			return
		}
		if origins := r.Header.Values("Origin"); len(origins) > 1 || len(origins) == 1 && !g.knownOrigin(origins[0]) {
			refuse(w, http.StatusForbidden, "origin not allowed; the setting http.allow_origins names further ones")
			return
		}
		next.ServeHTTP(w, r)
	})
}

func (g *guard) knownHost(r *http.Request) bool {
	name := strings.ToLower(hostname(r.Host))
	if slices.Contains(g.hosts, name) {
		return true
	}
	ip, err := netip.ParseAddr(name)
	if err != nil {
		return false
	}
	// The address that the connection came in on cannot have been rebound.
	local, _ := r.Context().Value(http.LocalAddrContextKey).(net.Addr)
	if local == nil {
		return false
	}
	own, err := netip.ParseAddrPort(local.String())
	return err == nil && (own.Addr().Unmap() == ip.Unmap() || own.Addr().Unmap().IsLoopback() && ip.IsLoopback())
}

func (g *guard) knownOrigin(origin string) bool {
	if slices.Contains(g.origins, strings.ToLower(origin)) {
		return true
	}
	u, err := url.Parse(origin)
	if err != nil || u.Scheme != "http" && u.Scheme != "https" || u.User != nil || u.Path != "" {
		return false
	}
	if strings.EqualFold(u.Hostname(), "localhost") {
		return true
	}
	ip, err := netip.ParseAddr(u.Hostname())
	return err == nil && ip.IsLoopback()
}

// hostname strips the port, and the brackets of an IPv6 address.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

func methods(next http.Handler, allowed ...string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !slices.Contains(allowed, r.Method) {
			w.Header().Set("Allow", strings.Join(allowed, ", "))
			refuse(w, http.StatusMethodNotAllowed, "method not allowed")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// authorised compares digests, so that the time taken tells nothing of the
// token, not even its length. A preflight carries no token by design.
func (g *guard) authorised(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		scheme, given, _ := strings.Cut(r.Header.Get("Authorization"), " ")
		digest := sha256.Sum256([]byte(strings.TrimSpace(given)))
		same := subtle.ConstantTimeCompare(digest[:], g.token[:]) == 1
		if !g.open && r.Method != http.MethodOptions && !(same && strings.EqualFold(scheme, "Bearer")) {
			w.Header().Set("WWW-Authenticate", `Bearer realm="agent-memory"`)
			refuse(w, http.StatusUnauthorized, "a valid bearer token is required")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// limited bounds how much is worked on at once; a call waits a little for its
// turn, a stream does not.
func (g *guard) limited(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		slots, wait := g.calls, slotWait
		if r.Method == http.MethodGet {
			slots, wait = g.streams, 0
		}
		timer := time.NewTimer(wait)
		defer timer.Stop()
		select {
		case slots <- struct{}{}:
		default:
			select {
			case slots <- struct{}{}:
			case <-timer.C:
				crowded(w)
				return
			}
		}
		defer func() { <-slots }()
		defer g.server.guardPanic(w)
		next.ServeHTTP(w, r)
	})
}

// guardPanic keeps a panic beneath a route from closing the connection
// without a word. It must be deferred itself.
func (s *Server) guardPanic(w http.ResponseWriter) {
	if v := recover(); v != nil {
		shown := s.shown("http", &panicked{value: v, stack: debug.Stack()})
		refuse(w, http.StatusInternalServerError, protocolError{shown}.Error())
	}
}

// bodied checks the message before mcp-go sees it. Without sessions
// a notification has nothing to act on: mcp-go would let one client cancel the
// calls of all others that use the same id, and refuses some that name no
// revision, upon which the Go SDK gives the connection up. A client cancels a
// call by closing its request.
func bodied(next http.Handler, check func([]byte) (message, *rpcError)) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Method != http.MethodPost {
			next.ServeHTTP(w, r)
			return
		}
		body, err := io.ReadAll(r.Body) // it has been received
		if err != nil {
			refuseBody(w, err)
			return
		}
		m, refused := check(body)
		if refused != nil {
			answer(w, statusOf(r, refused), refused)
			return
		}
		if m.isNotification() && r.URL.Path == streamablePath {
			w.WriteHeader(http.StatusAccepted)
			return
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		next.ServeHTTP(w, r)
	})
}

// statusOf follows the revision: until 2026-07-28 the answer to a request came
// with status 200, whatever it said, and clients still read no other.
func statusOf(r *http.Request, e *rpcError) int {
	if kindOf(e.ID) != "none" && string(e.ID) != "null" && !mcp.IsModernProtocol(r.Header.Get(mcp.HeaderProtocolVersion)) {
		return http.StatusOK
	}
	return http.StatusBadRequest
}

func answer(w http.ResponseWriter, status int, e *rpcError) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_ = json.NewEncoder(w).Encode(e)
}

// refuse answers at once, whatever of the body has come.
func refuse(w http.ResponseWriter, status int, why string) {
	if closesUnread {
		w.Header().Set("Connection", "close")
	}
	w.Header().Set("X-Content-Type-Options", "nosniff")
	http.Error(w, why, status)
}
