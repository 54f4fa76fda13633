package memory

import "time"

// StartOfDay returns the first moment of a calendar day in a zone. Where clocks
// are set forward at midnight that is one o'clock: time.Date alone would give an
// hour of the day before. Days beyond the end of a month count on, as in
// time.Date.
func StartOfDay(year int, month time.Month, day int, zone *time.Location) time.Time {
	noon := time.Date(year, month, day, 12, 0, 0, 0, zone)
	start := time.Date(year, month, day, 0, 0, 0, 0, zone)
	if start.Day() == noon.Day() {
		return start
	}
	return time.Date(year, month, day, 1, 0, 0, 0, zone)
}

// ParseDay reads a date such as 2026-02-21 and returns the first moment of that
// day in a zone.
func ParseDay(date string, zone *time.Location) (time.Time, error) {
	t, err := time.Parse(time.DateOnly, date)
	if err != nil {
		return t, err
	}
	return StartOfDay(t.Year(), t.Month(), t.Day(), zone), nil
}
