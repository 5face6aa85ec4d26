package lab

import (
	"bytes"
	"cmp"
	"context"
	"encoding/gob"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"impalab/learner/device"
	"impalab/learner/hyper"
	"impalab/learner/tape"
	"impalab/server/errcode"
	"impalab/server/store"
	"impalab/web/runloop"
	"impalab/web/watch"
)

// record is the past of a run, and notes how much of it the store has. A run writes to it and never waits; the scribe
// takes the rest to the store. Its mutex guards the fields after it.
type record struct {
	id        string
	elsewhere bool        // another process trains the run, or none yet (elsewhere.go)
	fixed     bool        // the run may not be changed
	state     store.State // in the store when the lab came to hold the run; "": it is new
	reason    string      // of the state
	damage    error       // why not all of the store could be read: the run can be looked at and forked, but not continue

	*runloop.Record
	job      Job           // that training the run is; nil: none
	computed device.Choice // device of the network; the zero Choice before there is a learner
	curved   time.Time     // when the curves were last stored
	stored   int           // events of the tape that the store has
	waiting  []chan<- error
	// snapshots that the store does not have yet
	snapshots []runloop.Snapshot
	shares    uint64 // update of the parent's snapshot that a new fork shares; 0: none
}

// Job is a claim to train a run that other processes may train too. The run is stored while Hold succeeds; it fails
// with store.ErrLost once another process has the claim.
type Job interface {
	Heartbeat(tx *store.Tx, snapshots bool) error
}

func newRecord(spec *Spec, build string) *record {
	return &record{id: store.NewID(), Record: runloop.NewRecord(&spec.Config, build)}
}

// NewRun returns the rows of a run that begins now: of its settings, and the lines of its tape.
func (l *Lab) NewRun(spec *Spec) (store.Run, []string) {
	return newRecord(spec, l.opts.Build).row(spec)
}

func (c *record) row(spec *Spec) (row store.Run, lines []string) {
	cfg, err := c.Tape.At(spec.Config, math.MaxUint64)
	if err != nil {
		panic(err) // its changes were in force in this build
	}
	row = store.Run{
		ID: c.id, Owner: spec.Owner.Key, Address: spec.Owner.Address, Purpose: spec.Purpose.String(),
		Settings: SettingsJSON(&spec.Link, &cfg), Seed: strconv.FormatUint(spec.Config.Seed, 10),
		Build: c.Tape.Build, Arithmetic: c.Tape.Arithmetic, Parent: spec.From.Run, ParentUpdate: int64(spec.From.Update),
		Progress: progressOf(store.Queued, "", c.At),
	}
	lines = append([]string{line(func(b *bytes.Buffer) { tape.Begin(b, c.Tape.Header) })}, c.news()...)
	c.stored = len(lines) - 1
	return row, lines
}

func progressOf(state store.State, reason string, at runloop.Position) store.Progress {
	return store.Progress{State: state, Reason: reason, Steps: int64(at.Steps), Updates: int64(at.Updates),
		Episodes: int64(at.Episodes), ReturnMean100: at.Mean, ParamsSHA256: at.SHA256}
}

func positionOf(row *store.Run) runloop.Position {
	return runloop.Position{Steps: uint64(row.Steps), Updates: uint64(row.Updates), Episodes: uint64(row.Episodes),
		Mean: row.ReturnMean100, SHA256: row.ParamsSHA256}
}

// line returns one line of a tape.
func line(write func(*bytes.Buffer)) string {
	var b bytes.Buffer
	write(&b) // a Buffer takes everything
	return strings.TrimSuffix(b.String(), "\n")
}

// news returns the lines of the tape that the store does not have. The caller holds the mutex, or has the only pointer.
func (c *record) news() (lines []string) {
	for _, e := range c.Tape.Events[c.stored:] {
		lines = append(lines, line(func(b *bytes.Buffer) { tape.Append(b, e) }))
	}
	return lines
}

// add stores a run that begins now: its row and its tape.
func (l *Lab) add(ctx context.Context, c *record, spec *Spec) error {
	row, lines := c.row(spec)
	err := l.store.Do(ctx, func(tx *store.Tx) error {
		if err := tx.AddRun(row); err != nil {
			return err
		}
		if err := tx.AppendTape(c.id, 1, lines...); err != nil || c.shares == 0 {
			return err
		}
		err := tx.ShareSnapshot(c.id, spec.From.Run, int64(c.shares))
		if errors.Is(err, store.ErrNotFound) { // deleted meanwhile: the fork is recomputed
			return nil
		}
		return err
	})
	if errcode.Of(err) != "" {
		return err
	}
	if err != nil {
		l.noteKept(ctx, err)
		return &errcode.Error{Code: errcode.Full, Err: Unstored(err)}
	}
	return nil
}

// SettingsJSON returns settings in force as rows have them, with the preset and the planned changes of their link.
func SettingsJSON(link *hyper.Link, cfg *hyper.Config) string {
	all := map[string]string{"preset": link.Preset}
	if len(link.Turns) > 0 {
		all[hyper.PlanKey] = hyper.FormatPlan(link.Turns)
	}
	for _, s := range cfg.Settings() {
		all[s.Key] = s.Value
	}
	return store.JSON(all)
}

// ReadSettings is the inverse of SettingsJSON. The store takes nothing but an object.
func ReadSettings(text string) (settings map[string]string, preset, turns string) {
	json.Unmarshal([]byte(text), &settings)
	preset, turns = settings["preset"], settings[hyper.PlanKey]
	delete(settings, "preset")
	delete(settings, hyper.PlanKey)
	return settings, preset, turns
}

// load reads a run from the store, with its tape and its curves.
func (l *Lab) load(ctx context.Context, id string) (spec Spec, c *record, err error) {
	var row store.Run
	var lines []string
	c = &record{id: id, Record: &runloop.Record{}}
	var told map[string][]store.Point
	err = l.view(ctx, func(tx *store.Tx) (err error) {
		if row, lines, c.elsewhere, err = l.row(tx, id); err == nil {
			told, c.damage = curvesOf(tx, id, wholeCurve)
		}
		return err
	})
	if err != nil {
		return spec, nil, err
	}
	recorded, fault := readTape(lines)
	if recorded == nil {
		return spec, nil, fault
	}
	c.damage = cmp.Or(fault, c.damage)
	_, preset, turns := ReadSettings(row.Settings)
	spec = Spec{Link: hyper.Link{Preset: preset}, Purpose: purposeOf(row.Purpose), Owner: Owner{row.Owner, row.Address},
		From: Origin{Run: row.Parent, Update: uint64(row.ParentUpdate)}}
	if spec.Config, err = recorded.Config(nil); err == nil {
		spec.Turns, err = hyper.ParsePlan(turns)
	}
	if err != nil {
		return spec, nil, &errcode.Error{Code: errcode.Conflict, Err: err}
	}
	c.Tape, c.stored, c.state, c.reason, c.At = *recorded, len(recorded.Events), row.State, row.Reason, positionOf(&row)
	if update, step := recorded.Last(); update > c.At.Updates { // stored a moment later than the row
		c.At.Updates, c.At.Steps = update, step
	}
	c.Record.SetPublished(store.PointsOf(told))
	return spec, c, nil
}

// readTape returns the tape as far as it can be read, and the fault that ends it; nil if its first line is damaged.
func readTape(lines []string) (*tape.Tape, error) {
	recorded, fault := tape.ReadLines(lines)
	if recorded == nil {
		return nil, errcode.Errorf(errcode.Conflict, "the run's tape cannot be read: %w", fault)
	}
	return recorded, fault
}

// curvesOf reads a run's curves from the steps on that from returns for each. It returns what can be read, and the last
// error.
func curvesOf(tx *store.Tx, id string, from func(name string) int64) (map[string][]store.Point, error) {
	curves := map[string][]store.Point{}
	all, failed := tx.Curves(id)
	for _, one := range all {
		points, err := tx.Curve(id, one.Name, from(one.Name), math.MaxInt64)
		if err != nil {
			failed = err
		}
		curves[one.Name] = points
	}
	return curves, failed
}

// snapshotAt returns the newest snapshot at or before an update. If the error is store.ErrDamaged, its Update is set.
func (l *Lab) snapshotAt(ctx context.Context, c *record, update uint64) (found runloop.Snapshot, err error) {
	kept, err := store.Get(ctx, l.store, func(tx *store.Tx) (store.Snapshot, error) {
		return tx.SnapshotAt(c.id, int64(update))
	})
	if err == nil {
		found, err = unpack(kept)
	}
	found.Update = uint64(kept.Update)
	if err != nil && !errors.Is(err, store.ErrNotFound) && !errors.Is(err, store.ErrDamaged) {
		return found, err
	}
	c.Lock()
	defer c.Unlock()
	for _, s := range c.snapshots {
		if s.Update <= update && s.Update >= found.Update {
			found, err = s, nil
		}
	}
	return found, err
}

// packed comes before the learner in a stored snapshot, as gob.
type packed struct {
	Reported watch.Reported
	Changes  int
}

func pack(s runloop.Snapshot) []byte {
	var b bytes.Buffer
	if err := gob.NewEncoder(&b).Encode(packed{s.Reported, s.Changes}); err != nil {
		panic(err) // numbers
	}
	return slices.Concat(b.Bytes(), s.Blob)
}

func unpack(kept store.Snapshot) (s runloop.Snapshot, err error) {
	var head packed
	rest := bytes.NewReader(kept.Data) // gob reads no further than it must from one
	if err := gob.NewDecoder(rest).Decode(&head); err != nil {
		return s, fmt.Errorf("%w: the snapshot of update %d: %w", store.ErrDamaged, kept.Update, err)
	}
	return runloop.Snapshot{Update: uint64(kept.Update), Step: uint64(kept.Step), Reported: head.Reported,
		Changes: head.Changes, Blob: kept.Data[len(kept.Data)-rest.Len():]}, nil
}

// mostOutsiders is how many actors of other processes the tape names.
const mostOutsiders = 64

// outside puts a trusted actor of another process on the tape before it sends anything: its data cannot be replayed.
func (c *record) outside(name string) {
	c.Lock()
	defer c.Unlock()
	known := c.Tape.Outsiders()
	if len(known) >= mostOutsiders || c.Tape.End() != nil ||
		slices.ContainsFunc(known, func(e tape.Event) bool { return e.By == name }) {
		return
	}
	update, step := c.Tape.Last()
	if c.At.Updates > update {
		update, step = c.At.Updates, c.At.Steps
	}
	c.AppendLocked(tape.Event{Kind: tape.Outside, Update: update, Step: step, By: name})
}
