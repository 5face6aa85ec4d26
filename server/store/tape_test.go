package store

import (
	"errors"
	"slices"
	"strings"
	"testing"
)

func tape(t *testing.T, s *Store, id string) []string {
	t.Helper()
	return get(t, s, func(tx *Tx) ([]string, error) { return tx.Tape(id, 1, 1000) })
}

func TestATapeIsReadAsItWasWritten(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id, other := added(t, s), added(t, s)
		do(t, s, func(tx *Tx) error {
			return errors.Join(tx.AppendTape(id, 1, `{"format":1}`, "b"), tx.AppendTape(other, 1, "other"),
				tx.AppendTape(id, 3, "c ρ̄", ""))
		})
		if got, want := tape(t, s, id), []string{`{"format":1}`, "b", "c ρ̄", ""}; !slices.Equal(got, want) {
			t.Errorf("got %q, want %q", got, want)
		}
		part := get(t, s, func(tx *Tx) ([]string, error) { return tx.Tape(id, 2, 2) })
		if !slices.Equal(part, []string{"b", "c ρ̄"}) {
			t.Errorf("lines 2 and 3 are %q", part)
		}
		if n := get(t, s, func(tx *Tx) (int64, error) { return tx.TapeLen(id) }); n != 4 {
			t.Errorf("%d lines", n)
		}
	})
}

func TestALineSentAgainIsKeptOnce(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := added(t, s)
		do(t, s, func(tx *Tx) error { return tx.AppendTape(id, 1, "a", "b") })
		bytes := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(id) }).Bytes
		do(t, s, func(tx *Tx) error { return tx.AppendTape(id, 1, "a", "b") })
		do(t, s, func(tx *Tx) error { return tx.AppendTape(id, 2, "b", "c") })
		if got := tape(t, s, id); !slices.Equal(got, []string{"a", "b", "c"}) {
			t.Errorf("the tape is %q", got)
		}
		if got := get(t, s, func(tx *Tx) (Run, error) { return tx.Run(id) }).Bytes; got != bytes+1 {
			t.Errorf("%d bytes, then %d", bytes, got)
		}
	})
}

func TestATapeIsNeverRewritten(t *testing.T) {
	onBoth(t, func(t *testing.T, s *Store) {
		id := added(t, s)
		do(t, s, func(tx *Tx) error { return tx.AppendTape(id, 1, "a", "b") })
		for _, try := range []struct {
			first int64
			line  string
			want  error
		}{
			{2, "other", ErrConflict}, {4, "gap", ErrInvalid}, {0, "zero", ErrInvalid}, {-1, "less", ErrInvalid},
			{3, "two\nlines", ErrInvalid}, {3, "NUL \x00", ErrInvalid},
		} {
			err := s.Do(t.Context(), func(tx *Tx) error { return tx.AppendTape(id, try.first, try.line) })
			if !errors.Is(err, try.want) {
				t.Errorf("%q as line %d: %v", try.line, try.first, err)
			}
			if try.want == ErrConflict && !strings.Contains(err.Error(), "line 2") {
				t.Errorf("the error does not name the line: %v", err)
			}
		}
		if got := tape(t, s, id); !slices.Equal(got, []string{"a", "b"}) {
			t.Errorf("the tape is %q", got)
		}
	})
}
