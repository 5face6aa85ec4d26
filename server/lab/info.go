package lab

import (
	"context"
	"encoding/json"
	"errors"
	"math"
	"slices"
	"strings"

	"impalab/learner/device"
	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/learner/tape"
	"impalab/server/store"
	"impalab/web/hub"
	"impalab/web/wire"
)

// Info is what may be known of a run by whoever knows its name.
type Info struct {
	ID                       string
	State                    store.State
	Reason                   string // why it is in that state, for people; ""
	Preset                   string
	Settings                 map[string]string // in force, by key
	Turns                    string            // planned, as links have them
	Purpose                  string
	Name                     string
	From                     Origin
	Build, Arithmetic        string
	Computed                 device.Choice // what its network is computed on; the zero Choice while the run is not held
	Steps, Updates, Episodes uint64
	ReturnMean100            float64 // NaN before the first episode
	ParamsSHA256             string  // "" while it is not known
	Created, Changed         int64   // milliseconds since 1970

	Remotes   []remote.Info // actors of other processes that play for it now; nil while the run is not held
	Outsiders []tape.Event  // actors that the run has believed, as its tape says; nil in lists
}

// Info describes a run. One that is held says how it stands now, any other how it stood.
func (l *Lab) Info(ctx context.Context, id string) (Info, error) {
	var row store.Run
	var lines []string
	err := l.store.View(ctx, func(tx *store.Tx) (err error) {
		if row, err = tx.Run(id); err != nil {
			return err
		}
		if lines, err = tx.Tape(id, 1, tape.MaxEvents); err != nil {
			return err
		}
		return l.whereElse(tx, &row)
	})
	if errors.Is(err, store.ErrNotFound) {
		return Info{}, errUnknownRun
	}
	l.mu.Lock()
	r := l.runs[id]
	l.mu.Unlock()
	if err == nil && r != nil && r.record.elsewhere == "" {
		row.Progress = r.progress()
		row.Settings = r.settings()
	}
	i := infoOf(row)
	i.Outsiders = outsiders(lines)
	if r != nil {
		i.Outsiders = r.record.outsiders()
		i.Computed = r.record.computedOn()
		i.Remotes = append([]remote.Info{}, r.remote.Infos()...)
	}
	return i, err
}

// Stands is how a run that is held stands at this moment.
type Stands struct {
	store.Progress
	Config hyper.Config // in force
	Lost   bool         // it is a live run that was interrupted, and cannot go on
	Gone   bool         // it is not held any more
}

// Stands says how the run stands.
func (r *Run) Stands() Stands {
	s := Stands{Progress: r.progress(), Gone: r.ctx.Err() != nil}
	r.mu.Lock()
	defer r.mu.Unlock()
	s.Config = r.cfg
	s.Lost = wire.Over(r.state) && (r.reason == errLiveGone.Error() || r.reason == errLiveLeaves.Error())
	return s
}

// outsiders are the actors that a run has believed, from its tape.
func outsiders(lines []string) []tape.Event {
	few := slices.DeleteFunc(slices.Clone(lines), func(line string) bool {
		return !strings.HasPrefix(line, `{"tape"`) && !strings.Contains(line, `"kind":"outside"`)
	})
	recorded, _ := tape.ReadLines(few)
	if recorded == nil {
		return nil
	}
	return recorded.Outsiders()
}

func infoOf(row store.Run) Info {
	i := Info{
		ID: row.ID, State: row.State, Reason: row.Reason, Purpose: row.Purpose, Name: row.Name,
		From: Origin{row.Parent, uint64(row.ParentUpdate)}, Build: row.Build, Arithmetic: row.Arithmetic,
		Steps: uint64(row.Steps), Updates: uint64(row.Updates), Episodes: uint64(row.Episodes),
		ReturnMean100: row.ReturnMean100, ParamsSHA256: row.ParamsSHA256, Created: row.Created, Changed: row.Changed,
	}
	json.Unmarshal([]byte(row.Settings), &i.Settings) // the store takes nothing but an object
	i.Preset = i.Settings["preset"]
	i.Turns = i.Settings[hyper.TurnsKey]
	delete(i.Settings, "preset")
	delete(i.Settings, hyper.TurnsKey)
	return i
}

// StateOf is a state of the wire as the store and the API name it.
func StateOf(state uint8) store.State { return stored(state, false, false) }

// List is the runs of whoever has this key, newest first: at most limit, after a place in the list. Next is the zero
// Cursor at the end.
func (l *Lab) List(ctx context.Context, key string, after store.Cursor, limit int) (runs []Info, next store.Cursor,
	err error) {
	err = l.store.View(ctx, func(tx *store.Tx) error {
		runs = nil
		rows, end, err := tx.RunsOf(HashKey(key), after, limit)
		for _, row := range rows {
			runs = append(runs, infoOf(row))
		}
		next = end
		return err
	})
	return runs, next, err
}

// Told is all that a run has told, as of one moment.
type Told struct {
	Info
	Lines  []string                 // of its tape
	Curves map[string][]store.Point // by name
}

// Told is a run with its tape and its curves.
func (l *Lab) Told(ctx context.Context, id string) (t Told, err error) {
	err = l.settled(ctx, id, func(tx *store.Tx) error {
		row, err := tx.Run(id)
		if err == nil {
			err = l.whereElse(tx, &row)
		}
		if err != nil {
			return err
		}
		t.Info = infoOf(row)
		if t.Lines, err = tx.Tape(id, 1, tape.MaxEvents); err == nil {
			t.Outsiders = outsiders(t.Lines)
			t.Curves, err = curvesOf(tx, id)
		}
		return err
	})
	l.mu.Lock()
	r := l.runs[id]
	l.mu.Unlock()
	if r != nil {
		t.Computed = r.record.computedOn()
	}
	return t, err
}

// Tape is a run's tape as it stands.
func (l *Lab) Tape(ctx context.Context, id string) (lines []string, err error) {
	err = l.settled(ctx, id, func(tx *store.Tx) (err error) {
		if lines, err = tx.Tape(id, 1, tape.MaxEvents); err == nil && len(lines) == 0 {
			err = store.ErrNotFound
		}
		return err
	})
	return lines, err
}

// Curves are a run's curves by name.
func (l *Lab) Curves(ctx context.Context, id string) (curves map[string][]store.Point, err error) {
	err = l.settled(ctx, id, func(tx *store.Tx) error {
		if _, err := tx.Run(id); err != nil {
			return err
		}
		curves, err = curvesOf(tx, id)
		return err
	})
	return curves, err
}

// settled looks at a run when the store has all of it; while the store cannot keep anything, at what it has.
func (l *Lab) settled(ctx context.Context, id string, look func(*store.Tx) error) error {
	if err := l.settle(ctx, id); err != nil && l.stuck() == nil {
		return err
	}
	err := l.store.View(ctx, look)
	if errors.Is(err, store.ErrNotFound) {
		return errUnknownRun
	}
	return err
}

func curvesOf(tx *store.Tx, id string) (map[string][]store.Point, error) {
	curves := map[string][]store.Point{}
	all, err := tx.Curves(id)
	for _, series := range all {
		if curves[series.Name], err = tx.Curve(id, series.Name, 0, math.MaxInt64); err != nil {
			return nil, err
		}
	}
	return curves, err
}

// Owned is a run that this key belongs to, held until Leave.
func (l *Lab) Owned(ctx context.Context, id, key string) (*Run, error) {
	v, err := l.join(ctx, id, key)
	if err != nil {
		return nil, err
	}
	if !v.steers {
		v.Leave()
		return nil, errUnknownRun
	}
	return v.Run, nil
}

// Join is a run as whoever has this key may have it, held until Leave: anybody may look at it. What it tells comes
// through Subscribe.
func (l *Lab) Join(ctx context.Context, id, key string) (hub.Run, error) {
	v, err := l.join(ctx, id, key)
	if err != nil {
		return nil, err
	}
	return v, nil
}
