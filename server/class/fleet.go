package class

// The fleet: students' browsers are the actors of one run. The server plays each of their blocks again before the run
// learns from it. The run is an ordinary run of the lab. The room has its key, and holds it while the fleet is on and
// the room is in use.

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"maps"
	"reflect"
	"slices"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/web/actorwire"
	"impalab/web/exercise"
)

// storedFleet is a room's fleet in the store. Without a run, the room has had none yet.
type storedFleet struct {
	On       bool              `json:"on"`
	Run      string            `json:"run"`
	Settings map[string]string `json:"settings"` // of the run, and of the one after an interruption
	Again    int               `json:"again"`    // restarts after interruptions
}

// FleetChange is a teacher's change of the fleet; nil or empty fields stay.
type FleetChange struct {
	On       *bool             `json:"on,omitempty" doc:"Students' browsers act; otherwise they rest, and the run with them."`
	Settings map[string]string `json:"settings,omitempty" doc:"Start another run with these, by key as in a link of the Lab: {\"preset\": \"cartpole\"}. Without mode it is live, with one actor of the server's own; arithmetic is plain."`
	Set      map[string]string `json:"set,omitempty" doc:"Change these settings of the run while it learns, like {\"correction\": \"none\"}. Send nothing else with it."`

	Address string `json:"-"` // of the teacher
}

// fleet is a running fleet. The room's mu guards its fields. A nil fleet has no actors.
type fleet struct {
	name    string             // of its run
	stop    context.CancelFunc // ends the goroutine that holds the run
	run     *lab.Run           // nil while it is not held
	trouble string             // why it is not held, for people
	actors  map[int64]*actor   // by member
	curve   exercise.Curve     // of the run's return
}

// fleetEvery is the time between two looks at the run.
const fleetEvery = time.Second

var (
	errNoFleets  = errcode.Errorf(errcode.Conflict, "this server's rooms have no fleets")
	errNotHere   = actorwire.Final{Reason: "you are no longer in this room"}
	errElsewhere = actorwire.Final{Reason: "you act in another window now"}
	errFleetOff  = actorwire.Final{Reason: "the fleet is switched off"}
	errFleetNext = errors.New("the fleet acts for another run now")  // the actors reconnect
	errFleetWait = errors.New("the fleet's run has not started yet") // the actors reconnect
)

func (f *fleet) empty() bool { return f == nil || len(f.actors) == 0 }

// dismiss disconnects a member's actor.
func (f *fleet) dismiss(member int64, why error) {
	if f != nil && f.actors[member] != nil {
		f.actors[member].Dismiss(why)
	}
}

// endFleet disconnects all actors and lets the run go. The caller holds mu.
func (r *Room) endFleet(why error) {
	if r.fleet == nil {
		return
	}
	for _, a := range r.fleet.actors {
		a.Dismiss(why)
	}
	r.fleet.stop()
	r.fleet = nil
}

// fleetKey returns the key of the fleet's runs, which follows from the room's secret.
func (r *Room) fleetKey() string { return hex.EncodeToString(draw(r.secret, "fleet"))[:32] }

func settingList(from map[string]string) (list []hyper.Setting) {
	for _, key := range slices.Sorted(maps.Keys(from)) {
		list = append(list, hyper.Setting{Key: key, Value: from[key]})
	}
	return list
}

// fleetSpec returns the run that a fleet's settings describe.
func fleetSpec(settings map[string]string) (spec lab.Spec, err error) {
	asked := settingList(settings)
	for _, s := range []hyper.Setting{{Key: "mode", Value: string(hyper.Live)}, {Key: "actors", Value: "1"}} {
		if _, named := settings["mode"]; !named && settings[s.Key] == "" {
			asked = append(asked, s)
		}
	}
	if spec, err = lab.Watched(asked); err != nil {
		return spec, err
	}
	cfg := &spec.Config
	switch {
	case len(spec.Unknown) > 0:
		return spec, errcode.Errorf(errcode.Refused, "there is no setting %.40q", spec.Unknown[0])
	case cfg.Arithmetic == hyper.Fused:
		return spec, errcode.Errorf(errcode.Refused, "arithmetic=%s: browsers compute in arithmetic=%s, or what they send "+
			"could not be checked", cfg.Arithmetic, hyper.Plain)
	case cfg.Mode != hyper.Live && cfg.Collect != hyper.CollectTrajectory:
		return spec, errcode.Errorf(errcode.Refused, "mode=%s: in lockstep as many students play as the run has actors; set "+
			"collect=%s, and actors to the number of your students, or choose mode=%s", cfg.Mode, hyper.CollectTrajectory,
			hyper.Live)
	}
	cfg.Arithmetic = hyper.Plain
	if err := actorwire.Admit(cfg, learner.RemoteCopies(cfg)); err != nil {
		return spec, errcode.Refuse(err)
	}
	return spec, nil
}

// startFleet starts a run for the fleet at an address.
func (r *Room) startFleet(ctx context.Context, settings map[string]string, address string) (f storedFleet, err error) {
	spec, err := fleetSpec(settings)
	if err != nil {
		return f, err
	}
	spec.Owner.Address = address
	run, _, err := r.rooms.opts.Runs.Start(ctx, spec, r.fleetKey())
	if err != nil {
		return f, err
	}
	return storedFleet{On: true, Run: run.ID, Settings: maps.Clone(settings)}, nil
}

// changeFleet makes a teacher's change of the fleet in next, and starts a run if the change asks for one. A closed room
// has no fleet. The caller holds changing.
func (r *Room) changeFleet(ctx context.Context, next *Settings, closed bool, c *FleetChange) (err error) {
	switch {
	case c == nil:
	case r.rooms.opts.Runs == nil:
		return errNoFleets
	case closed && (c.On != nil && *c.On || len(c.Settings) > 0):
		return errClosed
	case len(c.Settings) > 0:
		if next.Fleet, err = r.startFleet(ctx, c.Settings, c.Address); err != nil {
			return err
		}
	case next.Fleet.Run == "":
		return errcode.Errorf(errcode.Refused, "this room has had no fleet yet: send the settings of its run")
	}
	if c != nil && c.On != nil {
		next.Fleet.On = *c.On
	}
	next.Fleet.On = next.Fleet.On && !closed
	return nil
}

// steerFleet changes settings of the fleet's run while it learns, and waits until they are in force.
func (r *Room) steerFleet(ctx context.Context, c Change) error {
	set := c.Fleet.Set
	c.Fleet.Set = nil
	if c.Fleet.On != nil || len(c.Fleet.Settings) > 0 || !reflect.DeepEqual(c, Change{Fleet: c.Fleet}) {
		return errcode.Errorf(errcode.Refused, "set is a change of its own: send nothing else with it")
	}
	r.mu.Lock()
	f := r.fleet
	var run *lab.Run
	if f != nil {
		run = f.run
	}
	r.mu.Unlock()
	if run == nil {
		return errcode.Errorf(errcode.Conflict, "no fleet acts in this room now: switch it on first")
	}
	if _, err := run.Patch(ctx, settingList(set)); err != nil {
		return err
	}
	r.changing.Lock()
	defer r.changing.Unlock()
	if r.set.Fleet.Run != f.name {
		return nil // the teacher has started another
	}
	next := r.set
	next.Fleet.Settings = maps.Clone(next.Fleet.Settings)
	maps.Copy(next.Fleet.Settings, set) // also for a restart after an interruption
	return r.setSettings(ctx, next, r.closed)
}

// switchFleet starts or ends the fleet as the settings say. The caller holds mu, or no one else has the room yet.
func (r *Room) switchFleet() {
	is := r.set.Fleet
	on := is.On && r.rooms.opts.Runs != nil && !r.deleted && r.rooms.ctx.Err() == nil
	if r.fleet != nil {
		if on && r.fleet.name == is.Run {
			return
		}
		why := error(errFleetOff)
		if on {
			why = errFleetNext
		}
		if r.fleet.name != is.Run {
			r.tallies = nil
		}
		r.endFleet(why)
	}
	if !on {
		return
	}
	ctx, stop := context.WithCancel(r.rooms.ctx)
	f := &fleet{name: is.Run, stop: stop, actors: map[int64]*actor{}}
	r.fleet = f
	r.rooms.gone.Go(func() { r.superviseRun(ctx, f) }) // ends with the fleet or with Close
}

// superviseRun keeps a fleet's run in memory, and restarts it after an interruption.
func (r *Room) superviseRun(ctx context.Context, f *fleet) {
	tick := time.NewTicker(fleetEvery)
	defer tick.Stop()
	for ctx.Err() == nil {
		run := r.openRun(ctx, f)
		if run != nil && r.watchRun(ctx, f, run, tick.C) && r.restartFleet(ctx, f) {
			return // a new fleet acts for the new run
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
		}
	}
}

// openRun holds the fleet's run; nil if it cannot be held.
func (r *Room) openRun(ctx context.Context, f *fleet) *lab.Run {
	runs := r.rooms.opts.Runs
	run, err := runs.Owned(ctx, f.name, r.fleetKey())
	if ctx.Err() != nil {
		if err == nil {
			run.Leave()
		}
		return nil
	}
	var past []store.Point
	if err == nil {
		past, _ = runs.Returns(ctx, f.name) // the chart begins later if the curves cannot be read
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		f.trouble = "The run cannot continue: " + err.Error() + ". Begin another."
		return nil
	}
	f.run, f.trouble = run, ""
	is := run.Status()
	f.curve.Budget = fleetBudget(&is.Config)
	for _, p := range past {
		f.curve.Reach(uint64(p.Step), p.Value)
	}
	return run
}

// fleetBudget returns the steps of the run's chart: a million for a run without an end.
func fleetBudget(cfg *hyper.Config) uint64 { return cmp.Or(cfg.Steps, 1_000_000) }

// restartFleet starts a run with the same settings after an interruption. It returns false if that is not possible yet.
func (r *Room) restartFleet(ctx context.Context, f *fleet) bool {
	r.changing.Lock()
	defer r.changing.Unlock()
	r.mu.Lock()
	other := r.fleet != f
	r.mu.Unlock()
	if other || ctx.Err() != nil {
		return true
	}
	next := r.set
	again, err := r.startFleet(ctx, next.Fleet.Settings, "room "+r.code)
	if err == nil {
		again.Again = next.Fleet.Again + 1
		next.Fleet = again
		err = r.setSettings(ctx, next, r.closed)
	}
	if err != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		f.trouble = "The run was interrupted, and cannot restart yet: " + err.Error()
	}
	return err == nil
}

// watchRun draws the run's curve until ctx ends or the run cannot continue, and reports whether it is lost. It lets the
// run wait while no student acts: the server's own actors would learn the task before a class has joined.
func (r *Room) watchRun(ctx context.Context, f *fleet, run *lab.Run, tick <-chan time.Time) (lost bool) {
	defer run.Leave()
	for {
		is := run.Status()
		r.mu.Lock()
		if is.Gone || is.Lost {
			f.run = nil
			r.mu.Unlock()
			return is.Lost
		}
		f.curve.Budget = fleetBudget(&is.Config)
		f.curve.Reach(uint64(is.Steps), is.ReturnMean100)
		empty := f.empty()
		r.mu.Unlock()
		if empty && is.State == store.Running || !empty && is.State == store.Paused {
			run.Wait(empty) // the next look repeats it if it was refused
		}
		select {
		case <-tick:
		case <-ctx.Done():
			return false
		}
	}
}
