// Command floor is the least that a memory server on mcp-go and FTS5 can be:
// one table, one insert, one MATCH. Its figures are the floor against which
// agent-memory's are published; it keeps no files and nothing that is promised.
package main

import (
	"context"
	"database/sql"
	"fmt"
	"os"
	"strings"

	"github.com/mark3labs/mcp-go/mcp"
	"github.com/mark3labs/mcp-go/server"
	_ "modernc.org/sqlite"
)

func main() {
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "floor:", err)
		os.Exit(1)
	}
}

func run(path string) error {
	db, err := sql.Open("sqlite", "file:"+path+"?_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_txlock=immediate")
	if err != nil {
		return fmt.Errorf("opening %s: %w", path, err)
	}
	defer db.Close()
	if _, err := db.Exec(`CREATE VIRTUAL TABLE IF NOT EXISTS memories USING fts5(content)`); err != nil {
		return fmt.Errorf("creating the table: %w", err)
	}
	s := server.NewMCPServer("floor", "1")
	s.AddTool(mcp.NewTool("remember", mcp.WithString("content", mcp.Required())), remember(db))
	s.AddTool(mcp.NewTool("recall", mcp.WithString("query", mcp.Required())), recall(db))
	return server.ServeStdio(s)
}

func remember(db *sql.DB) server.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		if _, err := db.ExecContext(ctx, `INSERT INTO memories (content) VALUES (?)`, r.GetString("content", "")); err != nil {
			return nil, fmt.Errorf("inserting: %w", err)
		}
		return mcp.NewToolResultStructured(map[string]any{"action": "added"}, `{"action":"added"}`), nil
	}
}

func recall(db *sql.DB) server.ToolHandlerFunc {
	return func(ctx context.Context, r mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		words := strings.Fields(r.GetString("query", ""))
		for i, w := range words {
			words[i] = `"` + strings.ReplaceAll(w, `"`, `""`) + `"`
		}
		rows, err := db.QueryContext(ctx, `SELECT content FROM memories WHERE memories MATCH ? ORDER BY rank LIMIT 8`, strings.Join(words, " OR "))
		if err != nil {
			return nil, fmt.Errorf("searching: %w", err)
		}
		defer rows.Close()
		found := []string{}
		for rows.Next() {
			var content string
			if err := rows.Scan(&content); err != nil {
				return nil, fmt.Errorf("reading a row: %w", err)
			}
			found = append(found, content)
		}
		result := map[string]any{"count": len(found), "memories": found}
		return mcp.NewToolResultStructured(result, strings.Join(found, "\n")), rows.Err()
	}
}
