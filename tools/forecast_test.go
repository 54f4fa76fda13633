package tools_test

import (
	"bytes"
	"encoding/xml"
	"errors"
	"io"
	"strings"
	"testing"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
	"agentmemory/tools"
)

func TestForecast(t *testing.T) {
	k := newKit(t)
	k.call("remember", `{"content":"met Bob at the harbour","type":"event"}`)
	k.call("remember", `{"content":"用户喜欢在早上开会","type":"knowledge"}`)
	k.call("remember", `{"content":"My name is Echo","type":"identity","uri":"identity://core/name"}`)
	profile, _ := lifecycle.ProfileByName("")
	forecast := &tools.Forecast{Store: k.store, Profile: profile, Now: k.clock.Now, Namespace: memory.DefaultNamespace}
	got, err := forecast.Run(t.Context(), tools.ForecastArgs{})
	if err != nil {
		t.Fatal(err)
	}
	// An event has S = 14 days: e^(−t/14) = .05 after 41.9 days. Knowledge stays above its floor of .1.
	if got.Total != 3 || got.Never != 2 || got.Month != 0 || got.Year != 1 || len(got.Next) != 1 || got.Next[0].InDays != 41 {
		t.Errorf("%+v", got)
	}
	k.clock.Advance(20 * 24 * time.Hour)
	if got, _ = forecast.Run(t.Context(), tools.ForecastArgs{Days: 60}); got.Month != 1 || got.Curve[0].Alive != 3 || got.Curve[len(got.Curve)-1].Alive != 2 {
		t.Errorf("20 days later: %+v", got)
	}
	yue, _ := lifecycle.ProfileByName("yue")
	dusty, err := (&tools.Forecast{Store: k.store, Profile: yue, Now: k.clock.Now, Namespace: memory.DefaultNamespace}).Run(t.Context(), tools.ForecastArgs{})
	// .5 × .8⁵ is the first below .2: where importance governs, the other two are Dust since the fifth midnight.
	if err != nil || dusty.Measure != "importance" || dusty.Faded != 2 || dusty.Never != 1 || dusty.Curve[0].Alive != 1 {
		t.Errorf("yue: %+v, %v", dusty, err)
	}
	var text, image bytes.Buffer
	if err := errors.Join(got.Text(&text, nil), got.Plot(&image, nil)); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(text.String(), "met Bob at the harbour") || !strings.Contains(text.String(), "within a week 0 · a month 1") {
		t.Errorf("%s", &text)
	}
	for d := xml.NewDecoder(&image); ; {
		if _, err := d.Token(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatalf("the plot is no XML: %v", err)
		}
	}
}
