package server

import (
	"sync/atomic"

	"github.com/mark3labs/mcp-go/mcp"
	mcpserver "github.com/mark3labs/mcp-go/server"
)

// pipeSession is what mcp-go must know of the one client of a pipe. It offers
// no logging, sampling or roots, so nothing of these is ever sent.
type pipeSession struct {
	notices     chan mcp.JSONRPCNotification
	initialized atomic.Bool
	version     atomic.Value // string, negotiated by initialize
}

var _ mcpserver.SessionWithProtocolVersion = (*pipeSession)(nil)

func newPipeSession() *pipeSession {
	return &pipeSession{notices: make(chan mcp.JSONRPCNotification, 64)}
}

// Initialize implements mcpserver.ClientSession.
func (s *pipeSession) Initialize() { s.initialized.Store(true) }

// Initialized implements mcpserver.ClientSession.
func (s *pipeSession) Initialized() bool { return s.initialized.Load() }

// SessionID implements mcpserver.ClientSession.
func (s *pipeSession) SessionID() string { return "stdio" }

// NotificationChannel implements mcpserver.ClientSession.
func (s *pipeSession) NotificationChannel() chan<- mcp.JSONRPCNotification { return s.notices }

// SetProtocolVersion is called by mcp-go when the handshake has settled a version.
func (s *pipeSession) SetProtocolVersion(v string) { s.version.Store(v) }

// ProtocolVersion implements mcpserver.SessionWithProtocolVersion.
func (s *pipeSession) ProtocolVersion() string {
	v, _ := s.version.Load().(string)
	return v
}
