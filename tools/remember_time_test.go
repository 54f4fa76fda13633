package tools

import (
	"testing"
	"time"
)

func TestATimeOfADayWithoutAMidnightIsOfThatDay(t *testing.T) {
	zone, err := time.LoadLocation("America/Sao_Paulo")
	if err != nil {
		t.Skip(err)
	}
	for said, want := range map[string]string{
		"2018-11-04":       "2018-11-04T01:00:00-02:00",
		"2018-11-04 00:30": "2018-11-04T01:00:00-02:00",
		"2018-11-04 01:30": "2018-11-04T01:30:00-02:00",
		"2018-11-05":       "2018-11-05T00:00:00-02:00",
	} {
		if got, err := parseTime("observed_at", said, zone); err != nil || got.Format(time.RFC3339) != want {
			t.Errorf("%s: %s, %v, want %s", said, got.Format(time.RFC3339), err, want)
		}
	}
}
