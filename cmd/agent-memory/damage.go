package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"time"

	"agentmemory/internal/memory"
	"agentmemory/store"
	"agentmemory/tools"

	"github.com/gofrs/flock"
)

// usersLock is held, shared, by every process that has the database open for
// writing: a damaged one is only put aside when nobody else has.
const usersLock = ".users"

// aloneTime bounds how long a process waits to be the only user of a damaged
// database: of several that meet the damage at their start, one mends it.
const aloneTime = 2 * time.Second

// openDatabase opens the store, and makes it again if it is damaged: what is
// remembered stands in the files.
func (e *engine) openDatabase(ctx context.Context, a *app, where place) (err error) {
	info, err := os.Stat(where.Database)
	e.unbuilt = errors.Is(err, os.ErrNotExist) || err == nil && info.Mode().IsRegular() && info.Size() == 0
	if e.readOnly {
		e.store, err = e.tryDatabase(ctx, where)
		return err
	}
	users := flock.New(where.Database+usersLock, flock.SetPermissions(0o600))
	e.onClose(users.Close)
	_, _ = users.TryRLock() // a folder that cannot be written is reported by the store
	e.store, err = e.tryDatabase(ctx, where)
	if !store.Damaged(err) || a.onlyLooks || store.Foreign(err) && e.config.text(setDatabase) != "" {
		return err
	}
	return e.mendDatabase(ctx, a, where, users, err)
}

// tryDatabase opens the database; one in which damage was met is verified.
func (e *engine) tryDatabase(ctx context.Context, where place) (*store.Store, error) {
	s, err := store.Open(ctx, store.Options{Path: where.Database, Now: e.now, IDs: e.ids, Zone: e.config.zone(), ReadOnly: e.readOnly})
	if err != nil || !store.Suspected(where.Database) {
		return s, err //nolint:wrapcheck // the caller says what failed
	}
	if err := s.Verify(ctx); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	if !e.readOnly {
		e.logFailure("the note of a damaged database stays", store.Cleared(where.Database))
	}
	return s, nil
}

func (e *engine) logFailure(what string, err error) {
	if err != nil {
		e.log.Warn().Err(err).Msg(what)
	}
}

// mendDatabase puts a damaged database aside and opens an empty one in its
// place, which the files fill.
func (e *engine) mendDatabase(ctx context.Context, a *app, where place, users *flock.Flock, damage error) error {
	if err := users.Unlock(); err != nil {
		return fmt.Errorf("releasing the database: %w", err)
	}
	waiting, cancel := context.WithTimeout(ctx, aloneTime)
	defer cancel()
	if alone, _ := users.TryLockContext(waiting, aloneTime/100); !alone {
		return memory.Errorf(memory.Internal, "the database is damaged and in use: %w", damage).
			WithHint("end the other agent-memory processes and start this one again: it puts the damaged database aside, and makes it again from the files")
	}
	err := e.replaceDatabase(ctx, a, where)
	released := users.Unlock()
	_, _ = users.TryRLock()
	return errors.Join(err, released)
}

// replaceDatabase is mendDatabase for the only user of the database. Another one
// may have mended it meanwhile.
func (e *engine) replaceDatabase(ctx context.Context, a *app, where place) (err error) {
	e.store, err = e.tryDatabase(ctx, where)
	if !store.Damaged(err) {
		return err
	}
	damage := err
	aside, err := store.PutAside(where.Database, a.env.Now())
	if err != nil {
		return fmt.Errorf("%w: %w", damage, err)
	}
	if err := store.Cleared(where.Database); err != nil {
		return fmt.Errorf("noting that the database is made again: %w", err)
	}
	e.unbuilt = true
	p := a.printer(a.Err)
	p.line("agent-memory: the database was damaged (%v)", innermost(damage))
	p.line("agent-memory: it is kept as %s; a new one is made from the files, which hold what was remembered", aside)
	e.store, err = e.tryDatabase(ctx, where)
	return err
}

// innermost is the error at the bottom: what was found, without who was doing what.
func innermost(err error) error {
	for {
		below := errors.Unwrap(err)
		if several, ok := err.(interface{ Unwrap() []error }); ok && len(several.Unwrap()) > 0 {
			below = several.Unwrap()[0]
		}
		if below == nil {
			return err
		}
		err = below
	}
}

// watchDamage returns the tool such that damage which it meets is mended at the
// next start.
func (e *engine) watchDamage(tool tools.Tool) tools.Tool {
	call := tool.Call
	tool.Call = func(ctx context.Context, args json.RawMessage) (any, error) {
		result, err := call(ctx, args)
		e.noteDamage(err)
		return result, err
	}
	return tool
}

func (e *engine) noteDamage(err error) {
	if err == nil || e.readOnly || !store.Damaged(err) || store.Suspected(e.store.Path()) {
		return
	}
	e.log.Error().Err(err).Msg("the database is damaged; the next start makes it again from the files")
	e.logFailure("noting the damage", store.Suspect(e.store.Path()))
}

// damageWarnings tell what a person is to know of damage.
func (e *engine) damageWarnings() []string {
	var warnings []string
	if store.Suspected(e.store.Path()) {
		warnings = append(warnings, "the database is damaged: end agent-memory and start it again, and it is made again from the files")
	}
	for _, aside := range store.Aside(e.store.Path()) {
		warnings = append(warnings, "a damaged database was put aside as "+aside+"; delete it when nothing is missing")
	}
	return warnings
}
