package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"agentmemory/internal/memory"
)

// play tells the story: ten days of journals, an agent that remembers and
// asks, a month that passes, something forgotten and brought back.
func (d *demo) play(ctx context.Context) error {
	d.say("agent-memory: files are the truth, the database is an index of them, agents use both over MCP.")
	d.say("A workspace with MEMORY.md, ten days of journals and a note, written by a person in two languages.")
	if err := d.connect(ctx, demoStart); err != nil {
		return err
	}
	steps := []func(context.Context) error{d.showSync, d.showRemember, d.showRecall, d.showEdit, d.showSurface, d.showMonth, d.showForget}
	for _, step := range steps {
		if err := step(ctx); err != nil {
			return err
		}
	}
	d.say("")
	d.say("Nothing is left behind. Your own: agent-memory init; then point a client at: agent-memory serve")
	return nil
}

func (d *demo) showSync(context.Context) error {
	var report memory.SyncReport
	if err := d.client.call("sync", map[string]any{"what": "files"}, &report); err != nil {
		return err
	}
	var status struct{ Total, Passages int }
	if err := d.client.call("status", map[string]any{"level": "light"}, &status); err != nil {
		return err
	}
	d.head("sync reads the files: %d memories and %d passages of prose from %d files.", status.Total, status.Passages, report.FilesScanned)
	return nil
}

func (d *demo) showRemember(context.Context) error {
	d.head("An agent remembers; every line appears in a file that people read and edit.")
	for _, args := range []map[string]any{
		{"content": "茶馆的对账文件是 GBK 编码，金额单位是分，导入前先转成 UTF-8", "source": "demo", "session_id": "s-17", "message_range": "4-6"},
		{"content": "Marta's invoices: CSV with semicolons, decimal comma, amounts in PLN", "uri": "knowledge://customers/marta/csv", "source": "demo"},
	} {
		var got rememberView
		if err := d.client.call("remember", args, &got); err != nil {
			return err
		}
		d.say("   %-8s %s", d.printer().text(got.Action), got.URI)
	}
	return nil
}

func (d *demo) showRecall(context.Context) error {
	d.head("It recalls, in either language and script, with date, place and trust; or says that it does not know.")
	for _, query := range []string{"部署命令是什么", "which CSV format does Marta's bookkeeper want", "茶館的對帳文件用什麼編碼", "who won the chess world championship"} {
		var got recallView
		if err := d.client.call("recall", map[string]any{"query": query, "limit": 1}, &got); err != nil {
			return err
		}
		d.say("   ? %s", query)
		d.sayHit(got)
	}
	return nil
}

func (d *demo) sayHit(v recallView) {
	if v.Abstained || len(v.Memories) == 0 {
		d.say("     %s", d.printer().text("nothing relevant is remembered"))
		return
	}
	m := v.Memories[0]
	d.say("     %s", shorten(m.Content, 88))
	d.say("     %s", strings.Join(d.printer().origin(m), " · "))
}

// showEdit changes a line as a person would, in an editor, beside the running server.
func (d *demo) showEdit(context.Context) error {
	const journal, before, after = "memory/2026-03-03.md", "每月 4.5 欧", "每月 5.2 欧"
	path := filepath.Join(d.workspace(), filepath.FromSlash(journal))
	if err := os.WriteFile(path, []byte(strings.Replace(d.read(journal), before, after, 1)), 0o600); err != nil {
		return fmt.Errorf("editing %s: %w", journal, err)
	}
	d.head("A person edits %s in an editor (%s → %s); the memory follows.", journal, before, after)
	if err := d.client.call("sync", map[string]any{"what": "files"}, nil); err != nil {
		return err
	}
	var got recallView
	if err := d.client.call("recall", map[string]any{"query": "法兰克福 服务器", "limit": 1}, &got); err != nil {
		return err
	}
	d.sayHit(got)
	return nil
}

func (d *demo) showSurface(context.Context) error {
	if err := d.client.call("reflect", map[string]any{"phase": "surface"}, nil); err != nil {
		return err
	}
	d.head("reflect writes RECENT.md, what matters this week, for the next conversation:")
	d.quote(d.read("RECENT.md"), 9)
	return nil
}

func (d *demo) showMonth(ctx context.Context) error {
	before := d.read("MEMORY.md")
	if err := d.connect(ctx, demoLater); err != nil {
		return err
	}
	d.head("Thirty days pass. Small events fade, what is known stays; no job had to run for that.")
	for _, query := range []string{"西湖醋鱼", "Marta's invoices", "茶馆 对账文件"} {
		var got recallView
		if err := d.client.call("recall", map[string]any{"query": query, "limit": 1}, &got); err != nil {
			return err
		}
		for _, m := range got.Memories {
			d.say("   vitality %.2f  %-9s %s", m.Vitality, d.printer().text(m.Type), shorten(m.Content, 72))
		}
	}
	for _, phase := range []string{"all", "compound", "surface"} {
		if err := d.client.call("reflect", map[string]any{"phase": phase}, nil); err != nil {
			return err
		}
	}
	d.say("   MEMORY.md before: %d lines; after compound: %d lines, every line of the person kept. New ones:", lineCount(before), lineCount(d.read("MEMORY.md")))
	d.quote(newLines(before, d.read("MEMORY.md")), 4)
	d.say("   RECENT.md now lists %d lines: the week behind us was quiet.", bulletCount(d.read("RECENT.md")))
	return nil
}

func (d *demo) showForget(context.Context) error {
	const uri = "knowledge://customers/marta/csv"
	d.head("Forgetting survives every job, and can be undone.")
	for _, args := range []map[string]any{{"uri": uri}, {"uri": uri, "undo": true}} {
		var got struct {
			Action string `json:"action"`
		}
		if err := d.client.call("forget", args, &got); err != nil {
			return err
		}
		var path pathView
		if err := d.client.call("recall_path", map[string]any{"uri": uri}, &path); err != nil {
			return err
		}
		status := "not there"
		if path.Memory != nil {
			status = path.Memory.Status
		}
		d.say("   %-10s → %s is %s", d.printer().text(got.Action), uri, d.printer().text(status))
	}
	return nil
}

// quote prints the first lines of a file that hold something.
func (d *demo) quote(text string, lines int) {
	shown := 0
	for _, line := range strings.Split(text, "\n") {
		if strings.TrimSpace(line) == "" {
			continue
		}
		if shown == lines {
			d.say("   │ …")
			return
		}
		d.say("   │ %s", shorten(line, 96))
		shown++
	}
}

// newLines returns what the second text has and the first has not.
func newLines(before, after string) string {
	known := map[string]bool{}
	for _, line := range strings.Split(before, "\n") {
		known[line] = true
	}
	var added []string
	for _, line := range strings.Split(after, "\n") {
		if !known[line] {
			added = append(added, line)
		}
	}
	return strings.Join(added, "\n")
}

func lineCount(text string) int { return len(strings.Split(strings.TrimRight(text, "\n"), "\n")) }

func bulletCount(text string) int {
	n := 0
	for _, line := range strings.Split(text, "\n") {
		if strings.HasPrefix(line, "- ") {
			n++
		}
	}
	return n
}

// shorten cuts a text to one line of at most width columns; Chinese characters
// take two.
func shorten(text string, width int) string {
	text = strings.Join(strings.Fields(clean(text)), " ")
	used := 0
	for i, r := range text {
		columns := 1
		if r >= 0x1100 {
			columns = 2
		}
		if used+columns > width {
			return fmt.Sprintf("%s…", text[:i])
		}
		used += columns
	}
	return text
}
