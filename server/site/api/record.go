package api

import (
	"context"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"math"
	"net/http"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"
	"github.com/danielgtaylor/huma/v2/adapters/humago"

	"impalab/server/lab"
	"impalab/server/store"
	"impalab/web/watch"
	"impalab/web/wire"
)

// The record of a run: an unroll, its moments, its tape and its curves.

func (a *api) unroll(ctx context.Context, in *struct {
	Named
	Trajectory int    `query:"trajectory" minimum:"0" default:"0" doc:"Number of the trajectory in the batch, from 0."`
	Update     uint64 `query:"update" doc:"The state after this update; an earlier update is recomputed. 0: the newest."`
}) (out watch.Unroll, err error) {
	within := answerWithin
	if in.Update > 0 {
		within = lab.AgainWithin
	}
	ctx, cancel := context.WithTimeout(ctx, within)
	defer cancel()
	found, err := a.Runs.Unroll(ctx, in.ID, in.Trajectory, in.Update)
	if err != nil {
		return out, late(err, within, "the run has not answered", "ask again in a moment")
	}
	return watch.UnrollOf(in.ID, found)
}

func (a *api) moments(ctx context.Context, in *struct {
	Named
	From       uint64 `query:"from" minimum:"1" required:"true" doc:"The first update to recompute."`
	To         uint64 `query:"to" minimum:"1" required:"true" doc:"The last update to recompute; at most 63 after the first."`
	Parameters bool   `query:"parameters" doc:"Include the parameters after each update."`
}) (*huma.StreamResponse, error) {
	ctx, cancel := context.WithTimeout(ctx, lab.AgainWithin)
	defer cancel()
	to, err := a.Runs.Reached(ctx, in.ID, in.To)
	if err != nil {
		return nil, err
	}
	key := fmt.Sprintf("%s %d-%d %t", in.ID, in.From, to, in.Parameters)
	frame, err := a.kept.Get(ctx, key, func(ctx context.Context) ([]byte, error) {
		made, err := a.Runs.Moments(ctx, in.ID, in.From, in.To, in.Parameters)
		if err != nil {
			return nil, err
		}
		return wire.AppendJoined(nil, made)
	})
	if err != nil {
		return nil, late(err, lab.AgainWithin, "these updates were not recomputed", "ask for earlier ones, or for fewer")
	}
	return download(frameType, "", func(c huma.Context) { c.BodyWriter().Write(frame) }), nil
}

func (a *api) tape(ctx context.Context, in *Named) (*huma.StreamResponse, error) {
	if _, err := a.Runs.Stamp(ctx, in.ID); err != nil {
		return nil, err
	}
	return download(tapeType, in.ID+".tape", func(c huma.Context) {
		if err := a.Runs.EachLine(ctx, in.ID, func(lines string) error {
			_, err := io.WriteString(c.BodyWriter(), lines)
			return err
		}); err != nil && ctx.Err() == nil {
			a.Log.Debug("a tape could not be sent", "run", in.ID, "error", err)
			panic(http.ErrAbortHandler) // so that the client sees that lines are missing
		}
	}), nil
}

func (a *api) curves(ctx context.Context, in *Named) (*huma.StreamResponse, error) {
	stamp, err := a.Runs.Stamp(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	made, err := a.kept.Get(ctx, stamp, func(ctx context.Context) (made []byte, err error) {
		err = a.Runs.WithHistory(ctx, in.ID, func(told *lab.History) error {
			made, err = Pack(func(to io.Writer) error { return WriteCurves(to, told.Curves) })
			return err
		})
		return made, err
	})
	return download(csvType, in.ID+".csv", func(c huma.Context) {
		r, w := humago.Unwrap(c)
		Packed(made).Send(w, r, http.StatusOK)
	}), err
}

// WriteCurves writes the series as CSV: a header, and a row for each step at which a series has a point.
func WriteCurves(to io.Writer, curves map[string][]store.Point) error {
	names := slices.Sorted(maps.Keys(curves))
	rest := make([][]store.Point, len(names))
	for i, name := range names {
		rest[i] = curves[name]
	}
	out := csv.NewWriter(to)
	row := append([]string{"step"}, names...)
	for {
		if err := out.Write(row); err != nil {
			return err
		}
		step := int64(math.MaxInt64)
		for _, points := range rest {
			if len(points) > 0 {
				step = min(step, points[0].Step)
			}
		}
		if step == math.MaxInt64 {
			break
		}
		row[0] = strconv.FormatInt(step, 10)
		for i, points := range rest {
			row[i+1] = ""
			if len(points) > 0 && points[0].Step == step {
				row[i+1], rest[i] = cell(points[0].Value), points[1:]
			}
		}
	}
	out.Flush()
	return out.Error()
}

// cell writes a value without rounding it. A NaN is an empty cell.
func cell(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'g', -1, 64)[:1] + "inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
