//go:build !js

package firstpage

import (
	"context"
	"flag"
	"strconv"
	"testing"

	"impalab/learner"
	"impalab/learner/graph"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/wasm/run"
	"impalab/web/wire"
)

var measure = flag.Bool("measure", false, "train the runs of the second and third experiments on sixteen seeds")

// point is a learner's newest point.
func point(l *learner.Learner) *wire.Point {
	return &wire.Point{Step: l.Steps(), Update: l.Updates(), Episodes: l.Episodes(), Return: float32(l.Return100()),
		Recent: float32(l.Return10())}
}

// trained calls each for the points of a run of the page, which learns until each returns false.
func trained(t *testing.T, of *run.Run, seed uint64, each func(l *learner.Learner) bool) {
	t.Helper()
	cfg := *of.Config()
	cfg.Seed = seed
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	next := uint64(0)
	l.Run(ctx, learner.Hooks{Between: func(l *learner.Learner) error {
		if l.Steps() < next {
			return nil
		}
		if next = telemetry.NextPoint(l.Steps()); !each(l) {
			stop()
		}
		return nil
	}})
}

// turn changes a setting of a learner.
func turn(t *testing.T, l *learner.Learner, key, value string) {
	t.Helper()
	change, err := hyper.ParseChange(key, value)
	if err == nil {
		_, err = l.Apply(change)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// The story of sixteen seeds, as the page tells it to a visitor who touches nothing: the curve at the start and before
// the turn, where its cross stands, whether the correction lifts the right one, and how the left one ends.
func TestExperimentsOnSixteenSeeds(t *testing.T) {
	if !*measure {
		t.Skip("trains for minutes: -measure")
	}
	for of, first := range map[*experiment]uint64{&cheetah: 9917, &writer: 9961} { // of their studies
		t.Run(of.Name, func(t *testing.T) { onSixteenSeeds(t, of, first) })
	}
}

func onSixteenSeeds(t *testing.T, of *experiment, first uint64) {
	fell, rose, leftFell := 0, 0, 0
	for seed := first; seed < first+16; seed++ {
		var left []*wire.Point
		p := begin(t, "#"+of.Name)
		curve := func(now *wire.Point) float32 {
			if of.levels.Long {
				return now.Return
			}
			return now.Recent
		}
		trained(t, p.Runs()[0], seed, func(l *learner.Learner) bool {
			if left = append(left, point(l)); l.Steps() >= of.dragAt && l.Config().Lag == 0 {
				turn(t, l, "lag", strconv.Itoa(of.dragTo))
			}
			return l.Steps() < of.dragAt+of.hopeless+2*of.longest
		})
		start, before, lowest := float32(0), float32(0), float32(0)
		trained(t, p.Runs()[1], seed, func(l *learner.Learner) bool {
			for p.sides[0].step < l.Steps() && len(left) > 0 {
				p.hear(0, left[0])
				left = left[1:]
			}
			p.sent = nil
			now := point(l)
			if p.turned == 0 && now.Episodes >= 10 {
				if start == 0 {
					start, lowest = curve(now), curve(now)
				}
				before, lowest = curve(now), min(lowest, curve(now))
			}
			p.hear(1, now)
			for key, value := range map[string]string{"lag": p.Runs()[1].Config().Get("lag"),
				"correction": p.Runs()[1].Config().Get("correction")} {
				if l.Config().Get(key) != value {
					turn(t, l, key, value)
				}
			}
			if p.Phase == Held {
				p.wait(Patience)
				turn(t, l, "correction", p.cure())
			}
			return p.Phase != Over
		})
		half, from, to := uint64(0), 0., 0.
		if p.fellAt > 0 {
			fell++
			if half, from, to = p.fall(); half < p.turned {
				t.Errorf("seed %d: the cross at %d is left of the turn at %d", seed, half, p.turned)
			}
		}
		if p.fellAt > 0 && p.mended() && p.risen(p.step()) {
			rose++
		}
		ends := p.Score(false)
		if ends < of.levels.Risen {
			leftFell++
		}
		t.Logf("seed %d: start %s, before the turn %s, lowest %s", seed, of.figure(float64(start)),
			of.figure(float64(before)), of.figure(float64(lowest)))
		t.Logf("seed %d: cross at %d k, %s to %s, fell at %d k; at %d k the left one %s, the right one %s: %s", seed,
			half/1000, of.figure(from), of.figure(to), p.fellAt/1000, p.step()/1000, of.figure(ends),
			of.figure(p.Score(true)), p.Present(of.dragTo))
	}
	t.Logf("%d fell, %d of them got up; of the left ones %d ended below %s", fell, rose, leftFell,
		of.figure(of.levels.Risen))
}
