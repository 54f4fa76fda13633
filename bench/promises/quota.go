//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os/exec"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"

	"agentmemory/bench/stdio"
)

// overQuota fills the quota of a real file system under a running server, then
// lifts it: the same server has to go on, and what it acknowledged has to stay. It
// is btrfs, which counts by itself; those of ext4 need formats that many kernels
// are built without.
func overQuota(ctx context.Context, t *trial) (string, error) {
	rounds := t.count(1, 6)
	refused, kept, err := withoutRoom(ctx, rounds, t.exceed)
	if err != nil {
		return "", err
	}
	return fmt.Sprintf("%d quotas were exhausted under a server: %d calls refused with a reason, %d acknowledged and kept, old files unchanged, the same server went on when they were lifted", rounds, refused, kept), nil
}

func (t *trial) exceed(ctx context.Context) (refused, acknowledged int, err error) {
	d, volume, err := t.limited(ctx)
	if err != nil {
		return 0, 0, err
	}
	refused, acknowledged, err = t.onVolume(ctx, volume)
	return refused, acknowledged, errors.Join(err, d.unmount())
}

// limited mounts a file system with a volume that has a quota.
func (t *trial) limited(ctx context.Context) (d *disk, volume string, err error) {
	if d, err = makeDisk(t.Dir, "btrfs", "", 160<<20); err != nil {
		return nil, "", err
	}
	if out, err := exec.CommandContext(ctx, "mkfs.btrfs", "-q", "-f", d.image).CombinedOutput(); err != nil {
		return nil, "", skippedError(fmt.Sprintf("no mkfs.btrfs: %v %s", err, out))
	}
	if err := d.mount(ctx); err != nil {
		return nil, "", err
	}
	volume = filepath.Join(d.at, "volume")
	for _, args := range [][]string{{"quota", "enable", d.at}, {"subvolume", "create", volume}, {"qgroup", "limit", "12M", volume}} {
		if out, err := exec.CommandContext(ctx, "btrfs", args...).CombinedOutput(); err != nil {
			return nil, "", errors.Join(skippedError(fmt.Sprintf("no quota: btrfs %s: %v %s", strings.Join(args, " "), err, out)), d.unmount())
		}
	}
	return d, volume, nil
}

func (t *trial) onVolume(ctx context.Context, volume string) (refused, acknowledged int, err error) {
	fresh, err := t.Fresh("made")
	if err != nil {
		return 0, 0, err
	}
	ws := filepath.Join(volume, "ws")
	if err := t.copied(fresh, ws); err != nil {
		return 0, 0, err
	}
	s, err := t.Serve(ctx, ws)
	if err != nil {
		return 0, 0, err
	}
	l := &ledger{}
	if refused, err = t.exhausted(ctx, volume, ws, s, l); err != nil {
		return refused, 0, errors.Join(err, s.Kill())
	}
	if err := s.Stop(30 * time.Second); err != nil {
		return refused, 0, err
	}
	if _, err := t.CLI(ctx, "sync", "--workspace", ws); err != nil {
		return refused, 0, broken(err)
	}
	sent, kept := l.state()
	return refused, len(kept), broken(t.Kept(ctx, ws, sent, kept))
}

// exhausted uses up the quota, then lifts it under the same server.
func (t *trial) exhausted(ctx context.Context, volume, ws string, s *stdio.Server, l *ledger) (refused int, err error) {
	if err := l.remember(ctx, s, "while there was room, shelf %d was counted: 第%d个架子", 5); err != nil {
		return 0, err
	}
	time.Sleep(time.Second) // the files show it
	before, _, err := t.Markdown(ws)
	if err = errors.Join(err, fill(filepath.Join(volume, "ballast"), unix.EDQUOT)); err != nil {
		return 0, err
	}
	refused, finding := l.tried(ctx, s, fmt.Sprintf("beyond the quota %d", t.random.IntN(1_000_000)), 8)
	now, _, err := t.Markdown(ws)
	if finding == nil && err == nil && !linesIn(before, now) {
		finding = errors.New("a quota changed what files held")
	}
	if err := errors.Join(broken(finding), err); err != nil {
		return refused, err
	}
	if out, err := exec.CommandContext(ctx, "btrfs", "qgroup", "limit", "none", volume).CombinedOutput(); err != nil {
		return refused, fmt.Errorf("lifting the quota: %w\n%s", err, out)
	}
	if err := l.remember(ctx, s, "the quota is lifted, machine %d runs, says 第%d个人", 4); err != nil {
		return refused, broken(fmt.Errorf("without the quota: %w", err))
	}
	return refused, nil
}
