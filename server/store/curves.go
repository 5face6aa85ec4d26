package store

// Curves: the measurements of a run, as series of points, stored in chunks.

import (
	"fmt"
	"maps"
	"math"
	"slices"
)

// Series is one curve of a run.
type Series struct {
	Name   string `db:"series"`
	First  int64  `db:"MIN(first_step)"`
	Last   int64  `db:"MAX(last_step)"`
	Points int64  `db:"SUM(points)"`
}

// chunk is a row of the table curves.
type chunk struct {
	First  int64  `db:"first_step"`
	Blob   []byte `db:"blob"`
	points []Point
}

// AppendCurves adds points to the curves of a run, by the names of the series. The steps of a series rise. Points that
// are there already with the same value stay, so a run that resumed from a snapshot may send them again. A point with
// another value, or between points that are there, is ErrConflict.
func (tx *Tx) AppendCurves(id string, curves map[string][]Point) error {
	if err := tx.lock(id); err != nil {
		return err
	}
	var grown int64
	for _, series := range slices.Sorted(maps.Keys(curves)) {
		bytes, err := tx.appendCurve(id, series, curves[series])
		if err != nil {
			return fmt.Errorf("curve %s of run %s: %w", series, id, err)
		}
		grown += bytes
	}
	return tx.grew(id, grown, 0)
}

// appendCurve returns how many more bytes the curve takes.
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
	if points, err = beyond(kept, points); err != nil || len(points) == 0 {
		return 0, err
	}
	// The last chunk is filled up first, so that a few points at a time do not become a row each.
	if len(kept) > 0 {
		if last := kept[len(kept)-1]; len(last.points) < chunkPoints {
			points = slices.Concat(last.points, points)
			grown -= int64(len(last.Blob))
			if _, err := tx.exec("DELETE FROM curves WHERE run = $1 AND series = $2 AND first_step = $3",
				id, series, last.First); err != nil {
				return 0, err
			}
		}
	}
	for part := range slices.Chunk(points, chunkPoints) {
		blob := packPoints(part)
		if _, err := tx.exec(`INSERT INTO curves (run, series, first_step, last_step, points, blob)
			VALUES ($1, $2, $3, $4, $5, $6)`,
			id, series, part[0].Step, part[len(part)-1].Step, len(part), blob); err != nil {
			return 0, err
		}
		grown += int64(len(blob))
	}
	return grown, nil
}

// beyond returns the points behind the stored ones, after it has compared the others with them.
func beyond(kept []chunk, points []Point) ([]Point, error) {
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

// chunks returns the chunks from the one with step from, or the one before it, to the one with step to-1. If a chunk is
// damaged, it returns the chunks before it with the error.
func (tx *Tx) chunks(id, series string, from, to int64) ([]chunk, error) {
	chunks, err := list[chunk](tx, `SELECT * FROM curves
		WHERE run = $1 AND series = $2 AND first_step < $4 AND first_step >= COALESCE(
			(SELECT MAX(first_step) FROM curves WHERE run = $1 AND series = $2 AND first_step <= $3), 0)
		ORDER BY first_step`, id, series, from, to)
	if err != nil {
		return nil, err
	}
	for i := range chunks {
		if chunks[i].points, err = unpackPoints(chunks[i].Blob); err != nil {
			return chunks[:i], fmt.Errorf("curve %s of run %s from step %d on: %w", series, id, chunks[i].First, err)
		}
	}
	return chunks, nil
}

// Curve returns the points of a series with from ≤ step < to; none if there is no such run or series. If a chunk is
// damaged, it returns the points before the chunk with the error.
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
func (tx *Tx) Curves(id string) ([]Series, error) {
	return list[Series](tx, "SELECT * FROM curves WHERE run = $1 GROUP BY series ORDER BY series", id)
}
