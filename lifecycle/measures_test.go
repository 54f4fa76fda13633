package lifecycle

import (
	"math"
	"testing"
	"time"

	"agentmemory/internal/memory"
)

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 0.0005 {
		t.Errorf("%s is %.4f, want %.4f", what, got, want)
	}
}

func pinned(m *memory.Memory) { m.Pinned = true }

func used(daysAgo float64, times int) func(*memory.Memory) {
	return func(m *memory.Memory) {
		m.LastAccess = today().Add(-time.Duration(daysAgo * float64(day)))
		m.AccessCount = times
	}
}

func important(i float64) func(*memory.Memory) {
	return func(m *memory.Memory) { m.InitialImportance, m.Importance = i, i }
}

func TestVitality(t *testing.T) {
	tests := []struct {
		name string
		m    memory.Memory
		want float64
	}{
		{"identity never fades", stored("a", "x", kind(memory.Identity), learned(5000)), 1},
		{"nor does what is pinned", stored("a", "x", kind(memory.Event), pinned, learned(5000)), 1},
		{"nor what is Golden", stored("a", "x", kind(memory.Event), important(.85), learned(5000)), 1},
		{"emotion keeps 1/e after a year", stored("a", "x", kind(memory.Emotion), learned(365)), math.Exp(-1)},
		{"emotion never falls below .3", stored("a", "x", kind(memory.Emotion), learned(5000)), .3},
		{"knowledge keeps 1/e after 90 days", stored("a", "x", learned(90)), math.Exp(-1)},
		{"knowledge never falls below .1", stored("a", "x", learned(5000)), .1},
		{"an event keeps 1/e after two weeks", stored("a", "x", kind(memory.Event), learned(14)), math.Exp(-1)},
		{"an event fades after 14·ln 20 = 42 days", stored("a", "x", kind(memory.Event), learned(14*math.Log(20))), .05},
		{"a use starts it anew", stored("a", "x", kind(memory.Event), learned(100), used(0, 1)), 1},
		{"a task fades like an event", stored("a", "x", formed(memory.Task), learned(14)), math.Exp(-1)},
		{"a clock that went back costs nothing", stored("a", "x", learned(-30)), 1},
		{"when it was true plays no part", stored("a", "x", learned(0), func(m *memory.Memory) { m.ObservedAt = today().AddDate(-9, 0, 0) }), 1},
		{"own stability counts", stored("a", "x", kind(memory.Event), learned(28), func(m *memory.Memory) { m.Stability = 28 }), math.Exp(-1)},
		{"nonsense stability does not", stored("a", "x", kind(memory.Event), learned(14), func(m *memory.Memory) { m.Stability = math.NaN() }), math.Exp(-1)},
		{"no time known", stored("a", "x", func(m *memory.Memory) { m.CreatedAt = time.Time{} }), 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) { near(t, "vitality", Vitality(tt.m, today()), tt.want) })
	}
}

func TestStrengthenIsSpaced(t *testing.T) {
	fresh := stored("a", "x", kind(memory.Event), learned(0))
	m := fresh
	for i := range 10 {
		m = Strengthen(m, today().Add(time.Duration(i)*6*time.Second))
	}
	if m.AccessCount != 1 {
		t.Errorf("ten recalls in a minute count %d times, want once", m.AccessCount)
	}
	near(t, "stability after a burst", m.Stability, 14)

	half := Strengthen(fresh, today().Add(time.Duration(Stability(fresh)*math.Ln2*float64(day))))
	near(t, "stability when half was forgotten", half.Stability, 14*1.25)
	all := Strengthen(fresh, today().AddDate(10, 0, 0))
	near(t, "stability when all was forgotten", all.Stability, 14*1.5)

	for i := range 40 {
		all = Strengthen(all, today().AddDate(20*(i+1), 0, 0))
	}
	near(t, "stability is capped", all.Stability, MaxStability)
	if back := Strengthen(all, today()); back.AccessCount != all.AccessCount {
		t.Error("a use before the last one counted")
	}
}

func TestImportanceFallsOncePerLocalDay(t *testing.T) {
	set := time.Date(2026, 2, 21, 23, 59, 0, 0, today().Location())
	m := stored("a", "x", func(m *memory.Memory) { m.ImportanceSet = set })
	tests := []struct {
		after time.Duration
		want  float64
		tier  Tier
	}{
		{0, .5, Silver}, {2 * time.Minute, .4, Bronze}, {24 * time.Hour, .4, Bronze}, {25 * time.Hour, .32, Bronze},
		{4 * 24 * time.Hour, .2048, Bronze}, {5 * 24 * time.Hour, .16384, Dust}, {-48 * time.Hour, .5, Silver},
	}
	for _, tt := range tests {
		near(t, "importance after "+tt.after.String(), Importance(m, set.Add(tt.after)), tt.want)
		if got := TierOf(m, set.Add(tt.after)); got != tt.tier {
			t.Errorf("after %s the tier is %s, want %s", tt.after, got, tt.tier)
		}
	}
	golden := stored("a", "x", important(.85), learned(400))
	near(t, "Golden importance after a year", Importance(golden, today()), .85)
}

func TestImportanceCountsDaysOfTheCalendarAcrossClockChanges(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	set := time.Date(2026, 3, 28, 23, 30, 0, 0, berlin) // the night of the change is 23 hours long
	m := stored("a", "x", func(m *memory.Memory) { m.ImportanceSet = set })
	near(t, "importance two dates later", Importance(m, time.Date(2026, 3, 30, 0, 30, 0, 0, berlin)), .5*.8*.8)
}

func TestReinforce(t *testing.T) {
	m := stored("a", "x", func(m *memory.Memory) { m.ImportanceSet = today(); m.Density = .5 })
	r := Reinforce(m, today())
	near(t, "importance", r.Importance, .575)
	near(t, "density", r.Density, .7)
	if r.AccessCount != 1 || !r.LastAccess.Equal(today()) || r.Content != m.Content {
		t.Errorf("reinforced to %+v", r)
	}
	for range 100 {
		r = Reinforce(r, today())
	}
	near(t, "importance is capped", r.Importance, 2)
}

func TestRememberMark(t *testing.T) {
	m := Marked(stored("a", "!REMEMBER 每周五发周报"))
	near(t, "initial importance", m.InitialImportance, .9)
	if TierOf(m, today().AddDate(3, 0, 0)) != Golden || Vitality(m, today().AddDate(3, 0, 0)) != 1 {
		t.Error("a marked memory decayed")
	}
	if plain := Marked(stored("a", "remember the milk")); plain.Pinned || plain.InitialImportance != .5 {
		t.Error("a memory without the mark was changed")
	}
}

func TestTemperature(t *testing.T) {
	tests := []struct {
		name string
		m    memory.Memory
		want Temperature
	}{
		{"ten days, eight uses: 10 − 3·log2 9 = .5", stored("a", "x", used(10, 8)), Hot},
		{"ten days without a use", stored("a", "x", learned(10)), Warm},
		{"exactly 30 effective days", stored("a", "x", learned(30)), Warm},
		{"a month and a day", stored("a", "x", learned(31)), Cold},
		{"cold, but used often", stored("a", "x", used(36, 15)), Warm},
		{"identity", stored("a", "x", kind(memory.Identity), learned(900)), Hot},
	}
	for _, tt := range tests {
		if got := TemperatureOf(tt.m, today()); got != tt.want {
			t.Errorf("%s: %s (%.2f effective days), want %s", tt.name, got, EffectiveDays(tt.m, today()), tt.want)
		}
	}
	near(t, "effective days of the seed's example", EffectiveDays(stored("a", "x", used(10, 8)), today()), 10-3*math.Log2(9))
}

func TestMeasuresOrder(t *testing.T) {
	a := stored("a", "certain", learned(5), func(m *memory.Memory) { m.Confidence = .9 })
	b := stored("b", "doubtful", learned(1), func(m *memory.Memory) { m.Confidence = .4 })
	c := stored("c", "as certain, newer", learned(2), func(m *memory.Memory) { m.Confidence = .9 })
	task := stored("d", "task card", learned(9), formed(memory.Task), func(m *memory.Memory) { m.Confidence = .4 })
	tests := []struct {
		measure Measure
		want    string
	}{
		{ByConfidence, "c a b d"}, {ByRecency, "d b c a"}, {ByVitality, "b c a d"}, {ByTemperature, "b c a d"}, {ByImportance, "b c a d"},
	}
	for _, tt := range tests {
		list := []memory.Memory{a, b, c, task}
		tt.measure.Sort(list, today())
		got := ""
		for _, m := range list {
			got += " " + m.ID
		}
		if got[1:] != tt.want {
			t.Errorf("%s orders%s, want %s", tt.measure, got, tt.want)
		}
	}
}
