//go:build mutant_midnight

package mirror

import "time"

// readDay is wrong on purpose: bench/promises has to notice.
func readDay(text string, zone *time.Location) (time.Time, error) {
	return time.ParseInLocation(time.DateOnly, text, zone)
}
