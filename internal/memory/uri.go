package memory

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"
)

// URI is a parsed memory address: scheme://path#fragment.
type URI struct {
	Scheme   string
	Path     string
	Fragment string
}

func (u URI) String() string {
	s := u.Scheme + "://" + u.Path
	if u.Fragment != "" {
		s += "#" + u.Fragment
	}
	return s
}

// Schemes lists the schemes that a memory may have; session:// addresses raw
// conversations and is not among them.
func Schemes() []string {
	return []string{"identity", "core", "emotion", "knowledge", "event", "decision", "task", "fact", "state", "system"}
}

// ParseURI checks and splits a memory URI. It refuses what could be taken for
// a path: empty or dot segments, back slashes, control characters.
func ParseURI(s string) (URI, error) {
	bad := func(why string) (URI, error) {
		return URI{}, Errorf(InvalidArgument, "uri %q: %s", clip(s, 80), why).
			WithHint("write <scheme>://<path>, for example knowledge://preferences/editor; schemes: %s", strings.Join(Schemes(), ", "))
	}
	if len(s) > MaxURI {
		return bad(fmt.Sprintf("longer than %d bytes", MaxURI))
	}
	scheme, rest, found := strings.Cut(s, "://")
	if !found {
		return bad("no scheme")
	}
	if !knownScheme(scheme) {
		return bad("unknown scheme")
	}
	path, fragment, _ := strings.Cut(rest, "#")
	if path == "" {
		return bad("empty path")
	}
	if !utf8.ValidString(s) || strings.ContainsFunc(s, forbiddenInURI) {
		return bad("control, invisible or back-slash characters")
	}
	for _, segment := range strings.Split(path, "/") {
		if segment == "" || segment == "." || segment == ".." {
			return bad("empty, . or .. segment")
		}
	}
	return URI{Scheme: scheme, Path: path, Fragment: fragment}, nil
}

func knownScheme(s string) bool {
	for _, k := range Schemes() {
		if s == k {
			return true
		}
	}
	return false
}

func forbiddenInURI(r rune) bool {
	return r == '\\' || r == '<' || r == '>' || unicode.IsControl(r) || unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Zl, r) || unicode.Is(unicode.Zp, r)
}

func clip(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && !utf8.RuneStart(s[n]) {
		n--
	}
	return s[:n] + "…"
}

// Key returns the form under which a URI is unique: core://x and
// identity://core/x are the same address.
func (u URI) Key() string {
	if u.Scheme == "core" {
		return URI{Scheme: "identity", Path: "core/" + u.Path, Fragment: u.Fragment}.String()
	}
	return u.String()
}

// Journal reports whether the URI addresses an entry of a journal by its minute.
func (u URI) Journal() bool { return strings.HasPrefix(u.Path, "journal/") && u.Fragment != "" }

// TypeOf returns the type that a URI's scheme implies, or "".
func (u URI) TypeOf() Type {
	switch u.Scheme {
	case "identity", "core", "system":
		return Identity
	case "emotion":
		return Emotion
	case "knowledge", "decision", "fact":
		return Knowledge
	case "event", "task", "state":
		return Event
	}
	return ""
}

// FormOf returns the form that a URI's scheme implies, or "".
func (u URI) FormOf() Form {
	switch u.Scheme {
	case "decision":
		return Decision
	case "task":
		return Task
	case "fact":
		return Fact
	case "state":
		return State
	}
	return ""
}

// JournalURI returns the address of a journal entry up to its number, which
// the store appends: "event://journal/2026-02-21#2200-". at is in local time.
func JournalURI(t Type, at time.Time) string {
	return fmt.Sprintf("%s://journal/%s#%s-", t, at.Format(time.DateOnly), at.Format("1504"))
}

// NeedsNumber reports whether uri is one that JournalURI returned.
func NeedsNumber(uri string) bool {
	return strings.Contains(uri, "://journal/") && strings.HasSuffix(uri, "-") && strings.Contains(uri, "#")
}
