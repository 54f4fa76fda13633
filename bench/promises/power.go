//go:build linux

package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"time"

	_ "modernc.org/sqlite" // the database is looked at before the program opens it

	"agentmemory/bench/stdio"
)

// powerCut lets two processes write to an ext4 file system in a file, copies
// its image in the middle of it as a power cut would leave it, and starts
// again on the copy.
func powerCut(ctx context.Context, t *trial) (string, error) {
	if os.Geteuid() != 0 {
		return "", skippedError("mounting needs root")
	}
	cuts, acknowledged := t.count(3, 20), 0
	for cut := range cuts {
		n, err := t.cutOnce(ctx, cut)
		if err != nil {
			return "", fmt.Errorf("cut %d: %w", cut, err)
		}
		acknowledged += n
	}
	if acknowledged == 0 {
		return "", errors.New("nothing was acknowledged before any cut")
	}
	return fmt.Sprintf("%d power cuts, two processes: each of %d acknowledged memories is in the database and once in Markdown", cuts, acknowledged), nil
}

func (t *trial) cutOnce(ctx context.Context, cut int) (int, error) {
	disk, err := newDisk(ctx, t.Dir)
	if err != nil {
		return 0, err
	}
	ws, err := t.Fresh("disk/ws")
	if err != nil {
		return 0, errors.Join(err, disk.unmount())
	}
	sent, acknowledged, err := t.writeUntilCut(ctx, disk, ws, cut)
	if err = errors.Join(err, disk.unmount()); err != nil {
		return 0, err
	}
	after, err := disk.mountCopy(ctx)
	if err != nil {
		return 0, err
	}
	err = t.survived(ctx, ws, sent, acknowledged)
	return len(acknowledged), errors.Join(err, after.unmount())
}

// writeUntilCut writes by two processes until a moment of chance, stops both,
// takes what was acknowledged so far and then the image.
func (t *trial) writeUntilCut(ctx context.Context, disk *disk, ws string, cut int) (sent, acknowledged []string, err error) {
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return nil, nil, err
	}
	if err := exec.CommandContext(ctx, "sync", "-f", ws).Run(); err != nil {
		return nil, nil, fmt.Errorf("syncing the file system: %w", err)
	}
	var servers []*stdio.Server
	var l ledger
	var wg sync.WaitGroup
	for who := range 2 {
		s, err := t.Serve(ctx, ws)
		if err != nil {
			return nil, nil, err
		}
		servers = append(servers, s)
		wg.Go(func() { l.writeOn(ctx, s, fmt.Sprintf("cut %d, process %d", cut, who)) })
	}
	time.Sleep(time.Duration(400+t.random.IntN(1600)) * time.Millisecond)
	for _, s := range servers {
		err = errors.Join(err, syscall.Kill(s.PID(), syscall.SIGSTOP))
	}
	_, acknowledged = l.state()
	err = errors.Join(err, disk.copyImage(ctx))
	for _, s := range servers {
		err = errors.Join(err, s.Kill())
	}
	wg.Wait()
	sent, _ = l.state()
	return sent, acknowledged, err
}

// ledger notes what was sent and what was acknowledged.
type ledger struct {
	mu                 sync.Mutex
	sent, acknowledged []string
}

// writeOn remembers one thing after the other until the server is gone.
func (l *ledger) writeOn(ctx context.Context, s *stdio.Server, who string) {
	for i := 0; ; i++ {
		text := fmt.Sprintf("%s wrote sentence %d: 第%d句话", who, i, i)
		l.send(text)
		if s.Call(ctx, "remember", map[string]any{"content": text}, nil) != nil {
			return
		}
		l.acknowledge(text)
	}
}

func (l *ledger) send(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.sent = append(l.sent, text)
}

func (l *ledger) acknowledge(text string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.acknowledged = append(l.acknowledged, text)
}

func (l *ledger) state() (sent, acknowledged []string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return append(sent, l.sent...), append(acknowledged, l.acknowledged...)
}

// survived looks into the database before the program does, then starts the
// program and looks at everything.
func (t *trial) survived(ctx context.Context, ws string, sent, acknowledged []string) error {
	stored, err := contents(ctx, filepath.Join(ws, ".agent-memory", "memory.db"))
	if err != nil {
		return broken(err)
	}
	missing := 0
	for _, text := range acknowledged {
		if !stored[text] {
			missing++
		}
	}
	if missing > 0 {
		return broken(fmt.Errorf("%d of %d acknowledged memories are not in the database", missing, len(acknowledged)))
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return broken(fmt.Errorf("the restart: %w", err))
	}
	return broken(t.Kept(ctx, ws, sent, acknowledged))
}

// contents returns the texts that a database holds.
func contents(ctx context.Context, path string) (map[string]bool, error) {
	db, err := sql.Open("sqlite", path)
	if err != nil {
		return nil, fmt.Errorf("opening %s: %w", path, err)
	}
	defer db.Close()
	rows, err := db.QueryContext(ctx, "SELECT content FROM texts")
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", path, err)
	}
	defer rows.Close()
	found := map[string]bool{}
	for rows.Next() {
		var text string
		if err := rows.Scan(&text); err != nil {
			return nil, fmt.Errorf("reading %s: %w", path, err)
		}
		found[text] = true
	}
	return found, rows.Err()
}

// disk is a mounted file system in a file.
type disk struct{ image, device, at, kind, options string }

// newDisk is an ext4 file system which writes nothing by itself for a long time:
// only what was synced is in its image.
func newDisk(ctx context.Context, dir string) (*disk, error) {
	d, err := makeDisk(dir, "ext4", "commit=1000", 96<<20)
	if err != nil {
		return nil, err
	}
	if out, err := exec.CommandContext(ctx, "mkfs.ext4", "-q", "-F", d.image).CombinedOutput(); err != nil {
		return nil, skippedError(fmt.Sprintf("no mkfs.ext4: %v %s", err, out))
	}
	return d, d.mount(ctx)
}

// makeDisk makes an empty image, and the folder where it is to be mounted.
func makeDisk(dir, kind, options string, size int64) (*disk, error) {
	d := &disk{image: filepath.Join(dir, "disk.img"), at: filepath.Join(dir, "disk"), kind: kind, options: options}
	f, err := os.Create(d.image)
	if err != nil {
		return nil, fmt.Errorf("making an image: %w", err)
	}
	if err := errors.Join(f.Truncate(size), f.Close(), os.MkdirAll(d.at, 0o700)); err != nil {
		return nil, fmt.Errorf("making an image: %w", err)
	}
	return d, nil
}

func (d *disk) mount(ctx context.Context) error {
	out, err := exec.CommandContext(ctx, "losetup", "--find", "--show", d.image).CombinedOutput()
	if err != nil {
		return skippedError(fmt.Sprintf("no loop device: %v %s", err, out))
	}
	d.device = strings.TrimSpace(string(out))
	if err := syscall.Mount(d.device, d.at, d.kind, 0, d.options); err != nil {
		return errors.Join(skippedError(fmt.Sprintf("mounting is not allowed: %v", err)), d.detach())
	}
	return nil
}

func (d *disk) unmount() error {
	var err error
	for range 50 { // a process that was killed lets go a little later
		if err = syscall.Unmount(d.at, 0); !errors.Is(err, syscall.EBUSY) {
			break
		}
		time.Sleep(20 * time.Millisecond)
	}
	if err != nil {
		return fmt.Errorf("unmounting: %w", err)
	}
	return d.detach()
}

func (d *disk) detach() error {
	if out, err := exec.Command("losetup", "--detach", d.device).CombinedOutput(); err != nil {
		return fmt.Errorf("detaching %s: %w %s", d.device, err, out)
	}
	return nil
}

func (d *disk) copyImage(ctx context.Context) error {
	if out, err := exec.CommandContext(ctx, "cp", "--sparse=always", d.image, d.image+".cut").CombinedOutput(); err != nil {
		return fmt.Errorf("copying the image: %w %s", err, out)
	}
	return nil
}

// mountCopy mounts, in the same place, what the cut left.
func (d *disk) mountCopy(ctx context.Context) (*disk, error) {
	after := *d
	after.image += ".cut"
	return &after, after.mount(ctx)
}
