package server

import (
	"bufio"
	"io"
	"testing"
)

// What the adapter itself costs: one client, one small call in flight.
func BenchmarkCallOverStdio(b *testing.B) {
	s, err := New(Options{Name: "x", Version: "1", Tools: testTools(), Now: testClock})
	if err != nil {
		b.Fatal(err)
	}
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	go func() { _ = s.Stdio(b.Context(), inRead, outWrite); _ = outWrite.Close() }()
	answers := bufio.NewReader(outRead)
	message := []byte(call(1, "echo", `{"content":"账本用 SQLite，不用 Postgres"}`))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := inWrite.Write(message); err != nil {
			b.Fatal(err)
		}
		if _, err := answers.ReadSlice('\n'); err != nil {
			b.Fatal(err)
		}
	}
	_ = inWrite.Close()
	_, _ = io.ReadAll(answers)
}
