package store

// Faults: which errors of the database pass by themselves, and which mean a full disk or a damaged file.

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"

	"github.com/jackc/pgx/v5/pgconn"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

type fault int

const (
	final   fault = iota // trying again would fail again
	passing              // locked, lost, or a deadlock: try again
	full                 // the disk is full
	broken               // the file is damaged
)

// databaseError is an error of the database or of the connection to it. Only such errors are tried again: a file that
// ends too early gives the same io.EOF as a lost connection.
type databaseError struct{ error }

func (e databaseError) Unwrap() error { return e.error }

// said marks an error as the database's.
func said(err error) error {
	if err == nil {
		return nil
	}
	return databaseError{err}
}

const lockNotAvailable = "55P03"

// Kinds of the errors of SQLite, and of PostgreSQL by the codes of its manual's appendix A; the rest are final.
var (
	sqliteFaults = map[int]fault{
		sqlite3.SQLITE_BUSY: passing, sqlite3.SQLITE_LOCKED: passing, sqlite3.SQLITE_FULL: full,
		sqlite3.SQLITE_CORRUPT: broken, sqlite3.SQLITE_NOTADB: broken,
	}
	postgresFaults = map[string]fault{
		"53100": full,                                        // disk_full
		"57P01": passing, "57P02": passing, "57P03": passing, // shutting down, crashed, starting up
		"53300": passing,                   // too_many_connections
		"40001": passing, "40P01": passing, // serialization_failure, deadlock_detected
		lockNotAvailable: passing,
	}
)

// judge returns the kind of an error.
func judge(err error) fault {
	var from databaseError
	if !errors.As(err, &from) {
		return final
	}
	err = from.error
	var lite *sqlite.Error
	var pg *pgconn.PgError
	switch {
	case errors.As(err, &lite) && lite.Code() == sqlite3.SQLITE_IOERR_SHMSIZE: // the file beside it could not grow
		return full
	case errors.As(err, &lite):
		return sqliteFaults[lite.Code()&0xff]
	case errors.As(err, &pg) && (strings.HasPrefix(pg.Code, "08") || // connection_exception
		strings.Contains(pg.Message, "cached plan must not change")): // after a migration; pgx then plans again
		return passing
	case errors.As(err, &pg):
		return postgresFaults[pg.Code]
	case lost(err), errors.Is(err, errSessionLost):
		return passing
	}
	return final
}

// lost reports whether the connection to the database failed, not the statement.
func lost(err error) bool {
	return errors.As(err, new(*net.OpError)) || errors.As(err, new(*pgconn.ConnectError)) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, sql.ErrConnDone) || errors.Is(err, pgconn.ErrConnClosed)
}
