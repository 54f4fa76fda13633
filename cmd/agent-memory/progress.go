package main

import (
	"context"
	"os"

	"agentmemory/tools"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// withProgress shows a bar for long work if standard error is a terminal.
func (a *app) withProgress(ctx context.Context) context.Context {
	file, ok := a.Err.(*os.File)
	if !ok || !term.IsTerminal(int(file.Fd())) { //nolint:gosec // a descriptor fits
		return ctx
	}
	var bar *progressbar.ProgressBar
	return tools.WithProgress(ctx, func(done, total int, what string) {
		if bar == nil {
			bar = progressbar.NewOptions(total, progressbar.OptionSetWriter(file), progressbar.OptionSetDescription(what),
				progressbar.OptionShowCount(), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(0))
		}
		bar.ChangeMax(total)
		_ = bar.Set(done)
	})
}
