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
)

// session is that connection.
type session struct {
	config *pgx.ConnConfig
	where  string
	pid    atomic.Int64 // of the backend that holds the lock

	mu      sync.Mutex
	conn    *pgx.Conn // nil before the lock is taken, and after a loss
	address string
}

// errSessionLost says that a transaction cannot be committed now: the lock is lost.
var errSessionLost = errors.New("the lock on the database is lost")

const (
	noticeWithin = time.Second     // PostgreSQL notices within this that a server was killed
	answerWithin = 5 * time.Second // else the connection counts as lost
)

// takeSession takes the lock. If another server has it, the error is ErrHeld.
func (s *Store) takeSession(ctx context.Context) error {
	until := time.Now().Add(min(noticeWithin, s.options.Patience))
	for {
		err := s.patiently(ctx, func() error { return s.session.again(ctx) })
		if !errors.Is(err, ErrHeld) || time.Now().After(until) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

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
	if err := h.take(short, conn); err != nil {
		conn.Close(short)
		if short.Err() != nil && ctx.Err() == nil {
			return said(errSessionLost)
		}
		return err
	}
	h.conn = conn
	return nil
}

// liveliness makes PostgreSQL notice within half a minute that our machine is gone, and never end an idle session.
// Servers before version 14 do not know all of these settings.
const liveliness = `SELECT set_config(s.name, v.value, false) FROM pg_settings s JOIN (VALUES ('tcp_keepalives_idle', '10'),
	('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'), ('idle_session_timeout', '0')) v (name, value)
	ON s.name = v.name`

// lockNumber differs for each schema: each is a store of its own.
const lockNumber = "hashtextextended('impalab in ' || current_schema(), 0)"

func (h *session) take(ctx context.Context, conn *pgx.Conn) error {
	if err := h.unpooled(ctx, conn); err != nil {
		return err
	}
	if _, err := conn.Exec(ctx, liveliness); err != nil {
		return said(err)
	}
	if err := h.sign(ctx, conn); err != nil {
		return said(err)
	}
	var held bool
	var pid, other int64
	err := conn.QueryRow(ctx, "SELECT pg_try_advisory_lock("+lockNumber+"), pg_backend_pid()").Scan(&held, &pid)
	if err != nil {
		return said(err)
	}
	if held {
		h.pid.Store(pid)
		return nil
	}
	var name string
	err = conn.QueryRow(ctx, `SELECT a.application_name, a.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
		WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
		AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND (l.classid::bigint << 32) | l.objid::bigint = `+lockNumber).Scan(&name, &other)
	switch {
	case errors.Is(err, pgx.ErrNoRows), // the holder has just gone
		err == nil && other == h.pid.Load(): // our own lost connection, which PostgreSQL has not noticed yet
		return said(errSessionLost)
	case err != nil:
		return said(err)
	}
	return fmt.Errorf("%w: %s is held by another impalab, %s; stop that server, or name another database with "+
		"--database-url", ErrHeld, h.where, strings.TrimPrefix(name, signature))
}

// unpooled refuses a database behind a pooler such as PgBouncer that lends a connection for one transaction: the lock
// would lie in a connection that another server has next. With pool_mode=session the lock holds. Only behind a pooler
// does a connection report another process than PostgreSQL's, and only then does unpooled make a second connection: a
// pooler by transaction gives it the process of the first, which is still open.
func (h *session) unpooled(ctx context.Context, conn *pgx.Conn) error {
	backend := func(conn *pgx.Conn) (pid uint32, err error) { // a pooler may look for prepared statements elsewhere
		err = conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&pid)
		return pid, said(err)
	}
	ours, err := backend(conn)
	if err != nil || ours == conn.PgConn().PID() {
		return err
	}
	second, err := pgx.ConnectConfig(ctx, h.config)
	if err != nil {
		return said(err)
	}
	defer second.Close(ctx)
	for range 3 { // other clients may use the pool, too
		theirs, err := backend(second)
		if err == nil && theirs != ours {
			ours, err = backend(conn)
		}
		if err != nil {
			return err
		}
		if theirs == ours {
			return fmt.Errorf("%s is behind a pooler that lends a connection for one transaction, like PgBouncer with "+
				"pool_mode=transaction: the lock that keeps a second server away does not hold there; give --database-url "+
				"PostgreSQL's own address, or a pool with pool_mode=session", h.where)
		}
	}
	return nil
}

// signature begins the name of our session in the database's own list.
const signature = "impalab: "

// sign names the session after this server.
func (h *session) sign(ctx context.Context, conn *pgx.Conn) error {
	name := signature + ourselves(h.address)
	if host, err := os.Hostname(); err == nil {
		name += " on " + host
	}
	_, err := conn.Exec(ctx, "SELECT set_config('application_name', $1, false)", name)
	return err
}

func (h *session) announce(address string) error {
	ctx, cancel := context.WithTimeout(context.Background(), noticeWithin)
	defer cancel()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.address = address
	if h.conn == nil {
		return nil
	}
	return h.sign(ctx, h.conn)
}

func (h *session) release() error {
	ctx, cancel := context.WithTimeout(context.Background(), noticeWithin)
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
