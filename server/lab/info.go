package lab

import (
	"context"
	"errors"
	"math"
	"slices"
	"strings"

	"impalab/learner/device"
	"impalab/learner/hyper"
	"impalab/learner/remote"
	"impalab/learner/tape"
	"impalab/server/errcode"
	"impalab/server/store"
)

// Info is what anybody who knows its name may know of a run.
type Info struct {
	ID                       string
	State                    store.State
	Reason                   string // of the state, for people; or ""
	Preset                   string
	Settings                 map[string]string // in force, by key
	Turns                    string            // planned changes, as links have them
	Purpose                  string
	Name                     string
	From                     Origin
	Build, Arithmetic        string
	Computed                 device.Choice // what its network is computed on; the zero Choice while it is not held
	Steps, Updates, Episodes uint64
	ReturnMean100            float64 // NaN before the first episode
	ParamsSHA256             string  // "" while it is not known
	Created, Changed         int64   // milliseconds since 1970

	Remotes   []remote.Info // actors of other processes that play for it now; nil while it is not held
	Outsiders []tape.Event  // trusted actors of other processes, from its tape; nil in lists
}

// Info describes a run: as it is now if it is held, else as the store has it.
func (l *Lab) Info(ctx context.Context, id string) (Info, error) {
	var row store.Run
	var lines []string
	err := l.view(ctx, func(tx *store.Tx) (err error) {
		if row, err = tx.Run(id); err != nil {
			return err
		}
		if lines, err = tx.Tape(id, 1, tape.MaxEvents); err != nil {
			return err
		}
		return l.describe(tx, &row)
	})
	if err != nil {
		return Info{}, err
	}
	r := l.run(id)
	if r != nil && !r.record.elsewhere {
		row.Progress, row.Settings = r.progress(), r.settings()
	}
	i := infoOf(row)
	i.Outsiders = outsiders(lines)
	if r != nil {
		r.record.Lock()
		i.Outsiders, i.Computed = r.record.Tape.Outsiders(), r.record.computed
		r.record.Unlock()
		i.Remotes = append([]remote.Info{}, r.remote.Infos()...)
	}
	return i, nil
}

// Stands is a run that is held, at this moment.
type Stands struct {
	store.Progress
	Config hyper.Config // in force
	Lost   bool         // it is a live run that was interrupted, and cannot continue
	Gone   bool         // it is held no more
}

// Stands describes the run at this moment.
func (r *Run) Stands() Stands {
	state, reason := r.Now()
	return Stands{Progress: r.progress(), Config: r.Config(), Gone: r.ctx.Err() != nil,
		Lost: state.Over() && (reason == errLiveGone.Error() || reason == errLiveLeaves.Error())}
}

// outsiders returns the trusted actors of other processes, from a tape.
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
	at := positionOf(&row)
	i := Info{
		ID: row.ID, State: row.State, Reason: row.Reason, Purpose: row.Purpose, Name: row.Name,
		From: Origin{Run: row.Parent, Update: uint64(row.ParentUpdate)}, Build: row.Build, Arithmetic: row.Arithmetic,
		Steps: at.Steps, Updates: at.Updates, Episodes: at.Episodes, ReturnMean100: at.Mean, ParamsSHA256: at.SHA256,
		Created: row.Created, Changed: row.Changed,
	}
	i.Settings, i.Preset, i.Turns = ReadSettings(row.Settings)
	return i
}

// List returns at most limit runs of a key, newest first, after a cursor. Next is the zero Cursor at the end.
func (l *Lab) List(ctx context.Context, key string, after store.Cursor, limit int) (runs []Info, next store.Cursor,
	err error) {
	var rows []store.Run
	err = l.store.View(ctx, func(tx *store.Tx) (err error) {
		rows, next, err = tx.RunsOf(HashKey(key), after, limit)
		return err
	})
	for _, row := range rows {
		runs = append(runs, infoOf(row))
	}
	return runs, next, err
}

// Told is all that a run has told, at one moment.
type Told struct {
	Info
	Lines  []string                 // of its tape
	Curves map[string][]store.Point // by name
}

// Told returns a run with its tape and its curves.
func (l *Lab) Told(ctx context.Context, id string) (t Told, err error) {
	err = l.stored(ctx, id, func(tx *store.Tx) error {
		row, err := tx.Run(id)
		if err == nil {
			err = l.describe(tx, &row)
		}
		if err != nil {
			return err
		}
		t.Info = infoOf(row)
		if t.Lines, err = tx.Tape(id, 1, tape.MaxEvents); err == nil {
			t.Outsiders = outsiders(t.Lines)
			t.Curves, err = curvesOf(tx, id, wholeCurve)
		}
		return err
	})
	if r := l.run(id); r != nil {
		r.record.Lock()
		t.Computed = r.record.computed
		r.record.Unlock()
	}
	return t, err
}

// Tape returns the lines of a run's tape.
func (l *Lab) Tape(ctx context.Context, id string) (lines []string, err error) {
	err = l.stored(ctx, id, func(tx *store.Tx) (err error) {
		if lines, err = tx.Tape(id, 1, tape.MaxEvents); err == nil && len(lines) == 0 {
			err = store.ErrNotFound
		}
		return err
	})
	return lines, err
}

// Curves returns a run's curves by name.
func (l *Lab) Curves(ctx context.Context, id string) (curves map[string][]store.Point, err error) {
	err = l.stored(ctx, id, func(tx *store.Tx) (err error) {
		if _, err = tx.Run(id); err == nil {
			curves, err = curvesOf(tx, id, wholeCurve)
		}
		return err
	})
	return curves, err
}

func wholeCurve(string) int64 { return 0 }

// Flush takes all there is of a run to the store.
func (l *Lab) Flush(ctx context.Context, id string) error {
	r := l.run(id)
	if r == nil {
		return nil
	}
	if err := l.stuck(); err != nil { // the scribe tries again, for all
		return &errcode.Error{Code: errcode.Full, Err: err}
	}
	r.record.Touch()
	return l.writeDown(ctx, []*Run{r}, whole)
}

// settle flushes a run and loads it from the store.
func (l *Lab) settle(ctx context.Context, id string) (Spec, *record, error) {
	if err := l.Flush(ctx, id); err != nil {
		return Spec{}, nil, err
	}
	return l.load(ctx, id)
}

// stored reads a run when the store has all of it; while nothing can be stored, as the store has it.
func (l *Lab) stored(ctx context.Context, id string, read func(*store.Tx) error) error {
	if err := l.Flush(ctx, id); err != nil && l.stuck() == nil {
		return err
	}
	return l.view(ctx, read)
}

// view reads the store.
func (l *Lab) view(ctx context.Context, read func(*store.Tx) error) error {
	err := l.store.View(ctx, read)
	if errors.Is(err, store.ErrNotFound) {
		return errUnknownRun
	}
	return err
}

// Returns returns the points of a run's mean return: the stored points, if the store can be read, and the points that
// are not stored yet.
func (l *Lab) Returns(ctx context.Context, id string) (points []store.Point, err error) {
	var fresh []store.Point
	if r := l.run(id); r != nil { // before the store, or points that are stored meanwhile would be in neither
		r.record.Lock()
		fresh = store.CurvesOf(r.record.Points, nil)[store.CurveReturn]
		r.record.Unlock()
	}
	err = l.store.View(ctx, func(tx *store.Tx) (err error) {
		points, err = tx.Curve(id, store.CurveReturn, 0, math.MaxInt64)
		return err
	})
	for _, p := range fresh {
		if n := len(points); n == 0 || p.Step > points[n-1].Step {
			points = append(points, p)
		}
	}
	return points, err
}
