package memory

import (
	"crypto/sha256"
	"encoding/base32"
	"encoding/binary"
	"encoding/hex"
	"fmt"
	"io"
	"strings"
	"sync"
	"time"
)

// crockford is Crockford's base 32 in lower case: ids sort by time and hold no
// letters that are easily mistaken.
func crockford() *base32.Encoding {
	return base32.NewEncoding("0123456789abcdefghjkmnpqrstvwxyz").WithPadding(base32.NoPadding)
}

// IDSource makes UUIDv7 identifiers (RFC 9562 §5.7), increasing within a process.
type IDSource struct {
	now     func() time.Time
	entropy io.Reader
	mu      sync.Mutex
	last    uint64 // 48 bits of milliseconds, 12 bits of sequence
}

// NewIDSource returns a source that reads the time from now and randomness from entropy.
func NewIDSource(now func() time.Time, entropy io.Reader) *IDSource {
	return &IDSource{now: now, entropy: entropy}
}

// Next returns a new id: 26 lower-case base32 characters.
func (s *IDSource) Next() (string, error) {
	var b [16]byte
	if _, err := io.ReadFull(s.entropy, b[8:]); err != nil {
		return "", fmt.Errorf("reading randomness for an id: %w", err)
	}
	s.mu.Lock()
	stamp := uint64(s.now().UnixMilli()) << 12
	if stamp <= s.last {
		stamp = s.last + 1
	}
	s.last = stamp
	s.mu.Unlock()
	binary.BigEndian.PutUint64(b[:8], stamp>>12<<16|stamp&0xfff)
	b[6] = b[6]&0x0f | 0x70
	b[8] = b[8]&0x3f | 0x80
	return crockford().EncodeToString(b[:]), nil
}

// DerivedID returns the UUIDv5-like id of a line that carries none: the same
// file, text and occurrence always give the same id.
func DerivedID(file, text string, occurrence int) string {
	h := sha256.New()
	fmt.Fprintf(h, "agent-memory line\x00%s\x00%s\x00%d", file, text, occurrence)
	b := h.Sum(nil)[:16]
	b[6] = b[6]&0x0f | 0x50
	b[8] = b[8]&0x3f | 0x80
	return crockford().EncodeToString(b)
}

// ValidID reports whether s may be the id of a memory: 1 to 64 of A-Z a-z 0-9 . _ : -,
// no dot first, and, for imported twins, one "<store>/" before it.
func ValidID(s string) bool {
	store, id, found := strings.Cut(s, "/")
	if !found {
		return plainID(s)
	}
	return plainID(store) && plainID(id)
}

func plainID(s string) bool {
	if s == "" || len(s) > 64 || s[0] == '.' {
		return false
	}
	for _, c := range []byte(s) {
		ok := c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '.' || c == '_' || c == ':' || c == '-'
		if !ok {
			return false
		}
	}
	return true
}

// Hash returns the content hash by which exact duplicates are found: SHA-256
// of the text without outer white space, in hex.
func Hash(content string) string {
	digest, _ := Digest(content, nil)
	return hex.EncodeToString(digest)
}

// Digest is Hash before it is written in letters. scratch is reused.
func Digest(content string, scratch []byte) (digest, used []byte) {
	used = append(scratch[:0], strings.TrimSpace(content)...)
	sum := sha256.Sum256(used)
	return sum[:], used
}
