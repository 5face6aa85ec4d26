package learner

import (
	"context"
	"math"
	"reflect"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/actor"
	"impalab/learner/net"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// A bandit whose policy takes the better arm with probability .6: 2 and 5 are drawn to a mean of 3.8, and greed gets 5.
func TestGreedTakesTheLikeliestActionAndDrawingFollowsThePolicy(t *testing.T) {
	l, err := New(kit.Config(t, "bandit", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	table := l.machine.Spec.Layers()[0]
	weights := table.Weights(l.machine.Theta)
	clear(l.machine.Theta)
	weights[1] = float32(math.Log(.6 / .4)) // of state 0, action 1
	const episodes = 2000
	for _, c := range []struct {
		greedy     bool
		want, band float64
	}{{true, 5, 0}, {false, 3.8, 4 * 3 * math.Sqrt(.6*.4/episodes)}} {
		e, err := l.Evaluate(t.Context(), episodes, c.greedy)
		if err != nil {
			t.Fatal(err)
		}
		task := e.Tasks[0]
		if len(e.Tasks) != 1 || task.Episodes != episodes || task.Cut != 0 || math.Abs(task.Return-c.want) > c.band {
			t.Errorf("greedy %v: %+v, want %v ± %.2f", c.greedy, task, c.want, c.band)
		}
		score := min(1, (task.Return-3.5)/(4.7-3.5))
		if math.Abs(task.Score-score) > 1e-5 || e.Mean != task.Score || e.Median != task.Score {
			t.Errorf("greedy %v: score %v, mean %v, median %v, want %v", c.greedy, task.Score, e.Mean, e.Median, score)
		}
	}
}

// The same parameters come out whether or not the run was evaluated on its way, and an evaluation is the same twice.
func TestEvaluatingChangesNothing(t *testing.T) {
	for preset, changes := range map[string]string{
		"laser-catch": "steps=2000", "tiny": "steps=3000", "vmpo-pendulum": "steps=1500", "t-maze": "steps=2000",
	} {
		end := func(evaluated bool) Result {
			l, err := New(kit.Config(t, preset, changes))
			if err != nil {
				t.Fatal(err)
			}
			defer l.Close()
			looked := false
			r, err := l.Run(t.Context(), Hooks{Between: func(l *Learner) error {
				if !evaluated || looked || l.Steps() < 1000 {
					return nil
				}
				looked = true
				for _, greedy := range []bool{true, false} {
					first, err := l.Evaluate(t.Context(), 3, greedy)
					if err != nil {
						return err
					}
					if again, _ := l.Evaluate(t.Context(), 3, greedy); !reflect.DeepEqual(again, first) {
						t.Errorf("%s, greedy %v: %+v, then %+v", preset, greedy, first, again)
					}
				}
				return nil
			}})
			if err != nil {
				t.Fatal(err)
			}
			return r
		}
		if one, other := end(true), end(false); !equal(one, other) {
			t.Errorf("%s: evaluated %+v, left alone %+v", preset, one, other)
		}
	}
}

// Copies are dealt to the six worlds of the suite in turn; an episode that did not end counts with its return so far.
func TestAnEvaluationSumsUpEachWorld(t *testing.T) {
	l, err := New(kit.Config(t, "tiny", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	returns, over := make([]float64, 12), make([]bool, 12)
	for i := range returns {
		task := l.scores.tasks[i%6]
		share := float64(i%6) / 5 // scores of 0, .2, .4, .6, .8 and 1
		returns[i], over[i] = task.Random+share*(task.Reference-task.Random), i != 7
		if i >= 6 {
			returns[i] += 2
			returns[i-6] -= 2
		}
	}
	e := l.evaluation(returns, over)
	for k, task := range e.Tasks {
		if math.Abs(task.Score-float64(k)/5) > 1e-9 || task.Episodes != 2 || (task.Cut == 1) != (k == 1) {
			t.Errorf("%+v", task)
		}
	}
	if math.Abs(e.Mean-.5) > 1e-9 || math.Abs(e.Median-.5) > 1e-9 {
		t.Errorf("mean %v, median %v", e.Mean, e.Median)
	}
	returns[5], returns[11] = -1000, -1000 // a median does not mind
	if e = l.evaluation(returns, over); math.Abs(e.Median-.3) > 1e-9 || e.Mean > 0 {
		t.Errorf("mean %v, median %v, want .3", e.Mean, e.Median)
	}
}

func TestAnEvaluationStopsWhenAsked(t *testing.T) {
	l, err := New(kit.Config(t, "catch", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	ctx, stop := context.WithCancel(t.Context())
	stop()
	if _, err := l.Evaluate(ctx, 3, true); err == nil {
		t.Error("it played on")
	}
}

// A cheetah is paid a tenth of its speed, up to 10 m/s: the speed and the return of an evaluation agree. The return has
// the centre of mass's speed after the step, the observation the root's before it.
func TestAnEvaluationTellsTheSpeed(t *testing.T) {
	l, err := New(kit.Config(t, "cheetah", "steps=150000"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if _, err := l.Run(t.Context(), Hooks{}); err != nil {
		t.Fatal(err)
	}
	for world, greedy := range map[string]bool{"greedy": true, "drawn": false} {
		e, err := l.Evaluate(t.Context(), 3, greedy)
		if err != nil {
			t.Fatal(err)
		}
		speed, paid := *e.Tasks[0].Speed, e.Tasks[0].Return/100
		if t.Logf("%s: %.2f m/s, %.2f paid", world, speed, paid); paid < .5 || math.Abs(speed-paid) > .15*paid {
			t.Errorf("%s: %.2f m/s, %.2f paid", world, speed, paid)
		}
	}
	still, err := New(kit.Config(t, "pendulum", ""))
	if err != nil {
		t.Fatal(err)
	}
	defer still.Close()
	if e, err := still.Evaluate(t.Context(), 1, true); err != nil || e.Tasks[0].Speed != nil {
		t.Errorf("the pendulum runs: %+v, %v", e, err)
	}
}

// A measurement of a policy that forgets lets it forget: on the same parameters every measurement differs from a policy
// that remembers its episode.
func TestMeasurementsForgetWithThePolicy(t *testing.T) {
	measured := func(changes string) (all [4]float64) {
		l, err := New(kit.Config(t, "t-maze", "world=t-maze:length=4 gamma=0.9 lr=0.02 head-scale=1 "+changes))
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		for i := range l.machine.Theta {
			l.machine.Theta[i] *= 3
		}
		var e Evaluation
		if e, err = l.Evaluate(t.Context(), 40, false); err != nil {
			t.Fatal(err)
		}
		all[0] = e.Tasks[0].Return
		if all[1], err = l.ValueBias(); err != nil {
			t.Fatal(err)
		}
		h, err := NewHeldOut(&l.cfg, l.machine.Spec)
		if err != nil {
			t.Fatal(err)
		}
		if err := h.Begin(l.algo.Acting(), []float32{0}, []float32{1}, &l.cfg); err != nil {
			t.Fatal(err)
		}
		for !h.Play() {
		}
		all[2], all[3] = h.Judgement().ValueError, float64(h.Judgement().States)
		return all
	}
	remembers, forgets := measured("unroll=3"), measured("unroll=3 memory=unroll")
	for i := range 3 {
		if remembers[i] == forgets[i] || math.IsNaN(forgets[i]) {
			t.Errorf("measurement %d is %v, with and without memory", i, forgets[i])
		}
	}
}

// Every unroll of a run that forgets begins without memory, whichever actors play it.
func TestUnrollsOfARunThatForgetsBeginWithoutMemory(t *testing.T) {
	for _, changes := range []string{"mode=live actors=2", "collect=trajectory actors=2", "lag=2 mix=0.5"} {
		cfg := kit.Config(t, "t-maze", "unroll=5 lstm=4 memory=unroll steps=2000 "+changes)
		inside := 0
		train(t, cfg, Hooks{Between: func(l *Learner) error {
			for _, x := range l.batch.State {
				if x != 0 {
					t.Fatalf("%s, update %d: an unroll begins with memory", changes, l.updates)
				}
			}
			for _, u := range l.fresh {
				if !u.First {
					inside++
				}
			}
			return nil
		}})
		if inside == 0 {
			t.Errorf("%s: no unroll began inside an episode: nothing was tested", changes)
		}
	}
}

func TestValuesOfALongUnrollForgetWithThePolicy(t *testing.T) {
	l, err := New(kit.Config(t, "t-maze", "unroll=3 lstm=4 memory=unroll"))
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	player, err := actor.New(l.cfg.World, l.machine.Spec, 1, 5, 7)
	if err != nil {
		t.Fatal(err)
	}
	u, forward := traj.NewUnroll(60, l.batch.Shape), net.NewForward(l.machine.Spec, 1)
	player.Forget = 3
	if err := player.Play(l.machine.Theta, 0, []*traj.Unroll{u}, func(telemetry.Episode) {}); err != nil {
		t.Fatal(err)
	}
	values, _ := l.valuesOf(u, forward, 3)
	memory := make([]float32, u.States)
	for step, got := range values {
		if step%3 == 0 || u.End[step-1] != 0 {
			clear(memory)
		}
		if _, v := forward.Run(l.machine.Theta, u.Obs[step*u.Size:(step+1)*u.Size], memory, 1); float64(v[0]) != got {
			t.Fatalf("step %d: V is %v, by hand %v", step, got, v[0])
		}
	}
}
