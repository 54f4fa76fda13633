package main

import (
	"context"
	"encoding/json"
	"errors"
	"sync"

	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
	"agentmemory/lifecycle"
	"agentmemory/tools"
)

// withoutDatabase reports whether a workspace whose database does not open can
// still take memories into its files. A store of a newer program is not ours to
// go around.
func withoutDatabase(err error) bool {
	switch memory.CodeOf(err) {
	case memory.Unavailable, memory.ReadOnly:
		return true
	}
	return false
}

// closedDatabase answers every question with the reason why it is closed.
// The mirror is given it only to write journals, which asks it nothing.
type closedDatabase struct {
	mirror.Store
	reason error
}

func (d closedDatabase) Apply(context.Context, []memory.Change) ([]memory.Applied, error) {
	return nil, d.reason
}

func (d closedDatabase) ByID(context.Context, string, string) (memory.Memory, error) {
	return memory.Memory{}, d.reason
}

func (d closedDatabase) ByURI(context.Context, string, string) (memory.Memory, error) {
	return memory.Memory{}, d.reason
}

func (d closedDatabase) Overlapping(context.Context, memory.Overlap) ([]memory.Memory, error) {
	return nil, d.reason
}

func (d closedDatabase) List(context.Context, memory.Filter) ([]memory.Memory, error) {
	return nil, d.reason
}

// journalEngine opens the files of a workspace whose database does not open.
func (a *app) journalEngine(reason error) (*engine, error) {
	c, err := a.loadConfig()
	if err != nil {
		return nil, err
	}
	e, err := a.filesOnly(c)
	if err != nil {
		return nil, err
	}
	e.mirror, err = mirror.New(mirror.Options{Root: e.root, Store: closedDatabase{reason: reason}, Now: e.now, Zone: c.zone(), Language: c.text(setLanguage),
		OpenClaw: a.hostWrites(c), Redactor: e.redactor, Namespaces: c.namespaces(), Classify: lifecycle.Classify})
	if err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

// journalOnly runs remember against the files alone.
func (a *app) journalOnly(ctx context.Context, reason error, args json.RawMessage) (_ any, err error) {
	e, err := a.journalEngine(reason)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	remember := e.byAgent(func(e *engine) []tools.Tool {
		return []tools.Tool{tools.Bind(tools.RememberSpec(), e.journalRemember(reason).Run)}
	})
	return remember[0].Call(ctx, args)
}

// journalRemember is the use case remember that writes to the journal alone.
func (e *engine) journalRemember(reason error) *tools.Remember {
	closed := closedDatabase{reason: reason}
	return &tools.Remember{
		Store: closed, Alike: &tools.LookAlikes{Store: closed, ByID: closed.ByID}, Journal: e.mirror, Mirror: e.mirror,
		Cleaner: e.redactor, IDs: e.ids, Home: e.home, Profile: e.profile, Now: e.now, Namespace: e.ns(),
	}
}

// readable reports whether a question can be answered although the workspace
// cannot be written.
func readable(tool string, err error) bool {
	question := tool == "recall" || tool == "recall_path" || tool == "status"
	if _, settings := errors.AsType[settingsError](err); settings {
		return false
	}
	return question && (withoutDatabase(err) || memory.CodeOf(err) == memory.PermissionDenied)
}

// openReadable opens a workspace that cannot be opened for writing, for that
// reason, for questions.
func (a *app) openReadable(ctx context.Context, reason error) (*engine, error) {
	e, err := a.openToRead(ctx)
	if err != nil {
		return nil, reason
	}
	return e, nil
}

func (a *app) openToRead(ctx context.Context) (_ *engine, err error) {
	c, err := a.loadConfig()
	if err != nil {
		return nil, err
	}
	e, err := a.newEngine(c)
	if err != nil {
		return nil, err
	}
	e.readOnly = true
	if err := errors.Join(e.openStore(ctx, a), e.openMirror(ctx, a)); err != nil {
		return nil, errors.Join(err, e.close())
	}
	return e, nil
}

// read answers one question from a workspace that cannot be written.
func (a *app) read(ctx context.Context, tool string, args json.RawMessage, reason error) (_ any, err error) {
	e, err := a.openReadable(ctx, reason)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, e.close()) }()
	return e.call(ctx, tool, args)
}

// serveDegraded serves a workspace whose database does not open: a client that
// is told so can go on, one whose server is gone cannot.
func (a *app) serveDegraded(ctx context.Context, f serveFlags, reason error) (err error) {
	files, err := a.journalEngine(reason)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, files.close()) }()
	files.log.Error().Err(reason).Msg("the database does not open; remember goes to the journal")
	r := &reopening{app: a}
	defer func() { err = errors.Join(err, r.close()) }()
	s, err := files.server(r.tools(files.lineage()))
	if err != nil {
		return err
	}
	return a.transport(ctx, files.config, s, f)
}

// reopening tries the database again at each call; until it opens, remember
// goes to the journal and the other tools say what is wrong.
type reopening struct {
	app *app

	mu     sync.Mutex
	engine *engine
}

func (r *reopening) tools(lineage bool) []tools.Tool {
	specs := toolSpecs()
	if !lineage {
		specs = specs[:commonTools]
	}
	list := make([]tools.Tool, 0, len(specs))
	for _, spec := range specs {
		list = append(list, tools.Tool{Spec: spec, Call: func(ctx context.Context, args json.RawMessage) (any, error) {
			return r.call(ctx, spec.Name, args)
		}})
	}
	return list
}

func (r *reopening) call(ctx context.Context, name string, args json.RawMessage) (any, error) {
	e, err := r.open(ctx)
	switch {
	case err == nil:
		return e.call(ctx, name, args)
	case name == "remember" && withoutDatabase(err):
		return r.app.journalOnly(ctx, err, args)
	case readable(name, err):
		return r.app.read(ctx, name, args, err)
	}
	return nil, err
}

func (r *reopening) open(ctx context.Context) (_ *engine, err error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.engine == nil {
		r.engine, err = r.app.openEngine(ctx)
	}
	return r.engine, err
}

func (r *reopening) close() error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.engine == nil {
		return nil
	}
	return r.engine.close()
}
