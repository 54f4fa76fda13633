package endpoint

import (
	"net"
	"net/url"
	"strings"

	"agentmemory/internal/memory"
)

// checkAddress refuses addresses that texts or the key must not be sent to.
func (s *Settings) checkAddress() error {
	u, err := url.Parse(s.BaseURL)
	if err != nil || u.Host == "" || u.Scheme != "http" && u.Scheme != "https" {
		return memory.Errorf(memory.InvalidArgument, "the base URL of the %s is not an http or https address", s.Name).
			WithHint("set %s.base_url, for example %s", s.Table, s.Example)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return memory.Errorf(memory.InvalidArgument, "the base URL of the %s holds a user, a query or a fragment", s.Name).
			WithHint("give the key by environment or file")
	}
	if loopback(u.Hostname()) || strings.EqualFold(u.Hostname(), s.RemoteHost) {
		return nil
	}
	return memory.Errorf(memory.PermissionDenied, "the host of the %s, %s, is not this machine", s.Name, u.Hostname()).
		WithHint("memories would be sent there; to allow it, name it as %s.remote_host too", s.Table)
}

// loopback reports whether host is this machine by its name alone; names are
// not resolved, since an answer of the DNS can change.
func loopback(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	ip := net.ParseIP(host)
	return ip != nil && ip.IsLoopback()
}

// keyAllowed reports whether the key may travel: encrypted, or not at all.
func (s *Settings) keyAllowed() bool {
	u, err := url.Parse(s.BaseURL)
	return err == nil && (u.Scheme == "https" || loopback(u.Hostname()))
}
