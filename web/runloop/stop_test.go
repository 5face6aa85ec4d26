package runloop

import (
	"context"
	"fmt"
	"reflect"
	"sync/atomic"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/web/hub"
	"impalab/web/watch"
	"impalab/web/wire"
)

// stopKinds are runs that have state of their own, a row each. Each row is stopped at each stop point.
var stopKinds = []struct{ name, preset, settings, turns string }{
	{"plain", "catch", "hidden=8", ""},
	{"one sharer", "catch", "hidden=8 mix=0.5 sharers=1 sharing=same", ""},
	{"two sharers with other costs", "catch", "hidden=8 mix=0.5 sharers=2 sharing=sweep", ""},
	{"three sharers that play at random", "catch", "hidden=8 mix=0.5 sharers=3 sharing=random", ""},
	{"three sharers with the negated reward", "catch", "hidden=8 mix=0.5 sharers=3 sharing=contrary", ""},
	{"prioritised replay", "catch", "hidden=8 algo=laser mix=0.5 sampling=prioritised", ""},
	{"whole episodes", "catch", "hidden=8 algo=laser mix=0.5 replay-by=episode", ""},
	{"whole episodes of two sharers", "catch", "hidden=8 algo=laser mix=0.5 replay-by=episode sharers=2", ""},
	{"LSTM with burn-in", "catch", "hidden=8 lstm=8 mix=0.5 recall=burn-in", ""},
	{"Transformer-XL", "trxl", "trxl=8", ""},
	{"STACX", "stacx-catch", "", ""},
	{"V-MPO", "vmpo-catch", "", ""},
	{"pixel control", "pixel-control", "batch=2 unroll=5 hidden=8", ""},
	{"annealed learning rate", "catch", "hidden=8 anneal=linear", ""},
	{"suite with PopArt", "tiny", "popart=on batch=6 lstm=8", ""},
	{"two learners", "catch", "hidden=8 learners=2", ""},
	{"rounds played ahead", "catch", "hidden=8 lag=2 collect=trajectory actors=4", ""},
	{"planned turns", "catch", "hidden=8", "20:lag=8,40:correction=none,60:mix=0.5,80:correction=vtrace"},
}

// stopPoints are the places of a stop. Each process that trains the run stops there, and the next one continues it.
var stopPoints = []struct {
	name string
	at   float64 // updates of the process before the stop; a fraction is the part of an update that the agents have played
}{
	{"between two updates", 2},
	{"while the first agent plays", 0.2},
	{"while a later agent plays", 0.6},
	{"while the last agent plays", 1.9},
}

// TestARunIsTheSameAfterAnyStop stops each kind of run at each stop point until it ends, as SIGTERM to a server does.
// The run then has the parameters and the curve of an undisturbed run.
func TestARunIsTheSameAfterAnyStop(t *testing.T) {
	for _, kind := range stopKinds {
		t.Run(kind.name, func(t *testing.T) {
			cfg := kit.Config(t, kind.preset, kind.settings)
			cfg.Steps = uint64(7 * cfg.Fresh() * cfg.UnrollLen)
			turns, err := hyper.ParsePlan(kind.turns)
			if err != nil {
				t.Fatal(err)
			}
			link := hyper.Link{Preset: kind.preset, Config: cfg, Turns: turns}
			undisturbed := newStopped(link, 0, 0)
			undisturbed.train(t)
			want := undisturbed.end()
			perUpdate := float64(undisturbed.steps.Load()) / float64(undisturbed.updates)
			for _, point := range stopPoints {
				run := newStopped(link, point.at, perUpdate)
				for run.train(t) {
				}
				if run.stops < 2 {
					t.Errorf("%s: %d stops, want 2 or more", point.name, run.stops)
				}
				if got := run.end(); !reflect.DeepEqual(got, want) {
					t.Errorf("%s, %d stops:\n%v\nwant\n%v", point.name, run.stops, got, want)
				}
			}
		})
	}
}

// stopped hosts a run that is stopped and continued, in one process after the other.
type stopped struct {
	link   hyper.Link
	record *Record
	kept   Snapshot // Blob is nil before the first stop
	stops  int

	stop    func()
	at      float64      // updates of a process before its stop; 0: none
	steps   atomic.Int64 // that worlds have made in this process…
	atSteps int64        // …at a stop inside an update; 0: it comes between two updates
	updates int          // of this process
}

func newStopped(link hyper.Link, at, perUpdate float64) *stopped {
	s := &stopped{link: link, record: NewRecord(&link.Config, "test"), at: at}
	if at != float64(int(at)) {
		s.atSteps = int64(at * perUpdate)
	}
	return s
}

// train trains the run in one process, and reports whether that process was stopped.
func (s *stopped) train(t *testing.T) bool {
	t.Helper()
	const why = Interrupted("the server is stopping")
	var topics hub.Hub
	run := &Run{ID: "r", Link: &s.link, Topic: topics.Topic(100, 0), Record: s.record, Host: s}
	run.Begin(Running, "")
	ctx, stop := context.WithCancelCause(t.Context())
	defer stop(nil)
	s.stop, s.updates = func() { stop(why) }, -1
	s.steps.Store(0)
	stepped.Store(s)
	defer stepped.Store(nil)
	switch err := run.Train(ctx); err {
	case nil:
		return false
	case why:
		s.stops++
		return true
	default:
		t.Fatal(err)
		return false
	}
}

// end returns all that must be the same: the hash of the last parameters, and the curve.
func (s *stopped) end() (all []string) {
	if end := s.record.Tape.End(); end != nil {
		all = append(all, end.ParamsSHA256)
	}
	for _, p := range s.record.Points {
		point := *p
		point.Event = 0 // the topic's number
		all = append(all, fmt.Sprintf("%+v", point))
	}
	return all
}

func (s *stopped) Learner() (l *learner.Learner, reported watch.Reported, err error) {
	engine := learner.Engine{Lower: graph.Lower}
	if s.kept.Blob == nil {
		l, err = engine.New(s.link.Config)
	} else {
		l, err = engine.Resume(s.kept.Blob)
	}
	return l, s.kept.Reported, err
}

// Breathe is called before each update, and after the last.
func (s *stopped) Breathe() {
	if s.updates++; s.at > 0 && s.atSteps == 0 && float64(s.updates) == s.at {
		s.stop()
	}
}

func (s *stopped) Admit(*hyper.Config) error { return nil }
func (s *stopped) Fixed() error              { return nil }
func (s *stopped) Rests() bool               { return false }
func (s *stopped) Keep(snap Snapshot)        { s.kept = snap }
func (s *stopped) Tell(wire.Message, uint64) {}

// stepped is the run whose worlds step now; nil: none. No viewer watches it, so its agents alone have worlds.
var stepped atomic.Pointer[stopped]

// counted is a world whose steps stepped counts.
type counted struct{ envs.World }

func (c counted) Step(r *envs.Rand, action int) envs.Outcome {
	if s := stepped.Load(); s != nil && s.steps.Add(1) == s.atSteps {
		s.stop()
	}
	return c.World.Step(r, action)
}

func init() {
	count := func(e *envs.Entry) {
		fresh := e.New
		e.New = func() envs.World { return counted{fresh()} }
	}
	for i := range envs.Table {
		e := &envs.Table[i]
		if len(e.Spec.Controls) > 0 {
			continue // no row has a world that is driven by real numbers
		}
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
