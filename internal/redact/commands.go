package redact

import "strings"

// maxCommand is how far behind a command's name its flags are looked for.
const maxCommand = 256

// commandFlag matches the password that a command takes as an argument:
// curl -u name:secret, sshpass -p secret, mysql -psecret.
type commandFlag struct {
	words    *vocabulary
	flags    []string // in their exact case
	pair     bool     // the argument is name:secret
	attached bool     // the argument may follow the flag without a blank
	separate bool     // it may follow behind a blank
}

func (m commandFlag) find(t scanned, at, after int) span {
	if at > t.from && alnum(t.all[at-1]) {
		return span{}
	}
	line := t.all[after-1 : min(len(t.all), after+maxCommand)]
	if end := strings.IndexAny(line, "\n`"); end >= 0 {
		line = line[:end]
	}
	for _, flag := range m.flags {
		i := strings.Index(line, flag)
		if i < 0 {
			continue
		}
		if v := m.argument(t.all, at, after-1+i+len(flag)); !v.empty() {
			return v
		}
	}
	return span{}
}

// argument returns the secret in the argument of a flag that ends at i.
func (m commandFlag) argument(s string, command, i int) span {
	blank := i < len(s) && (s[i] == ' ' || s[i] == '=')
	if blank && !m.separate || !blank && !m.attached {
		return span{}
	}
	if blank {
		i++
	}
	quoted := i < len(s) && (s[i] == '"' || s[i] == '\'')
	ends := " \t\n\"'`，。；"
	if quoted {
		i, ends = i+1, "\"'\n"
	}
	end := strings.IndexAny(s[i:min(len(s), i+maxValue)], ends)
	if end < 0 {
		end = min(len(s), i+maxValue) - i
	}
	v := span{i, i + end}
	if m.pair {
		_, secret, found := strings.Cut(s[v.start:v.end], ":")
		if !found || v.end-len(secret)-1 == v.start {
			return span{}
		}
		v.start = v.end - len(secret)
		quoted = true // name:secret is no prose
	}
	text := s[v.start:v.end]
	if m.words.placeholder(text) || !quoted && blank && !argumentLike(s, command, v) {
		return span{}
	}
	return v
}

// argumentLike reports whether a bare word behind a flag is its argument rather
// than the next word of a sentence about it.
func argumentLike(s string, command int, v span) bool {
	if t := (value{text: s[v.start:v.end]}).traits(); t.letters > 0 && t.digits+t.strong > 0 || t.digits >= 4 {
		return true
	}
	rest := strings.TrimLeft(s[v.end:], " ")
	if holdsFirst(rest, []string{"ssh ", "scp ", "sftp ", "rsync ", "-", "ssh-copy-id "}) {
		return true
	}
	begins := command == 0 || strings.IndexByte("\n`", s[command-1]) >= 0 || strings.HasSuffix(s[:command], "$ ")
	return begins && (rest == "" || rest[0] == '\n' || rest[0] == '`')
}
