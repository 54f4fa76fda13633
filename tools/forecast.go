package tools

import (
	"context"
	"fmt"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
)

// Bounds of a forecast.
const (
	forecastDays  = 365
	forecastSteps = 52 // points of the curve, at most
	forecastShown = 20
	forecastLine  = 60 // characters of a memory
)

// ForecastStore is what a forecast needs of the store.
type ForecastStore interface {
	List(ctx context.Context, f memory.Filter) ([]memory.Memory, error)
}

// ForecastArgs choose how far to look, in days (default 365), and how many
// memories to list (default 20).
type ForecastArgs struct {
	Days, Limit int
}

// ForecastResult tells what fades when, if nothing is used meanwhile.
type ForecastResult struct {
	Profile   string       `json:"profile"`
	Measure   string       `json:"measure"`   // importance, or vitality
	Threshold float64      `json:"threshold"` // of the measure, 0..1, below which a memory has faded
	Days      int          `json:"days"`
	Total     int          `json:"total"`
	Faded     int          `json:"faded"` // already
	Week      int          `json:"fading_within_a_week"`
	Month     int          `json:"fading_within_a_month"` // the week included
	Year      int          `json:"fading_within_a_year"`  // the month included
	Never     int          `json:"never_fading"`
	Next      []FadingView `json:"next"` // the soonest to fade
	Curve     []CurvePoint `json:"curve"`
}

// FadingView is one memory that will fade.
type FadingView struct {
	ID          string  `json:"id"`
	URI         string  `json:"uri"`
	Text        string  `json:"text"`
	Type        string  `json:"type"`
	Vitality    float64 `json:"vitality"`
	State       string  `json:"state"`
	Temperature string  `json:"temperature"`
	FadesOn     string  `json:"fades_on"` // date
	InDays      int     `json:"in_days"`
}

// CurvePoint is the store some days from now: how many have not faded, and the
// mean vitality, of all and by type.
type CurvePoint struct {
	Day    int                `json:"day"`
	Alive  int                `json:"alive"`
	Mean   float64            `json:"mean"`
	ByType map[string]float64 `json:"by_type"`
}

// Forecast is the use case behind the command of that name. It only reads.
type Forecast struct {
	Store     ForecastStore
	Profile   lifecycle.Profile
	Now       func() time.Time // in the workspace's zone
	Namespace string
}

// Run foretells the days to come.
func (f *Forecast) Run(ctx context.Context, a ForecastArgs) (ForecastResult, error) {
	if a.Days < 0 || a.Limit < 0 {
		return ForecastResult{}, memory.Errorf(memory.InvalidArgument, "days and limit cannot be negative")
	}
	if a.Days == 0 {
		a.Days = forecastDays
	}
	if a.Limit == 0 {
		a.Limit = forecastShown
	}
	memories, err := f.Store.List(ctx, memory.Filter{Namespace: f.Namespace, Layer: memory.LayerAll})
	if err != nil {
		return ForecastResult{}, fmt.Errorf("listing memories: %w", err)
	}
	now := f.Now()
	result := ForecastResult{Profile: f.Profile.Name, Measure: governing(f.Profile.Measure), Threshold: f.Profile.Measure.FadesBelow(), Days: a.Days, Next: []FadingView{}}
	byID := map[string]memory.Memory{}
	for _, m := range memories {
		byID[m.ID] = m
	}
	for _, fading := range lifecycle.Forecast(memories, now, f.Profile.Measure) {
		if result.count(fading, now) && len(result.Next) < a.Limit {
			result.Next = append(result.Next, fadingView(byID[fading.MemoryID], fading, now))
		}
	}
	for _, p := range lifecycle.Curve(memories, now, a.Days, max(1, a.Days/forecastSteps), f.Profile.Measure) {
		result.Curve = append(result.Curve, curvePoint(p))
	}
	return result, nil
}

// governing names the measure by which a memory fades: importance where it
// governs, else vitality.
func governing(k lifecycle.Measure) string {
	if k == lifecycle.ByImportance {
		return string(k)
	}
	return string(lifecycle.ByVitality)
}

const day = 24 * time.Hour

// count sorts a memory into a class and reports whether it is still to fade.
func (r *ForecastResult) count(f lifecycle.Fading, now time.Time) bool {
	r.Total++
	left := f.At.Sub(now)
	switch {
	case f.At.IsZero():
		r.Never++
		return false
	case left <= 0:
		r.Faded++
		return false
	}
	for _, class := range []struct {
		days int
		n    *int
	}{{7, &r.Week}, {30, &r.Month}, {365, &r.Year}} {
		if left <= time.Duration(class.days)*day {
			*class.n++
		}
	}
	return true
}

func fadingView(m memory.Memory, f lifecycle.Fading, now time.Time) FadingView {
	return FadingView{
		ID: m.ID, URI: m.URI, Text: lifecycle.OneLine(m, forecastLine), Type: string(m.Type), Vitality: round3(f.Vitality),
		State: string(lifecycle.TierOf(m, now)), Temperature: string(lifecycle.TemperatureOf(m, now)),
		FadesOn: f.At.In(now.Location()).Format(time.DateOnly), InDays: int(f.At.Sub(now) / day),
	}
}

func curvePoint(p lifecycle.Point) CurvePoint {
	view := CurvePoint{Day: p.Day, Alive: p.Alive, Mean: round3(p.Mean), ByType: map[string]float64{}}
	for t, v := range p.ByType {
		view.ByType[string(t)] = round3(v)
	}
	return view
}
