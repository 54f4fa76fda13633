package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
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
	passages      int // indexed prose, which is no memory
	judged        int // on the judge's list
	kept          int // … and still active
	listed        int // … and in MEMORY.md
	lines, chars  int // of MEMORY.md
	bytes         int
	recent        int // lines of RECENT.md
	disk          int64
	parts         map[string]int64 // … of it, by what it is for
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
	s.parts, s.files, err = sizes(l.dir)
	for _, n := range s.parts {
		s.disk += n
	}
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
			s.passages++
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

// sizes adds up the bytes of the files below a folder, by what they are for.
func sizes(dir string) (parts map[string]int64, files int, err error) {
	parts = map[string]int64{}
	err = filepath.WalkDir(dir, func(name string, d fs.DirEntry, err error) error {
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
		name, err = filepath.Rel(dir, name)
		if err != nil {
			return err
		}
		parts[partOf(filepath.ToSlash(name))] += info.Size()
		files++
		return nil
	})
	return parts, files, err
}

// partOf names what a file is for: a folder of the program's own, else the first of the path.
func partOf(name string) string {
	own, private := strings.CutPrefix(name, ".agent-memory/")
	if !private {
		own = name
	}
	first, _, _ := strings.Cut(own, "/")
	return first
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
	fmt.Fprintf(&b, "%d memories, %d active, %d passages; %d files, %.1f MB: %s\n", s.all, s.active, s.passages, s.files, megabytes(s.disk), s.largestParts())
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

func megabytes(n int64) float64 { return float64(n) / 1e6 }

// largestParts lists what takes at least a hundredth of the space, the largest first.
func (s sample) largestParts() string {
	names := slices.SortedFunc(maps.Keys(s.parts), func(a, b string) int { return cmp.Or(cmp.Compare(s.parts[b], s.parts[a]), cmp.Compare(a, b)) })
	var list []string
	for _, name := range names {
		if s.parts[name]*100 >= s.disk {
			list = append(list, fmt.Sprintf("%s %.1f", name, megabytes(s.parts[name])))
		}
	}
	return strings.Join(list, ", ")
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
