package main

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
	"agentmemory/internal/redact"
	"agentmemory/lifecycle"
	"agentmemory/markdown"
	"agentmemory/store"

	"github.com/rs/zerolog"
)

// settleTime bounds how long a command waits at its end for the files to show
// what it did; whatever is left, the next process writes.
const settleTime = 5 * time.Second

// engine is an open workspace: every part of the program, wired once. Opening
// costs the same for any size of the store; what a part needs, it loads itself
// when it is first used.
type engine struct {
	config      *config
	profile     lifecycle.Profile
	namespace   string           // whose memory it works in; "": the main agent's
	now         func() time.Time // in the workspace's zone
	zone        *time.Location
	log         zerolog.Logger
	redactor    *redact.Redactor
	ids         *memory.IDSource
	root        *os.Root
	store       *store.Store
	mirror      *mirror.Mirror
	accesses    *store.Recorder
	audit       *auditLog
	vectors     *vectors       // nil: no vectors at all
	transcripts *transcripts   // nil: capture is off
	model       *languageModel // nil: none is configured
	unbuilt     bool           // there was no database: the files are not indexed yet
	noExtra     []string       // why folders of extra_paths cannot be read
	readOnly    bool           // the workspace cannot be written: questions are answered, nothing else
	indexing    *firstIndex    // of a server that started without a database; nil otherwise
	closers     []func() error // in the order of opening
}

// openEngine opens the workspace that flags, environment and files name, and
// makes it first if there is none.
func (a *app) openEngine(ctx context.Context) (_ *engine, err error) {
	c, err := a.loadConfig()
	if err != nil {
		return nil, err
	}
	if err := a.ensureWorkspace(c); err != nil {
		return nil, err
	}
	e, err := a.newEngine(c)
	if err != nil {
		return nil, err
	}
	for _, open := range []func(context.Context, *app) error{e.openStore, e.openMirror} {
		if err := open(ctx, a); err != nil {
			return nil, errors.Join(err, e.close())
		}
	}
	for _, open := range []func(context.Context, *app) error{e.openVectors, e.openTranscripts, e.openLanguageModel} {
		if err := open(ctx, a); err != nil {
			return nil, errors.Join(settingsError{err}, e.close())
		}
	}
	return e, nil
}

// settingsError says that the settings of a service are wrong: workspace and
// database are well.
type settingsError struct{ error }

func (e settingsError) Unwrap() error { return e.error }

// openIndexed opens the workspace for a command that reads what is remembered.
// Without a database it first takes over the files: a command that answers
// "nothing" beside files full of memories would be lying.
func (a *app) openIndexed(ctx context.Context) (*engine, error) {
	e, err := a.openEngine(ctx)
	if err != nil {
		return nil, err
	}
	if !e.unbuilt {
		a.catchUp(ctx, e)
		return e, nil
	}
	report, err := e.mirror.Sync(a.withProgress(ctx), memory.SyncOptions{})
	if err != nil {
		return nil, errors.Join(fmt.Errorf("indexing the files: %w", err), e.close())
	}
	if report.Added+report.Passages > 0 {
		a.printer(a.Err).line("agent-memory: there was no database; indexed %d memories and %d passages of %d files", report.Added, report.Passages, report.FilesScanned)
	}
	return e, nil
}

// catchUp takes over what was edited while no server ran. Where that fails, the
// answer is given from what is known, and says so.
func (a *app) catchUp(ctx context.Context, e *engine) {
	if e.readOnly {
		return
	}
	p := a.printer(a.Err)
	report, err := e.mirror.CatchUp(ctx)
	if err != nil {
		p.line("agent-memory: files may have been edited since they were last read, and cannot be read now: %v", err)
		return
	}
	if changed := report.Added + report.Updated + report.Deleted + report.Missing; changed > 0 {
		p.line("agent-memory: took over what was edited in %d files: %d new, %d changed, %d deleted, %d missing",
			report.FilesChanged, report.Added, report.Updated, report.Deleted, report.Missing)
	}
}

// newEngine is an engine without any of the parts that have to be opened.
func (a *app) newEngine(c *config) (*engine, error) {
	profile, err := lifecycle.ProfileByName(c.text(setProfile))
	if err != nil {
		return nil, err
	}
	zone := c.zone()
	now := func() time.Time { return a.env.Now().In(zone) }
	return &engine{
		config: c, namespace: c.namespaceOf(c.text(setAgent)), profile: profile, now: now, zone: zone, log: a.logger(c),
		redactor: redact.New(), ids: memory.NewIDSource(now, rand.Reader),
	}, nil
}

// ensureWorkspace makes the workspace at its first use: the program works
// without having been set up.
func (a *app) ensureWorkspace(c *config) error {
	if isFile(configPath(c)) {
		return nil
	}
	if a.onlyAsks && a.workspaceNamed() && !isDir(c.Workspace) {
		return memory.Errorf(memory.NotFound, "there is no workspace %s (%s)", c.Workspace, c.WorkspaceOrigin).
			WithHint("see that the name is right; to make one there: agent-memory init --workspace %s", c.Workspace)
	}
	report, err := a.prepare(c, false)
	if err != nil {
		return err
	}
	p := a.printer(a.Err)
	for _, w := range c.Warnings {
		p.line("agent-memory: %s", p.sentence(w))
	}
	p.line("agent-memory: new workspace %s (%s); `agent-memory config` shows its settings", report.Workspace, p.sentence(report.Origin))
	return nil
}

func (a *app) logger(c *config) zerolog.Logger {
	level, err := zerolog.ParseLevel(c.text(setLogLevel))
	if err != nil || c.text(setLogLevel) == "off" {
		level = zerolog.Disabled
	}
	return zerolog.New(zerolog.SyncWriter(a.Err)).Level(level).With().Timestamp().Int("pid", os.Getpid()).Logger()
}

func (e *engine) onClose(f func() error) { e.closers = append(e.closers, f) }

// close closes the parts in the opposite order of opening.
func (e *engine) close() error {
	var failures []error
	for i := len(e.closers) - 1; i >= 0; i-- {
		failures = append(failures, e.closers[i]())
	}
	e.closers = nil
	return errors.Join(failures...)
}

func (e *engine) openStore(ctx context.Context, a *app) error {
	where, err := a.databasePlace(e.config)
	if err != nil {
		return err
	}
	if err := e.openDatabase(ctx, a, where); err != nil {
		return fmt.Errorf("opening the database: %w", err)
	}
	e.onClose(e.store.Close)
	e.accesses = e.store.NewRecorder(memory.DefaultNamespace)
	e.audit = newAuditLog(e.store)
	return nil
}

func (e *engine) openMirror(_ context.Context, a *app) (err error) {
	if e.root, err = os.OpenRoot(e.config.Workspace); err != nil {
		return memory.Errorf(codeOfFile(err), "opening the workspace: %w", err)
	}
	e.onClose(e.root.Close)
	extra, err := e.openExtra(a)
	if err != nil {
		return err
	}
	e.mirror, err = mirror.New(mirror.Options{
		Root: e.root, Store: e.store, Now: e.now, Zone: e.config.zone(), Language: e.config.text(setLanguage),
		OpenClaw: a.hostWrites(e.config), Extra: extra, Redactor: e.redactor, Namespaces: e.config.namespaces(), Classify: lifecycle.Classify, Summarise: lifecycle.EntitySummary,
		IndexLimits: indexLimits(e.profile.Outline.Cap),
		Log:         e.mirrorProblem,
		Regenerate:  e.regenerate,
	})
	if err != nil {
		return fmt.Errorf("preparing the files: %w", err)
	}
	return nil
}

func (e *engine) mirrorProblem(message string, err error) {
	e.noteDamage(err)
	e.log.Warn().Err(err).Msg(message)
}

// regenerate writes a derived file that somebody deleted.
func (e *engine) regenerate(ctx context.Context, file string) error {
	for _, n := range e.config.namespaces() {
		if own, found := strings.CutPrefix(file, mirror.Tree(n)); found {
			return e.in(n).reflect().Renew(ctx, own)
		}
	}
	return e.reflect().Renew(ctx, file)
}

// indexLimits are the caps of MEMORY.md; hosts load no more than theirs.
func indexLimits(c lifecycle.Cap) markdown.OutlineLimits {
	if c.Chars == 0 {
		c.Chars = lifecycle.HostCap
	}
	return markdown.OutlineLimits{Lines: c.Lines, Characters: c.Chars, Bytes: c.Bytes}
}

// openExtra opens the folders of extra_paths; one that is missing is left out
// with a warning, because it may be on a disk that is not mounted.
func (e *engine) openExtra(a *app) ([]mirror.ExtraPath, error) {
	var extra []mirror.ExtraPath
	for _, p := range e.config.ExtraPaths {
		path, err := a.beside(e.config.Workspace, p.Path)
		if err != nil {
			return nil, err
		}
		root, err := os.OpenRoot(path)
		if err != nil {
			e.log.Warn().Err(err).Str("name", p.Name).Msg("a folder of extra_paths cannot be read; what was read there before stays known, nothing new is")
			e.noExtra = append(e.noExtra, err.Error())
			continue
		}
		e.onClose(root.Close)
		extra = append(extra, mirror.ExtraPath{Name: p.Name, Root: root, Pattern: p.Pattern})
	}
	return extra, nil
}

// beside makes a path of the settings absolute: relative to the workspace, not
// to wherever the client started us.
func (a *app) beside(workspace, path string) (string, error) {
	if filepath.IsAbs(path) || strings.HasPrefix(path, "~") {
		return a.env.expand(path)
	}
	return filepath.Join(workspace, path), nil
}

// hostWrites tells whether unannotated text in the files may be an agent's.
func (a *app) hostWrites(c *config) bool {
	switch c.text(setTrust) {
	case "agent":
		return true
	case "user":
		return false
	}
	home, err := a.env.home()
	return err == nil && belongsToOpenClaw(c.Workspace, home)
}

// Notify implements tools.Notifier: something was written.
func (e *engine) Notify() {
	e.mirror.Notify()
	if e.vectors != nil {
		e.vectors.Notify()
	}
}

// noteAccesses writes down what this process has recalled; losing it is no
// reason to fail.
func (e *engine) noteAccesses(ctx context.Context) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), settleTime)
	defer cancel()
	if err := e.accesses.Flush(ctx); err != nil && memory.CodeOf(err) != memory.ReadOnly {
		e.log.Warn().Err(err).Msg("noting accesses")
	}
}

// settle lets the files show what was done, within bounds: a command must end,
// and what is left is written by the next process.
func (e *engine) settle(ctx context.Context) { e.settleWithin(context.WithoutCancel(ctx), settleTime) }

// settleAll is settle after work on the whole store: it takes as long as it
// takes, unless the user interrupts it.
func (e *engine) settleAll(ctx context.Context) { e.settleWithin(ctx, time.Hour) }

func (e *engine) settleWithin(ctx context.Context, limit time.Duration) {
	e.noteAccesses(ctx)
	if err := e.audit.flush(context.WithoutCancel(ctx)); err != nil && !lasting(err) {
		e.log.Warn().Err(err).Msg("auditing")
	}
	// A file that cannot be written has been complained of by its name.
	if err := e.mirror.Flush(ctx, limit); err != nil && memory.CodeOf(err) != memory.Unavailable {
		e.log.Warn().Err(err).Msg("the files do not show everything yet; the next run writes it")
	}
}
