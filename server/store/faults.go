package store

// Faults: which errors of the database pass by themselves, and which mean a full disk or a damaged file.

import (
	"database/sql"
	"database/sql/driver"
	"errors"
	"io"
	"net"
	"strings"
	"syscall"

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
	case errors.As(err, &lite):
		return judgeSQLite(lite.Code())
	case errors.As(err, &pg):
		if strings.Contains(pg.Message, "cached plan must not change") { // after a migration; pgx then plans again
			return passing
		}
		return judgePostgres(pg.Code)
	case lost(err), errors.Is(err, errSessionLost):
		return passing
	}
	return final
}

func judgeSQLite(code int) fault {
	if code == sqlite3.SQLITE_IOERR_SHMSIZE { // the file beside the database could not grow
		return full
	}
	switch code & 0xff {
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return passing
	case sqlite3.SQLITE_FULL:
		return full
	case sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB:
		return broken
	}
	return final
}

// judgePostgres knows the codes of the manual's appendix A.
func judgePostgres(code string) fault {
	switch {
	case code == "53100": // disk_full
		return full
	case strings.HasPrefix(code, "08"), // connection_exception
		code == "57P01", code == "57P02", code == "57P03", // shutting down, crashed, starting up
		code == "53300",                  // too_many_connections
		code == "40001", code == "40P01", // serialization_failure, deadlock_detected
		code == "55P03": // lock_not_available
		return passing
	}
	return final
}

// lost reports whether the connection to the database failed, not the statement.
func lost(err error) bool {
	var network *net.OpError
	var name *net.DNSError
	var connect *pgconn.ConnectError
	return errors.As(err, &network) || errors.As(err, &name) || errors.As(err, &connect) || pgconn.SafeToRetry(err) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, driver.ErrBadConn) ||
		errors.Is(err, sql.ErrConnDone) || errors.Is(err, pgconn.ErrConnClosed) ||
		errors.Is(err, syscall.EPIPE) || errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.ECONNREFUSED)
}
