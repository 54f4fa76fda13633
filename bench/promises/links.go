//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"

	"agentmemory/bench/stdio"
)

// canary is a word of files outside of the workspace.
const canary = "canaryoutside"

// swappedForLinks has a process exchange files and folders of a workspace for
// links to a folder outside, again and again, while a server and commands work. The
// kernel tells whether anything outside was opened or changed meanwhile.
func swappedForLinks(ctx context.Context, t *trial) (string, error) {
	a := &attack{trial: t, outside: filepath.Join(t.Dir, "outside"), links: filepath.Join(t.Dir, "links")}
	if err := a.prepare(); err != nil {
		return "", err
	}
	s, err := t.Serve(ctx, a.ws)
	if err != nil {
		return "", err
	}
	var l ledger
	if err := a.remember(ctx, s, &l, "before the attack"); err != nil { // so that every file is there
		return "", err
	}
	watch, err := watchFolder(a.outside)
	if err != nil {
		return "", err
	}
	defer watch.Close()
	stop := make(chan struct{})
	var wg sync.WaitGroup
	wg.Go(func() { a.swap(stop) })
	calls, refused := a.use(ctx, s, &l, time.Duration(t.count(8, 45))*time.Second)
	close(stop)
	wg.Wait()
	if err := a.restore(); err != nil {
		return "", err
	}
	touched, err := watch.seen()
	if err != nil {
		return "", err
	}
	if len(touched) > 0 {
		return "", errors.Join(broken(fmt.Errorf("outside of the workspace: %s", strings.Join(touched, ", "))), s.Kill())
	}
	if a.swaps < 100 {
		return "", errors.Join(fmt.Errorf("only %d exchanges for links: nothing was tried", a.swaps), s.Kill())
	}
	err = errors.Join(a.judge(ctx, s, &l), s.Stop(20*time.Second))
	_, kept := l.state()
	return fmt.Sprintf("%d exchanges of files and folders for links out, %d calls (%d refused): nothing outside was opened, %d acknowledged memories recalled", a.swaps, calls, refused, len(kept)), broken(err)
}

// attack is a workspace whose parts are exchanged for links to a folder outside.
type attack struct {
	*trial
	ws, outside, links string
	swaps              int
}

// targets are what is exchanged. The file names of today come with the server.
func (a *attack) targets() []string {
	today := time.Now().Format(time.DateOnly)
	return []string{
		"MEMORY.md", "RECENT.md", "memory", "memory/" + today + ".md", "memory/topics", "memory/topics/knowledge.md", "memory/state", "memory/archive",
		".agent-memory/swap", ".agent-memory/undo", ".agent-memory/records.jsonl", ".agent-memory/backup", "memory/failures.json", "USER.md",
	}
}

// prepare makes the workspace and, outside, a file or folder for each target, and links to them.
func (a *attack) prepare() (err error) {
	if a.ws, err = a.Fresh("links-workspace"); err != nil {
		return err
	}
	if err := os.RemoveAll(a.links); err != nil {
		return fmt.Errorf("clearing the links: %w", err)
	}
	for _, target := range a.targets() {
		outside, link := filepath.Join(a.outside, target), filepath.Join(a.links, strings.ReplaceAll(target, "/", "+"))
		file := outside
		if filepath.Ext(target) == "" {
			file = filepath.Join(outside, canary+".md")
		}
		err = errors.Join(err, os.MkdirAll(filepath.Dir(file), 0o700), os.WriteFile(file, []byte("- "+canary+" 外面的文字\n"), 0o600),
			os.MkdirAll(a.links, 0o700), os.Symlink(outside, link))
	}
	if err != nil {
		return fmt.Errorf("making a folder outside: %w", err)
	}
	return nil
}

// swap exchanges one target after another for its link, and back.
func (a *attack) swap(stop <-chan struct{}) {
	targets := a.targets()
	for {
		select {
		case <-stop:
			return
		default:
		}
		target := targets[a.random.IntN(len(targets))]
		if a.exchange(target) != nil {
			continue // it is not there yet
		}
		time.Sleep(time.Duration(a.random.IntN(4000)) * time.Microsecond)
		_ = a.exchange(target) // the server may have put a file there
		a.swaps++
		time.Sleep(time.Duration(a.random.IntN(4000)) * time.Microsecond)
	}
}

func (a *attack) exchange(target string) error {
	link := filepath.Join(a.links, strings.ReplaceAll(target, "/", "+"))
	return unix.Renameat2(unix.AT_FDCWD, filepath.Join(a.ws, target), unix.AT_FDCWD, link, unix.RENAME_EXCHANGE)
}

// restore leaves no link in the workspace: what is real comes back.
func (a *attack) restore() error {
	for _, target := range a.targets() {
		link := filepath.Join(a.links, strings.ReplaceAll(target, "/", "+"))
		there, err := os.Lstat(filepath.Join(a.ws, target))
		if err == nil && there.Mode()&os.ModeSymlink != 0 {
			aside, err := os.Lstat(link)
			if err != nil || aside.Mode()&os.ModeSymlink != 0 {
				return fmt.Errorf("both are links: %s", target)
			}
			if err := a.exchange(target); err != nil {
				return fmt.Errorf("putting %s back: %w", target, err)
			}
		}
	}
	return nil
}

// use calls tools and commands for a while, whatever they answer.
func (a *attack) use(ctx context.Context, s *stdio.Server, l *ledger, length time.Duration) (calls, refused int) {
	end := time.Now().Add(length)
	for n := 0; time.Now().Before(end); n++ {
		var err error
		switch n % 12 {
		case 3:
			err = s.Call(ctx, "sync", map[string]any{}, nil)
		case 5:
			err = s.Call(ctx, "reflect", map[string]any{"phase": []string{"surface", "compound", "wrapup", "extract"}[n/12%4]}, nil)
		case 7:
			_, err = a.CLI(ctx, []string{"boot", "status", "doctor", "sync", "recall"}[n/12%5], "--workspace", a.ws)
		case 9:
			err = s.Call(ctx, "recall", map[string]any{"query": canary}, nil)
		case 11:
			_, err = s.Request(ctx, "resources/read", map[string]any{"uri": "memory://recent"})
		default:
			err = a.remember(ctx, s, l, fmt.Sprintf("number %d", n))
		}
		if calls++; err != nil {
			refused++
		}
	}
	return calls, refused
}

func (a *attack) remember(ctx context.Context, s *stdio.Server, l *ledger, what string) error {
	sent, _ := l.state()
	text := fmt.Sprintf("link%s was told %s, 第%d条", word(len(sent)), what, len(sent))
	l.send(text)
	err := s.Call(ctx, "remember", map[string]any{"content": text}, nil)
	if err == nil {
		l.acknowledge(text)
	}
	return err
}

// judge asks for everything acknowledged, and for the text outside.
func (a *attack) judge(ctx context.Context, s *stdio.Server, l *ledger) error {
	var problems []error
	if err := s.Call(ctx, "sync", map[string]any{}, nil); err != nil {
		problems = append(problems, fmt.Errorf("after the attack: %w", err))
	}
	_, kept := l.state()
	for _, text := range kept {
		problems = append(problems, recalled(ctx, s, text))
	}
	out, err := a.CLI(ctx, "export", "--format", "jsonl", "--all", "--workspace", a.ws)
	if err != nil {
		return err
	}
	if strings.Contains(string(out), canary) {
		problems = append(problems, errors.New("the store holds text from outside"))
	}
	return errors.Join(problems...)
}

// folderWatch is told by the kernel what happens in a folder.
type folderWatch struct {
	fd    int
	names map[int]string
}

// watchFolder watches a folder and all below it.
func watchFolder(dir string) (*folderWatch, error) {
	fd, err := unix.InotifyInit1(unix.IN_NONBLOCK | unix.IN_CLOEXEC)
	if err != nil {
		return nil, fmt.Errorf("starting to watch: %w", err)
	}
	w := &folderWatch{fd: fd, names: map[int]string{}}
	var dirs []string
	err = filepath.WalkDir(dir, func(path string, d os.DirEntry, err error) error {
		if err == nil && d.IsDir() {
			dirs = append(dirs, path)
		}
		return err
	})
	for _, path := range dirs { // afterwards: the walk opens them itself
		id, addErr := unix.InotifyAddWatch(fd, path, unix.IN_OPEN|unix.IN_ACCESS|unix.IN_MODIFY|unix.IN_CREATE|unix.IN_MOVE|unix.IN_DELETE|unix.IN_ATTRIB)
		err = errors.Join(err, addErr)
		w.names[id] = path
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("watching %s: %w", dir, err), unix.Close(fd))
	}
	return w, nil
}

// Close ends the watch.
func (w *folderWatch) Close() { _ = unix.Close(w.fd) }

// seen are the names of what was opened or changed, at most a few.
func (w *folderWatch) seen() ([]string, error) {
	buffer := make([]byte, 64<<10)
	n, err := unix.Read(w.fd, buffer)
	if errors.Is(err, unix.EAGAIN) {
		return nil, nil
	}
	if err != nil {
		return nil, fmt.Errorf("asking what was touched: %w", err)
	}
	var touched []string
	for at := 0; at+unix.SizeofInotifyEvent <= n && len(touched) < 5; {
		id := int(int32(buffer[at]) | int32(buffer[at+1])<<8 | int32(buffer[at+2])<<16 | int32(buffer[at+3])<<24)
		mask := uint32(buffer[at+4]) | uint32(buffer[at+5])<<8 | uint32(buffer[at+6])<<16 | uint32(buffer[at+7])<<24
		length := int(buffer[at+12]) | int(buffer[at+13])<<8
		name := strings.TrimRight(string(buffer[at+unix.SizeofInotifyEvent:at+unix.SizeofInotifyEvent+length]), "\x00")
		touched = append(touched, fmt.Sprintf("%s (event %#x)", filepath.Join(w.names[id], name), mask))
		at += unix.SizeofInotifyEvent + length
	}
	return touched, nil
}
