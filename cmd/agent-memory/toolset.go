package main

import (
	"agentmemory/internal/memory"
	"agentmemory/internal/mirror"
	"agentmemory/internal/rank"
	"agentmemory/tools"
)

// tools makes the use cases of this workspace; lineage adds those that only
// callers of the original agent-memory know.
func (e *engine) tools(lineage bool) []tools.Tool {
	list := e.byAgent(func(e *engine) []tools.Tool {
		if lineage {
			return append(e.common(), e.former()...)
		}
		return e.common()
	})
	for i, tool := range list {
		list[i] = e.exclusive(e.watchDamage(e.audit.watch(tool, e.now)))
		if e.indexing != nil {
			list[i] = e.indexing.guard(list[i])
		}
	}
	return list
}

func (e *engine) common() []tools.Tool {
	return []tools.Tool{
		tools.Bind(tools.RememberSpec(), e.remember().Run),
		tools.Bind(tools.RecallSpec(), e.recall().Run),
		tools.Bind(tools.RecallPathSpec(), e.recallPath().Run),
		tools.Bind(tools.ReflectSpec(), e.reflect().Run),
		tools.Bind(tools.ForgetSpec(), e.forget().Run),
		tools.Bind(tools.StatusSpec(), e.status().Run),
		tools.Bind(tools.SyncSpec(), e.sync().Run),
	}
}

func (e *engine) former() []tools.Tool {
	return []tools.Tool{
		tools.Bind(tools.BootSpec(), e.boot().Run),
		tools.Bind(tools.LinkSpec(), (&tools.Link{Store: e.store, Paths: e.recallPath(), Mirror: e}).Run),
		tools.Bind(tools.SnapshotSpec(), (&tools.Snapshot{Store: e.store, Mirror: e, Namespace: e.ns()}).Run),
	}
}

func (e *engine) home(m memory.Memory) string { return e.mirror.Continuation(mirror.Home(m, e.zone)) }

func (e *engine) remember() *tools.Remember {
	return &tools.Remember{
		Store: e.store, Alike: &tools.LookAlikes{Store: e.store, ByID: e.store.ByID, Closeness: e.closeness()}, Journal: e.mirror, Mirror: e,
		Cleaner: e.redactor, IDs: e.ids, Home: e.home, Entity: e.entityOf, Waiting: e.mirror.Waiting, Profile: e.profile, Now: e.now, Namespace: e.ns(),
	}
}

func (e *engine) recall() *tools.Recall {
	profile := e.profile
	if n := e.config.integer(setRecallLimit); n > 0 {
		profile.Recall.Results = n
	}
	if score := e.config.number(setRecallScore); score > 0 {
		profile.Recall.MinScore = score
	}
	r := &tools.Recall{
		Entities: e.entityFiles(), Store: e.store, Accesses: e.accesses, Profile: profile, Parameters: e.config.ranking(),
		Now: e.now, Namespace: e.ns(), ByID: e.store.ByID, Secrets: e.redactor,
	}
	if e.vectors != nil {
		r.Meaning = e.vectors
	}
	return r
}

// ranking returns the parameters for the vectors of the configured embedder.
func (c *config) ranking() rank.Parameters {
	p := rank.ForService()
	switch c.text(setProvider) {
	case "builtin", "none":
		p = rank.Defaults()
	}
	return c.relating(p)
}

// relating leaves related words out if they are switched off.
func (c *config) relating(p rank.Parameters) rank.Parameters {
	if !c.boolean(setRelatedWords) {
		p.Related = 0
	}
	return p
}

func (e *engine) recallPath() *tools.RecallPath {
	r := &tools.RecallPath{Store: e.store, Accesses: e.accesses, Profile: e.profile, Now: e.now, Namespace: e.ns()}
	if e.transcripts != nil {
		r.Conversations = conversationsOf{e.transcripts, e.ns()}
	}
	return r
}

func (e *engine) boot() *tools.Boot {
	return &tools.Boot{Store: e.store, Files: e, Accesses: e.accesses, Profile: e.profile, Now: e.now, Namespace: e.ns()}
}

func (e *engine) forget() *tools.Forget {
	return &tools.Forget{Store: e.store, Archive: e.mirror.Archive(), Listing: e.mirror, Purger: e.purger(), Mirror: e, Namespace: e.ns()}
}

func (e *engine) purger() purger { return purger{files: e.mirror, store: e.store, words: e.wordings()} }

func (e *engine) status() *tools.Status {
	checks := e.checks()
	if e.ns() != memory.DefaultNamespace {
		checks = nil // they tell of the files of all
	}
	return &tools.Status{Store: e.store, Checks: checks, Profile: e.profile, Now: e.now, Namespace: e.ns()}
}

func (e *engine) sync() *tools.Sync {
	s := &tools.Sync{Files: e.mirror}
	if e.transcripts != nil {
		s.Sessions = e.in(memory.DefaultNamespace).capture()
	}
	return s
}

func (e *engine) capture() *tools.Capture {
	return &tools.Capture{
		Transcripts: e.transcripts, Store: e.store, Remember: e.remember(),
		Profile: e.profile, Refining: e.refining(), Now: e.now,
	}
}

func (e *engine) importer() *tools.Import {
	return &tools.Import{Store: e.store, Archive: e.mirror.Archive(), Text: e.redactor, Mirror: e, Home: e.home, Now: e.now, Namespace: e.ns()}
}

func (e *engine) exporter() *tools.Export {
	return &tools.Export{Store: e.store, Namespace: e.ns()}
}

func (e *engine) reflect() *tools.Reflect {
	files := e.mirror.Of(e.ns())
	return &tools.Reflect{
		Store: e.store, Files: files, Wrapups: files.Wrapups(), Weekly: files.Compounds(), Undoing: files,
		Archive: e.mirror.Archive(), Mirror: e, Fold: e.fold, Entities: e.entityFiles(), Home: e.home, Reports: files, Rewording: e.rewording(),
		Profile: e.profile, Now: e.now, Namespace: e.ns(),
	}
}
