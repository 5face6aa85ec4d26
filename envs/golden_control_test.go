package envs

import (
	"fmt"
	"slices"
	"testing"

	"impalab/internal/goldens"
)

type classicCase struct {
	Env, Name     string
	Initial       []float64 `json:"initial_state"`
	InitialObs    []float64 `json:"initial_obs"`
	Actions       []float64
	States        [][]float64
	StatesFloat64 [][]float64 `json:"states_float64"` // where Gymnasium rounds its state to float32: the same without
	Observations  [][]float64
	Rewards       []float64
	Terminated    []bool
	Truncated     []bool
	FreeRun       int `json:"free_run_steps"`
}

// classicWorlds gives each task's world, and pointers to the state that the file records.
var classicWorlds = map[string]func() (World, []*float64){
	"CartPole-v1": func() (World, []*float64) {
		w := new(cartPole)
		return w, []*float64{&w.x, &w.v, &w.angle, &w.omega}
	},
	"MountainCar-v0": func() (World, []*float64) {
		w := new(mountainCar)
		return w, []*float64{&w.x, &w.v}
	},
	"MountainCarContinuous-v0": func() (World, []*float64) {
		w := new(mountainCarContinuous)
		return w, []*float64{&w.x, &w.v}
	},
	"Acrobot-v1": func() (World, []*float64) {
		w := new(acrobot)
		return w, []*float64{&w.motion[0], &w.motion[1], &w.motion[2], &w.motion[3]}
	},
	"Pendulum-v1": func() (World, []*float64) {
		w := new(pendulum)
		return w, []*float64{&w.angle, &w.omega}
	},
}

func TestGoldenClassicControl(t *testing.T) {
	const name = "classic_control.json.gz"
	var g struct {
		Tolerance struct {
			Forced      goldens.Tolerance `json:"teacher_forced"`
			Observation goldens.Tolerance
			Free        goldens.Tolerance `json:"free_run"`
			Rounded     goldens.Tolerance `json:"mountain_car_continuous"`
		}
		Cases []classicCase
	}
	goldens.Decode(t, name, &g)
	agree := 0
	for _, c := range g.Cases {
		if classicWorlds[c.Env] == nil {
			t.Fatalf("%s: environment %q is not known", name, c.Env)
		}
		if t.Run(c.Env+"/"+c.Name, func(t *testing.T) {
			forced, free, see := g.Tolerance.Forced, g.Tolerance.Free, g.Tolerance.Observation
			if c.StatesFloat64 != nil {
				// The record is of float32 states: one step from them agrees to a float32's rounding (the file's note:
				// 2e-7), and a whole run of ours is held to the record without rounding.
				c.run(t, "forced", c.States, len(c.Actions), true, goldens.Tolerance{Atol: 2e-7}, see)
				c.run(t, "free", c.StatesFloat64, c.FreeRun, false, free, g.Tolerance.Rounded)
				return
			}
			c.run(t, "forced", c.States, len(c.Actions), true, forced, see)
			c.run(t, "free", c.States, c.FreeRun, false, free, see)
		}) {
			agree++
		}
	}
	if len(g.Cases) == 0 {
		t.Fatalf("%s: no case", name)
	}
	t.Logf("%s: %d of %d cases agree", name, agree, len(g.Cases))
}

// run plays the recorded actions: freely from the initial state, or with every step begun from the recorded state.
func (c classicCase) run(t *testing.T, mode string, states [][]float64, steps int, force bool, tol,
	observation goldens.Tolerance) {
	w, state := classicWorlds[c.Env]()
	set := func(s []float64) {
		if len(s) != len(state) {
			t.Fatalf("%s: a state of %d numbers, want %d", mode, len(s), len(state))
		}
		for i, x := range s {
			*state[i] = x
		}
	}
	obs := make([]float32, w.Spec().Size())
	see := func(where string, want []float64) {
		w.Observe(obs)
		near := func(got float32, want float64) bool { return observation.Near(float64(got), want) }
		if !slices.EqualFunc(obs, want, near) {
			t.Errorf("%s: observation %v, want %v", where, obs, want)
		}
	}
	set(c.Initial)
	see("at the start", c.InitialObs)
	for i := range steps {
		where := fmt.Sprintf("%s, step %d", mode, i)
		if force && i > 0 {
			set(states[i-1])
		}
		var out Outcome
		if driven, ok := w.(Driven); ok {
			out = driven.Drive(nil, []float32{float32(c.Actions[i])})
		} else {
			out = w.Step(nil, int(c.Actions[i]))
		}
		for j, x := range state {
			if !tol.Near(*x, states[i][j]) {
				t.Errorf("%s: state[%d] %v, want %v", where, j, *x, states[i][j])
			}
		}
		see(where, c.Observations[i])
		want := Running
		switch {
		case c.Terminated[i]:
			want = Terminated
		case c.Truncated[i]:
			want = Truncated
		}
		if !observation.Near(float64(out.Reward), c.Rewards[i]) || out.End != want {
			t.Errorf("%s: %v, want reward %v, end %v", where, out, c.Rewards[i], want)
		}
	}
}
