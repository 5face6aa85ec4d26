package api

import (
	"context"
	"encoding/csv"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/danielgtaylor/huma/v2"

	"impalab/learner/hyper"
	"impalab/learner/trial"
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
	ID       string            `json:"id"`
	State    string            `json:"state" enum:"running,done,stopped"`
	Reason   string            `json:"reason" doc:"Why it was stopped, for people; may be empty."`
	Yours    bool              `json:"yours" doc:"Whether the key of the request is the sweep's key."`
	Preset   string            `json:"preset"`
	Settings map[string]string `json:"settings" doc:"All settings that its cells have in common, by key."`
	Turns    string            `json:"turns"`
	Keys     []sweep.Axis      `json:"keys" doc:"The first goes across, the second up."`
	Seeds    []uint64          `json:"seeds"`
	Steps    uint64            `json:"steps" doc:"Environment steps of each run."`
	Runs     int               `json:"runs" doc:"Number of runs of the whole sweep."`
	Over     int               `json:"over" doc:"Number of runs that have ended."`
	Taken    uint64            `json:"steps_taken" doc:"Environment steps of all runs together."`
	Cells    []Cell            `json:"cells" doc:"The first key changes fastest."`
	Created  time.Time         `json:"created"`
}

// Cell is one combination of values. Its statistics are over seeds, never over episodes.
type Cell struct {
	Values   []string  `json:"values" doc:"One for each key."`
	IQM      *float64  `json:"iqm" doc:"Interquartile mean of return_mean_100; null before the first."`
	Low      *float64  `json:"low" doc:"Lower end of its 95 % bootstrap interval over seeds."`
	High     *float64  `json:"high" doc:"Upper end."`
	N        int       `json:"n" doc:"Seeds that count."`
	Diverged int       `json:"diverged" doc:"Seeds that diverged. They count with their last return."`
	Over     int       `json:"over" doc:"Runs that have ended, whether they count or not."`
	Runs     []CellRun `json:"runs" doc:"In the order of the seeds."`
}

// CellRun is one run of a cell.
type CellRun struct {
	Seed          uint64   `json:"seed"`
	ID            *string  `json:"id" doc:"Id of the run; null before it starts."`
	State         string   `json:"state" doc:"waiting, then the state of the run; stopped or lost if it does not count."`
	Reason        string   `json:"reason"`
	Steps         uint64   `json:"steps"`
	ReturnMean100 *float64 `json:"return_mean_100"`
}

// SweepOf returns a sweep as the API answers it.
func SweepOf(i sweep.Info, yours bool) Sweep {
	base := &i.Spec.Base
	s := Sweep{ID: i.ID, State: string(i.State), Reason: i.Reason, Yours: yours, Preset: base.Preset,
		Settings: map[string]string{}, Turns: hyper.FormatTurns(base.Turns), Keys: []sweep.Axis{}, Seeds: i.Spec.Seeds,
		Steps: base.Config.Steps, Runs: i.Runs, Over: i.Over, Taken: i.Steps, Created: time.UnixMilli(i.Created).UTC()}
	s.Keys = append(s.Keys, i.Spec.Keys...)
	for _, one := range base.Config.Settings() {
		s.Settings[one.Key] = one.Value
	}
	for _, own := range append([]sweep.Axis{{Key: "seed"}}, i.Spec.Keys...) {
		delete(s.Settings, own.Key)
	}
	for _, c := range i.Cells {
		cell := Cell{Values: append([]string{}, c.Values...), N: c.N, Diverged: c.Diverged, Over: c.Over,
			IQM: store.Finite(float64(c.Return.Mean)), Low: store.Finite(float64(c.Return.Low)),
			High: store.Finite(float64(c.Return.High))}
		for _, m := range c.Runs {
			run := CellRun{Seed: m.Seed, State: StateOfMember(&m), Reason: m.Reason, Steps: m.Steps,
				ReturnMean100: store.Finite(m.Return)}
			if m.Run != "" {
				run.ID = &m.Run
			}
			cell.Runs = append(cell.Runs, run)
		}
		s.Cells = append(s.Cells, cell)
	}
	return s
}

// StateOfMember returns the state of a run of a sweep, in one word.
func StateOfMember(m *sweep.Member) string {
	switch {
	case m.Outcome != "":
		return string(m.Outcome)
	case m.State != "":
		return string(m.State)
	}
	return "waiting"
}

// Curves are the returns of a cell's runs over their steps.
type Curves struct {
	Lines []Line      `json:"lines"`
	Band  []BandPoint `json:"band"`
}

// Line is one run's mean return of the last 100 episodes.
type Line struct {
	Seed  uint64     `json:"seed"`
	Steps []uint64   `json:"steps"`
	At    []*float64 `json:"return_mean_100" doc:"At these steps; null before the first episode."`
}

// BandPoint is the mean of the seeds that have reached a step, with its interval: over seeds, never over episodes.
type BandPoint struct {
	Step uint64  `json:"step"`
	IQM  float64 `json:"iqm"`
	Low  float64 `json:"low"`
	High float64 `json:"high"`
	N    int     `json:"n" doc:"Number of seeds that have reached the step."`
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
	spec.Base.Owner.Address = addressOf(ctx)
	s, key, err := a.Sweeps.Start(ctx, spec, key)
	if err != nil {
		return Started{}, err
	}
	return Started{s.ID(), key}, nil
}

func (a *api) readSweep(ctx context.Context, in *struct {
	Caller
	SweepNamed
}) (Sweep, error) {
	s, err := a.Sweeps.Find(ctx, in.ID)
	if err != nil {
		return Sweep{}, err
	}
	return SweepOf(s.Info(), in.key() != "" && s.Owns(in.key())), nil
}

func (a *api) sweepCurves(ctx context.Context, in *struct {
	SweepNamed
	Cell int `path:"cell" minimum:"0" doc:"Number of the cell in cells, from 0."`
}) (out Curves, err error) {
	s, err := a.Sweeps.Find(ctx, in.ID)
	if err != nil {
		return out, err
	}
	if in.Cell < 0 || in.Cell >= s.Spec().Cells() {
		return out, problem(http.StatusNotFound, fmt.Sprintf("the sweep has the cells 0 to %d", s.Spec().Cells()-1))
	}
	curves := s.Curves(ctx, in.Cell)
	out = Curves{[]Line{}, []BandPoint{}}
	for _, l := range curves.Lines {
		line := Line{Seed: l.Seed, Steps: []uint64{}, At: []*float64{}}
		for i, v := range l.At {
			line.Steps, line.At = append(line.Steps, curves.Step(i)), append(line.At, store.Finite(v))
		}
		out.Lines = append(out.Lines, line)
	}
	for _, p := range curves.Band {
		out.Band = append(out.Band, BandPoint{p.Step, float64(p.Return.Mean), float64(p.Return.Low), float64(p.Return.High),
			p.N})
	}
	return out, nil
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
	return SweepOf(s.Info(), true), nil
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
		for _, k := range info.Spec.Keys {
			head = append(head, k.Key)
		}
		out.Write(append(head, "seed", "run", "state", "steps", "return_mean_100"))
		for _, one := range info.Cells {
			for _, m := range one.Runs {
				row := append([]string{}, one.Values...)
				out.Write(append(row, strconv.FormatUint(m.Seed, 10), m.Run, StateOfMember(&m), strconv.FormatUint(m.Steps, 10),
					cell(m.Return)))
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
	sweepEvery = 200 * time.Millisecond // the shortest time between two events
	endedID    = "over"                 // id of the last event
)

func (a *api) sweepEvents(ctx context.Context, in *struct {
	SweepNamed
	Resume
}) (*huma.StreamResponse, error) {
	s, err := a.Sweeps.Find(ctx, in.ID)
	if err != nil {
		return nil, err
	}
	return a.stream(ctx, sweepEvery, 0, func(to *stream) (<-chan struct{}, error) {
		p, news := s.Progress()
		id, ended := strconv.FormatUint(p.Revision, 10), error(nil)
		if p.State != store.SweepRunning {
			id, ended = endedID, hub.ErrClosed
		}
		if ended != nil && strings.TrimSpace(in.LastEventID) == endedID {
			to.noMore()
			return nil, ended
		}
		return news, errors.Join(to.event(id, "progress", ProgressEvent{p.State, p.Reason, p.Runs, p.Over, p.Steps}), ended)
	}), nil
}
