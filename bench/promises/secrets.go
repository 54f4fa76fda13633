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
	"strings"
	"time"
)

// secretSample is a secret of one rule within a sentence. It is kept in pieces, so
// that scanners of source code leave the file alone.
type secretSample struct {
	Rule, Before, After string
	Secret              []string
}

// said is the sentence.
func (s secretSample) said() string { return s.Before + strings.Join(s.Secret, "") + s.After }

// mark is what may stand nowhere: the secret, or a line in the middle of it.
func (s secretSample) mark() string {
	if lines := strings.Split(strings.Join(s.Secret, ""), "\n"); len(lines) > 1 {
		return lines[1]
	}
	return strings.Join(s.Secret, "")
}

func secretSamples() (all []secretSample, err error) {
	raw, err := os.ReadFile("internal/redact/testdata/secrets.jsonl")
	if err != nil {
		return nil, fmt.Errorf("reading the samples: %w", err)
	}
	for line := range bytes.Lines(raw) {
		var s secretSample
		if err := json.Unmarshal(line, &s); err != nil {
			return nil, fmt.Errorf("reading the samples: %w", err)
		}
		all = append(all, s)
	}
	return all, nil
}

// hiddenSecrets says a secret of every rule to a tool, in a question and in a
// conversation that is captured, and lets jobs run. No byte of it may then stand
// in a file, the database and the logs included, in an answer, or in what a service of
// embeddings was asked.
func hiddenSecrets(ctx context.Context, t *trial) (string, error) {
	samples, err := secretSamples()
	if err != nil {
		return "", err
	}
	p := newProvider()
	defer p.Close()
	ws, err := t.Fresh("secrets")
	if err != nil {
		return "", err
	}
	transcripts := filepath.Join(t.Dir, ".claude", "projects", "-home-me-keys")
	if err := t.confide(ctx, ws, transcripts, samples); err != nil {
		return "", err
	}
	answers, err := t.sayAll(ctx, ws, p, samples)
	if err != nil {
		return "", err
	}
	if err := os.RemoveAll(transcripts); err != nil { // it is the host's
		return "", fmt.Errorf("taking the conversation away: %w", err)
	}
	rules, markers := map[string]bool{}, 0
	var problems []error
	for _, s := range samples {
		rules[s.Rule] = true
		if strings.Contains(answers, s.mark()) {
			problems = append(problems, fmt.Errorf("an answer holds a secret of %s", s.Rule))
		}
		p.heard.Range(func(text, _ any) bool {
			if strings.Contains(fmt.Sprint(text), s.mark()) {
				problems = append(problems, fmt.Errorf("the service of embeddings was shown a secret of %s", s.Rule))
			}
			markers += strings.Count(fmt.Sprint(text), "[redacted:")
			return true
		})
		problems = append(problems, t.nowhereBelow(s))
	}
	memories, err := t.Exported(ctx, ws)
	if err == nil && (len(memories) < len(samples) || markers == 0) {
		err = fmt.Errorf("%d memories of %d secrets, %d markers shown to the service: nothing was tried", len(memories), len(samples), markers)
	}
	return fmt.Sprintf("%d secrets of %d rules said to a tool, in a question and in a conversation: none in a file, an answer or what the service of embeddings was asked", len(samples), len(rules)),
		errors.Join(broken(errors.Join(problems...)), err)
}

// confide makes a conversation in which every secret is said.
func (t *trial) confide(ctx context.Context, ws, transcripts string, samples []secretSample) error {
	var said []string
	for i, s := range samples {
		said = append(said, fmt.Sprintf("记住：note %s of the office says %s", word(i), s.said()))
	}
	lines, err := transcript("5ec2e75a", said, time.Now().Add(-3*time.Hour))
	if err == nil {
		_, err = t.CLI(ctx, "init", "--capture", "claude-code", "--workspace", ws)
	}
	return errors.Join(err, os.MkdirAll(transcripts, 0o700), os.WriteFile(filepath.Join(transcripts, "5ec2e75a.jsonl"), lines, 0o600))
}

// sayAll says every secret to a server with a service of embeddings, asks for it, and
// returns the answers.
func (t *trial) sayAll(ctx context.Context, ws string, p *provider, samples []secretSample) (string, error) {
	s, err := t.serveWith(ctx, ws, p, "one")
	if err != nil {
		return "", err
	}
	var answers bytes.Buffer
	call := func(tool string, args map[string]any) {
		var answer json.RawMessage
		if err := s.Call(ctx, tool, args, &answer); err != nil {
			answer = json.RawMessage(err.Error()) // a refusal may not tell it either
		}
		answers.Write(answer)
	}
	for i, sample := range samples {
		call("remember", map[string]any{"content": fmt.Sprintf("drawer %s holds %s", word(i), sample.said())})
	}
	if _, err := t.CLI(ctx, "sync", "sessions", "--workspace", ws); err != nil {
		return "", errors.Join(err, s.Kill())
	}
	for _, phase := range []string{"surface", "wrapup", "compound"} {
		call("reflect", map[string]any{"phase": phase})
	}
	for i, sample := range samples {
		call("recall", map[string]any{"query": "which drawer holds " + sample.said()})
		call("recall", map[string]any{"query": "drawer " + word(i)})
		call("recall", map[string]any{"query": "note " + word(i)})
	}
	time.Sleep(time.Second) // the last vectors are made
	return answers.String(), s.Stop(30 * time.Second)
}

// nowhereBelow looks for a secret in every file of the trial.
func (t *trial) nowhereBelow(s secretSample) error {
	return filepath.WalkDir(t.Dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := os.ReadFile(path)
		if bytes.Contains(raw, []byte(s.mark())) {
			return fmt.Errorf("%s holds a secret of %s", path, s.Rule)
		}
		return err
	})
}
