package main

import (
	"encoding/json"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// seed is a workspace as one of the five systems leaves it, below a home of its
// own, and a clock that the test moves. Every operation is a command of the
// program on real files and a real database.
type seed struct {
	t    *testing.T
	name string // below testdata/seeds
	env  surroundings
	home string
	dir  string // the workspace
	at   time.Time
}

// newSeed takes over testdata/seeds/NAME/{workspace,home}; every file was last
// saved two days before the clock of the tests.
func newSeed(t *testing.T, name, profile, language string, flags ...string) *seed {
	t.Helper()
	env, home := surround(t, "AGENT_MEMORY_PROFILE="+profile, "AGENT_MEMORY_LANGUAGE="+language)
	s := &seed{t: t, name: name, home: home, dir: filepath.Join(home, "workspace"), at: env.Now()}
	env.Now = func() time.Time { return s.at }
	s.env = env
	for _, part := range []string{"workspace", "home"} {
		target := map[string]string{"workspace": s.dir, "home": home}[part]
		from := s.data(part)
		if _, err := os.Stat(from); err != nil {
			continue
		}
		if err := os.CopyFS(target, os.DirFS(from)); err != nil {
			t.Fatal(err)
		}
	}
	mkdir(t, s.dir)
	rested(t, s.dir)
	if code, _, errs := s.program(append([]string{"init", "--profile", profile}, flags...)...); code != 0 {
		t.Fatal(errs)
	}
	return s
}

func (s *seed) data(parts ...string) string {
	return filepath.Join(append([]string{"..", "..", "testdata", "seeds", s.name}, parts...)...)
}

// program runs a command in the workspace.
func (s *seed) program(args ...string) (code int, out, errs string) {
	s.t.Helper()
	return program(s.t, s.env, append(args, "--workspace", s.dir)...)
}

// do runs a command that must succeed and returns its JSON answer.
func (s *seed) do(args ...string) map[string]any {
	s.t.Helper()
	code, out, errs := s.program(append(args, "--json")...)
	if code != 0 {
		s.t.Fatalf("%q: exit status %d: %s%s", args, code, out, errs)
	}
	var v map[string]any
	if err := json.Unmarshal([]byte(out), &v); err != nil {
		s.t.Fatalf("%q: %v in %s", args, err, out)
	}
	return v
}

// recall asks, and returns the memories of the answer.
func (s *seed) recall(args ...string) []hitView {
	s.t.Helper()
	var v struct{ Memories []hitView }
	again(s.t, s.do(append([]string{"recall"}, args...)...), &v)
	return v.Memories
}

// hitView is what a recalled memory tells of itself.
type hitView struct {
	ID, URI, Content, Type, Form, Source, Path, State, Temperature, Trust string
	Line                                                                  int
	CreatedAt                                                             string `json:"created_at"`
	ObservedAt                                                            string `json:"observed_at"`
	SessionPath                                                           string `json:"session_path"`
	MessageRange                                                          string `json:"message_range"`
	Confidence, Vitality                                                  float64
	Uncertain                                                             bool
}

// again decodes an answer into a narrower shape.
func again(t *testing.T, answer, into any) {
	t.Helper()
	raw, err := json.Marshal(answer)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(raw, into); err != nil {
		t.Fatal(err)
	}
}

func (s *seed) read(name string) string {
	s.t.Helper()
	return read(s.t, s.dir, filepath.FromSlash(name))
}

func (s *seed) exists(name string) bool {
	_, err := os.Stat(filepath.Join(s.dir, filepath.FromSlash(name)))
	return err == nil
}

// write is a person who saves a file, some time ago.
func (s *seed) write(name, text string) {
	s.t.Helper()
	writeFile(s.t, filepath.Join(s.dir, filepath.FromSlash(name)), text)
	s.rest(name)
}

// rest dates a file an hour back on the clock of the test: nobody is saving it.
func (s *seed) rest(name string) {
	s.t.Helper()
	past := s.at.Add(-time.Hour)
	if err := os.Chtimes(filepath.Join(s.dir, filepath.FromSlash(name)), past, past); err != nil {
		s.t.Fatal(err)
	}
}

// files returns the text of every Markdown and JSON file that people see.
func (s *seed) files() map[string]string {
	s.t.Helper()
	texts := map[string]string{}
	err := filepath.WalkDir(s.dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return err
		}
		if d.IsDir() && (d.Name() == ".agent-memory" || d.Name() == ".locks") {
			return fs.SkipDir
		}
		if !d.IsDir() {
			raw, err := os.ReadFile(path)
			texts[filepath.ToSlash(strings.TrimPrefix(path, s.dir+string(filepath.Separator)))] = string(raw)
			return err
		}
		return nil
	})
	if err != nil {
		s.t.Fatal(err)
	}
	return texts
}

// keeps fails when an operation changed, made or removed a file.
func (s *seed) keeps(what string, operation func()) {
	s.t.Helper()
	before := withoutState(s.files())
	operation()
	if diff := cmp.Diff(before, withoutState(s.files())); diff != "" {
		s.t.Errorf("%s changed files (-before +after):\n%s", what, diff)
	}
}

// golden compares files with those of testdata/seeds/NAME/golden/TEST; ids are numbered in
// the order of their first appearance.
func (s *seed) golden(names ...string) {
	s.t.Helper()
	ids := map[string]string{}
	for _, name := range names {
		got := stableIDs(s.read(name), ids)
		path := s.data("golden", s.t.Name(), filepath.FromSlash(name))
		if *update {
			writeGolden(s.t, path, got)
		}
		want, err := os.ReadFile(path)
		if err != nil {
			s.t.Fatal(err)
		}
		if diff := cmp.Diff(string(want), got); diff != "" {
			s.t.Errorf("%s (-want +got):\n%s", name, diff)
		}
	}
}

func stableIDs(text string, known map[string]string) string {
	return regexp.MustCompile(`\b[0-9a-hjkmnp-tv-z]{26}\b`).ReplaceAllStringFunc(text, func(id string) string {
		if known[id] == "" {
			known[id] = "id" + strconv.Itoa(len(known)+1)
		}
		return known[id]
	})
}

func writeGolden(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// withoutState leaves out the files of jobs, which are not memory.
func withoutState(files map[string]string) map[string]string {
	kept := map[string]string{}
	for name, text := range files {
		if !strings.Contains(name, "memory/state/") {
			kept[name] = text
		}
	}
	return kept
}

// appeared lists the files that are there now and were not before.
func appeared(before, after map[string]string) []string {
	list := []string{}
	for _, name := range slices.Sorted(maps.Keys(withoutState(after))) {
		if _, known := before[name]; !known {
			list = append(list, name)
		}
	}
	return list
}

// contains fails for every part that a text lacks.
func (s *seed) contains(what, text string, parts ...string) {
	s.t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			s.t.Errorf("%s lacks %q:\n%s", what, part, text)
		}
	}
}
