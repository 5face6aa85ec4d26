package class

// The class is the fleet of actors: the students' browsers play for one run, and the server plays each block again
// before the run learns from it. The run is an ordinary one of the lab's; the room has its key, and holds it as long as
// the fleet is on and the room is in use.

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"maps"
	"math"
	"slices"
	"time"

	"impalab/learner"
	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/web/actorwire"
)

// keptFleet is a room's fleet as the store has it.
type keptFleet struct {
	On       bool              `json:"on"`
	Run      string            `json:"run"`
	Settings map[string]string `json:"settings"` // that another run of the same kind begins with
	Again    int               `json:"again"`    // how often it has begun again because it was interrupted
}

// FleetChange is what a teacher changes of the fleet; nil or empty: as it is.
type FleetChange struct {
	On       *bool             `json:"on,omitempty" doc:"Students' browsers act; else they rest, and the run with them."`
	Settings map[string]string `json:"settings,omitempty" doc:"Begin another run with these, by key as a link of the Lab has them: {\"preset\": \"cartpole\"}. Without mode it is live, with one actor of the server's own; arithmetic is plain."`
	Set      map[string]string `json:"set,omitempty" doc:"Change these settings of the run while it learns, like {\"correction\": \"none\"}. It is a change of its own: send nothing else with it."`

	Address string `json:"-"` // of whoever asks
}

// fleet is a fleet that acts. All of it is under the room's mu, but for what never changes. A nil fleet is nobody.
type fleet struct {
	of      string             // its run
	stop    context.CancelFunc // ends who holds the run
	run     *lab.Run           // held; nil while it is not
	trouble string             // why it is not, for people
	seats   map[int64]*seat    // by member: one each
	curve   curve              // of the run's return
}

// fleetEvery is how often a fleet's run is looked at.
const fleetEvery = time.Second

var (
	errNoFleets  = errcode.Errorf(errcode.Conflict, "this server's rooms have no fleets")
	errNotHere   = actorwire.Final{Reason: "you are not in this room any more"}
	errElsewhere = actorwire.Final{Reason: "you act in another window now"}
	errFleetOff  = actorwire.Final{Reason: "the fleet is switched off"}
	errFleetNext = errors.New("the fleet acts for another run now") // they come back by themselves
	errFleetWait = errors.New("the fleet's run is not there yet")   // likewise
)

// empty reports whether nobody acts.
func (f *fleet) empty() bool { return f == nil || len(f.seats) == 0 }

// dismiss sends a member's actor away.
func (f *fleet) dismiss(member int64, why error) {
	if f != nil && f.seats[member] != nil {
		f.seats[member].leave(why)
	}
}

// end sends all away, and lets the run go.
func (f *fleet) end(why error) {
	if f == nil {
		return
	}
	for member := range f.seats {
		f.dismiss(member, why)
	}
	f.stop()
}

// fleetKey is the key of all runs of the room's fleet. It follows from the room's secret, so nothing has to be kept.
func (r *Room) fleetKey() string { return hex.EncodeToString(draw(r.secret, "fleet"))[:32] }

// fleetSpec is the run that a fleet's settings describe.
func fleetSpec(settings map[string]string) (spec lab.Spec, err error) {
	var asked []hyper.Setting
	for _, key := range slices.Sorted(maps.Keys(settings)) {
		asked = append(asked, hyper.Setting{Key: key, Value: settings[key]})
	}
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
		return spec, errcode.Errorf(errcode.Refused, "arithmetic=%s: browsers compute in arithmetic=%s, or what they "+
			"send could not be checked",
			cfg.Arithmetic, hyper.Plain)
	case cfg.Mode != hyper.Live && cfg.Collect != hyper.CollectTrajectory:
		return spec, errcode.Errorf(errcode.Refused, "mode=%s: in lockstep as many play as the run has actors; set "+
			"collect=%s, and actors to the "+
			"number of your students, or choose mode=%s", cfg.Mode, hyper.CollectTrajectory, hyper.Live)
	}
	cfg.Arithmetic = hyper.Plain
	if err := actorwire.Admit(cfg, learner.RemoteCopies(cfg)); err != nil {
		return spec, errcode.Errorf(errcode.Refused, "%w", err)
	}
	return spec, nil
}

// changeFleet works a teacher's change of the fleet into next, and begins the run that it asks for. A room that is
// closed has no fleet. The caller holds changing.
func (r *Room) changeFleet(ctx context.Context, next *Settings, closed bool, c *FleetChange) error {
	if is := next.Fleet; is != nil {
		kept := *is
		next.Fleet = &kept
	}
	switch {
	case c == nil:
	case r.rooms.opts.Runs == nil:
		return errNoFleets
	case closed && (c.On != nil && *c.On || len(c.Settings) > 0):
		return errClosed
	case len(c.Settings) > 0:
		spec, err := fleetSpec(c.Settings)
		if err != nil {
			return err
		}
		spec.Owner.Address = c.Address
		run, _, err := r.rooms.opts.Runs.Start(ctx, spec, r.fleetKey())
		if err != nil {
			return err
		}
		next.Fleet = &keptFleet{On: true, Run: run.ID(), Settings: maps.Clone(c.Settings)}
	case next.Fleet == nil:
		return errcode.Errorf(errcode.Refused, "this room has had no fleet yet: send the settings of its run")
	}
	if c != nil && c.On != nil {
		next.Fleet.On = *c.On
	}
	if closed && next.Fleet != nil {
		next.Fleet.On = false
	}
	return nil
}

// steerFleet changes settings of the fleet's run while it learns, and waits until they are in force.
func (r *Room) steerFleet(ctx context.Context, c Change) error {
	set := c.Fleet.Set
	c.Fleet.Set = nil
	if c.Fleet.On != nil || len(c.Fleet.Settings) > 0 || c != (Change{Fleet: c.Fleet}) {
		return errcode.Errorf(errcode.Refused, "set is a change of its own: send nothing else with it")
	}
	r.mu.Lock()
	f := r.fleet
	r.mu.Unlock()
	if f == nil || f.held(r) == nil {
		return errcode.Errorf(errcode.Conflict, "no fleet acts in this room now: switch it on first")
	}
	var settings []hyper.Setting
	for _, key := range slices.Sorted(maps.Keys(set)) {
		settings = append(settings, hyper.Setting{Key: key, Value: set[key]})
	}
	if _, err := f.held(r).Patch(ctx, settings); err != nil {
		return err
	}
	r.changing.Lock()
	defer r.changing.Unlock()
	if r.set.Fleet == nil || r.set.Fleet.Run != f.of {
		return nil // there is another by now
	}
	next := r.set
	kept := *next.Fleet
	kept.Settings = maps.Clone(kept.Settings)
	maps.Copy(kept.Settings, set) // one that begins again begins so
	next.Fleet = &kept
	return r.keepSettings(ctx, next, r.closed)
}

// held is the fleet's run, or nil while it is not held.
func (f *fleet) held(r *Room) *lab.Run {
	r.mu.Lock()
	defer r.mu.Unlock()
	return f.run
}

// act has the fleet be what the room's settings say. The caller holds mu, or nobody else has the room yet.
func (r *Room) act() {
	kept := r.set.Fleet
	on := kept != nil && kept.On && r.rooms.opts.Runs != nil && !r.deleted &&
		r.rooms.ctx.Err() == nil
	if on && r.fleet != nil && r.fleet.of == kept.Run {
		return
	}
	if r.fleet != nil {
		why := error(errFleetOff)
		if on {
			why = errFleetNext
		}
		if r.fleet.of != kept.Run {
			r.tallies = nil
		}
		r.fleet.end(why)
		r.fleet = nil
	}
	if !on {
		return
	}
	ctx, stop := context.WithCancel(r.rooms.ctx)
	f := &fleet{of: kept.Run, stop: stop, seats: map[int64]*seat{}}
	r.fleet = f
	r.rooms.gone.Go(func() { r.holdRun(ctx, f) }) // ends with the fleet, or with Close
}

// rest lets the run go until somebody comes back to the room.
func (r *Room) rest() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fleet.end(errFleetWait)
	r.fleet = nil
}

// holdRun holds a fleet's run, begins it again where it was interrupted and cannot go on, and draws its curve.
func (r *Room) holdRun(ctx context.Context, f *fleet) {
	tick := time.NewTicker(fleetEvery)
	defer tick.Stop()
	var run *lab.Run
	defer func() {
		if run != nil {
			run.Leave()
		}
	}()
	for {
		if run == nil {
			run = r.takeRun(ctx, f)
		}
		if run != nil {
			switch is := run.Stands(); {
			case is.Gone, is.Lost:
				r.mu.Lock()
				f.run = nil
				r.mu.Unlock()
				run.Leave()
				run = nil
				if is.Lost && r.beginAgain(ctx, f) {
					return // another fleet acts for that
				}
			default:
				r.drawRun(f, &is)
				r.pace(f, run, &is)
			}
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return
		}
	}
}

// takeRun holds the fleet's run, if it can be held.
func (r *Room) takeRun(ctx context.Context, f *fleet) *lab.Run {
	runs := r.rooms.opts.Runs
	run, err := runs.Owned(ctx, f.of, r.fleetKey())
	if ctx.Err() != nil {
		if err == nil {
			run.Leave()
		}
		return nil
	}
	var past []store.Point
	if err == nil {
		curves, _ := runs.Curves(ctx, f.of) // what cannot be read is not drawn
		past = curves[store.CurveReturn]
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		f.trouble = "The run cannot go on: " + err.Error() + ". Begin another."
		return nil
	}
	f.run, f.trouble = run, ""
	budget := run.Stands().Config.Steps
	for _, p := range past {
		f.curve.add(budget, uint64(p.Step), p.Value)
	}
	return run
}

// beginAgain begins a run of the same settings for a fleet whose run was interrupted; false: it cannot yet.
func (r *Room) beginAgain(ctx context.Context, f *fleet) bool {
	r.changing.Lock()
	defer r.changing.Unlock()
	r.mu.Lock()
	another := r.fleet != f
	r.mu.Unlock()
	if another || ctx.Err() != nil {
		return true
	}
	next := r.set
	kept := *next.Fleet
	next.Fleet = &kept
	spec, err := fleetSpec(kept.Settings)
	if err == nil {
		spec.Owner.Address = "room " + r.code
		var run *lab.Run
		if run, _, err = r.rooms.opts.Runs.Start(ctx, spec, r.fleetKey()); err == nil {
			kept.Run, kept.Again = run.ID(), kept.Again+1
			err = r.keepSettings(ctx, next, r.closed)
		}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if err != nil {
		f.trouble = "The run was interrupted, and cannot begin again yet: " + err.Error()
		return false
	}
	r.act()
	return true
}

// drawRun adds to the curve what the run has come to.
func (r *Room) drawRun(f *fleet, is *lab.Stands) {
	r.mu.Lock()
	defer r.mu.Unlock()
	f.curve.add(is.Config.Steps, uint64(is.Steps), is.ReturnMean100)
}

// pace has the run wait while nobody acts: the server's own actors would learn all there is to learn before a class has
// joined. The caller holds the run.
func (r *Room) pace(f *fleet, run *lab.Run, is *lab.Stands) {
	r.mu.Lock()
	nobody := f.empty()
	r.mu.Unlock()
	if nobody && is.State == store.Running || !nobody && is.State == store.Paused {
		run.Wait(nobody) // or at the next look
	}
}

// add adds the points that a run of a budget has come to; one that has no end is drawn over a million steps.
func (c *curve) add(budget, steps uint64, mean float64) {
	budget = cmp.Or(budget, 1_000_000)
	if math.IsNaN(mean) {
		return
	}
	c.steps = steps
	for len(c.points) < curvePoints && steps >= budget*uint64(len(c.points)+1)/curvePoints {
		c.points = append(c.points, math.Round(mean*100)/100)
	}
}
