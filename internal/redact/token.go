package redact

import "strings"

// charset is the set of bytes that a kind of token is written in.
type charset [256]bool

func newCharset(ranges ...string) *charset {
	var c charset
	for _, r := range ranges {
		if len(r) == 3 && r[1] == '-' {
			for b := int(r[0]); b <= int(r[2]); b++ {
				c[b] = true
			}
			continue
		}
		for i := 0; i < len(r); i++ {
			c[r[i]] = true
		}
	}
	return &c
}

// run returns the end of the longest run of the set that starts at i, at most max bytes.
func (c *charset) run(s string, i, max int) int {
	end := i
	for end < len(s) && end-i < max && c[s[end]] {
		end++
	}
	return end
}

func alnum(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || digit(b)
}

func digit(b byte) bool { return b >= '0' && b <= '9' }

const (
	// maxToken is the longest part of a dotted token.
	maxToken = 4096
	// judged is how much of a token is looked at to recognise it. The rest of its
	// run is then taken with it.
	judged = 96
)

// whole returns the end of the run that the recognised token s[start:end] is part of.
func (c *charset) whole(s string, end int) int { return c.run(s, end, len(s)) }

// token matches a known prefix, in its exact case, and a tail of a known set
// and length. Where most is given the tail must end there.
type token struct {
	prefix  string
	set     *charset
	least   int     // bytes of the tail
	most    int     // 0: any
	entropy float64 // bits per byte that the tail must have
}

func (m token) find(t scanned, at, _ int) span {
	if !strings.HasPrefix(t.all[at:], m.prefix) || !t.bounded(at) || m.entropy > 0 && t.within(m.set, at) {
		return span{}
	}
	start := at + len(m.prefix)
	end := m.set.run(t.all, start, judged)
	if n := end - start; n < m.least || m.most > 0 && n > m.most {
		return span{}
	}
	if m.entropy > 0 && Entropy(t.all[start:end]) < m.entropy {
		return span{}
	}
	return span{at, m.set.whole(t.all, end)}
}

// dotted matches tokens of parts joined by dots: JWT, Discord, SendGrid.
type dotted struct {
	prefix string
	set    *charset
	parts  []int // least bytes of each part, the prefix counted
}

func (m dotted) find(t scanned, at, _ int) span {
	if !strings.HasPrefix(t.all[at:], m.prefix) || t.within(m.set, at) {
		return span{}
	}
	i := at
	for n, least := range m.parts {
		if n > 0 {
			if i >= len(t.all) || t.all[i] != '.' {
				return span{}
			}
			i++
		}
		end := m.set.run(t.all, i, maxToken)
		if end-i < least {
			return span{}
		}
		i = end
	}
	return span{at, m.set.whole(t.all, i)}
}

// numbered matches digits, then the anchor, then a tail: Telegram bot tokens.
type numbered struct {
	least, most int // digits before the anchor
	set         *charset
	tail        int // bytes after the anchor
}

func (m numbered) find(t scanned, at, after int) span {
	start := at
	for start > t.from && at-start <= m.most && digit(t.all[start-1]) {
		start--
	}
	if n := at - start; n < m.least || n > m.most || !t.bounded(start) {
		return span{}
	}
	end := m.set.run(t.all, after, m.tail+1)
	if end-after != m.tail {
		return span{}
	}
	return span{start, end}
}

// following matches a token that comes after the anchor, at once or behind a
// separator: header values, webhook addresses, account keys.
type following struct {
	set       *charset
	least     int
	separated *vocabulary // not nil: an assignment sign stands between
	entropy   float64
}

func (m following) find(t scanned, _, after int) span {
	start := after
	if m.separated != nil {
		start = m.separated.separator(t.all, after).end
		if start == 0 {
			return span{}
		}
		start = skip(t.all, start, "\"'`")
	}
	end := m.set.run(t.all, start, judged)
	if end-start < m.least || m.entropy > 0 && Entropy(t.all[start:end]) < m.entropy {
		return span{}
	}
	return span{start, m.set.whole(t.all, end)}
}
