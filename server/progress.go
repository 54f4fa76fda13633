package server

import (
	"context"

	"github.com/mark3labs/mcp-go/mcp"

	"agentmemory/tools"
)

type flushKey struct{}

// withProgress lets the tool report how far it is, if the caller asked for
// that. Reports are advice: one that cannot be delivered is dropped.
func (s *Server) withProgress(ctx context.Context, request mcp.CallToolRequest) context.Context {
	meta := request.Params.Meta
	if meta == nil || meta.ProgressToken == nil {
		return ctx
	}
	flush, _ := ctx.Value(flushKey{}).(func())
	return tools.WithProgress(ctx, func(done, total int, what string) {
		report := map[string]any{"progressToken": meta.ProgressToken, "progress": done, "message": what}
		if total > 0 {
			report["total"] = total
		}
		if s.mcp.SendNotificationToClient(ctx, "notifications/progress", report) == nil && flush != nil {
			flush()
		}
	})
}
