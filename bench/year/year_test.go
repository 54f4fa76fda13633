package main

import (
	"encoding/xml"
	"errors"
	"flag"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"agentmemory/lifecycle"
)

var days = flag.Int("days", 28, "days that the test lives; a year takes a minute")

// TestALife is the year of the bench, shorter unless -days says otherwise:
// whatever the length, files stay within their caps and nothing valuable is lost.
func TestALife(t *testing.T) {
	for _, name := range lifecycle.ProfileNames() {
		t.Run(name, func(t *testing.T) {
			span := *days
			if name != lifecycle.DefaultProfile {
				span = max(8, *days/4)
			}
			l, err := livedIn(t.Context(), name, span, 7, "")
			if err != nil {
				t.Fatal(err)
			}
			t.Log("\n" + l.report())
			checkFiles(t, l)
			checkValuable(t, l)
		})
	}
}

func checkFiles(t *testing.T, l *life) {
	t.Helper()
	limit := l.profile.Outline.Cap
	for _, s := range append(l.samples, l.idle) {
		if limit.Lines > 0 && s.lines > limit.Lines || s.chars > lifecycle.HostCap || limit.Bytes > 0 && s.bytes > limit.Bytes {
			t.Errorf("%s: MEMORY.md has %d lines, %d characters, %d bytes", s.at.Format(time.DateOnly), s.lines, s.chars, s.bytes)
		}
		if s.recent > l.profile.Surface.Lines {
			t.Errorf("%s: RECENT.md has %d lines", s.at.Format(time.DateOnly), s.recent)
		}
		if perEntry := s.disk / int64(max(1, s.all)); perEntry > 10_000 && s.all > 1000 {
			t.Errorf("%s: %d bytes on disk for each memory", s.at.Format(time.DateOnly), perEntry)
		}
	}
}

func checkValuable(t *testing.T, l *life) {
	t.Helper()
	s := l.last()
	if s.kept < s.judged || l.idle.kept < l.idle.judged {
		t.Errorf("%d of %d valuable memories are active, %d of %d after half a year without use", s.kept, s.judged, l.idle.kept, l.idle.judged)
	}
	if l.idle.active < l.idle.judged || l.idle.active < min(s.active, l.profile.Tidy.Keep) {
		t.Errorf("half a year without use left %d memories active of %d", l.idle.active, s.active)
	}
	if found := l.found + l.summarised; found*100 < l.asked*95 {
		t.Errorf("%d of %d questions for something valuable found it", found, l.asked)
	}
	if l.profile.Name == lifecycle.DefaultProfile && s.listed*100 < s.judged*90 {
		t.Errorf("MEMORY.md holds %d of %d valuable memories", s.listed, s.judged)
	}
}

func TestThePlotIsXML(t *testing.T) {
	l, err := livedIn(t.Context(), "watchtower", 14, 7, "")
	if err != nil {
		t.Fatal(err)
	}
	decoder := xml.NewDecoder(strings.NewReader(string(l.plot())))
	curves := 0
	for {
		token, err := decoder.Token()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if e, ok := token.(xml.StartElement); ok && e.Name.Local == "polyline" {
			curves++
		}
	}
	if curves != 11 {
		t.Errorf("%d curves", curves)
	}
}

func TestEveryJobOfADayComesInItsOrder(t *testing.T) {
	p, err := lifecycle.ProfileByName("")
	if err != nil {
		t.Fatal(err)
	}
	table, err := timetable(p)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, f := range firings(table, time.Date(2025, 3, 2, 0, 0, 0, 0, time.UTC)) { // a Sunday
		if f.job.Name != "watchdog" {
			got = append(got, f.at.Format("15:04 ")+f.job.Name)
		}
	}
	want := []string{"00:30 wrapup", "04:30 reflect", "14:00 sync", "14:05 surface", "22:00 sync", "22:00 compound", "22:05 surface"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
