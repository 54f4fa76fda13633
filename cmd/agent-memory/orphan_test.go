package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"
)

// host is a program that starts a server as its child, as hosts do: it sends a
// crowd of calls at once and says on its own output which were answered. It never ends by itself.
func host(workspace string) {
	server := exec.Command(os.Args[0], "serve", "--workspace", workspace)
	server.Stderr = os.Stderr // closed when both have ended
	in, failed := server.StdinPipe()
	out, failedToo := server.StdoutPipe()
	if failed != nil || failedToo != nil || server.Start() != nil {
		os.Exit(1)
	}
	var calls strings.Builder
	calls.WriteString(`{"jsonrpc":"2.0","id":"first","method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"host","version":"1"}}}` + "\n")
	calls.WriteString(`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n")
	for i := range callsOfHost {
		fmt.Fprintf(&calls, `{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"remember","arguments":{"content":%q}}}`+"\n", i, saidByHost(i))
	}
	if _, err := io.WriteString(in, calls.String()); err != nil {
		os.Exit(1)
	}
	for lines := bufio.NewScanner(out); lines.Scan(); {
		fmt.Println(lines.Text())
	}
	select {}
}

const (
	hostCommand = "host-of-a-server" // of the test binary
	callsOfHost = 40
)

func saidByHost(i int) string {
	return fmt.Sprintf("sentence %d of a host that is killed, 编号%d", i, i*7919)
}

// A host that is killed cannot say goodbye: its server, in the middle of a crowd
// of calls, finds its input ended and its output broken. It ends within five
// seconds in good order, and no call is stored by halves.
func TestTheServerOfAKilledHostFinishesAndEnds(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("tells the end by a pipe of Unix")
	}
	for _, answers := range []int{1, 5, callsOfHost} {
		t.Run(fmt.Sprintf("after %d answers", answers), func(t *testing.T) {
			t.Parallel()
			env, home := surround(t)
			answered, log := killedHost(t, env, home, answers)
			stored := storedOnce(t, env, filepath.Join(home, "w"), answered)
			if stored < callsOfHost && !strings.Contains(log, "writing a message") {
				t.Errorf("%d of %d calls are stored, and the server did not end in order:\n%s", stored, callsOfHost, log)
			}
		})
	}
}

// storedOnce checks that calls are stored once and stand once in a file, those
// that were answered in any case, and returns how many are.
func storedOnce(t *testing.T, env surroundings, ws string, answered []int) (stored int) {
	t.Helper()
	code, out, errs := program(t, env, "export", "--format", "jsonl", "--workspace", ws)
	if code != 0 {
		t.Fatal(errs)
	}
	program(t, env, "sync", "files", "--workspace", ws)
	journals, err := filepath.Glob(filepath.Join(ws, "memory", "20*.md"))
	if err != nil || len(journals) != 1 {
		t.Fatalf("journals %v, %v", journals, err)
	}
	journal := read(t, journals[0])
	for i := range callsOfHost {
		n, lines := strings.Count(out, saidByHost(i)+`"`), strings.Count(journal, "- "+saidByHost(i)+" <!--")
		if n > 1 || n != lines || n == 0 && slices.Contains(answered, i) {
			t.Errorf("call %d: stored %d times, in the file %d times; answered: %v", i, n, lines, slices.Contains(answered, i))
		}
		stored += n
	}
	return stored
}

// killedHost kills a host after some answers, waits for the end of its server, and returns
// which calls were answered, and what the server said.
func killedHost(t *testing.T, env surroundings, home string, answers int) (answered []int, said string) {
	t.Helper()
	alive, theirs, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	defer alive.Close()
	cmd := exec.CommandContext(t.Context(), os.Args[0], hostCommand, home+"/w")
	cmd.Env, cmd.Stderr = env.Variables, theirs
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = theirs.Close()
	lines := bufio.NewScanner(out)
	for len(answered) < answers && lines.Scan() {
		var a struct{ ID any }
		if json.Unmarshal(lines.Bytes(), &a) != nil {
			t.Errorf("no message: %s", lines.Bytes())
		}
		if n, isCall := a.ID.(float64); isCall {
			answered = append(answered, int(n))
		}
	}
	if err := cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	killed := time.Now()
	_ = alive.SetReadDeadline(killed.Add(10 * time.Second)) // five, and time for a busy machine
	var log bytes.Buffer
	if _, err := io.Copy(&log, alive); err != nil {
		t.Errorf("the server still runs %s after its host was killed: %v\n%s", time.Since(killed), err, &log)
	}
	_ = cmd.Wait()
	if len(answered) < answers {
		t.Fatalf("%d answers\n%s", len(answered), &log)
	}
	return answered, log.String()
}
