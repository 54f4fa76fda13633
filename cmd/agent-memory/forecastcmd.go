package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"agentmemory/tools"

	"github.com/spf13/cobra"
)

func (a *app) forecastCommand() *cobra.Command {
	var args tools.ForecastArgs
	var plot string
	cmd := &cobra.Command{
		Use:   "forecast",
		Short: "Tell what will fade when, if nothing is used meanwhile",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			return a.runForecast(cmd.Context(), args, plot)
		},
	}
	cmd.Flags().IntVar(&args.Days, "days", 0, "how far to look (default 365)")
	cmd.Flags().IntVar(&args.Limit, "limit", 0, "how many memories to list (default 20)")
	cmd.Flags().StringVar(&plot, "plot", "", "draw the curves into `FILE.svg`")
	return cmd
}

func (a *app) runForecast(ctx context.Context, args tools.ForecastArgs, plot string) (err error) {
	a.onlyAsks = true
	e, err := a.openIndexed(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	forecast := &tools.Forecast{Store: e.store, Profile: e.profile, Now: e.now, Namespace: e.ns()}
	result, err := forecast.Run(ctx, args)
	if err != nil {
		return err
	}
	say := a.printer(a.Out).text
	if plot != "" {
		if err := a.plot(plot, func(w io.Writer) error { return result.Plot(w, say) }); err != nil {
			return err
		}
	}
	if !a.json {
		return result.Text(a.Out, say)
	}
	raw, err := json.MarshalIndent(result, "", "  ")
	if err != nil {
		return fmt.Errorf("encoding the forecast: %w", err)
	}
	_, err = fmt.Fprintf(a.Out, "%s\n", raw)
	return err
}
