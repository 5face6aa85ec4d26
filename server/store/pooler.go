package store

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"
)

// A pooler such as PgBouncer stands between servers and PostgreSQL. With pool_mode=session a connection is lent for as
// long as its client stays, and the lock is as good as without one. Lent for a transaction or a statement, the lock
// lies in a connection that somebody else has next: a second server would be let in.

// unpooled refuses a database whose connections are lent like that. Only a pooler gives a connection another process
// number than PostgreSQL's, and only then a second connection is made: it is handed the process of the first, which is
// still there.
func (h *session) unpooled(ctx context.Context, conn *pgx.Conn) error {
	ours, err := backend(ctx, conn)
	if err != nil || ours == conn.PgConn().PID() {
		return err
	}
	other, err := pgx.ConnectConfig(ctx, h.config)
	if err != nil {
		return said(err)
	}
	defer other.Close(ctx)
	for range 3 { // others may use the pool, too
		theirs, err := backend(ctx, other)
		if err == nil && theirs != ours {
			ours, err = backend(ctx, conn)
		}
		switch {
		case err != nil:
			return err
		case theirs == ours:
			return fmt.Errorf("%s is behind a pooler that lends a connection for one transaction, like PgBouncer with "+
				"pool_mode=transaction: the lock that keeps a second server away does not hold there; give --database-url "+
				"PostgreSQL's own address, or that of a pool with pool_mode=session", h.where)
		}
	}
	return nil
}

// backend is the number of the process that answers. It is asked for without a prepared statement, which a pooler may
// look for in another connection.
func backend(ctx context.Context, conn *pgx.Conn) (pid uint32, err error) {
	err = conn.QueryRow(ctx, "SELECT pg_backend_pid()", pgx.QueryExecModeSimpleProtocol).Scan(&pid)
	return pid, said(err)
}
