package runloop

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"math"
	"reflect"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/program"
	"impalab/learner/remote"
	"impalab/learner/tape"
	"impalab/learner/telemetry"
	"impalab/web/actorwire"
	"impalab/web/hub"
	"impalab/web/watch"
	"impalab/web/wire"
)

// stops are the places where processes leave a run, in the order in which a run meets them.
var stops = []struct {
	name  string
	after float64 // updates of the process; a fraction is the part of an update that its agents have played
	how   how
}{
	{"SIGTERM between two updates", 2, sigterm},
	{"SIGTERM while the first agent plays", 0.2, sigterm},
	{"SIGTERM while the last agent plays", 0.9, sigterm},
	{"SIGTERM during a snapshot", 1, inSnapshot},
	{"giving way", 1, giveWay},
	{"a kill", 3.5, kill},
}

// how is how a process leaves a run.
type how int

const (
	sigterm    how = iota // the learner stops where it looks, and its state is stored
	inSnapshot            // as with sigterm, while the host stores a snapshot
	giveWay               // the host needs the run's memory
	kill                  // a snapshot and a record that is one update newer are all that is left
)

// way is how a run continues.
type way int

const (
	sameProcess way = iota // with its record in memory; not after a kill
	restart                // with its stored record
	otherHost              // with its stored record, on other cores, in vectors of another width
	ways
)

var wayNames = [ways]string{"in the same process", "after a restart", "on another host"}

// updates is how many updates a run makes. The stops leave some for the last process.
const updates = 15

// combined are runs with several settings that have state.
var combined = []struct{ name, preset, changes string }{
	{"whole episodes of two sharers", "catch", "hidden=8 algo=laser mix=0.5 replay-by=episode sharers=2"},
	{"a suite with PopArt and a core", "tiny", "popart=on batch=12 mix=0.5 lstm=8 hidden=8"},
	{"rounds played ahead", "catch", "hidden=8 lag=2 collect=trajectory actors=4"},
	{fleet, "cartpole", "hidden=8 unroll=5 collect=trajectory actors=4"},
}

// fleet is a run for which two actors play through the wire.
const fleet = "a fleet"

// TestARunIsTheSameAfterAnyStop trains a run for each value of each setting. Each run meets each stop and continues in
// each way: in one run the first stop is followed by the first way, the second stop by the second way and so on, and
// the next run begins with the next way. A stop that is no kill leaves a state of the newest update. After each update
// the parameters are the undisturbed run's, and at the end all of its state, curve and changes are.
func TestARunIsTheSameAfterAnyStop(t *testing.T) {
	if testing.Short() {
		t.Skip("it trains for a minute of processor time")
	}
	runs, live := kit.Settings(t, updates)
	for _, c := range combined {
		cfg := kit.Config(t, c.preset, c.changes)
		cfg.Steps = uint64(updates * cfg.Advance())
		runs = append(runs, kit.Setting{Name: c.name, Link: hyper.Link{Preset: c.preset, Config: cfg}})
	}
	for _, setting := range runs {
		t.Run(setting.Name, func(t *testing.T) {
			whole := &stopped{Setting: setting, t: t}
			whole.train()
			for first := range ways {
				run := &stopped{Setting: setting, t: t, whole: whole, way: first}
				for run.train() {
				}
				if run.made != len(stops) {
					t.Errorf("%d stops, want %d", run.made, len(stops))
				}
				if run.Name == fleet && run.tally.Count().Unrolls == 0 {
					t.Error("the fleet played nothing")
				}
				if got, want := run.end(), whole.end(); !reflect.DeepEqual(got, want) {
					t.Errorf("after all stops, the first continued %s:\n%.2000s\nwant\n%.2000s", wayNames[first], got, want)
				}
			}
		})
	}
	t.Logf("%d runs × %d stops × %d ways; %d live settings have no bytes to compare", len(runs), len(stops), ways, live)
}

// stopped hosts a run that is stopped and continued.
type stopped struct {
	kit.Setting
	t     *testing.T
	whole *stopped // the undisturbed run; nil: this one is not disturbed
	way   way      // in which this process continued it

	run    *Run
	l      *learner.Learner
	remote *remote.Actors
	tally  remote.Tally // of the fleet
	hashes []string     // of the parameters before each update
	kept   Snapshot     // Blob is nil before the first
	stored *Record      // what a kill leaves
	made   int          // stops so far

	leave   func()
	steps   atomic.Int64 // that the agents' worlds have made in this process
	atSteps atomic.Int64 // at a stop inside an update; 0: it has not come to that update
	updates int          // of this process
}

// train trains the run in one process. It reports whether the process was stopped.
func (s *stopped) train() bool {
	ctx, cancel := context.WithCancelCause(s.t.Context())
	defer cancel(nil)
	why := error(Interrupted("the server is stopping"))
	s.leave, s.updates = func() {}, -1
	s.atSteps.Store(0)
	if s.whole != nil && s.made < len(stops) {
		stop := &stops[s.made]
		switch stop.how {
		case giveWay:
			why = GiveWay
		case kill:
			why = errors.New("killed")
		}
		s.leave = func() { cancel(why) }
		if stop.how == giveWay {
			s.leave = func() { s.run.Interrupt(GiveWay) }
		}
	}
	s.begin()
	if s.way == otherHost {
		levels := kernel.Vectors()
		if len(levels) > 0 {
			defer kernel.Use(levels[len(levels)-1])()
		}
		defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(3))
	}
	s.remote = remote.NewActors()
	if s.Name == fleet && s.whole != nil {
		defer lend(s.t, s.remote, &s.tally)()
		defer lend(s.t, s.remote, &s.tally)()
	}
	s.steps.Store(0)
	stepped.Store(s)
	defer stepped.Store(nil)
	switch err := s.run.Train(ctx); err {
	case nil:
		return false
	case why:
		stop := &stops[s.made]
		if at := s.l.Updates(); stop.how != kill && s.kept.Update != at {
			s.t.Fatalf("%s: the run stopped at update %d, and its newest state is of update %d", stop.name, at, s.kept.Update)
		}
		s.made++
		s.way = (s.way + 1) % ways
		return true
	default:
		s.t.Fatal(err)
		return false
	}
}

// begin prepares the run for a process.
func (s *stopped) begin() {
	killed := s.made > 0 && stops[s.made-1].how == kill
	record := NewRecord(&s.Link.Config, "test")
	switch {
	case s.made == 0:
	case s.way == sameProcess && !killed:
		s.run.Resume()
		s.run.Happens(Queue, 0, "")
		s.run.Happens(Admit, 0, "")
		return
	case killed:
		record = s.stored
	default:
		record = store(s.t, s.run.Record)
	}
	var topics hub.Hub
	s.run = &Run{ID: "r", Link: &s.Link, Topic: topics.Topic(100, 0), Record: record, Host: s}
	s.run.Begin(Running, "")
}

// store returns the record as a host reads it back.
func store(t *testing.T, c *Record) *Record {
	t.Helper()
	var text bytes.Buffer
	tape.Begin(&text, c.Tape.Header)
	for _, e := range c.Tape.Events {
		tape.Append(&text, e)
	}
	read, err := tape.Read(&text)
	if err != nil {
		t.Fatal(err)
	}
	back := &Record{Tape: *read, At: c.At}
	back.SetPublished(upTo(c.Points, func(*wire.Point) bool { return false }),
		upTo(c.Judged, func(*wire.Judged) bool { return false }))
	return back
}

// end returns all that must be the same.
func (s *stopped) end() (all []string) {
	all = append(all, fmt.Sprintf("%+v", s.l.Result()), fmt.Sprintf("the last snapshot is %x", sha256.Sum256(s.kept.Blob)))
	for _, e := range s.run.Record.Tape.Events {
		if e.Kind == tape.Changed || e.Kind == tape.Ended {
			all = append(all, fmt.Sprintf("%+v", e))
		}
	}
	for _, p := range s.run.Record.Points {
		point := *p
		point.Event = 0 // the topic's number
		all = append(all, fmt.Sprintf("%+v", point))
	}
	return all
}

// lend has an actor play for a run through the messages of the wire, until it is sent away.
func lend(t *testing.T, actors *remote.Actors, tally *remote.Tally) (away func()) {
	r, err := actors.Join("test", true, tally)
	if err != nil {
		t.Fatal(err)
	}
	var a actorwire.Actor
	answer := func(o *remote.Order) error {
		if o.Place != nil {
			if _, err := a.Hear(actorwire.PlaceMessage(o.Place), func(telemetry.Episode) {}); err != nil {
				return err
			}
		}
		block, err := a.Hear(&wire.Order{Number: o.Number, Version: o.Version, Theta: o.Theta}, func(telemetry.Episode) {})
		if err != nil {
			return err
		}
		unrolls, after, err := actorwire.Unpack(block, a.Config())
		if err != nil {
			return err
		}
		return r.Deliver(&remote.Block{Number: o.Number, Unrolls: unrolls, After: after})
	}
	var gone sync.WaitGroup
	gone.Go(func() { // ends when the actor leaves
		for {
			select {
			case o := <-r.Orders():
				if err := answer(o); err != nil && r.Why() == nil {
					t.Error(err)
				}
			case <-r.Done():
				return
			}
		}
	})
	return func() { r.Leave(); gone.Wait() }
}

// programs has the programs of all networks so far.
var programs = map[string]*program.Program{}

// lowered makes each program once.
func lowered(spec net.Spec, steps, batch int, tangent bool) (p *program.Program, err error) {
	key := fmt.Sprint(spec.Text(), steps, batch, tangent)
	if p = programs[key]; p == nil {
		p, err = graph.Lower(spec, steps, batch, tangent)
		programs[key] = p
	}
	return p, err
}

// Learner implements Host.
func (s *stopped) Learner() (_ *learner.Learner, _ watch.Reported, err error) {
	engine := learner.Engine{Lower: lowered, Remotes: s.remote}
	if s.kept.Blob == nil {
		s.l, err = engine.New(s.Link.Config)
	} else {
		s.l, err = engine.Resume(s.kept.Blob)
	}
	return s.l, s.kept.Reported, err
}

// Breathe is called before each update. It compares the parameters with the undisturbed run's, and leaves the run.
func (s *stopped) Breathe() {
	s.updates++
	hash := s.l.ParamsSHA256()
	if s.whole == nil {
		s.hashes = append(s.hashes, hash)
		return
	}
	if want := s.whole.hashes[s.l.Updates()]; hash != want && s.made > 0 {
		s.t.Fatalf("update %d begins with other parameters after %s, continued %s", s.l.Updates(), stops[s.made-1].name,
			wayNames[s.way])
	}
	if s.made == len(stops) {
		return
	}
	stop := &stops[s.made]
	if (stop.how == inSnapshot || stop.how == kill) && s.updates == 1 {
		s.run.keeping.Later(-time.Second)
	}
	if stop.how == kill && s.updates == 3 {
		s.stored = store(s.t, s.run.Record)
	}
	switch whole, part := math.Modf(stop.after); {
	case stop.how == inSnapshot || float64(s.updates) != whole:
	case part == 0:
		s.leave()
	default:
		perUpdate := float64(s.whole.steps.Load()) / float64(s.whole.l.Updates())
		s.atSteps.Store(s.steps.Load() + int64(max(1, part*perUpdate)))
	}
}

// Keep implements Host.
func (s *stopped) Save(snap Snapshot) bool {
	s.kept = snap
	if s.made < len(stops) && stops[s.made].how == inSnapshot && s.updates == 1 {
		s.leave()
	}
	return true
}

func (s *stopped) Admit(*hyper.Config) error    { return nil }
func (s *stopped) Fixed() error                 { return nil }
func (s *stopped) Rests() bool                  { return false }
func (s *stopped) Publish(wire.Message, uint64) {}

// stepped is the run whose worlds step now; nil: none. No viewer watches it, so its agents alone have worlds.
var stepped atomic.Pointer[stopped]

// step counts a step of a world.
func step() {
	if s := stepped.Load(); s != nil {
		if steps, at := s.steps.Add(1), s.atSteps.Load(); at > 0 && steps >= at {
			s.leave()
		}
	}
}

// counted is a world whose steps are counted.
type counted struct{ envs.World }

func (c counted) Within() envs.World { return c.World }

func (c counted) Step(r *envs.Rand, action int) envs.Outcome {
	step()
	return c.World.Step(r, action)
}

// driven is a counted world that is driven by numbers.
type driven struct{ counted }

func (d driven) Drive(r *envs.Rand, controls []float32) envs.Outcome {
	step()
	return d.World.(envs.Driven).Drive(r, controls)
}

// finite is a counted world that is solved exactly.
type finite struct{ counted }

func (f finite) MDP() *envs.MDP                { return f.World.(envs.Finite).MDP() }
func (f finite) At() int                       { return f.World.(envs.Finite).At() }
func (f finite) Show(state int, obs []float32) { f.World.(envs.Finite).Show(state, obs) }

func init() {
	count := func(e *envs.Entry) {
		fresh := e.New
		e.New = func() envs.World {
			w := counted{fresh()}
			switch w.World.(type) {
			case envs.Driven:
				return driven{w}
			case envs.Finite:
				return finite{w}
			}
			return w
		}
	}
	for i := range envs.Table {
		e := &envs.Table[i]
		count(e)
		if sized := e.Sized; sized != nil {
			e.Sized = func(values []float64) envs.Entry {
				made := sized(values)
				count(&made)
				return made
			}
		}
	}
}
