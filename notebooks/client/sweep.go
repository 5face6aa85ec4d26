package client

import (
	"context"
	"fmt"
)

// SweepSpec describes a new sweep: a run for each seed in each cell. The cells are all combinations of the values of at
// most two settings.
type SweepSpec struct {
	Preset   string   `json:"preset,omitempty"`
	Settings Settings `json:"settings,omitempty"`
	Seeds    string   `json:"seeds"`           // like 1001-1008
	Steps    uint64   `json:"steps,omitempty"` // of each run; 0: the preset's
	Keys     []Axis   `json:"keys,omitempty"`  // the first changes fastest
}

// Axis is a setting of a sweep and its values.
type Axis struct {
	Key    string `json:"key"`
	Values []any  `json:"values"` // numbers or texts
}

// Sweep is a sweep on the server.
type Sweep struct {
	ID, Key string
	client  *Client
}

// SweepState is the state of a sweep.
type SweepState struct {
	State  string `json:"state"` // running, done or stopped
	Reason string `json:"reason"`
	Runs   int    `json:"runs"`
	Over   int    `json:"over"`
	Cells  []Cell `json:"cells"`
}

// Cell is one combination. Its figures are over seeds: the interquartile mean of the mean return of the last hundred
// episodes, and its 95 % bootstrap interval; nil before the first run is over.
type Cell struct {
	Values         []string `json:"values"` // one for each key
	IQM, Low, High *float64
	N              int `json:"n"` // the number of seeds
	Diverged       int `json:"diverged"`
}

// BandPoint is the mean and interval at a step over the seeds of a cell that have reached it.
type BandPoint struct {
	Step           uint64
	IQM, Low, High float64
	N              int
}

// StartSweep starts a sweep.
func (c *Client) StartSweep(ctx context.Context, spec SweepSpec) (*Sweep, error) {
	s := &Sweep{client: c}
	return s, c.json(ctx, "POST", "/sweeps", c.Key, spec, s)
}

// Read returns the state of the sweep.
func (s *Sweep) Read(ctx context.Context) (state SweepState, err error) {
	return state, s.client.json(ctx, "GET", "/sweeps/"+s.ID, "", nil, &state)
}

// Wait reads the sweep until it is over.
func (s *Sweep) Wait(ctx context.Context) (SweepState, error) {
	return poll(ctx, s.Read, func(state SweepState) bool { return state.State != "running" })
}

// Band returns the curve of a cell, by its index among the cells.
func (s *Sweep) Band(ctx context.Context, cell int) ([]BandPoint, error) {
	var curves struct{ Band []BandPoint }
	err := s.client.json(ctx, "GET", fmt.Sprintf("/sweeps/%s/cells/%d", s.ID, cell), "", nil, &curves)
	return curves.Band, err
}
