package store

import (
	"fmt"
	"strings"
)

// AppendTape adds lines to a run's tape; first is the number of the first of them, from 1. Lines that are there already
// stay, so a caller that does not know which lines were stored may send them again. If a line differs from the line
// that is there, the error is ErrConflict; a gap is ErrInvalid.
func (tx *Tx) AppendTape(id string, first int64, lines ...string) error {
	if err := tx.lock(id); err != nil {
		return err
	}
	kept, err := tx.TapeLen(id)
	if err != nil {
		return err
	}
	if first < 1 || first > kept+1 {
		return fmt.Errorf("%w: line %d of the tape of run %s, which has %d lines", ErrInvalid, first, id, kept)
	}
	old, err := tx.Tape(id, first, len(lines))
	if err != nil {
		return err
	}
	var bytes int64
	for i, line := range lines {
		number := first + int64(i)
		switch {
		case i < len(old) && old[i] == line:
			continue
		case i < len(old):
			return fmt.Errorf("line %d of the tape of run %s: %w", number, id, ErrConflict)
		case strings.Contains(line, "\n"):
			return fmt.Errorf("%w: line %d of the tape of run %s holds a line break", ErrInvalid, number, id)
		}
		if _, err := tx.exec("INSERT INTO tape (run, number, line) VALUES ($1, $2, $3)", id, number, line); err != nil {
			return err
		}
		bytes += int64(len(line))
	}
	return tx.grew(id, bytes, 0)
}

// Tape returns at most limit lines of a run's tape, from number first on. A run without a tape has no lines.
func (tx *Tx) Tape(id string, first int64, limit int) ([]string, error) {
	return list[string](tx, "SELECT line FROM tape WHERE run = $1 AND number >= $2 ORDER BY number LIMIT $3", id, first,
		limit)
}

// TapeOutside returns the first line of a run's tape, and the lines that name an actor of another process.
func (tx *Tx) TapeOutside(id string) ([]string, error) {
	return list[string](tx, `SELECT line FROM tape WHERE run = $1 AND (number = 1 OR line LIKE '%"kind":"outside"%')
		ORDER BY number`, id)
}

// TapeLen returns the number of lines of a run's tape.
func (tx *Tx) TapeLen(id string) (int64, error) {
	return read[int64](tx, "SELECT COALESCE(MAX(number), 0) FROM tape WHERE run = $1", id)
}
