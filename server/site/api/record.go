package api

import (
	"context"
	"encoding/csv"
	"io"
	"maps"
	"math"
	"slices"
	"strconv"

	"github.com/danielgtaylor/huma/v2"

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
	made, err := a.Runs.Moments(ctx, in.ID, in.From, in.To, in.Parameters)
	if err != nil {
		return nil, late(err, lab.AgainWithin, "these updates were not recomputed", "ask for earlier ones, or for fewer")
	}
	frame, err := wire.AppendJoined(nil, made)
	return download(frameType, "", func(c huma.Context) { c.BodyWriter().Write(frame) }), err
}

func (a *api) tape(ctx context.Context, in *Named) (*huma.StreamResponse, error) {
	told, err := a.Runs.Told(ctx, in.ID)
	return download(tapeType, in.ID+".tape", func(c huma.Context) {
		for _, line := range told.Lines {
			if _, err := io.WriteString(c.BodyWriter(), line+"\n"); err != nil {
				return // the client has disconnected
			}
		}
	}), err
}

func (a *api) curves(ctx context.Context, in *Named) (*huma.StreamResponse, error) {
	told, err := a.Runs.Told(ctx, in.ID)
	return download(csvType, in.ID+".csv", func(c huma.Context) { WriteCurves(c.BodyWriter(), told.Curves) }), err
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
