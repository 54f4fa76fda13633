// Package sqlite opens SQLite databases with the settings that durability,
// several processes and secure deletion need, and is the only one that knows
// the driver. Writes go through one connection, one transaction at a time;
// reads go through a pool and never wait for a writer.
package sqlite

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	driver "modernc.org/sqlite"

	"agentmemory/internal/memory"
)

// Limits of waiting, and of what is kept.
const (
	busyTimeout    = 5 * time.Second        // of SQLite, for the locks of other processes
	writeDeadline  = 10 * time.Second       // of one Write's waiting for this process's writers
	checkpointWait = 100 * time.Millisecond // for readers, until they are reported as busy
	keptStatement  = 96                     // prepared statements kept on each side
	walLimit       = 32 << 20               // bytes to which a checkpoint cuts the log
)

// Options say which database to open and how.
type Options struct {
	Path     string // made absolute; created with mode 0600 when missing, unless ReadOnly
	ReadOnly bool   // no byte of the database is changed, not even by recovery
	Glance   bool   // ReadOnly, and leaves no file behind if nobody else has the database open
	Readers  int    // connections of the read pool; 0: 4
	CacheKiB int    // page cache of one reading connection; 0: 1024
	// Patience is how long a statement waits for the locks of other processes; 0: 5 s.
	Patience time.Duration
}

// DB is an open database. It may be used by many goroutines.
type DB struct {
	path     string
	readOnly bool
	patience time.Duration
	readers  *sql.DB
	writers  *sql.DB
	turn     chan struct{} // holds one token: the right to write
	writer   *session      // made at the first write
	reads    statements
	ran      atomic.Int64 // statements
	written  atomic.Int64 // transactions that were committed
	log      logCopier
	watchMu  sync.Mutex
	watch    *sql.Conn // never writes, so its data_version moves with every commit
	version  *sql.Stmt // of watch: asks for it
}

// Open opens the database without reading more than its header. A path that
// cannot be opened is a *memory.Error (Unavailable, ReadOnly or PermissionDenied).
func Open(o Options) (*DB, error) {
	path, err := filepath.Abs(o.Path)
	if err != nil {
		return nil, fmt.Errorf("resolving %s: %w", o.Path, err)
	}
	o.ReadOnly = o.ReadOnly || o.Glance
	if err := prepareFile(path, o.ReadOnly); err != nil {
		return nil, err
	}
	d := &DB{path: path, readOnly: o.ReadOnly, patience: cmp.Or(o.Patience, busyTimeout), turn: make(chan struct{}, 1)}
	d.turn <- struct{}{}
	if err := d.connect(o); err != nil {
		return nil, fmt.Errorf("configuring %s: %w", path, err)
	}
	d.reads.prepare = d.readers.PrepareContext
	d.log.start(d.readers)
	return d, nil
}

func (d *DB) connect(o Options) (err error) {
	readers, cache := cmp.Or(o.Readers, 4), cmp.Or(o.CacheKiB, 1024)
	mode := "rw" // also for readers: they may be the first to meet a log left by a crash
	if d.readOnly {
		mode = "ro"
	}
	if o.Glance && empty(d.path+"-wal") {
		// Without a log nobody writes, and SQLite need not make one to look.
		mode = "ro&immutable=1"
	}
	wait := fmt.Sprintf("busy_timeout(%d)", d.patience.Milliseconds())
	read := []string{wait, "query_only(1)", fmt.Sprintf("cache_size(-%d)", cache)}
	if d.readers, err = pool(dsn(d.path, mode, "deferred", read), readers); err != nil || d.readOnly {
		return err
	}
	write := []string{wait, "journal_mode(WAL)", synchronous, "foreign_keys(1)", "secure_delete(1)", "cache_size(-1024)",
		fmt.Sprintf("wal_autocheckpoint(%d)", fullLog), fmt.Sprintf("journal_size_limit(%d)", walLimit)}
	d.writers, err = pool(dsn(d.path, mode, "immediate", write), 1)
	return err
}

func pool(name string, size int) (*sql.DB, error) {
	c, err := driver.NewConnector(name)
	if err != nil {
		return nil, err
	}
	p := sql.OpenDB(c)
	p.SetMaxOpenConns(size)
	p.SetMaxIdleConns(size)
	return p, nil
}

// dsn spells the file name and the pragmas that each connection has to run.
func dsn(path, mode, lock string, pragmas []string) string {
	q := url.Values{"_txlock": {lock}, "_pragma": pragmas}
	slashed := filepath.ToSlash(path)
	if !strings.HasPrefix(slashed, "/") {
		slashed = "/" + slashed // C:/x becomes file:///C:/x
	}
	u := url.URL{Scheme: "file", Path: slashed, RawQuery: "mode=" + mode + "&" + q.Encode()}
	return u.String()
}

// prepareFile creates an empty database that only its owner may read, before
// SQLite would create one that everybody may.
func prepareFile(path string, readOnly bool) error {
	_, err := os.Stat(path)
	if err == nil {
		return nil
	}
	if !errors.Is(err, fs.ErrNotExist) || readOnly {
		return fileError(path, err)
	}
	f, err := os.OpenFile(path, os.O_CREATE|os.O_RDWR, 0o600) //nolint:gosec // the caller chose the path
	if err != nil {
		return fileError(path, err)
	}
	if err := f.Close(); err != nil {
		return fileError(path, err)
	}
	return nil
}

// empty reports whether a file is missing or holds nothing.
func empty(path string) bool {
	info, err := os.Stat(path)
	return err != nil || info.Size() == 0
}

func fileError(path string, err error) error {
	code, hint := memory.Unavailable, ""
	switch {
	case errors.Is(err, fs.ErrPermission):
		code = memory.PermissionDenied
	case errors.Is(err, fs.ErrNotExist):
		code, hint = memory.NotFound, "make the folder "+filepath.Dir(path)+", or change the setting database"
	}
	return memory.Errorf(code, "opening the database %s: %w", path, err).WithHint("%s", hint)
}

// Work is what a database has done for this process since it was opened.
type Work struct {
	Statements int64 // that were run, each once however many rows it gave
	Commits    int64 // each of which waits for the disk
}

// Work tells what has been done; what a call costs is the difference.
func (d *DB) Work() Work { return Work{d.ran.Load(), d.written.Load()} }

// Path returns the absolute path of the database file.
func (d *DB) Path() string { return d.path }

// ReadOnly reports whether the database was opened for reading only.
func (d *DB) ReadOnly() bool { return d.readOnly }

// Query runs a read. The statement is prepared once and kept. Text that varies
// belongs into args, never into query.
func (d *DB) Query(ctx context.Context, query string, args ...any) (*sql.Rows, error) {
	d.ran.Add(1)
	s, release, err := d.reads.get(ctx, query)
	if err != nil {
		return nil, Classify(err)
	}
	defer release()
	rows, err := s.QueryContext(ctx, args...)
	return rows, Classify(err)
}

// Row runs a read of at most one row into dest; sql.ErrNoRows if there is none.
func (d *DB) Row(ctx context.Context, query string, args []any, dest ...any) error {
	d.ran.Add(1)
	s, release, err := d.reads.get(ctx, query)
	if err != nil {
		return Classify(err)
	}
	defer release()
	return Classify(s.QueryRowContext(ctx, args...).Scan(dest...))
}

// Snapshot runs f on one reading connection in one transaction, so that all
// its reads see the same commit.
func (d *DB) Snapshot(ctx context.Context, f func(*sql.Tx) error) error {
	tx, err := d.readers.BeginTx(ctx, &sql.TxOptions{ReadOnly: true})
	if err != nil {
		return Classify(err)
	}
	defer tx.Rollback() //nolint:errcheck // nothing was written
	return f(tx)
}

// DataVersion returns a number that moves whenever another connection, of this
// process or any other, has committed. It costs microseconds.
func (d *DB) DataVersion(ctx context.Context) (int64, error) {
	d.watchMu.Lock()
	defer d.watchMu.Unlock()
	if d.watch == nil {
		c, err := d.readers.Conn(ctx)
		if err != nil {
			return 0, Classify(err)
		}
		if d.version, err = c.PrepareContext(ctx, "PRAGMA data_version"); err != nil {
			return 0, errors.Join(Classify(err), c.Close())
		}
		d.watch = c
	}
	var v int64
	d.ran.Add(1)
	// A context that cannot end costs the driver no goroutine that watches it.
	err := d.version.QueryRowContext(context.WithoutCancel(ctx)).Scan(&v)
	return v, Classify(err)
}

// Checkpoint copies the log into the database and empties it. busy reports
// that a reader kept part of the log in use: its bytes are still on the disk.
func (d *DB) Checkpoint(ctx context.Context) (busy bool, err error) {
	err = d.exclusively(ctx, func(ctx context.Context, s *session) error {
		// Readers may take their time: other writers are not to wait for them.
		if err := s.wait(ctx, checkpointWait); err != nil {
			return err
		}
		var flag, log, done int
		err := s.conn.QueryRowContext(ctx, "PRAGMA wal_checkpoint(TRUNCATE)").Scan(&flag, &log, &done)
		busy = flag != 0
		return errors.Join(Classify(err), s.wait(ctx, d.patience))
	})
	return busy, err
}

// Exec runs one statement outside of any transaction, such as VACUUM.
func (d *DB) Exec(ctx context.Context, query string) error {
	return d.exclusively(ctx, func(ctx context.Context, s *session) error {
		_, err := s.conn.ExecContext(ctx, query)
		return Classify(err)
	})
}

// Close closes every connection. Writers that are under way finish first, later
// ones fail at once. It may be called again.
func (d *DB) Close() error {
	<-d.turn
	defer func() { d.turn <- struct{}{} }()
	d.log.stop()
	var errs []error
	if d.writer != nil {
		errs = append(errs, d.writer.close())
		d.writer = nil
	}
	d.watchMu.Lock()
	defer d.watchMu.Unlock()
	if d.watch != nil {
		errs = append(errs, d.version.Close(), d.watch.Close())
		d.watch = nil
	}
	errs = append(errs, d.reads.close(), d.readers.Close())
	if d.writers != nil {
		errs = append(errs, d.writers.Close())
	}
	return errors.Join(errs...)
}
