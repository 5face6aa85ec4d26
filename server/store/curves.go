package store

// Curves: what was measured of a run, as series of points, kept in chunks.

import (
	"database/sql"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Series is one curve of a run.
type Series struct {
	Name        string
	First, Last int64 // steps
	Points      int64
}

// chunk is a row of curves.
type chunk struct {
	first, last int64
	bytes       int64
	points      []Point
}

// AppendCurves adds points to the curves of a run, by the series' names. The steps of a series rise. Points that are
// there already with the same values are left as they are, so a run that went back to a snapshot may send them again;
// a point with another value, or one between points that are kept, is ErrConflict.
func (tx *Tx) AppendCurves(id string, curves map[string][]Point) error {
	if err := tx.lock(id); err != nil {
		return err
	}
	var grown int64
	for _, series := range slices.Sorted(maps.Keys(curves)) {
		if err := plain(series); err != nil {
			return err
		}
		bytes, err := tx.appendCurve(id, series, curves[series])
		if err != nil {
			return fmt.Errorf("curve %s of run %s: %w", series, id, err)
		}
		grown += bytes
	}
	return tx.grew(id, grown, 0)
}

// appendCurve returns how many bytes that took.
func (tx *Tx) appendCurve(id, series string, points []Point) (grown int64, err error) {
	for i, p := range points {
		if p.Step < 0 || i > 0 && p.Step <= points[i-1].Step {
			return 0, fmt.Errorf("%w: its steps do not rise at %d", ErrInvalid, p.Step)
		}
	}
	if len(points) == 0 {
		return 0, nil
	}
	kept, err := tx.chunks(id, series, points[0].Step, math.MaxInt64)
	if err != nil {
		return 0, err
	}
	if points, err = unkept(kept, points); err != nil || len(points) == 0 {
		return 0, err
	}
	// A last chunk that is not full is written anew, so that a few points at a time do not become a row each.
	if len(kept) > 0 {
		if last := kept[len(kept)-1]; len(last.points) < chunkPoints {
			points = slices.Concat(last.points, points)
			grown -= last.bytes
			if _, err := tx.exec("DELETE FROM curves WHERE run = $1 AND series = $2 AND first_step = $3",
				id, series, last.first); err != nil {
				return 0, err
			}
		}
	}
	for part := range slices.Chunk(points, chunkPoints) {
		blob := packPoints(tx.s.pack, part)
		if _, err := tx.exec(`INSERT INTO curves (run, series, first_step, last_step, points, blob)
			VALUES ($1, $2, $3, $4, $5, $6)`,
			id, series, part[0].Step, part[len(part)-1].Step, len(part), blob); err != nil {
			return 0, err
		}
		grown += int64(len(blob))
	}
	return grown, nil
}

// unkept are the points beyond those that are kept, once the others were found to be the same.
func unkept(kept []chunk, points []Point) ([]Point, error) {
	for _, c := range kept {
		for _, old := range c.points {
			switch {
			case len(points) == 0:
				return nil, nil
			case old.Step < points[0].Step:
				continue
			case old.Step > points[0].Step, math.Float64bits(old.Value) != math.Float64bits(points[0].Value):
				return nil, fmt.Errorf("step %d: %w", points[0].Step, ErrConflict)
			}
			points = points[1:]
		}
	}
	return points, nil
}

// chunks reads the chunks from the one that holds step from, or the one before it, to the one that holds to-1.
func (tx *Tx) chunks(id, series string, from, to int64) (chunks []chunk, err error) {
	query := `SELECT first_step, last_step, blob FROM curves
		WHERE run = $1 AND series = $2 AND first_step < $4 AND first_step >= COALESCE(
			(SELECT MAX(first_step) FROM curves WHERE run = $1 AND series = $2 AND first_step <= $3), 0)
		ORDER BY first_step`
	err = tx.each(query, []any{id, series, from, to}, func(rows *sql.Rows) error {
		var c chunk
		var blob []byte
		if err := rows.Scan(&c.first, &c.last, &blob); err != nil {
			return err
		}
		c.bytes = int64(len(blob))
		points, err := unpackPoints(tx.s.chunk, blob)
		if err != nil {
			return fmt.Errorf("curve %s of run %s from step %d on: %w", series, id, c.first, err)
		}
		c.points = points
		chunks = append(chunks, c)
		return nil
	})
	return chunks, err
}

// Curve reads the points of a series with from ≤ step < to. No such run or series is no points. When a part of it is
// damaged, what could be read before it comes with the error.
func (tx *Tx) Curve(id, series string, from, to int64) (points []Point, err error) {
	chunks, err := tx.chunks(id, series, from, to)
	for _, c := range chunks {
		for _, p := range c.points {
			if p.Step >= from && p.Step < to {
				points = append(points, p)
			}
		}
	}
	return points, err
}

// Curves lists the series of a run by name.
func (tx *Tx) Curves(id string) (all []Series, err error) {
	query := `SELECT series, MIN(first_step), MAX(last_step), SUM(points) FROM curves
		WHERE run = $1 GROUP BY series ORDER BY series`
	err = tx.each(query, []any{id}, func(rows *sql.Rows) error {
		var s Series
		err := rows.Scan(&s.Name, &s.First, &s.Last, &s.Points)
		all = append(all, s)
		return err
	})
	return all, err
}
