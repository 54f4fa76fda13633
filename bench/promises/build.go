//go:build linux

package main

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
)

// sameBinary builds the program twice, from copies of the source in folders
// and repositories that have nothing in common, and compares the bytes. The
// long form compiles everything anew for the second one. Builds that are stamped with their commit
// are made as well: if these were equal, the comparison would see nothing.
func sameBinary(ctx context.Context, t *trial) (string, error) {
	one, other := filepath.Join(t.Dir, "a"), filepath.Join(t.Dir, "source", "of", "another name")
	for _, dir := range []string{one, other} {
		if err := copySource(ctx, dir); err != nil {
			return "", err
		}
	}
	var cache []string
	if !t.short {
		cache = []string{"GOCACHE=" + filepath.Join(t.Dir, "cache")}
		defer os.RemoveAll(filepath.Join(t.Dir, "cache"))
	}
	first, err := builtFrom(ctx, one, "-buildvcs=false")
	if err != nil {
		return "", err
	}
	second, err := builtFrom(ctx, other, "-buildvcs=false", cache...)
	if err != nil {
		return "", err
	}
	if first != second {
		return "", broken(fmt.Errorf("the same source gave %s and %s", first, second))
	}
	if err := stampsAreSeen(ctx, one, other); err != nil {
		return "", err
	}
	how := "with shared compiled packages"
	if !t.short {
		how = "the second compiled from nothing"
	}
	return fmt.Sprintf("two folders, %s: the same binary, sha256 %.16s; a stamp of the commit is noticed", how, first), nil
}

// stampsAreSeen plants a difference: the stamp of a commit.
func stampsAreSeen(ctx context.Context, one, other string) error {
	a, err := builtFrom(ctx, one, "-buildvcs=true")
	if err != nil {
		return err
	}
	b, err := builtFrom(ctx, other, "-buildvcs=true")
	if err == nil && a == b {
		err = errors.New("binaries of different commits are said to be the same: the comparison sees nothing")
	}
	return err
}

// copySource copies what git knows of the source into a repository of its own.
func copySource(ctx context.Context, to string) error {
	list, err := exec.CommandContext(ctx, "git", "ls-files", "-z", "--cached", "--others", "--exclude-standard").Output()
	if err != nil {
		return skippedError("the source is no git repository")
	}
	for name := range strings.SplitSeq(strings.TrimSuffix(string(list), "\x00"), "\x00") {
		raw, err := os.ReadFile(name)
		if errors.Is(err, fs.ErrNotExist) { // deleted, and not committed
			continue
		}
		path := filepath.Join(to, name)
		if err := errors.Join(err, os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, raw, 0o600)); err != nil {
			return fmt.Errorf("copying %s: %w", name, err)
		}
	}
	script := `git init -q && git add -A && git -c user.name=a -c user.email=a@example.org commit -q -m "` + filepath.Base(to) + `"`
	cmd := exec.CommandContext(ctx, "sh", "-c", script)
	cmd.Dir = to
	if out, err := cmd.CombinedOutput(); err != nil {
		return fmt.Errorf("making a repository: %w\n%s", err, out)
	}
	return nil
}

// builtFrom is the hash of the program as released, built in a folder.
func builtFrom(ctx context.Context, dir, stamp string, env ...string) (string, error) {
	binary := filepath.Join(dir, "agent-memory.built")
	cmd := exec.CommandContext(ctx, "go", "build", "-trimpath", stamp, "-o", binary, "./cmd/agent-memory")
	cmd.Dir = dir
	cmd.Env = append(append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off"), env...)
	if out, err := cmd.CombinedOutput(); err != nil {
		return "", fmt.Errorf("building in %s: %w\n%s", dir, err, bytes.TrimSpace(out))
	}
	defer func() { _ = os.Remove(binary) }()
	raw, err := os.ReadFile(binary)
	if err != nil {
		return "", fmt.Errorf("reading the binary: %w", err)
	}
	return fmt.Sprintf("%x", sha256.Sum256(raw)), nil
}
