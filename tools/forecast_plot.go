package tools

import (
	"fmt"
	"io"
	"strings"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// Text writes the forecast for people: what fades when, the soonest first, and
// the vitality of the store over time.
// say gives a text in the reader's language; nil leaves it in English.
func (r ForecastResult) Text(w io.Writer, say func(string) string) error {
	var b strings.Builder
	line := func(format string, args ...any) { fmt.Fprintf(&b, said(say, format)+"\n", args...) }
	important := r.Measure == string(lifecycle.ByImportance)
	if important {
		line("Memories: %d, profile %s; faded means Dust, importance below %.2f, if nothing is used meanwhile.", r.Total, r.Profile, r.Threshold)
	} else {
		line("Memories: %d, profile %s; faded means vitality below %.2f, if nothing is used meanwhile.", r.Total, r.Profile, r.Threshold)
	}
	line("faded already %d · within a week %d · a month %d · a year %d · never %d", r.Faded, r.Week, r.Month, r.Year, r.Never)
	if len(r.Next) > 0 {
		line("")
		line("next to fade:")
	}
	for _, n := range r.Next {
		line("  %s  in %4d days  vitality %.2f, importance %s, temperature %s  %s", n.FadesOn, n.InDays, n.Vitality, said(say, n.State), said(say, n.Temperature), n.Text)
	}
	line("")
	if important {
		line("mean importance (█) and memories that are not Dust:")
	} else {
		line("mean vitality (█) and memories that have not faded:")
	}
	for i, p := range r.Curve {
		if i%max(1, len(r.Curve)/textRows) == 0 || i == len(r.Curve)-1 {
			bar := int(p.Mean*textWidth + .5)
			line("  day %4d  %s%s %.2f  %d", p.Day, strings.Repeat("█", bar), strings.Repeat("·", textWidth-bar), p.Mean, p.Alive)
		}
	}
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the forecast: %w", err)
	}
	return nil
}

func said(say func(string) string, text string) string {
	if say == nil {
		return text
	}
	return say(text)
}

// Size of the drawing in text.
const (
	textRows  = 12
	textWidth = 40
)

// Plot draws the mean vitality over the days to come as an SVG image: of all
// memories, and of each type.
func (r ForecastResult) Plot(w io.Writer, say func(string) string) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`,
		plotLeft+plotWidth+plotRight, plotTop+plotHeight+plotBottom)
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>`)
	r.dayAxes(&b)
	r.line(&b, 0, fmt.Sprintf(said(say, "all %d memories"), r.Total), func(p CurvePoint) (float64, bool) { return p.Mean, true })
	r.line(&b, 1, said(say, "share that has not faded"), func(p CurvePoint) (float64, bool) { return float64(p.Alive) / float64(max(1, r.Total)), true })
	for i, t := range memory.Types() {
		r.line(&b, i+2, said(say, string(t)), func(p CurvePoint) (float64, bool) {
			v, known := p.ByType[string(t)]
			return v, known
		})
	}
	b.WriteString("</svg>\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the plot: %w", err)
	}
	return nil
}

func (r ForecastResult) dayX(day int) float64 {
	return plotLeft + plotWidth*float64(day)/float64(max(1, r.Days))
}

func (r ForecastResult) dayAxes(b *strings.Builder) {
	for tenth := 0; tenth <= 10; tenth += 2 {
		y := plotY(float64(tenth) / 10)
		fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.1f</text>`,
			plotLeft, y, plotLeft+plotWidth, y, plotLeft-6, y+4, float64(tenth)/10)
	}
	for i := range 7 {
		d := r.Days * i / 6
		fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`, r.dayX(d), plotTop+plotHeight+18, d)
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">days from now, nothing used meanwhile; %s</text>`, plotLeft+plotWidth/2, plotTop+plotHeight+34, r.Measure)
}

// line draws one curve with its name, if it has a value anywhere.
func (r ForecastResult) line(b *strings.Builder, i int, name string, value func(CurvePoint) (float64, bool)) {
	var points []string
	for _, p := range r.Curve {
		if v, known := value(p); known {
			points = append(points, fmt.Sprintf("%.1f,%.1f", r.dayX(p.Day), plotY(v)))
		}
	}
	if len(points) == 0 {
		return
	}
	x, y := plotLeft+plotWidth+12, plotTop+16*(i+1)
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`, strings.Join(points, " "), colour(i))
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="10" height="10" fill="%s"/><text x="%d" y="%d">%s</text>`, x, y-9, colour(i), x+16, y, name)
}
