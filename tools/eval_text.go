package tools

import (
	"fmt"
	"io"
	"strings"
	"text/tabwriter"
)

// Text writes the report as tables for people; say, if any, puts a sentence into
// the reader's language.
func (r EvalReport) Text(w io.Writer, say func(string) string) error {
	if say == nil {
		say = func(s string) string { return s }
	}
	table := tabwriter.NewWriter(w, 2, 8, 2, ' ', 0)
	fmt.Fprint(table, say(fmt.Sprintf("unit: %s; R = recall, A = any gold found, answered = found and not abstained, [95 %% bootstrap]", r.Unit))+"\n\n")
	fmt.Fprint(table, "set\tarm\tkind\tn\tR@5\tR@10\tA@10\tanswered\tMRR\tp50/p95 ms\n")
	for _, result := range r.Results {
		result.rows(table, say)
	}
	if err := table.Flush(); err != nil {
		return fmt.Errorf("writing the report: %w", err)
	}
	return nil
}

func (r EvalResult) rows(w io.Writer, say func(string) string) {
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
		fmt.Fprintf(w, "\t\t%s\t%d\t%s %s\n", f.Kind, f.Queries, say("false recall"), f.Rate)
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
