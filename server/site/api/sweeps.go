package api

import (
	"cmp"
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"impalab/learner/trial"
	"impalab/server/places"
	"impalab/server/store"
	"impalab/server/sweep"
	"impalab/web/hub"
)

// StartSweep is the body of a request for a new sweep.
type StartSweep struct {
	Preset   string   `json:"preset,omitempty" doc:"Name of a preset, from GET /presets; without it the preset of the world."`
	Settings Settings `json:"settings,omitempty"`
	Seeds    string   `json:"seeds" doc:"Like 1001-1008 or 1,2,5. Each cell has a run for each seed."`
	Steps    Value    `json:"steps,omitempty" doc:"Environment steps of each run; the preset's without it."`
	Keys     []Swept  `json:"keys,omitempty" doc:"At most two axes: the first goes across, the second up."`
	Turns    Turns    `json:"turns,omitempty"`
}

// Swept is an axis of a sweep: a setting and its values.
type Swept struct {
	Key    string  `json:"key" doc:"A key of GET /settings."`
	Values []Value `json:"values" doc:"As text or number, in the order of the axis."`
}

// spec returns the sweep that the body asks for.
func (b *StartSweep) spec() (s sweep.Spec, err error) {
	one := Start{Preset: b.Preset, Settings: b.Settings, Steps: b.Steps, Turns: b.Turns}
	if s.Base, err = one.spec(); err != nil {
		return s, err
	}
	if b.Seeds == "" {
		return s, errors.New("seeds is missing: name some, like 1001-1008")
	}
	if s.Seeds, err = trial.ParseSeeds(b.Seeds); err != nil {
		return s, err
	}
	for _, k := range b.Keys {
		axis := sweep.Axis{Key: k.Key}
		for _, v := range k.Values {
			axis.Values = append(axis.Values, string(v))
		}
		s.Keys = append(s.Keys, axis)
	}
	return s, nil
}

// Sweep is the present state of a sweep.
type Sweep struct {
	sweep.Info
	Yours bool `json:"yours" doc:"Whether the key of the request is the sweep's key."`
}

// SweepNamed names a sweep.
type SweepNamed struct {
	ID string `path:"id" doc:"Id of the sweep."`
}

func (a *api) startSweep(ctx context.Context, in *struct {
	Caller
	Body StartSweep
}) (Started, error) {
	key, err := in.own()
	if err != nil {
		return Started{}, err
	}
	spec, err := in.Body.spec()
	if err != nil {
		return Started{}, refuse(err)
	}
	spec.Base.Owner.Address = places.Visitor(ctx)
	s, key, err := a.Sweeps.Start(ctx, spec, key)
	if err != nil {
		return Started{}, err
	}
	return Started{s.ID, key}, nil
}

func (a *api) estimateSweep(ctx context.Context, in *struct{ Body StartSweep }) (sweep.Size, error) {
	spec, err := in.Body.spec()
	if err != nil {
		return sweep.Size{}, refuse(err)
	}
	return a.Sweeps.Estimate(spec)
}

func (a *api) readSweep(ctx context.Context, in *struct {
	Caller
	SweepNamed
}) (Sweep, error) {
	s, err := a.Sweeps.Find(ctx, in.ID)
	if err != nil {
		return Sweep{}, err
	}
	return Sweep{s.Info(), in.key() != "" && s.Owns(in.key())}, nil
}

func (a *api) sweepCurves(ctx context.Context, in *struct {
	SweepNamed
	Cell int `path:"cell" minimum:"0" doc:"Number of the cell in cells, from 0."`
}) (out sweep.Curves, err error) {
	s, err := a.Sweeps.Find(ctx, in.ID)
	if err != nil {
		return out, err
	}
	if cells := s.Spec.Cells(); in.Cell < 0 || in.Cell >= cells {
		return out, problem(http.StatusNotFound, fmt.Sprintf("the sweep has the cells 0 to %d", cells-1))
	}
	return s.Curves(ctx, in.Cell), nil
}

func (a *api) stopSweep(ctx context.Context, in *struct {
	Caller
	SweepNamed
}) (Sweep, error) {
	ctx, cancel := context.WithTimeout(ctx, answerWithin)
	defer cancel()
	s, err := a.Sweeps.Stop(ctx, in.ID, in.key())
	if err != nil {
		return Sweep{}, late(err, answerWithin, "the runs of the sweep have not stopped", "read it again in a moment")
	}
	return Sweep{s.Info(), true}, nil
}

func (a *api) deleteSweep(ctx context.Context, in *struct {
	Caller
	SweepNamed
}) (*struct{}, error) {
	return nil, a.Sweeps.Delete(ctx, in.ID, in.key())
}

func (a *api) sweepCSV(ctx context.Context, in *SweepNamed) (*huma.StreamResponse, error) {
	s, err := a.Sweeps.Find(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	info := s.Info()
	return download(csvType, in.ID+".csv", func(c huma.Context) {
		out := csv.NewWriter(c.BodyWriter())
		head := []string{}
		for _, k := range info.Keys {
			head = append(head, k.Key)
		}
		out.Write(append(head, "seed", "run", "state", "steps", "return_mean_100"))
		for _, one := range info.Cells {
			for _, m := range one.Runs {
				row := append([]string{}, one.Values...)
				out.Write(append(row, strconv.FormatUint(m.Seed, 10), *cmp.Or(m.ID, new(string)), string(m.State),
					strconv.FormatUint(m.Steps, 10), cell(float64(m.Return))))
			}
		}
		out.Flush() // fails only if the client has disconnected
	}), nil
}

// ProgressEvent is "progress": how far a sweep is. The last event has the state done or stopped.
type ProgressEvent struct {
	State  store.State `json:"state"`
	Reason string      `json:"reason"`
	Runs   int         `json:"runs"`
	Over   int         `json:"over"`
	Steps  uint64      `json:"steps_taken"`
}

const (
	sweepEvery = 200 * time.Millisecond // between two looks at a sweep
	endedID    = "over"                 // id of the last event
)

func (a *api) sweepEvents(ctx context.Context, in *struct {
	SweepNamed
	Resume
}) (*huma.StreamResponse, error) {
	if _, err := a.Sweeps.Find(ctx, in.ID); err != nil {
		return nil, err
	}
	var told ProgressEvent
	return a.stream(ctx, 0, sweepEvery, func(to *stream) (<-chan struct{}, error) {
		s, err := a.Sweeps.Find(ctx, in.ID)
		if err != nil {
			return nil, err
		}
		i := s.Info()
		now := ProgressEvent{i.State, i.Reason, i.Runs, i.Over, i.Taken}
		switch {
		case i.State != store.SweepRunning && strings.TrimSpace(in.LastEventID) == endedID:
			to.noMore()
			return nil, hub.ErrClosed
		case i.State != store.SweepRunning:
			return nil, errors.Join(to.event(endedID, "progress", now), hub.ErrClosed)
		case now == told:
			return nil, nil
		}
		told = now
		return nil, to.event("", "progress", now)
	}), nil
}
