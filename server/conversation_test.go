package server

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"io"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"
)

var update = flag.Bool("update", false, "rewrite what the servers answer in testdata")

// TestConversations plays the files of testdata/conversations against a
// server, in lock-step: a "send" section is one message, each "receive" after
// it one expected answer. The text above the sections says what is shown.
func TestConversations(t *testing.T) {
	files, err := filepath.Glob("testdata/conversations/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, file := range files {
		t.Run(strings.TrimSuffix(filepath.Base(file), ".txtar"), func(t *testing.T) { play(t, file) })
	}
}

func play(t *testing.T, file string) {
	script, err := txtar.ParseFile(file)
	if err != nil {
		t.Fatal(err)
	}
	log := &safeBuffer{}
	c := dialPipe(t, newTestServer(t, testTools(), log))
	for i := range script.Files {
		section := &script.Files[i]
		switch section.Name {
		case "send":
			c.send(t, compact(t, section.Data))
		case "receive":
			got := legible(t, c.receive(t))
			if *update {
				section.Data = got
			} else if diff := cmp.Diff(string(section.Data), string(got)); diff != "" {
				t.Errorf("section %d of %s (-want +got):\n%s", i+1, file, diff)
			}
		default:
			t.Fatalf("%s: unknown section %q", file, section.Name)
		}
	}
	c.finish(t)
	if *update {
		if err := os.WriteFile(file, txtar.Format(script), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// pipeClient speaks to a server over two pipes.
type pipeClient struct {
	in     *io.PipeWriter
	out    *bufio.Reader
	ended  chan error
	cancel context.CancelFunc
}

func dialPipe(t *testing.T, s *Server) *pipeClient {
	t.Helper()
	ctx, cancel := context.WithCancel(t.Context())
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	c := &pipeClient{in: inWrite, out: bufio.NewReader(outRead), ended: make(chan error, 1), cancel: cancel}
	go func() {
		c.ended <- s.Stdio(ctx, inRead, outWrite)
		_ = outWrite.Close()
	}()
	t.Cleanup(func() { cancel(); _ = inWrite.Close(); _ = outRead.Close() })
	return c
}

func (c *pipeClient) send(t *testing.T, message []byte) {
	t.Helper()
	if _, err := c.in.Write(append(bytes.TrimSpace(message), '\n')); err != nil {
		t.Fatalf("sending: %v", err)
	}
}

func (c *pipeClient) receive(t *testing.T) []byte {
	t.Helper()
	got := make(chan []byte, 1)
	go func() {
		raw, err := c.out.ReadBytes('\n')
		if err != nil {
			raw = nil
		}
		got <- raw
	}()
	select {
	case raw := <-got:
		if raw == nil {
			t.Fatal("the server hung up")
		}
		return raw
	case <-time.After(10 * time.Second):
		t.Fatal("no answer")
	}
	return nil
}

// finish closes the client's side and expects that nothing more is said.
func (c *pipeClient) finish(t *testing.T) {
	t.Helper()
	_ = c.in.Close()
	if rest, err := io.ReadAll(c.out); err != nil || len(rest) > 0 {
		t.Errorf("unexpected at the end: %q, %v", rest, err)
	}
	if err := <-c.ended; err != nil {
		t.Errorf("Stdio = %v, want nil at the end of input", err)
	}
}

// legible renders an answer for a file: indented, log ids blanked.
func legible(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, bytes.TrimSpace(raw), "", "  "); err != nil {
		t.Fatalf("not JSON: %q", raw)
	}
	return append(regexp.MustCompile(`under [a-z0-9]{8}`).ReplaceAll(b.Bytes(), []byte("under LOGID")), '\n')
}

// compact makes one line of a message that is written over several; what is
// not JSON is sent as it is.
func compact(t *testing.T, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	if json.Compact(&b, raw) != nil {
		return raw
	}
	return b.Bytes()
}
