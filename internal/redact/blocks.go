package redact

import "strings"

const (
	maxKeyBlock = 64 << 10 // bytes of a private key block; a 16384-bit RSA key has 13 KB
	maxUserInfo = 512      // bytes between :// and @
)

// keyBlock matches a private key from its BEGIN line to its END line, or, where
// that is missing, to the end of the lines that can belong to it.
type keyBlock struct{ body *charset }

func (m keyBlock) find(t scanned, at, after int) span {
	label := t.all[after:min(len(t.all), after+64)]
	head, _, found := strings.Cut(label, "-----")
	if !found || !strings.Contains(head, "PRIVATE KEY") {
		return span{}
	}
	body := after + len(head) + len("-----")
	rest := t.all[body:min(len(t.all), body+maxKeyBlock)]
	if i := strings.Index(rest, "-----"); i >= 0 && strings.HasPrefix(rest[i:], "-----END") {
		return span{at, endOfLabel(t.all, body+i+len("-----END"))}
	}
	return m.unclosed(t.all, at, body)
}

// unclosed takes the lines after the label that hold nothing but key material.
func (m keyBlock) unclosed(s string, at, body int) span {
	end := body
	for end < len(s) && end-body < maxKeyBlock {
		line := m.body.run(s, end, maxKeyBlock)
		if line < len(s) && s[line] != '\n' || line > end && line-end < 16 {
			break
		}
		end = min(line+1, len(s))
	}
	if end-body < 16 {
		return span{}
	}
	return span{at, end}
}

// endOfLabel returns the position after the dashes that end a label begun before i.
func endOfLabel(s string, i int) int {
	rest := s[i:min(len(s), i+64)]
	if j := strings.Index(rest, "-----"); j >= 0 {
		return i + j + len("-----")
	}
	return i
}

// userInfo matches the password of scheme://user:password@host.
type userInfo struct {
	schemes []string // none: any
	words   *vocabulary
}

func (m userInfo) find(t scanned, at, after int) span {
	if !m.applies(t.lower[max(0, at-16):at]) {
		return span{}
	}
	colon := -1
	for i := after; i < len(t.all) && i-after < maxUserInfo; i++ {
		switch b := t.all[i]; {
		case b == ':' && colon < 0:
			colon = i
		case b == '@':
			return m.password(t.all, colon, i)
		case b <= ' ' || b == '/' || b == '"' || b == '\'' || b == '`' || b == '<' || b == '>':
			return span{}
		}
	}
	return span{}
}

func (m userInfo) applies(before string) bool {
	if len(m.schemes) == 0 {
		return len(before) > 0 && alnum(before[len(before)-1])
	}
	for _, s := range m.schemes {
		if strings.HasSuffix(before, s) {
			return true
		}
	}
	return false
}

func (m userInfo) password(s string, colon, at int) span {
	if colon < 0 || at == colon+1 || m.words.placeholder(s[colon+1:at]) {
		return span{}
	}
	return span{colon + 1, at}
}
