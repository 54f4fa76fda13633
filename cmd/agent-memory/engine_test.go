package main

import (
	"bytes"
	"strings"
	"testing"
	"time"
)

// BenchmarkOpen is what every start pays on top of the process itself, in an
// existing workspace.
func BenchmarkOpen(b *testing.B) {
	home := b.TempDir()
	env := surroundings{Variables: []string{"HOME=" + home, "USERPROFILE=" + home}, Now: time.Now}
	a := &app{streams: streams{In: strings.NewReader(""), Out: &bytes.Buffer{}, Err: &bytes.Buffer{}}, env: env}
	for b.Loop() {
		e, err := a.openEngine(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if _, err := e.server(e.tools(true)); err != nil {
			b.Fatal(err)
		}
		if err := e.close(); err != nil {
			b.Fatal(err)
		}
	}
}
