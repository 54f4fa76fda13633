//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"agentmemory/bench/stdio"
)

// smallDisk is the size of the file system that is filled.
const smallDisk = "size=8m"

// fullFileSystem fills a real file system under a running server until nothing is
// left, then makes room again: the same server has to go on, and what it
// acknowledged has to stay. On the file system made read-only, a server answers.
func fullFileSystem(ctx context.Context, t *trial) (string, error) {
	rounds := t.count(2, 8)
	refused, kept, err := withoutRoom(ctx, rounds, t.fillDisk)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d file systems were filled and made read-only under a server: %d calls refused with a reason, %d acknowledged and kept, old files unchanged, the same server went on", rounds, refused, kept), nil
}

// withoutRoom mounts and fills a file system some times, and adds up what was
// refused meanwhile and what was kept.
func withoutRoom(ctx context.Context, rounds int, fill func(context.Context) (refused, kept int, err error)) (refused, kept int, err error) {
	if os.Geteuid() != 0 {
		return 0, 0, skippedError("mounting a file system needs root")
	}
	for range rounds {
		no, yes, err := fill(ctx)
		if err != nil {
			return 0, 0, err
		}
		refused, kept = refused+no, kept+yes
	}
	if refused == 0 {
		return 0, 0, errors.New("nothing was refused: there was room")
	}
	return refused, kept, nil
}

func (t *trial) fillDisk(ctx context.Context) (refused, acknowledged int, err error) {
	disk := filepath.Join(t.Dir, "disk")
	if err := os.MkdirAll(disk, 0o700); err != nil {
		return 0, 0, fmt.Errorf("making a folder: %w", err)
	}
	if err := unix.Mount("tmpfs", disk, "tmpfs", 0, smallDisk); err != nil {
		return 0, 0, skippedError(fmt.Sprintf("a file system cannot be mounted: %v", err))
	}
	defer func() { err = errors.Join(err, unix.Unmount(disk, unix.MNT_DETACH)) }()
	fresh, err := t.Fresh("disk-made")
	if err != nil {
		return 0, 0, err
	}
	ws := filepath.Join(disk, "ws")
	if out, err := exec.Command("cp", "-a", fresh, ws).CombinedOutput(); err != nil { //nolint:gosec // our own folder
		return 0, 0, fmt.Errorf("copying: %w\n%s", err, out)
	}
	return t.onDisk(ctx, disk, ws)
}

func (t *trial) onDisk(ctx context.Context, disk, ws string) (refused, acknowledged int, err error) {
	s, err := t.Serve(ctx, ws)
	if err != nil {
		return 0, 0, err
	}
	l := &ledger{}
	if err := l.remember(ctx, s, "while there was room, shelf %d was counted: 第%d个架子", 5); err != nil {
		return 0, 0, errors.Join(err, s.Kill())
	}
	time.Sleep(time.Second) // the files show it
	journals, _, err := t.Markdown(ws)
	if err != nil {
		return 0, 0, errors.Join(err, s.Kill())
	}
	refused, err = t.filled(ctx, disk, ws, s, l, journals)
	if err != nil {
		return refused, 0, errors.Join(err, s.Kill())
	}
	if err := s.Stop(30 * time.Second); err != nil {
		return refused, 0, err
	}
	no, err := t.frozenDisk(ctx, disk, ws, l)
	refused += no
	if err != nil {
		return refused, 0, err
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return refused, 0, broken(err)
	}
	sent, kept := l.state()
	return refused, len(kept), broken(t.Kept(ctx, ws, sent, kept))
}

// filled leaves no room, then makes some again under the same server.
func (t *trial) filled(ctx context.Context, disk, ws string, s *stdio.Server, l *ledger, journals string) (refused int, err error) {
	ballast := filepath.Join(disk, "ballast")
	if err := fill(ballast, unix.ENOSPC); err != nil {
		return 0, err
	}
	refused, finding := l.tried(ctx, s, fmt.Sprintf("without room %d", t.random.IntN(1_000_000)), 8)
	now, _, err := t.Markdown(ws)
	if finding == nil && err == nil && !linesIn(journals, now) {
		finding = errors.New("a full disk changed what files held")
	}
	if err := errors.Join(broken(finding), err, os.Remove(ballast)); err != nil {
		return refused, err
	}
	if err := l.remember(ctx, s, "there is room again, machine %d runs, says 第%d个人", 4); err != nil {
		return refused, broken(fmt.Errorf("with room again: %w", err))
	}
	return refused, nil
}

// frozenDisk starts a server on a file system that is read-only: it answers
// questions and refuses the rest.
func (t *trial) frozenDisk(ctx context.Context, disk, ws string, l *ledger) (refused int, err error) {
	if err := remount(disk, unix.MS_RDONLY); err != nil {
		return 0, err
	}
	defer func() {
		if now := remount(disk, 0); err == nil {
			err = now
		}
	}()
	s, err := t.Serve(ctx, ws)
	if err != nil {
		return 0, broken(fmt.Errorf("a read-only disk: %w", err))
	}
	refused, finding := l.tried(ctx, s, "on a read-only disk", 2)
	if finding == nil && refused < 2 {
		finding = errors.New("a memory was acknowledged on a read-only disk")
	}
	var found struct {
		Memories []any `json:"memories"`
	}
	if err := s.Call(ctx, "recall", map[string]any{"query": "shelf 3 counted"}, &found); finding == nil && (err != nil || len(found.Memories) == 0) {
		finding = fmt.Errorf("nothing is recalled from a read-only disk: %w", err)
	}
	return refused, errors.Join(broken(finding), s.Stop(30*time.Second))
}

// tried sends memories, each of which is acknowledged or refused with a reason.
func (l *ledger) tried(ctx context.Context, s *stdio.Server, what string, n int) (refused int, finding error) {
	for i := range n {
		text := fmt.Sprintf("%s, fact %d: 第%d条", what, i, i)
		l.send(text)
		switch err := s.Call(ctx, "remember", map[string]any{"content": text}, nil); {
		case err == nil:
			l.acknowledge(text)
		case !clear(err):
			return refused, fmt.Errorf("an unclear refusal: %w", err)
		default:
			refused++
		}
		time.Sleep(20 * time.Millisecond) // some of them are written to the files meanwhile
	}
	return refused, nil
}

// fill writes until a file system has no room left, and says so in the expected way.
func fill(name string, full error) error {
	f, err := os.Create(name) //nolint:gosec // our own file
	if err != nil {
		return fmt.Errorf("making the ballast: %w", err)
	}
	for _, size := range []int{1 << 16, 1 << 12, 1 << 9} {
		block := make([]byte, size)
		for err == nil {
			_, err = f.Write(block)
		}
		if !errors.Is(err, full) {
			return errors.Join(err, f.Close())
		}
		err = nil
	}
	return f.Close()
}

func remount(disk string, flags uintptr) error {
	if err := unix.Mount("", disk, "", unix.MS_REMOUNT|flags, ""); err != nil {
		return fmt.Errorf("mounting %s again: %w", disk, err)
	}
	return nil
}
