//go:build linux

package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"unicode"
)

// flippedBits damages a copy of a store again and again, one bit or the end of
// one file each time, and asks it: it may refuse, but never tell what
// nobody had written. Then the store is made again from its files.
func flippedBits(ctx context.Context, t *trial) (string, error) {
	good, truth, err := t.storesToDamage(ctx)
	if err != nil {
		return "", err
	}
	rounds, told, refused := t.count(40, 600), 0, 0
	for i := range rounds {
		ws := filepath.Join(t.Dir, "damaged")
		file, what, err := t.damage(good, ws, i)
		if err != nil {
			return "", err
		}
		n, err := t.askDamaged(ctx, ws, file, truth)
		if err != nil {
			return "", fmt.Errorf("%s: %w", what, err)
		}
		if n > 0 {
			told++
		} else {
			refused++
		}
		if err := t.madeAgain(ctx, ws, file, truth); err != nil {
			return "", fmt.Errorf("%s: %w", what, err)
		}
	}
	return fmt.Sprintf("%d bits flipped or files cut: no wrong content (%d answered, %d refused), and made again from the files", rounds, told, refused), nil
}

// stores are a workspace as a server leaves it that was killed, with a log,
// and one that was closed, with everything in the database.
type stores struct{ killed, closed string }

func (t *trial) storesToDamage(ctx context.Context) (s stores, truth map[string]bool, err error) {
	if s.killed, err = t.Fresh("killed"); err != nil {
		return s, nil, err
	}
	if err := t.fillAndKill(ctx, s.killed); err != nil {
		return s, nil, err
	}
	s.closed = filepath.Join(t.Dir, "closed")
	if err := copyTree(s.killed, s.closed); err != nil {
		return s, nil, err
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", s.closed); err != nil {
		return s, nil, err
	}
	memories, err := t.Exported(ctx, s.closed)
	truth = map[string]bool{}
	for _, m := range memories {
		truth[fmt.Sprint(m["content"])] = true
	}
	if len(truth) < 30 {
		err = errors.Join(err, fmt.Errorf("only %d memories to damage", len(truth)))
	}
	return s, truth, err
}

func (t *trial) fillAndKill(ctx context.Context, ws string) error {
	s, err := t.Serve(ctx, ws)
	if err != nil {
		return err
	}
	for i := range 30 {
		text := fmt.Sprintf("the lamp of shelf %d is kept by person %d; 第%d号架子归第%d个人管", i, i*7, i, i*7)
		args := map[string]any{"content": text, "uri": "knowledge://shelves/" + word(i)}
		if err := s.Call(ctx, "remember", args, nil); err != nil {
			return errors.Join(err, s.Kill())
		}
	}
	if err := s.Call(ctx, "sync", map[string]any{}, nil); err != nil {
		return errors.Join(err, s.Kill())
	}
	return s.Kill()
}

// damage flips a bit of a file in a copy of a store, or cuts it. Half of the
// bits are in the texts: most others are of empty space.
func (t *trial) damage(good stores, ws string, i int) (file, what string, err error) {
	files := []string{".agent-memory/memory.db", ".agent-memory/memory.db-wal", "memory/topics/knowledge.md", ".agent-memory/memory.db"}
	file = files[i%len(files)]
	from := good.closed
	if strings.HasSuffix(file, "-wal") {
		from = good.killed
	}
	if err := copyTree(from, ws); err != nil {
		return file, "", err
	}
	raw, err := os.ReadFile(filepath.Join(ws, file))
	if err != nil || len(raw) == 0 {
		return file, "", fmt.Errorf("%s is empty: %w", file, err)
	}
	at := t.random.IntN(len(raw))
	if i%10 == 9 {
		what, raw = fmt.Sprintf("%s cut at %d", file, at), raw[:at]
	} else {
		if found := allOf(raw, "the lamp of shelf"); len(found) > 0 && t.random.IntN(2) == 0 {
			at = found[t.random.IntN(len(found))] + t.random.IntN(60)
		}
		what, raw[at] = fmt.Sprintf("%s, bit of byte %d", file, at), raw[at]^1<<t.random.IntN(8)
	}
	return file, what, os.WriteFile(filepath.Join(ws, file), raw, 0o600)
}

func allOf(raw []byte, text string) (found []int) {
	for at := 0; ; at++ {
		next := bytes.Index(raw[at:], []byte(text))
		if next < 0 {
			return found
		}
		at += next
		found = append(found, at)
	}
}

// askDamaged lists all and asks one question. What is told has to be the truth, or a
// line that stands in the Markdown, which people may change.
func (t *trial) askDamaged(ctx context.Context, ws, file string, truth map[string]bool) (told int, err error) {
	var contents []string
	if out, err := t.CLI(ctx, "export", "--format", "jsonl", "--workspace", ws); err == nil {
		for line := range bytes.Lines(out) {
			contents = append(contents, contentOf(line))
		}
	}
	if out, err := t.CLI(ctx, "recall", "the lamp of shelf 7", "--json", "--workspace", ws); err == nil {
		var answer struct{ Memories []json.RawMessage }
		if err := json.Unmarshal(out, &answer); err != nil {
			return 0, fmt.Errorf("decoding an answer: %w", err)
		}
		for _, m := range answer.Memories {
			contents = append(contents, contentOf(m))
		}
	}
	standing, _, err := t.Markdown(ws)
	for _, text := range contents {
		edited := strings.HasSuffix(file, ".md") && stands(standing, text)
		if !truth[text] && !edited {
			return 0, broken(fmt.Errorf("told %q, which nobody wrote", text))
		}
	}
	return len(contents), err
}

func contentOf(raw []byte) string {
	var m struct {
		Content string `json:"content"`
	}
	if json.Unmarshal(raw, &m) != nil {
		return string(raw)
	}
	return m.Content
}

// madeAgain does what the program advises for a damaged database: delete it
// and sync. Whatever the damage was, the store then says what Markdown says.
func (t *trial) madeAgain(ctx context.Context, ws, file string, truth map[string]bool) error {
	for _, suffix := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(filepath.Join(ws, ".agent-memory", "memory.db"+suffix)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("deleting the database: %w", err)
		}
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return broken(fmt.Errorf("making the store again: %w", err))
	}
	memories, err := t.Exported(ctx, ws)
	if err != nil {
		return broken(err)
	}
	var found []string
	for _, m := range memories {
		found = append(found, fmt.Sprint(m["content"]))
	}
	if strings.HasSuffix(file, ".md") {
		return t.sameAsMarkdown(ws, found)
	}
	for text := range truth {
		if !slices.Contains(found, text) {
			return broken(fmt.Errorf("%q is not made again", text))
		}
	}
	if len(found) != len(truth) {
		return broken(fmt.Errorf("%d memories were made of %d", len(found), len(truth)))
	}
	return nil
}

// sameAsMarkdown checks that each memory of the damaged file stands there.
func (t *trial) sameAsMarkdown(ws string, found []string) error {
	standing, _, err := t.Markdown(ws)
	if err != nil {
		return err
	}
	for _, text := range found {
		if strings.Contains(text, "of shelf") && !stands(standing, text) {
			return broken(fmt.Errorf("%q is in the store and not in Markdown", text))
		}
	}
	return nil
}

// stands reports whether the words of a text follow one another in the Markdown.
func stands(standing, text string) bool {
	return strings.Contains(letters(withoutComments(standing)), letters(withoutComments(text)))
}

// withoutComments leaves out ours: a line that a damaged bullet is part of now
// stands behind the comment of the line before, and one whose end is damaged goes
// on to the end of its line, and of the comment that it got instead.
func withoutComments(text string) string {
	return regexp.MustCompile(`(?m)<\\?!--\s*am:[^>\n]*(?:>|$)`).ReplaceAllString(text, "")
}

// letters leaves what no flipped bit makes us clean: broken characters are
// replaced and control characters taken out when a line is read.
func letters(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) {
			return r
		}
		return -1
	}, text)
}

// copyTree replaces a folder by a copy of another.
func copyTree(from, to string) error {
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("clearing %s: %w", to, err)
	}
	if err := os.CopyFS(to, os.DirFS(from)); err != nil {
		return fmt.Errorf("copying %s: %w", from, err)
	}
	return nil
}
