package sweep

import (
	"fmt"
	"log/slog"
	"math"
	"strings"
	"sync"
	"testing"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/tape"
	"impalab/learner/trial"
	"impalab/server/job"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/web/hub"
	"impalab/web/wire"
)

// house is a lab with its sweeps on a store.
type house struct {
	*Sweeps
	q     *job.Queue
	kept  *store.Store
	leave func() // closes all of it but the store
}

// newHouse opens the sweeps of a store, which train their runs once work is called. Headless is a worker's.
func newHouse(t *testing.T, kept *store.Store, headless bool, o Options, l lab.Options) *house {
	t.Helper()
	if kept == nil {
		kept = openStore(t, store.Options{Dir: t.TempDir()})
	}
	log := slog.New(slog.NewTextHandler(t.Output(), nil))
	q, err := job.Open(t.Context(), kept, job.Options{Build: "test", Arithmetic: kernel.Arithmetic(), Workers: 1,
		Host: !headless})
	if err != nil {
		t.Fatal(err)
	}
	l.Store, l.Log, l.Headless, l.Elsewhere = kept, log, headless, Elsewhere
	runs, err := lab.New(l)
	if err != nil {
		t.Fatal(err)
	}
	o.Lab, o.Store, o.Queue, o.Headless, o.Log = runs, kept, q, headless, log
	sw, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	h := &house{Sweeps: sw, q: q, kept: kept}
	h.leave = sync.OnceFunc(func() {
		if err := q.Close(); err != nil {
			t.Error(err)
		}
		sw.Close()
		runs.Close()
	})
	t.Cleanup(h.leave)
	return h
}

// work lets the house train.
func (h *house) work(t *testing.T) *house {
	t.Helper()
	if err := h.q.Start(h.Kinds()...); err != nil {
		t.Fatal(err)
	}
	return h
}

// working returns a house that trains, on so many cores.
func working(t *testing.T, kept *store.Store, cores int) *house {
	t.Helper()
	return newHouse(t, kept, false, Options{}, lab.Options{Cores: cores}).work(t)
}

func openStore(t *testing.T, o store.Options) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

// planned is a small sweep of a link's settings.
func planned(t *testing.T, text string, seeds string, keys ...Axis) (s Spec) {
	t.Helper()
	var settings []hyper.Setting
	var err error
	for _, pair := range strings.Fields(text) {
		key, value, _ := strings.Cut(pair, "=")
		if key != hyper.PlanKey {
			settings = append(settings, hyper.Setting{Key: key, Value: value})
		} else if s.Base.Turns, err = hyper.ParsePlan(value); err != nil {
			t.Fatal(err)
		}
	}
	if s.Base.Config, s.Base.Preset, _, err = hyper.FromSettings(settings); err != nil {
		t.Fatal(err)
	}
	if s.Seeds, err = trial.ParseSeeds(seeds); err != nil {
		t.Fatal(err)
	}
	s.Base.Owner.Address, s.Keys = "a", keys
	return s
}

func (h *house) start(t *testing.T, spec Spec) (*Sweep, string) {
	t.Helper()
	s, key, err := h.Start(t.Context(), spec, "")
	if err != nil {
		t.Fatal(err)
	}
	return s, key
}

// firstRun waits until the first run of a sweep learns here.
func (h *house) firstRun(t *testing.T, s *Sweep) *lab.Run {
	t.Helper()
	kit.Until(t, "it learns", func() bool { return s.Info().Taken > 0 })
	return h.trainingOf(s.ID)[*s.Info().Cells[0].Runs[0].ID].run
}

// held returns how many runs the lab holds.
func (h *house) heldRuns() int {
	held, _ := h.lab.Count()
	return held
}

// swept waits for a sweep's end.
func swept(t *testing.T, s *Sweep) (i Info) {
	t.Helper()
	kit.Until(t, "the sweep is over", func() bool {
		i = s.Info()
		return i.State != store.SweepRunning
	})
	return i
}

// alone trains a configuration without a lab, and returns the hash of its parameters.
func alone(t *testing.T, cfg hyper.Config, turns []hyper.PlannedChange) string {
	t.Helper()
	cfg.Speed = math.Inf(1)
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	script := tape.Script{Turns: turns}
	if _, err := l.Run(t.Context(), learner.Hooks{Between: script.Between}); err != nil {
		t.Fatal(err)
	}
	return l.ParamsSHA256()
}

// page is a viewer's place in a run's topic.
type page struct {
	t    *testing.T
	run  hub.Run
	sub  *hub.Subscriber
	came []wire.Message
}

func visit(t *testing.T, h *house, id, key string) *page {
	t.Helper()
	run, err := h.lab.Join(t.Context(), id, key)
	if err != nil {
		t.Fatal(err)
	}
	p := &page{t: t, run: run, sub: run.Subscribe(0)}
	t.Cleanup(p.sub.Close)
	return p
}

// await reads until a message of one kind that fits.
func await[M wire.Message](p *page, fits func(M) bool) (found M) {
	p.t.Helper()
	ok := false
	kit.Until(p.t, fmt.Sprintf("%T comes", found), func() bool {
		if len(p.came) == 0 {
			b, err := p.sub.Next()
			if err != nil {
				p.t.Fatal(err)
			}
			if b == nil {
				return false
			}
			frame, err := b.Frame()
			if err == nil {
				p.came, err = wire.DecodeAll(frame, wire.FromServer)
			}
			if err != nil {
				p.t.Fatal(err)
			}
		}
		for len(p.came) > 0 && !ok {
			found, ok = p.came[0].(M)
			p.came = p.came[1:]
			ok = ok && (fits == nil || fits(found))
		}
		return ok
	})
	return found
}
