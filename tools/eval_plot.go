package tools

import (
	"fmt"
	"html"
	"io"
	"strings"
)

// Geometry of the plot, in pixels.
const (
	plotWidth  = 640
	plotHeight = 400
	plotLeft   = 50
	plotTop    = 20
	plotRight  = 220 // for the legend
	plotBottom = 40
)

// Plot writes the curves of recall@k as an SVG image.
func (r EvalReport) Plot(w io.Writer) error {
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%d" height="%d" font-family="sans-serif" font-size="12">`,
		plotLeft+plotWidth+plotRight, plotTop+plotHeight+plotBottom)
	b.WriteString(`<rect width="100%" height="100%" fill="white"/>`)
	axes(&b)
	for i, result := range r.Results {
		curve(&b, i, result)
	}
	b.WriteString("</svg>\n")
	if _, err := io.WriteString(w, b.String()); err != nil {
		return fmt.Errorf("writing the plot: %w", err)
	}
	return nil
}

func plotX(k int) float64 { return plotLeft + plotWidth*float64(k-1)/(curveLength-1) }

func plotY(recall float64) float64 { return plotTop + plotHeight*(1-recall) }

func axes(b *strings.Builder) {
	for tenth := 0; tenth <= 10; tenth += 2 {
		y := plotY(float64(tenth) / 10)
		fmt.Fprintf(b, `<line x1="%d" y1="%.1f" x2="%d" y2="%.1f" stroke="#ddd"/><text x="%d" y="%.1f" text-anchor="end">%.1f</text>`,
			plotLeft, y, plotLeft+plotWidth, y, plotLeft-6, y+4, float64(tenth)/10)
	}
	for k := 1; k <= curveLength; k++ {
		if k == 1 || k%5 == 0 {
			fmt.Fprintf(b, `<text x="%.1f" y="%d" text-anchor="middle">%d</text>`, plotX(k), plotTop+plotHeight+18, k)
		}
	}
	fmt.Fprintf(b, `<text x="%d" y="%d" text-anchor="middle">recall@k</text>`, plotLeft+plotWidth/2, plotTop+plotHeight+34)
}

// colour picks one of a palette whose colours are distinguishable to most people (Okabe and Ito).
func colour(i int) string {
	palette := []string{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000", "#999999"}
	return palette[i%len(palette)]
}

func curve(b *strings.Builder, i int, result EvalResult) {
	points := make([]string, len(result.Curve))
	for k, recall := range result.Curve {
		points[k] = fmt.Sprintf("%.1f,%.1f", plotX(k+1), plotY(recall))
	}
	fmt.Fprintf(b, `<polyline points="%s" fill="none" stroke="%s" stroke-width="2"/>`, strings.Join(points, " "), colour(i))
	label := result.Set + ", " + result.Arm
	if result.Pooled {
		label += " (pooled)"
	}
	y := plotTop + 16*(i+1)
	x := plotLeft + plotWidth + 12
	fmt.Fprintf(b, `<rect x="%d" y="%d" width="10" height="10" fill="%s"/><text x="%d" y="%d">%s</text>`, x, y-9, colour(i), x+16, y, html.EscapeString(label))
}
