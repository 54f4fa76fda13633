package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"
	"unicode/utf8"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// sample is what can be seen of a workspace at one time.
type sample struct {
	at            time.Time
	all, active   int // memories of any status; active ones
	judged        int // on the judge's list
	kept          int // … and still active
	listed        int // … and in MEMORY.md
	lines, chars  int // of MEMORY.md
	bytes         int
	recent        int // lines of RECENT.md
	disk          int64
	files         int
	worth, trifle float64 // mean score by the governing measure, of valuable memories and of the others
}

func (l *life) sample(ctx context.Context) (sample, error) {
	s := sample{at: l.clock.now(), judged: len(l.judged)}
	memories, err := l.store.List(ctx, memory.Filter{Namespace: memory.DefaultNamespace, Statuses: memory.Statuses(), Layer: memory.LayerAll})
	if err != nil {
		return s, fmt.Errorf("listing memories: %w", err)
	}
	outline, err := l.mirror.ReadOutline(ctx)
	if err != nil {
		return s, fmt.Errorf("reading MEMORY.md: %w", err)
	}
	s.judge(memories, outline, l)
	page := l.file("MEMORY.md")
	s.lines, s.chars, s.bytes = strings.Count(page, "\n"), utf8.RuneCountInString(page), len(page)
	s.recent = strings.Count(l.file("RECENT.md"), "\n")
	s.disk, s.files, err = size(l.dir)
	return s, err
}

func (s *sample) judge(memories []memory.Memory, outline memory.Outline, l *life) {
	worth, listed := map[string]bool{}, map[string]bool{}
	for _, id := range l.judged {
		worth[id] = true
	}
	for _, line := range outline.Lines {
		listed[line.MemoryID] = true
	}
	var trifles int
	for _, m := range memories {
		if m.Form == memory.Passage {
			continue
		}
		s.all++
		score := l.profile.Measure.Score(m, s.at)
		if m.Status == memory.Active {
			s.active++
		}
		switch {
		case !worth[m.ID]:
			trifles++
			s.trifle += score
		default:
			s.worth += score
			if m.Status == memory.Active {
				s.kept++
			}
			if listed[m.ID] {
				s.listed++
			}
		}
	}
	s.worth /= float64(max(1, s.judged))
	s.trifle /= float64(max(1, trifles))
}

func (l *life) file(name string) string {
	text, err := os.ReadFile(filepath.Join(l.dir, name))
	if err != nil {
		return ""
	}
	return string(text)
}

func size(dir string) (bytes int64, files int, err error) {
	err = filepath.WalkDir(dir, func(_ string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		info, err := d.Info()
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err != nil {
			return err
		}
		bytes += info.Size()
		files++
		return nil
	})
	return bytes, files, err
}

// largest returns the largest value that a figure had in any sample.
func (l *life) largest(figure func(sample) int) int {
	most := 0
	for _, s := range append(l.samples, l.idle) {
		most = max(most, figure(s))
	}
	return most
}

func (l *life) last() sample { return l.samples[len(l.samples)-1] }

// report tells what a year came to.
func (l *life) report() string {
	s := l.last()
	var b strings.Builder
	fmt.Fprintf(&b, "%d memories, %d active; %d files, %.1f MB\n", s.all, s.active, s.files, float64(s.disk)/1e6)
	if l.profile.Outline.Write {
		fmt.Fprintf(&b, "MEMORY.md: at most %d lines, %d characters, %d bytes; holds %d of %d valuable entries (%.0f %%)\n",
			l.largest(lines), l.largest(func(s sample) int { return s.chars }), l.largest(func(s sample) int { return s.bytes }),
			s.listed, s.judged, 100*float64(s.listed)/float64(max(1, s.judged)))
	}
	if follows(l.profile, "surface") {
		fmt.Fprintf(&b, "RECENT.md: at most %d lines\n", l.largest(func(s sample) int { return s.recent }))
	}
	fmt.Fprintf(&b, "valuable entries: %d of %d active, mean %s %.2f (others %.2f); asked for %d times: returned %d times, %d times a summary that holds it\n",
		s.kept, s.judged, l.profile.Measure, s.worth, s.trifle, l.asked, l.found, l.summarised)
	fmt.Fprintf(&b, "after %d idle months: %d active, %d of %d valuable ones, %d of them in MEMORY.md\n", idleMonths, l.idle.active, l.idle.kept, l.idle.judged, l.idle.listed)
	return b.String()
}

func lines(s sample) int { return s.lines }

// follows reports whether a profile has a job of a name.
func follows(p lifecycle.Profile, job string) bool {
	for _, j := range p.Jobs {
		if j.Name == job {
			return true
		}
	}
	return false
}
