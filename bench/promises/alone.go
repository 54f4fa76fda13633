//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"syscall"
	"time"
)

// powerCutAlone is powerCut where the database cannot be opened: `remember`
// then answers when the journal alone has the memory.
func powerCutAlone(ctx context.Context, t *trial) (string, error) {
	if os.Geteuid() != 0 {
		return "", skippedError("mounting needs root")
	}
	cuts, acknowledged := t.count(2, 20), 0
	for cut := range cuts {
		n, err := t.cutAlone(ctx, cut)
		if err != nil {
			return "", fmt.Errorf("cut %d: %w", cut, err)
		}
		acknowledged += n
	}
	if acknowledged == 0 {
		return "", errors.New("nothing was acknowledged before any cut")
	}
	return fmt.Sprintf("%d power cuts without a database: each of %d acknowledged memories is once in Markdown", cuts, acknowledged), nil
}

func (t *trial) cutAlone(ctx context.Context, cut int) (int, error) {
	disk, err := newDisk(ctx, t.Dir)
	if err != nil {
		return 0, err
	}
	ws, err := t.Fresh("disk/ws")
	obstacle := filepath.Join(ws, ".agent-memory", "memory.db") // a folder in its place
	if err = errors.Join(err, os.MkdirAll(obstacle, 0o700)); err != nil {
		return 0, errors.Join(err, disk.unmount())
	}
	if err := exec.CommandContext(ctx, "sync", "-f", ws).Run(); err != nil {
		return 0, errors.Join(err, disk.unmount())
	}
	c := commands{trial: t, ws: ws}
	var wg sync.WaitGroup
	for who := range c.running {
		wg.Go(func() { c.writeOn(ctx, who, fmt.Sprintf("cut %d, process %d", cut, who)) })
	}
	time.Sleep(time.Duration(500+t.random.IntN(1000)) * time.Millisecond)
	acknowledged, err := c.cut(ctx, disk)
	wg.Wait()
	sent, _ := c.state()
	if err = errors.Join(err, disk.unmount()); err != nil {
		return 0, err
	}
	after, err := disk.mountCopy(ctx)
	if err != nil {
		return 0, err
	}
	err = os.RemoveAll(obstacle)
	if err == nil {
		_, err = t.CLI(ctx, "sync", "--workspace", ws)
		err = broken(errors.Join(err, t.Kept(ctx, ws, sent, acknowledged)))
	}
	return len(acknowledged), errors.Join(err, after.unmount())
}

// commands are the processes of `remember`, one after the other on each side.
type commands struct {
	*trial
	ledger

	ws      string
	gate    sync.Mutex
	over    bool
	running [2]*os.Process
}

// writeOn runs `remember` over and over.
func (c *commands) writeOn(ctx context.Context, who int, name string) {
	for i := 0; ; i++ {
		text := fmt.Sprintf("%s wrote sentence %d: 第%d句话", name, i, i)
		c.send(text)
		cmd := exec.CommandContext(ctx, c.Binary, "remember", text, "--workspace", c.ws)
		cmd.Env = c.Env()
		if !c.start(who, cmd) || cmd.Wait() != nil {
			return
		}
		c.acknowledge(text)
	}
}

func (c *commands) start(who int, cmd *exec.Cmd) bool {
	c.gate.Lock()
	defer c.gate.Unlock()
	if c.over || cmd.Start() != nil {
		return false
	}
	c.running[who] = cmd.Process
	return true
}

// cut stops the processes, notes what they had acknowledged, and copies the
// image; nobody writes meanwhile.
func (c *commands) cut(ctx context.Context, disk *disk) (acknowledged []string, err error) {
	c.gate.Lock()
	defer c.gate.Unlock()
	c.over = true
	for _, p := range c.running {
		if p != nil {
			_ = p.Signal(syscall.SIGSTOP) // it may just have ended
		}
	}
	_, acknowledged = c.state()
	err = disk.copyImage(ctx)
	for _, p := range c.running {
		if p != nil {
			_ = p.Kill()
		}
	}
	return acknowledged, err
}
