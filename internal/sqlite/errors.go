package sqlite

import (
	"context"
	"errors"

	driver "modernc.org/sqlite"
	lib "modernc.org/sqlite/lib"

	"agentmemory/internal/memory"
)

// Classify turns an error of the driver into a *memory.Error by its result
// code; other errors, also nil and sql.ErrNoRows, are returned as they are.
func Classify(err error) error {
	var e *driver.Error
	if !errors.As(err, &e) {
		if errors.Is(err, context.DeadlineExceeded) {
			return memory.Errorf(memory.DeadlineExceeded, "the database did not answer in time: %w", err)
		}
		return err
	}
	switch e.Code() & 0xff {
	case lib.SQLITE_BUSY, lib.SQLITE_LOCKED:
		return memory.Errorf(memory.Unavailable, "the database is locked: %w", err).
			WithHint("another process writes to it, or was stopped while it wrote: try again, or end that process")
	case lib.SQLITE_FULL:
		return memory.Errorf(memory.Unavailable, "the disk is full: %w", err).
			WithHint("free some space; what was acknowledged is kept")
	case lib.SQLITE_IOERR, lib.SQLITE_CANTOPEN, lib.SQLITE_NOLFS, lib.SQLITE_PROTOCOL:
		return memory.Errorf(memory.Unavailable, "the database file cannot be used: %w", err).
			WithHint("see that the disk has room and that the folder of the database can be written")
	case lib.SQLITE_READONLY:
		return memory.Errorf(memory.ReadOnly, "the database cannot be written: %w", err).
			WithHint("make the database file and its folder writable for this user; recall answers meanwhile")
	case lib.SQLITE_PERM, lib.SQLITE_AUTH:
		return memory.Errorf(memory.PermissionDenied, "the database may not be used: %w", err).
			WithHint("give this user the right to use the database file and its folder")
	case lib.SQLITE_INTERRUPT:
		return memory.Errorf(memory.DeadlineExceeded, "the query was interrupted: %w", err)
	case lib.SQLITE_CORRUPT, lib.SQLITE_NOTADB:
		return memory.Errorf(memory.Internal, "the database is damaged: %w", err).
			WithHint("end agent-memory and start it again: it puts the damaged database aside, and makes it again from the files")
	}
	return memory.Errorf(memory.Internal, "the database refused a statement: %w", err)
}

// Damaged reports whether an error says that the bytes of a database make no sense.
func Damaged(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && (e.Code()&0xff == lib.SQLITE_CORRUPT || e.Code()&0xff == lib.SQLITE_NOTADB)
}

// Foreign reports whether an error says that a file is no database at all.
func Foreign(err error) bool {
	var e *driver.Error
	return errors.As(err, &e) && e.Code()&0xff == lib.SQLITE_NOTADB
}
