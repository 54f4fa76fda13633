package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"strings"
	"syscall"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/server"
	"agentmemory/tools"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"
)

type serveFlags struct {
	addr        string
	tokenFile   string
	allowRemote bool
	toolset     string
	schedule    bool
}

func (a *app) serveCommand() *cobra.Command {
	var f serveFlags
	cmd := &cobra.Command{
		Use:     "serve",
		Aliases: []string{"mcp"},
		Short:   "Serve MCP over standard input and output, or over HTTP",
		Long: `Serve speaks MCP to one client over standard input and output until its input ends.
With --http it serves many: Streamable HTTP at /mcp, the older HTTP+SSE at /sse, and /healthz.`,
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error { return a.runServe(cmd.Context(), f) },
	}
	flags := cmd.Flags()
	flags.StringVar(&f.addr, "http", "", "serve HTTP at `ADDR`, such as 127.0.0.1:8765")
	flags.StringVar(&f.tokenFile, "token-file", "", "`FILE` with the bearer token that HTTP clients must send")
	flags.BoolVar(&f.allowRemote, "allow-remote", false, "allow an address that other machines reach; needs a token")
	flags.StringVar(&f.toolset, "toolset", "", "`SET` standard, or lineage for boot, link and snapshot too")
	flags.BoolVar(&f.schedule, "schedule", false, "run the jobs of the profile when they are due (agent-memory schedule lists them)")
	return cmd
}

func (a *app) runServe(ctx context.Context, f serveFlags) (err error) {
	if f.toolset != "" {
		a.setFlags = append(a.setFlags, setToolset+"="+f.toolset)
	}
	if f.tokenFile != "" {
		a.setFlags = append(a.setFlags, setHTTPTokenFile+"="+f.tokenFile)
	}
	defer outlivesReader()()
	a.collect(collectAtStart)
	e, err := a.openEngine(ctx)
	if withoutDatabase(err) {
		return a.serveDegraded(ctx, f, err)
	}
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	if e.unbuilt {
		e.indexing = &firstIndex{done: make(chan struct{})}
	}
	s, err := e.server(e.tools(e.lineage()))
	if err != nil {
		return err
	}
	work, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var background errgroup.Group
	background.Go(func() error { return e.work(work) })
	e.background(work, &background, "sparing memory", afterFirst(a.spareMemory))
	if f.schedule {
		e.background(work, &background, "scheduling", e.schedule)
	}
	err = a.transport(ctx, e.config, s, f)
	stop()
	err = errors.Join(err, background.Wait())
	e.settle(ctx)
	return err
}

// outlivesReader makes a write to a client, or a reader of messages, that is gone
// an error until the returned function is called: by default it ends the
// process in the middle of the calls that it accepted.
func outlivesReader() (stop func()) {
	ignored := make(chan os.Signal, 1)
	signal.Notify(ignored, syscall.SIGPIPE)
	return func() { signal.Stop(ignored) }
}

func (a *app) transport(ctx context.Context, c *config, s *server.Server, f serveFlags) error {
	if f.addr != "" {
		return a.serveHTTP(ctx, c, s, f)
	}
	if err := s.Stdio(ctx, a.In, a.Out); err != nil {
		return fmt.Errorf("serving standard input: %w", err)
	}
	return nil
}

// greetAfter is when an address that could not be bound would have been refused.
const greetAfter = 100 * time.Millisecond

func (a *app) serveHTTP(ctx context.Context, c *config, s *server.Server, f serveFlags) error {
	token, err := a.token(c.text(setHTTPTokenFile))
	if err != nil {
		return err
	}
	greeting := time.AfterFunc(greetAfter, func() {
		a.printer(a.Err).line("agent-memory: serving MCP at http://%s/mcp (older clients: /sse)", f.addr)
	})
	defer greeting.Stop()
	err = s.HTTP(ctx, server.HTTPOptions{
		Addr: f.addr, Token: token, AllowRemote: f.allowRemote,
		Hosts: c.list(setHTTPHosts), Origins: c.list(setHTTPOrigins),
	})
	if err != nil {
		return fmt.Errorf("serving HTTP: %w", err)
	}
	return nil
}

func (a *app) token(file string) (string, error) {
	if file == "" {
		return "", nil
	}
	path, err := a.env.expand(file)
	if err != nil {
		return "", err
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return "", fileProblem(path, err)
	}
	token := strings.TrimSpace(string(text))
	if len(token) < 16 {
		return "", memory.Errorf(memory.InvalidArgument, "the token in %s has fewer than 16 characters", path).
			WithHint("make one with: openssl rand -hex 32 > %s", path)
	}
	return token, nil
}

func (e *engine) lineage() bool { return e.config.text(setToolset) == "lineage" }

func (e *engine) server(list []tools.Tool) (*server.Server, error) {
	s, err := server.New(server.Options{
		Name: "agent-memory", Version: release, Instructions: tools.Instructions(),
		Tools: list, Resources: e.resources(), Prompts: prompts(),
		Logger: e.log, Now: e.now, OnCall: e.logCall,
	})
	if err != nil {
		return nil, fmt.Errorf("making the server: %w", err)
	}
	return s, nil
}

// logCall logs which tool was called when, and nothing of what was said.
func (e *engine) logCall(c server.Call) {
	e.log.Debug().Str("tool", c.Tool).Dur("took", c.Duration).Str("code", string(c.Code)).Msg("call")
}

func prompts() []server.Prompt {
	var list []server.Prompt
	for _, p := range tools.Prompts() {
		list = append(list, server.Prompt{Name: p.Name, Title: p.Title, Description: p.Description, Text: p.Text})
	}
	return list
}

// work runs what a server does besides answering, until ctx ends. What fails is
// logged and does not hinder the rest.
func (e *engine) work(ctx context.Context) error {
	var group errgroup.Group
	e.background(ctx, &group, "noting accesses", e.accesses.Run)
	e.background(ctx, &group, "folding accesses", e.keepFolding)
	e.background(ctx, &group, "auditing", e.audit.run)
	e.background(ctx, &group, "writing files", afterFirst(e.mirror.Run))
	if e.indexing != nil {
		e.background(ctx, &group, "indexing the files", func(ctx context.Context) error { return e.indexing.run(ctx, e) })
	}
	e.background(ctx, &group, "purging", afterFirst(func(ctx context.Context) error { return e.purger().run(ctx, e.purgeFailure) }))
	if e.noticing() {
		e.background(ctx, &group, "noticing conversations", e.notice)
	}
	if !e.readOnly {
		e.background(ctx, &group, "reading the vocabulary", after(readAhead, e.store.ReadVocabulary))
	}
	if e.vectors != nil {
		e.background(ctx, &group, "making vectors", func(ctx context.Context) error { return e.vectors.run(ctx, e.vectorFailure) })
	}
	if err := group.Wait(); err != nil {
		return fmt.Errorf("working in the background: %w", err)
	}
	return nil
}

// firstAnswers is how long a server that has just started leaves the processors
// to its first answers: looking at all files takes longer the more there are.
const firstAnswers = 300 * time.Millisecond

// readAhead is when a server that was just started reads what its first remember
// would wait for: before loadedAfter, when what that leaves behind is given back.
const readAhead = time.Second

func afterFirst(work func(context.Context) error) func(context.Context) error {
	return after(firstAnswers, work)
}

func after(wait time.Duration, work func(context.Context) error) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(wait):
			return work(ctx)
		}
	}
}

func (e *engine) background(ctx context.Context, group *errgroup.Group, what string, work func(context.Context) error) {
	group.Go(func() error {
		err := work(ctx)
		e.noteDamage(err)
		if err != nil && ctx.Err() == nil {
			e.log.Error().Err(err).Msg(what)
		}
		return nil
	})
}

func (e *engine) purgeFailure(err error) {
	e.noteDamage(err)
	e.log.Warn().Err(err).Msg("purging; tried again later")
}

func (e *engine) vectorFailure(err error) { e.log.Warn().Err(err).Msg("making vectors") }
