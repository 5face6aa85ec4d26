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

	"impalab/server/store"
)

// Types of answers that are no JSON.
const (
	tapeType  = "application/x-ndjson"
	csvType   = "text/csv; charset=utf-8"
	eventType = "text/event-stream"
	frameType = "application/octet-stream"
)

func (a *api) tape(ctx context.Context, in *Named) (*huma.StreamResponse, error) {
	lines, err := a.Runs.Tape(ctx, in.ID)
	if err != nil {
		return nil, a.said(err)
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		c.SetHeader("Content-Type", tapeType)
		c.SetHeader("Content-Disposition", `attachment; filename="`+in.ID+`.tape"`)
		for _, line := range lines {
			if _, err := io.WriteString(c.BodyWriter(), line+"\n"); err != nil {
				return // nobody reads on
			}
		}
	}}, nil
}

func (a *api) curves(ctx context.Context, in *Named) (*huma.StreamResponse, error) {
	curves, err := a.Runs.Curves(ctx, in.ID)
	if err != nil {
		return nil, a.said(err)
	}
	return &huma.StreamResponse{Body: func(c huma.Context) {
		c.SetHeader("Content-Type", csvType)
		c.SetHeader("Content-Disposition", `attachment; filename="`+in.ID+`.csv"`)
		WriteCurves(c.BodyWriter(), curves)
	}}, nil
}

// WriteCurves writes a header and a row for each step at which any series has a point, with the series by name.
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

// cell is a value as it is read back to the bit; empty for NaN, which stands for no value.
func cell(v float64) string {
	switch {
	case math.IsNaN(v):
		return ""
	case math.IsInf(v, 0):
		return strconv.FormatFloat(v, 'g', -1, 64)[:1] + "inf"
	}
	return strconv.FormatFloat(v, 'g', -1, 64)
}
