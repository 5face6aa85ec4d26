package lab

import (
	"context"
	"errors"
	"fmt"
	"math"
	"slices"
	"strings"
	"time"

	"impalab/learner/device"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/learner/trial"
	"impalab/server/errcode"
	"impalab/server/places"
	"impalab/server/store"
)

// Info is the present state of a run, for everybody who knows its name. It is the API's answer.
type Info struct {
	ID            string            `json:"id"`
	State         store.State       `json:"state" enum:"queued,running,paused,resting,done,diverged"`
	Reason        string            `json:"reason" doc:"Reason of the state, for people; may be empty."`
	Steps         uint64            `json:"steps" doc:"Environment steps learned from."`
	Updates       uint64            `json:"updates"`
	Episodes      uint64            `json:"episodes"`
	ReturnMean100 trial.Number      `json:"return_mean_100" nullable:"true" doc:"Mean return of the last 100 episodes; null before the first."`
	ParamsSHA256  string            `json:"params_sha256" doc:"Hash of the parameters when it was last computed; empty before."`
	Preset        string            `json:"preset" doc:"Preset that the settings started from."`
	Settings      map[string]string `json:"settings" doc:"All settings in force, by key."`
	Parent        *tape.Parent      `json:"parent" doc:"Origin of a fork; else null."`
	Purpose       string            `json:"purpose"`
	Build         string            `json:"build" doc:"Build of the server that started the run."`
	Arithmetic    string            `json:"arithmetic" doc:"Arithmetic that decides the bits of the parameters."`
	Device        *device.Choice    `json:"device" doc:"Device that computes the network; null while the server does not hold the run."`
	Actors        []RemoteActor     `json:"actors" doc:"Remote actors of the run, present ones and former ones whose data the run used. Null in lists, and if the run never had one and the server does not hold it."`
	Created       time.Time         `json:"created"`
	Changed       time.Time         `json:"changed"`

	Turns string `json:"-"` // planned changes, as links have them
}

// RemoteActor is an actor in another process.
type RemoteActor struct {
	Since   *uint64      `json:"since,omitempty" doc:"First update that may have used data of the actor without a check, as the tape says. Absent: the server replays each block of the actor."`
	Name    string       `json:"name" doc:"Name that the actor chose."`
	Playing bool         `json:"playing" doc:"Whether the actor plays; else it waits."`
	Steps   uint64       `json:"steps" doc:"Environment steps of the actor that the run learned from."`
	Lag     trial.Number `json:"lag" nullable:"true" doc:"Mean number of updates between the parameters that played and the parameters that learned; null before the first."`
}

// Info describes a run: as it is now if it is held, else as the store has it.
func (l *Lab) Info(ctx context.Context, id string) (i Info, err error) {
	var row store.Run
	var few []string // lines of the tape
	err = l.view(ctx, func(tx *store.Tx) (err error) {
		if row, err = tx.Run(id); err != nil {
			return err
		}
		if few, err = tx.TapeOutside(id); err == nil {
			_, err = l.describe(tx, &row)
		}
		return err
	})
	if err != nil {
		return i, err
	}
	r := l.run(id)
	if r != nil && !r.record.elsewhere {
		row.Progress, row.Settings = r.progress(), r.settings()
	}
	i = infoOf(row)
	if recorded, _ := tape.ReadLines(few); recorded != nil {
		i.addOutsiders(recorded)
	}
	if r == nil {
		return i, nil
	}
	i.Device = r.device()
	all := []RemoteActor{}
	for _, a := range r.remote.Infos() {
		all = append(all, RemoteActor{Name: a.Name, Playing: a.Playing, Steps: a.Steps, Lag: trial.Number(a.Lag)})
	}
	for _, former := range i.Actors {
		at := slices.IndexFunc(all, func(a RemoteActor) bool { return a.Name == former.Name })
		if at < 0 {
			all = append(all, former)
		} else {
			all[at].Since = former.Since
		}
	}
	i.Actors = all
	return i, nil
}

// row reads a run with the lines of its tape. Elsewhere reports that another process trains it, or none yet.
func (l *Lab) row(tx *store.Tx, id string) (row store.Run, lines []string, elsewhere bool, err error) {
	if row, err = tx.Run(id); err == nil {
		lines, err = tx.Tape(id, 1, tape.MaxEvents)
	}
	if err == nil {
		elsewhere, err = l.describe(tx, &row)
	}
	return row, lines, elsewhere, err
}

// device returns the device of the run's network, or nil before there is a learner.
func (r *Run) device() *device.Choice {
	r.record.Lock()
	defer r.record.Unlock()
	if choice := r.record.computed; choice.Name != "" {
		return &choice
	}
	return nil
}

// Status is the present state of a hosted run.
type Status struct {
	store.Progress
	Config hyper.Config // in force
	Lost   bool         // it is a live run that was interrupted, and cannot continue
	Gone   bool         // it has left memory
}

// Status returns the present state of the run.
func (r *Run) Status() Status {
	state, reason := r.Now()
	return Status{Progress: r.progress(), Config: r.Config(), Gone: r.ctx.Err() != nil,
		Lost: state.Over() && (reason == errLiveGone.Error() || reason == errLiveLeaves.Error())}
}

// addOutsiders adds the trusted actors of other processes that a tape names.
func (i *Info) addOutsiders(recorded *tape.Tape) {
	for _, e := range recorded.Outsiders() {
		since := e.Update + 1
		i.Actors = append(i.Actors, RemoteActor{Name: e.By, Since: &since, Lag: trial.None})
	}
}

func infoOf(row store.Run) Info {
	at := positionOf(&row)
	i := Info{
		ID: row.ID, State: row.State, Reason: row.Reason, Purpose: row.Purpose, Build: row.Build, Arithmetic: row.Arithmetic,
		Steps: at.Steps, Updates: at.Updates, Episodes: at.Episodes, ReturnMean100: trial.Number(at.Mean),
		ParamsSHA256: at.SHA256, Created: time.UnixMilli(row.Created).UTC(), Changed: time.UnixMilli(row.Changed).UTC(),
	}
	if row.Parent != "" {
		i.Parent = &tape.Parent{Run: row.Parent, Update: uint64(row.ParentUpdate)}
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

// History is all stored data of a run, at one moment.
type History struct {
	Info
	Lines  []string                 // of its tape
	Tape   *tape.Tape               // as far as it can be read
	Curves map[string][]store.Point // by name
}

// WithHistory calls use with a run, its tape and its curves: when the store has all of it, or as the store has it while
// nothing can be stored. Only a few runs are in memory so at once, which addresses have in rotation; use must not wait
// for a client.
func (l *Lab) WithHistory(ctx context.Context, id string, use func(*History) error) error {
	return l.histories.Do(ctx, 0, func(ctx context.Context) error {
		told, err := l.history(ctx, id)
		if err != nil {
			return err
		}
		return use(&told)
	})
}

func newHistories() *places.Places {
	return places.New(places.Limits{What: "reading this run", Total: 4, Each: 2, Within: 10 * time.Second})
}

func (l *Lab) history(ctx context.Context, id string) (t History, err error) {
	if err := l.flushed(ctx, id); err != nil {
		return t, err
	}
	err = l.view(ctx, func(tx *store.Tx) error {
		row, lines, _, err := l.row(tx, id)
		if err != nil {
			return err
		}
		t.Info, t.Lines = infoOf(row), lines
		t.Curves, err = curvesOf(tx, id, wholeCurve)
		return err
	})
	if err != nil {
		return t, err
	}
	if t.Tape, err = readTape(t.Lines); t.Tape == nil {
		return t, err
	}
	t.addOutsiders(t.Tape)
	if r := l.run(id); r != nil {
		t.Device = r.device()
	}
	return t, nil
}

// flushed takes a run to the store, unless nothing can be stored.
func (l *Lab) flushed(ctx context.Context, id string) error {
	if err := l.Flush(ctx, id); err != nil && l.stuck() == nil {
		return err
	}
	return nil
}

// Stamp returns a text that changes whenever Told would.
func (l *Lab) Stamp(ctx context.Context, id string) (stamp string, err error) {
	if err := l.flushed(ctx, id); err != nil {
		return "", err
	}
	err = l.view(ctx, func(tx *store.Tx) error {
		row, err := tx.Run(id)
		if err != nil {
			return err
		}
		lines, err := tx.TapeLen(id)
		stamp = fmt.Sprintf("%s %d %d %d %d", id, row.Changed, row.Updates, row.Steps, lines)
		return err
	})
	if r := l.run(id); r != nil && err == nil {
		stamp += fmt.Sprint(r.device() != nil)
	}
	return stamp, err
}

// tapePage is how many lines of a tape are in memory at once while it is sent.
const tapePage = 256

// EachLine calls take with pieces of a run's tape, each with whole lines, as the store has it by then.
func (l *Lab) EachLine(ctx context.Context, id string, take func(lines string) error) error {
	if err := l.flushed(ctx, id); err != nil {
		return err
	}
	for first := int64(1); ; first += tapePage {
		var lines []string
		if err := l.view(ctx, func(tx *store.Tx) (err error) {
			if _, err = tx.Run(id); err == nil {
				lines, err = tx.Tape(id, first, tapePage)
			}
			return err
		}); err != nil || len(lines) == 0 {
			return err
		}
		if err := take(strings.Join(lines, "\n") + "\n"); err != nil {
			return err
		}
	}
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
	err := l.writeDown(ctx, []*Run{r}, whole)
	if err == nil {
		err = l.storeSnapshots(ctx, r, usual)
	}
	if errors.Is(err, store.ErrNotFound) { // deleted meanwhile
		err = errUnknownRun
	}
	return err
}

// settle flushes a run and loads it from the store.
func (l *Lab) settle(ctx context.Context, id string) (Spec, *record, error) {
	if err := l.Flush(ctx, id); err != nil {
		return Spec{}, nil, err
	}
	return l.load(ctx, id)
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
	points, err = store.Get(ctx, l.store, func(tx *store.Tx) ([]store.Point, error) {
		return tx.Curve(id, store.CurveReturn, 0, math.MaxInt64)
	})
	for _, p := range fresh {
		if n := len(points); n == 0 || p.Step > points[n-1].Step {
			points = append(points, p)
		}
	}
	return points, err
}
