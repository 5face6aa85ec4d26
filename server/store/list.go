package store

// Lists of runs, a page at a time, newest first.

import (
	"database/sql"
	"fmt"
)

// Cursor is a place in a list: after the run that it names. The zero Cursor is the beginning.
type Cursor struct {
	Created int64
	ID      string
}

// RunsOf lists an owner's runs, newest first: at most limit of them, after a cursor. At the end next is the zero
// Cursor.
func (tx *Tx) RunsOf(owner string, after Cursor, limit int) (runs []Run, next Cursor, err error) {
	return tx.runs("owner", owner, after, limit)
}

// RunsIn lists the runs in a state, whoever owns them, as RunsOf does: what a server goes on with after a restart.
func (tx *Tx) RunsIn(state State, after Cursor, limit int) (runs []Run, next Cursor, err error) {
	return tx.runs("state", string(state), after, limit)
}

// runs lists those with this value in a column that has an index.
func (tx *Tx) runs(column, value string, after Cursor, limit int) (runs []Run, next Cursor, err error) {
	if limit < 1 {
		return nil, Cursor{}, fmt.Errorf("%w: a page of %d runs", ErrInvalid, limit)
	}
	older, args := "", []any{value, limit + 1}
	if after != (Cursor{}) {
		older, args = " AND (created, id) < ($3, $4)", append(args, after.Created, after.ID)
	}
	query := "SELECT " + runColumns + " FROM runs WHERE " + column + " = $1" + older +
		" ORDER BY created DESC, id DESC LIMIT $2"
	err = tx.each(query, args, func(rows *sql.Rows) error {
		var r Run
		var mean sql.NullFloat64
		err := rows.Scan(r.fields(&mean)...)
		r.settle(mean)
		runs = append(runs, r)
		return err
	})
	if len(runs) > limit {
		runs = runs[:limit]
		next = Cursor{runs[limit-1].Created, runs[limit-1].ID}
	}
	return runs, next, err
}
