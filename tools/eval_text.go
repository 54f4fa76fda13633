package tools

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Text writes the report as tables for people.
func (r EvalReport) Text(w io.Writer) error {
	table := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
	fmt.Fprintf(table, "unit: %s; R = recall, A = any gold found, answered = found and not abstained, [95 %% bootstrap]\n\n", r.Unit)
	fmt.Fprint(table, "set\tarm\tkind\tn\tR@5\tR@10\tA@10\tanswered\tMRR\tp50/p95 ms\n")
	for _, result := range r.Results {
		result.rows(table)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func (r EvalResult) rows(w io.Writer) {
	name := r.Set
	if r.Pooled {
		name += " (pooled)"
	}
	fmt.Fprintf(w, "%s\t%s\t%s\t%.1f/%.1f\n", name, r.Arm, r.All.columns(), r.Latency.P50, r.Latency.P95)
	if r.Arm != defaultArm {
		return
	}
	for _, kind := range r.Kinds {
		fmt.Fprintf(w, "\t\t%s\t\n", kind.columns())
	}
	for _, f := range r.False {
		fmt.Fprintf(w, "\t\t%s\t%d\tfalse recall %s\n", f.Kind, f.Queries, f.Rate)
	}
}

func (f Figures) columns() string {
	cells := []string{f.Kind, fmt.Sprint(f.Queries)}
	for _, i := range []Interval{f.Recall5, f.Recall10, f.Any10, f.Answered, f.MRR} {
		cells = append(cells, i.String())
	}
	return strings.Join(cells, "\t")
}

// String renders the mean, with its interval if there is one.
func (i Interval) String() string {
	if i.Low == i.High {
		return fmt.Sprintf("%.3f", i.Mean)
	}
	return fmt.Sprintf("%.3f [%.3f–%.3f]", i.Mean, i.Low, i.High)
}
