package lab

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"strings"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/wire"
)

// From a run to its rows in the store and back.

// row is the row of a run that begins now, and its tape so far.
func (c *record) row(spec *Spec) (row store.Run, lines []string, err error) {
	cfg, err := c.tape.At(spec.Config, math.MaxUint64)
	if err != nil {
		return row, nil, err
	}
	row = store.Run{
		ID: c.id, Owner: spec.Owner.Key, Address: spec.Owner.Address, Purpose: spec.Purpose.String(),
		Settings: settingsJSON(spec, &cfg),
		Seed:     strconv.FormatUint(spec.Config.Seed, 10), Build: c.tape.Build, Arithmetic: c.tape.Arithmetic,
		Parent: spec.From.Run, ParentUpdate: int64(spec.From.Update),
		Progress: store.Progress{
			State: store.Queued, Steps: int64(c.stands.Steps), Updates: int64(c.stands.Updates),
			Episodes:      int64(c.stands.Episodes),
			ReturnMean100: c.stands.Mean,
		},
	}
	lines = append([]string{c.header()}, c.news()...)
	c.kept = len(lines) - 1 // once the caller has taken them to the store
	return row, lines, nil
}

// add keeps a run that begins now: its row, and its tape and curves so far.
func (l *Lab) add(ctx context.Context, c *record, spec *Spec, key string) error {
	row, lines, err := c.row(spec)
	if err != nil {
		return err
	}
	err = l.store.Do(ctx, func(tx *store.Tx) error {
		if err := tx.AddRun(row, key); err != nil {
			return err
		}
		return tx.AppendTape(c.id, 1, lines...)
	})
	if err != nil {
		l.noteKept(ctx, err)
		return &errcode.Error{Code: errcode.Full, Err: unstored(err)}
	}
	return nil
}

// header is the first line of the tape.
func (c *record) header() string {
	var line bytes.Buffer
	tape.Begin(&line, c.tape.Header) // a Buffer takes everything
	return strings.TrimSuffix(line.String(), "\n")
}

// news are the lines of the tape that the store does not have. The caller holds mu, or the record is nobody else's yet.
func (c *record) news() (lines []string) {
	var line bytes.Buffer
	for _, e := range c.tape.Events[c.kept:] {
		line.Reset()
		tape.Append(&line, e)
		lines = append(lines, strings.TrimSuffix(line.String(), "\n"))
	}
	return lines
}

// settingsJSON is a configuration as rows have it.
func settingsJSON(spec *Spec, cfg *hyper.Config) string {
	all := map[string]string{"preset": spec.Preset}
	if len(spec.Turns) > 0 {
		all[hyper.TurnsKey] = hyper.FormatTurns(spec.Turns)
	}
	for _, s := range cfg.Settings() {
		all[s.Key] = s.Value
	}
	text, err := json.Marshal(all)
	if err != nil {
		panic(err) // a map of texts
	}
	return string(text)
}

// load is a run that the store has, with its tape and what it has told.
func (l *Lab) load(ctx context.Context, id string) (spec Spec, c *record, err error) {
	var row store.Run
	var lines []string
	var damage error
	var elsewhere string
	told := map[string][]store.Point{}
	err = l.store.View(ctx, func(tx *store.Tx) (err error) {
		if row, err = tx.Run(id); err != nil {
			return err
		}
		if lines, err = tx.Tape(id, 1, tape.MaxEvents); err != nil {
			return err
		}
		all, err := tx.Curves(id)
		for _, one := range all {
			points, err := tx.Curve(id, one.Name, 0, math.MaxInt64)
			if err != nil {
				damage = err // what stands before that is shown
			}
			told[one.Name] = points
		}
		if err == nil && row.State != store.Done && row.State != store.Diverged {
			elsewhere, _, err = tx.SweepOpen(id)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return spec, nil, errUnknownRun
	}
	if err != nil {
		return spec, nil, err
	}
	recorded, fault := tape.ReadLines(lines)
	if recorded == nil {
		return spec, nil, errcode.Errorf(errcode.Conflict, "the run's tape cannot be read: %w", fault)
	}
	if fault != nil {
		damage = fault
	}
	if spec.Config, err = recorded.Config(nil); err != nil {
		return spec, nil, &errcode.Error{Code: errcode.Conflict, Err: err}
	}
	var settings map[string]string
	json.Unmarshal([]byte(row.Settings), &settings) // the store takes nothing but an object
	spec.Preset, spec.Purpose, spec.Owner = settings["preset"], purposeOf(row.Purpose), Owner{row.Owner, row.Address}
	if spec.Turns, err = hyper.ParseTurns(settings[hyper.TurnsKey]); err != nil {
		return spec, nil, &errcode.Error{Code: errcode.Conflict, Err: err}
	}
	spec.From = Origin{row.Parent, uint64(row.ParentUpdate)}
	c = &record{id: id, damage: damage, tape: *recorded, kept: len(recorded.Events), state: row.State, reason: row.Reason,
		elsewhere: elsewhere,
		stands: stands{
			Steps: uint64(row.Steps), Updates: uint64(row.Updates), Episodes: uint64(row.Episodes), Mean: row.ReturnMean100,
			SHA256: row.ParamsSHA256,
		}}
	if update, step := recorded.Last(); update > c.stands.Updates { // kept a moment later than the row
		c.stands.Updates, c.stands.Steps = update, step
	}
	c.seen(told)
	return spec, c, nil
}

// seen takes what the store has of the run's curves. It is told once more, to a topic.
func (c *record) seen(of map[string][]store.Point) {
	c.before.points, c.before.judged = store.PointsOf(of)
	if n := len(c.before.points); n > 0 {
		c.measured = c.before.points[n-1].Step
	}
	if n := len(c.before.judged); n > 0 {
		c.weighed = c.before.judged[n-1].Step
	}
}

// retell tells a topic what the run has told before, in the order of its steps.
func (c *record) retell(r *Run) {
	points, judged := c.before.points, c.before.judged
	c.before = before{}
	tell := func(step uint64) {
		for ; len(points) > 0 && points[0].Step <= step; points = points[1:] {
			r.topic.Publish(points[0], 0)
		}
		for ; len(judged) > 0 && judged[0].Step <= step; judged = judged[1:] {
			r.topic.Publish(judged[0], 0)
		}
	}
	for _, e := range c.tape.Events {
		if e.Kind == tape.Changed {
			tell(e.Step)
			r.topic.Publish(&wire.Changed{Step: e.Step, Update: e.Update, Key: e.Key, From: e.From, To: e.To}, 0)
		}
	}
	tell(math.MaxUint64)
}

// cut is the record of a fork: what its parent's says up to the moment at which it leaves, with the nearest snapshot.
func (l *Lab) cut(ctx context.Context, parent *record, spec *Spec) (*record, error) {
	c := newRecord(store.NewID(), l.opts.Build, spec)
	left := c.tape.Parent
	c.tape = *parent.tape.Before(spec.From.Update) // with who began it: its marks are of that program
	c.tape.Parent = left
	c.stands.Updates, c.stands.Steps = spec.From.Update, c.tape.StepsAt(spec.Config, spec.From.Update)
	c.before = parent.before.upTo(spec.From.Update)
	c.points, c.judged = c.before.points, c.before.judged
	if n := len(c.points); n > 0 {
		c.measured, c.stands.Episodes, c.stands.Mean = c.points[n-1].Step, c.points[n-1].Episodes,
			float64(c.points[n-1].Return)
	}
	if n := len(c.judged); n > 0 {
		c.weighed = c.judged[n-1].Step
	}
	then, err := c.tape.At(spec.Config, math.MaxUint64)
	if err != nil {
		return nil, err
	}
	for update := spec.From.Update; ; update-- {
		kept, err := l.snapshotAt(ctx, parent, update)
		if errors.Is(err, store.ErrNotFound) {
			return c, nil // it is learned again from the beginning
		}
		if err != nil {
			return nil, err
		}
		// One that was taken after a change at the very moment of the fork is of another future.
		if kept.update < spec.From.Update || l.stoodUnder(kept, &then) {
			c.snapshots = []snapshot{kept}
			return c, nil
		}
		if update == 0 {
			return c, nil
		}
	}
}

// stoodUnder reports whether a snapshot's learner had these settings.
func (l *Lab) stoodUnder(kept snapshot, cfg *hyper.Config) bool {
	saved, err := learner.Engine{Lower: graph.Lower}.Resume(kept.blob)
	if err != nil {
		return false
	}
	defer saved.Close()
	return len(saved.Config().Diff(cfg)) == 0
}
