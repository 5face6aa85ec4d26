package store

// The right to write to a PostgreSQL database: an advisory lock on a connection of its own. It ends with the
// connection, so a server that was killed leaves none behind, and one whose machine is gone none for longer than
// PostgreSQL waits for a sign of life. A server that has lost its lock writes nothing: each transaction asks before its
// commit (ticket).

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

// errSessionLost is why a transaction is not committed: the lock has gone with its connection.
var errSessionLost = errors.New("the lock on the database is lost")

func newSession(config *pgx.ConnConfig, where, address string) *session {
	return &session{config: config.Copy(), where: where, address: address}
}

const (
	leaveTaking  = time.Second     // within which PostgreSQL notices that a server was killed
	answerWithin = 5 * time.Second // else the connection counts as lost
)

// takeSession takes the lock, or says who has it.
func (s *Store) takeSession(ctx context.Context) error {
	until := time.Now().Add(min(leaveTaking, s.options.Patience))
	for {
		err := s.patiently(ctx, func() error { return s.session.again(ctx) })
		if !errors.Is(err, ErrHeld) || time.Now().After(until) {
			return err
		}
		time.Sleep(50 * time.Millisecond)
	}
}

// again takes the lock, unless it is held. ErrHeld says that another server has it.
func (h *session) again(ctx context.Context) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	short, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	if h.conn != nil && h.conn.Ping(short) == nil {
		return nil // another transaction has seen to it
	}
	h.leave(short)
	conn, err := pgx.ConnectConfig(short, h.config)
	if err != nil {
		return said(err)
	}
	pid, err := h.take(short, conn)
	if err != nil {
		conn.Close(short)
		if short.Err() != nil && ctx.Err() == nil {
			return said(errSessionLost)
		}
		return err
	}
	h.conn = conn
	h.pid.Store(pid)
	return nil
}

// liveliness is what makes PostgreSQL notice within half a minute that our machine is gone, and else leave us alone.
// Servers before version 14 do not know all of these settings.
const liveliness = `SELECT set_config(s.name, v.value, false) FROM pg_settings s JOIN (VALUES ('tcp_keepalives_idle', '10'),
	('tcp_keepalives_interval', '5'), ('tcp_keepalives_count', '3'), ('idle_session_timeout', '0')) v (name, value)
	ON s.name = v.name`

// lockNumber is one for each schema: each is a store of its own.
const lockNumber = "hashtextextended('impalab in ' || current_schema(), 0)"

func (h *session) take(ctx context.Context, conn *pgx.Conn) (pid int64, err error) {
	if err := h.unpooled(ctx, conn); err != nil {
		return 0, err
	}
	if _, err := conn.Exec(ctx, liveliness); err != nil {
		return 0, said(err)
	}
	if err := h.sign(ctx, conn); err != nil {
		return 0, said(err)
	}
	var held bool
	err = conn.QueryRow(ctx, "SELECT pg_try_advisory_lock("+lockNumber+"), pg_backend_pid()").Scan(&held, &pid)
	if err != nil {
		return 0, said(err)
	}
	if held {
		return pid, nil
	}
	var name string
	var other int64
	err = conn.QueryRow(ctx, `SELECT a.application_name, a.pid FROM pg_locks l JOIN pg_stat_activity a ON a.pid = l.pid
		WHERE l.locktype = 'advisory' AND l.granted AND l.objsubid = 1
		AND l.database = (SELECT oid FROM pg_database WHERE datname = current_database())
		AND (l.classid::bigint << 32) | l.objid::bigint = `+lockNumber).Scan(&name, &other)
	switch {
	case errors.Is(err, pgx.ErrNoRows): // it has just gone
		return 0, said(errSessionLost)
	case err != nil:
		return 0, said(err)
	case other == h.pid.Load(): // our own, and PostgreSQL has not noticed yet that its connection is gone
		return 0, said(errSessionLost)
	}
	return 0, fmt.Errorf("%w: %s is held by another impalab, %s; stop that server, or name another database with "+
		"--database-url", ErrHeld, h.where, strings.TrimPrefix(name, signature))
}

// signature is what the name of our session begins with, for those who look at the database's own list.
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
	ctx, cancel := context.WithTimeout(context.Background(), leaveTaking)
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
	ctx, cancel := context.WithTimeout(context.Background(), leaveTaking)
	defer cancel()
	h.mu.Lock()
	defer h.mu.Unlock()
	h.leave(ctx)
	return nil
}

// leave closes the connection, and the lock goes with it. The caller holds mu.
func (h *session) leave(ctx context.Context) {
	if h.conn != nil {
		h.conn.Close(ctx) // it may be broken, which is as good
		h.conn = nil
	}
}
