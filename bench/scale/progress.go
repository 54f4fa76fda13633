package main

import (
	"fmt"
	"io"
	"time"
)

// often is how long a person waits for a sign of life.
const often = 5 * time.Second

// progress tells a person who waits how far a long piece of work has come, and
// how long the rest may take.
type progress struct {
	what        string
	total, done int
	begun, told time.Time
	now         func() time.Time
	out         io.Writer
}

func (p *progress) add(n int) {
	now := p.now()
	if p.begun.IsZero() {
		p.begun, p.told = now, now
		p.total = max(0, p.total-n) // what was done before the clock ran
		return
	}
	if p.done += n; now.Sub(p.told) < often {
		return
	}
	p.told = now
	rest := time.Duration(float64(now.Sub(p.begun)) / float64(p.done) * float64(max(0, p.total-p.done)))
	fmt.Fprintf(p.out, "scale: %d of %d %s, about %s more\n", p.done, p.total, p.what, rest.Round(time.Second))
}
