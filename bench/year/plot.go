package main

import (
	"fmt"
	"html"
	"strings"
)

// Geometry of the panels, in pixels.
const (
	panelWidth  = 400
	panelHeight = 200
	marginLeft  = 64
	marginTop   = 56
	gap         = 84
)

// series is one curve of a panel.
type series struct {
	name, colour string
	value        func(sample) float64
}

type panel struct {
	title  string
	limit  float64 // a bound that is drawn; 0 = none
	series []series
}

// Colours that most people can tell apart (Okabe and Ito).
const (
	blue   = "#0072B2"
	orange = "#D55E00"
	green  = "#009E73"
)

// plot draws the year in four panels, as SVG.
func (l *life) plot() []byte {
	limit := l.profile.Outline.Cap
	panels := []panel{
		{"Memories", 0, []series{
			{"of any status", blue, func(s sample) float64 { return float64(s.all) }},
			{"active", orange, func(s sample) float64 { return float64(s.active) }}}},
		{"Valuable entries", 0, []series{
			{"on the judge's list", blue, func(s sample) float64 { return float64(s.judged) }},
			{"active", green, func(s sample) float64 { return float64(s.kept) }},
			{"in MEMORY.md", orange, func(s sample) float64 { return float64(s.listed) }}}},
		{"Characters of MEMORY.md", float64(limit.Chars), []series{{"MEMORY.md", blue, func(s sample) float64 { return float64(s.chars) }}}},
		{"Lines", float64(l.profile.Surface.Lines), []series{
			{"MEMORY.md", blue, func(s sample) float64 { return float64(s.lines) }},
			{"RECENT.md", orange, func(s sample) float64 { return float64(s.recent) }}}},
		{"Mean " + string(l.profile.Measure), 1, []series{
			{"valuable", blue, func(s sample) float64 { return s.worth }},
			{"other", orange, func(s sample) float64 { return s.trifle }}}},
		{"Megabytes on disk, everything", 0, []series{{"workspace", blue, func(s sample) float64 { return float64(s.disk) / 1e6 }}}},
	}
	var b strings.Builder
	width, height := 2*(panelWidth+marginLeft)+gap/2, 3*(panelHeight+gap)+marginTop
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" viewBox="0 0 %d %d" font-family="sans-serif" font-size="12">`+"\n", width, height, width, height)
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>` + "\n")
	fmt.Fprintf(&b, `<text x="%d" y="22" font-size="16">A year with the profile %s: 20 entries and 10 recalls a day</text>`+"\n", marginLeft, html.EscapeString(l.profile.Name))
	for i, p := range panels {
		x, y := marginLeft+i%2*(panelWidth+marginLeft), marginTop+i/2*(panelHeight+gap)
		p.draw(&b, x, y, l.samples)
	}
	b.WriteString("</svg>\n")
	return []byte(b.String())
}

func (p panel) draw(b *strings.Builder, x, y int, samples []sample) {
	top := p.limit
	for _, s := range samples {
		for _, one := range p.series {
			top = max(top, one.value(s))
		}
	}
	top = max(top*1.05, 0.001)
	height := func(v float64) float64 { return float64(y) + panelHeight*(1-v/top) }
	fmt.Fprintf(b, `<text x="%d" y="%d" font-weight="bold">%s</text>`, x, y-8, html.EscapeString(p.title))
	for i := range 5 {
		v := top * float64(i) / 4
		fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%s</text>`, x, height(v), x+panelWidth, height(v), x-6, height(v)+4, short(v))
	}
	if p.limit > 0 {
		fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#999" stroke-dasharray="4 3"/>`, x, height(p.limit), x+panelWidth, height(p.limit))
	}
	left := x
	for _, one := range p.series {
		points := make([]string, len(samples))
		for i, s := range samples {
			points[i] = fmt.Sprintf("%.1f,%.1f", float64(x)+panelWidth*float64(i+1)/float64(len(samples)), height(one.value(s)))
		}
		fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`, strings.Join(points, " "), one.colour)
		fmt.Fprintf(b, `<rect x="%d" y="%d" width="10" height="10" fill="%s"/><text x="%d" y="%d">%s</text>`, left, y+panelHeight+14, one.colour, left+14, y+panelHeight+23, html.EscapeString(one.name))
		left += 30 + 7*len(one.name)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="end">week %d</text>`+"\n", x+panelWidth, y+panelHeight+38, len(samples))
}

func short(v float64) string {
	if v >= 20 {
		return fmt.Sprintf("%.0f", v)
	}
	return fmt.Sprintf("%.2g", v)
}
