package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"

	driver "modernc.org/sqlite"
)

// PagesRead returns how many pages the connections that only read have looked
// at, in memory or on the disk, since they were opened: a measure of work that
// no load of the machine changes. Connections that are in use are waited for.
func (d *DB) PagesRead(ctx context.Context) (int64, error) {
	d.watchMu.Lock()
	defer d.watchMu.Unlock()
	taken := []*sql.Conn{}
	defer func() {
		for _, c := range taken {
			c.Close() //nolint:errcheck // it only goes back
		}
	}()
	idle := d.readers.Stats().OpenConnections
	if d.watch != nil {
		idle--
	}
	for range idle {
		c, err := d.readers.Conn(ctx)
		if err != nil {
			return 0, Classify(err)
		}
		taken = append(taken, c)
	}
	var total int64
	for _, c := range taken {
		n, err := pagesOf(c)
		if err != nil {
			return 0, fmt.Errorf("counting pages: %w", err)
		}
		total += n
	}
	return total, nil
}

func pagesOf(c *sql.Conn) (total int64, err error) {
	err = c.Raw(func(raw any) error {
		status, ok := raw.(driver.DBStatus)
		if !ok {
			return errors.New("the driver does not count")
		}
		for _, op := range []driver.DBStatusOp{driver.DBStatusCacheHit, driver.DBStatusCacheMiss} {
			n, _, err := status.Status(op, false)
			if err != nil {
				return err
			}
			total += int64(n)
		}
		return nil
	})
	return total, err
}
