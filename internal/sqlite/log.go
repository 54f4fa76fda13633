package sqlite

import (
	"context"
	"database/sql"
	"sync"
	"sync/atomic"
	"time"
)

// Copying the log into the database takes two more syncs and a write for each
// page. SQLite lets the commit do it that fills the log; here it is done when
// nobody has written for a moment, and only a log that grows without a pause
// makes a commit do it.
const (
	copiedCommits = 64 // after which the log is worth copying
	calm          = 300 * time.Millisecond
	fullLog       = 4096 // pages
)

// logCopier copies the log when writers pause.
type logCopier struct {
	db      *sql.DB
	timer   *time.Timer
	commits atomic.Int64 // since the last copy
	mu      sync.Mutex   // held while copying
	stopped bool
}

func (l *logCopier) start(db *sql.DB) {
	l.db = db
	l.timer = time.AfterFunc(calm, l.copy)
	l.timer.Stop()
}

// grew tells of a commit, by whoever has the turn to write.
func (l *logCopier) grew() {
	if l.commits.Add(1) >= copiedCommits {
		l.timer.Reset(calm)
	}
}

// stop waits for a copy that is under way. Whoever calls it has the turn to write.
func (l *logCopier) stop() {
	l.timer.Stop()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.stopped = true
}

// copy copies what no reader and no writer needs in the log. What fails, or is
// left, the next copy or a commit takes up.
func (l *logCopier) copy() {
	l.mu.Lock()
	defer l.mu.Unlock()
	if !l.stopped {
		l.commits.Store(0)
		var busy, pages, copied int
		_ = l.db.QueryRowContext(context.Background(), "PRAGMA wal_checkpoint(PASSIVE)").Scan(&busy, &pages, &copied)
	}
}
