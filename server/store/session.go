package store

// The right to write to a PostgreSQL database: an advisory lock on a connection of its own. It ends with the
// connection: at once if the server was killed, and when PostgreSQL misses a sign of life if the server's machine is
// gone. A server that has lost its lock writes nothing: each transaction asks before its commit (recordCommit).

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// session is that connection.
type session struct {
	config  *pgx.ConnConfig
	where   string
	address string       // of this server
	pid     atomic.Int64 // of the backend that holds the lock

	mu   sync.Mutex
	conn *pgx.Conn // nil before the lock is taken, and after a loss
}

// errSessionLost says that a transaction cannot be committed now: the lock is lost.
var errSessionLost = errors.New("the lock on the database is lost")

// answerWithin is the time after which a connection counts as lost.
const answerWithin = 5 * time.Second

// again takes the lock unless this server has it. If another server has it, the error is ErrHeld.
func (h *session) again(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	short, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	if h.conn != nil && h.conn.Ping(short) == nil {
		return nil // another transaction has taken it again
	}
	h.leave(short)
	conn, err := pgx.ConnectConfig(short, h.config)
	if err != nil {
		return said(err)
	}
	if err := h.acquire(short, conn); err != nil {
		conn.Close(short)
		if short.Err() != nil && ctx.Err() == nil {
			return said(errSessionLost)
		}
		return err
	}
	h.conn = conn
	return nil
}

// prepare makes PostgreSQL notice within half a minute that our machine is gone, never end an idle session, and wait a
// second for a lock: within this it notices that a server was killed. Servers before version 14 do not know all of
// these settings.
const prepare = `SELECT set_config(s.name, v.value, false) FROM pg_settings s JOIN (VALUES ('tcp_keepalives_idle', '10'),
	('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'), ('idle_session_timeout', '0'),
	('lock_timeout', '1000')) v (name, value) ON s.name = v.name`

// lockNumber differs for each schema: each is a store of its own.
const lockNumber = "hashtextextended('impalab in ' || current_schema(), 0)"

// acquire takes the lock on a new connection.
func (h *session) acquire(ctx context.Context, conn *pgx.Conn) error {
	var pid int64
	if err := conn.QueryRow(ctx, "SELECT pg_backend_pid()").Scan(&pid); err != nil {
		return said(err)
	}
	if pid != int64(conn.PgConn().PID()) {
		return fmt.Errorf("%s is behind a pooler like PgBouncer, which may lend our connection to another server: the lock "+
			"that keeps a second server away does not hold there; give --database-url PostgreSQL's own address", h.where)
	}
	if _, err := conn.Exec(ctx, prepare); err != nil {
		return said(err)
	}
	ours := signature + ourselves(h.address)
	if host, err := os.Hostname(); err == nil {
		ours += " on " + host
	}
	if _, err := conn.Exec(ctx, "SELECT set_config('application_name', $1, false)", ours); err != nil {
		return said(err)
	}
	_, err := conn.Exec(ctx, "SELECT pg_advisory_lock("+lockNumber+")")
	var late *pgconn.PgError
	switch {
	case err == nil:
		h.pid.Store(pid)
		return nil
	case errors.As(err, &late) && late.Code == lockNotAvailable:
		return h.holder(ctx, conn)
	}
	return said(err)
}

// holder returns ErrHeld with the name of the server that has the lock.
func (h *session) holder(ctx context.Context, conn *pgx.Conn) error {
	var name string
	var pid int64
	err := conn.QueryRow(ctx, `SELECT a.application_name, a.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
		WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
		AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND (l.classid::bigint << 32) | l.objid::bigint = `+lockNumber).Scan(&name, &pid)
	switch {
	case errors.Is(err, pgx.ErrNoRows), // the holder has just gone
		err == nil && pid == h.pid.Load(): // our own lost connection, which PostgreSQL has not noticed yet
		return said(errSessionLost)
	case err != nil:
		return said(err)
	}
	return fmt.Errorf("%w: %s is held by another impalab, %s; stop that server, or name another database with "+
		"--database-url", ErrHeld, h.where, strings.TrimPrefix(name, signature))
}

// signature begins the name of our session in the database's own list.
const signature = "impalab: "

// close gives up the lock.
func (h *session) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), answerWithin)
	defer cancel()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leave(ctx)
	return nil
}

// leave closes the connection, and with it the lock. The caller holds mu.
func (h *session) leave(ctx context.Context) {
	if h.conn != nil {
		h.conn.Close(ctx) // an error does not matter: the connection is closed
		h.conn = nil
	}
}
