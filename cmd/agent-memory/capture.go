package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"agentmemory/internal/capture"
	"agentmemory/internal/memory"
	"agentmemory/lifecycle"
	"agentmemory/tools"
)

// transcripts is the conversations that the settings name, as the use cases
// see them.
type transcripts struct {
	e         *engine
	origins   []origin
	collector *capture.Collector
	since     time.Time
}

// openTranscripts finds the configured sources; nil when capture is off.
func (e *engine) openTranscripts(_ context.Context, a *app) error {
	origins, err := a.origins(e.config)
	if err != nil || len(origins) == 0 {
		return err
	}
	t := &transcripts{e: e, origins: origins}
	if day := e.config.text(setCaptureSince); day != "" {
		t.since, _ = memory.ParseDay(day, e.config.zone()) // checked when it was read
	}
	extractor := sync.OnceValue(func() *capture.Extractor {
		return capture.NewExtractor(capture.Options{Classes: capturedClasses(e.profile.Capture), Corrections: e.profile.Capture.Corrections, Redactor: e.redactor, Own: ownWords(), Said: e.config.boolean(setRefine)})
	})
	t.collector = &capture.Collector{Root: e.root, Extractor: extractor, Now: e.now, Alone: e.alone}
	for _, o := range origins {
		t.collector.Origins = append(t.collector.Origins, o.Origin)
	}
	e.transcripts = t
	return nil
}

// ownWords begin what our hooks put beside a message.
func ownWords() []string {
	var words []string
	for _, language := range []string{"en", "zh"} {
		w := hookWords(language)
		words = append(words, w.start, w.prompt, w.alert)
	}
	return words
}

// capturedClasses are the classes of a profile as the extractor names them.
func capturedClasses(p lifecycle.CapturePolicy) []capture.Class {
	var classes []capture.Class
	for _, c := range capture.Classes() {
		if p.Takes(lifecycle.Class(c)) {
			classes = append(classes, c)
		}
	}
	return classes
}

// Collect implements tools.Transcripts.
func (t *transcripts) Collect(ctx context.Context, scope tools.CaptureScope, take func(context.Context, tools.Heard) error) (tools.CaptureSummary, error) {
	if err := t.e.indexFirst(ctx); err != nil {
		return tools.CaptureSummary{}, err
	}
	only, err := t.conversation(scope.Transcript)
	if err != nil {
		return tools.CaptureSummary{}, err
	}
	wanted := capture.Scope{
		Limits:   capture.Limits{MinUserMessages: scope.MinUserMessages, Since: t.since},
		LookBack: scope.LookBack, DryRun: scope.DryRun, Only: only,
	}
	if scope.Finished {
		wanted.Quiet = t.quiet()
	}
	s, err := t.collector.Collect(ctx, wanted, func(ctx context.Context, h capture.Harvest) error { return take(ctx, t.heard(h)) })
	return tools.CaptureSummary{Conversations: s.Conversations, Unchanged: s.Unchanged, Passed: s.Passed, BadLines: s.BadLines, Warnings: s.Warnings}, err
}

// indexFirst takes over the files where there was no database: what was captured
// before is known by its line there.
func (e *engine) indexFirst(ctx context.Context) error {
	if !e.unbuilt {
		return nil
	}
	if _, err := e.mirror.Sync(ctx, memory.SyncOptions{}); err != nil {
		return fmt.Errorf("indexing the files: %w", err)
	}
	e.unbuilt = false
	return nil
}

func (t *transcripts) heard(h capture.Harvest) tools.Heard {
	heard := tools.Heard{SessionID: h.Conversation.ID, Namespace: t.e.config.namespaceOf(h.Conversation.Agent), Title: h.Title, Fingerprint: h.Fingerprint, Messages: h.Messages}
	for _, f := range h.Found {
		fact := tools.Fact{Class: lifecycle.Class(f.Class), Memory: f.Memory(h.Conversation, t.e.config.zone())}
		for _, s := range f.Said {
			fact.Said = append(fact.Said, tools.Said{Number: s.Number, Role: string(s.Role), Text: s.Text})
		}
		heard.Facts = append(heard.Facts, fact)
	}
	return heard
}

// Health implements tools.Check.
func (t *transcripts) Health(context.Context) (map[string]any, []string, error) {
	facts := map[string]any{"sources": t.e.config.list(setCaptureSources)}
	s, err := capture.StandingOf(t.e.root)
	if err != nil {
		return facts, nil, fmt.Errorf("reading how far conversations were captured: %w", err)
	}
	facts["conversations"], facts["captured"] = s.Conversations, s.Captured
	if !s.LastRun.IsZero() {
		facts["last_run"] = s.LastRun.In(t.e.config.zone()).Format(time.RFC3339)
	}
	return facts, nil, nil
}

// conversationsOf are the conversations that one namespace may read: its own;
// the main agent reads all.
type conversationsOf struct {
	*transcripts
	namespace string
}

// Excerpt implements tools.Conversations.
func (t conversationsOf) Excerpt(ctx context.Context, p tools.SessionPassage, limit int) (tools.ConversationView, error) {
	x, err := t.collector.Excerpt(ctx, capture.Passage{SessionID: p.SessionID, First: p.First, Last: p.Last, Limit: limit})
	if err != nil {
		return tools.ConversationView{}, err
	}
	if t.namespace != memory.DefaultNamespace && t.e.config.namespaceOf(x.Conversation.Agent) != t.namespace {
		return tools.ConversationView{}, memory.Errorf(memory.NotFound, "this agent had no conversation %.80s", p.SessionID)
	}
	view := tools.ConversationView{SessionID: x.Conversation.ID, Path: x.Conversation.Place + x.Conversation.Path, More: x.More, Messages: []tools.SaidView{}}
	for _, l := range x.Lines {
		said := tools.SaidView{Number: l.Number, Role: string(l.Role), Text: l.Text, Context: l.Context}
		if !l.At.IsZero() {
			said.At = l.At.In(t.e.config.zone()).Format(time.RFC3339)
		}
		view.Messages = append(view.Messages, said)
	}
	return view, nil
}

// conversation returns the place and path of a transcript's file. Only what
// lies in a configured source is read.
func (t *transcripts) conversation(path string) (string, error) {
	if path == "" {
		return "", nil
	}
	for _, o := range t.origins {
		for _, p := range []string{path, resolved(path)} {
			rel, err := filepath.Rel(resolved(o.dir), p)
			if err == nil && o.dir != "" && filepath.IsLocal(rel) {
				return o.Place + filepath.ToSlash(rel), nil
			}
		}
	}
	return "", memory.Errorf(memory.InvalidArgument, "%s lies in no place whose conversations are captured", path).
		WithHint("capture.sources names them; `agent-memory config` shows it")
}

// resolved follows the links of a path, as far as they can be followed.
func resolved(path string) string {
	if real, err := filepath.EvalSymlinks(path); err == nil {
		return real
	}
	return path
}

// origin is a place whose conversations are captured.
type origin struct {
	capture.Origin
	dir string // "" for a database
}

// origins lists the places that the settings name. A program that is not
// installed has none.
func (a *app) origins(c *config) ([]origin, error) {
	var all []origin
	for _, name := range c.list(setCaptureSources) {
		host, path, _ := strings.Cut(name, ":")
		dirs, err := a.conversationDirs(c, capture.Host(host), path)
		if err != nil {
			return nil, err
		}
		for _, dir := range dirs {
			more, err := a.originsIn(capture.Host(host), dir)
			if err != nil {
				return nil, err
			}
			all = append(all, more...)
		}
	}
	return all, nil
}

// conversationDirs returns the folders in which a host keeps its conversations:
// the given one, else the usual ones.
func (a *app) conversationDirs(c *config, host capture.Host, given string) ([]string, error) {
	if !slices.Contains(capturedHosts(), string(host)) || host == capture.Plain && given == "" {
		return nil, memory.Errorf(memory.InvalidArgument, "capture.sources names %q", string(host)).
			WithHint("write %s, each with or without :FOLDER, or jsonl:FOLDER", strings.Join(capturedHosts()[:3], ", "))
	}
	if given != "" {
		dir, err := a.beside(c.Workspace, given)
		return []string{dir}, err
	}
	home, err := a.env.home()
	if err != nil {
		return nil, err
	}
	switch host {
	case capture.OpenClaw:
		return []string{filepath.Join(home, ".openclaw", "agents")}, nil
	case capture.ClaudeCode:
		return []string{filepath.Join(a.hostDir("CLAUDE_CONFIG_DIR", home, ".claude"), "projects")}, nil
	}
	codex := a.hostDir("CODEX_HOME", home, ".codex")
	return []string{filepath.Join(codex, "sessions"), filepath.Join(codex, "archived_sessions")}, nil
}

func capturedHosts() []string {
	return []string{string(capture.OpenClaw), string(capture.ClaudeCode), string(capture.Codex), string(capture.Plain)}
}

// hostDir is the folder of a host: where its variable says, else below home.
func (a *app) hostDir(variable, home, usual string) string {
	if dir := a.env.get(variable); filepath.IsAbs(dir) {
		return dir
	}
	return filepath.Join(home, usual)
}

// originsIn lists the sources in a folder: its files and, of OpenClaw, the
// databases of its agents.
func (a *app) originsIn(host capture.Host, dir string) ([]origin, error) {
	if !isDir(dir) {
		return nil, nil
	}
	all := []origin{{dir: dir, Origin: capture.Origin{
		Name: string(host), Place: filepath.ToSlash(a.shortened(dir)) + "/",
		Open: func(context.Context) (capture.OpenSource, error) { return capture.OpenFolder(host, dir) },
	}}}
	if host != capture.OpenClaw {
		return all, nil
	}
	databases, err := capture.FindDatabases(dir)
	if err != nil {
		return nil, fmt.Errorf("looking for conversations: %w", err)
	}
	for _, d := range databases {
		all = append(all, origin{Origin: capture.Origin{
			Name: string(host) + " agent " + d.Agent, Place: filepath.ToSlash(a.shortened(d.Path)) + "#",
			Open: func(ctx context.Context) (capture.OpenSource, error) {
				return capture.OpenDatabase(ctx, d.Path, d.Agent)
			},
		}})
	}
	return all, nil
}

// shortened writes a path below the home directory as people do.
func (a *app) shortened(path string) string {
	home, err := a.env.home()
	if err != nil {
		return path
	}
	if rel, found := strings.CutPrefix(path, home+string(os.PathSeparator)); found {
		return "~/" + rel
	}
	return path
}
