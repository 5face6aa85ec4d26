package watch

import (
	"math"

	"impalab/envs"
	"impalab/learner"
	"impalab/learner/correct"
	"impalab/learner/hyper"
)

// Unroll is one trajectory of a batch as its learner sees it.
type Unroll struct {
	Run        string            `json:"run"`
	World      string            `json:"world" doc:"Title of the world."`
	Update     uint64            `json:"update" doc:"Number of updates that made π and V."`
	Age        uint64            `json:"age" doc:"Number of these updates that came after μ."`
	Trajectory int               `json:"trajectory" doc:"Number of the trajectory in the batch, from 0."`
	Of         int               `json:"of" doc:"Trajectories in the batch."`
	Replayed   bool              `json:"replayed"`
	Actor      int               `json:"actor" doc:"Copy of the world that played it; -1 if it was replayed."`
	Settings   map[string]string `json:"settings" doc:"Settings in force, by key, with the metaparameters of an algorithm that tunes itself."`
	Actions    []string          `json:"actions" doc:"Names of the actions; empty if actions are real numbers."`
	Bootstrap  float32           `json:"bootstrap" doc:"V of the state after the last step."`
	Steps      []UnrollStep      `json:"steps"`
}

// UnrollStep is one step of an Unroll.
type UnrollStep struct {
	Action    int32     `json:"action" doc:"Number of the action; 0 if actions are real numbers."`
	Real      []float32 `json:"real,omitempty" doc:"Action of a Gaussian policy, before squashing."`
	Reward    float32   `json:"reward" doc:"As the learner sees it."`
	End       string    `json:"end" enum:"no,terminated,truncated"`
	Final     float32   `json:"final" doc:"V of the state in which a time limit cut the episode; else 0."`
	Value     float32   `json:"value" doc:"V(x_t)."`
	Ratio     float32   `json:"ratio" doc:"π(a_t|x_t)/μ(a_t|x_t), at most 1e30."`
	Pi        []float64 `json:"pi,omitempty" doc:"Probabilities of all actions, with the present parameters."`
	Mu        []float64 `json:"mu,omitempty" doc:"The same for the policy that played the step."`
	Density   *Density  `json:"density,omitempty" doc:"Density of a Gaussian action, in place of pi and mu."`
	Inside    bool      `json:"inside" doc:"Whether the step is inside the trust region; true if there is none."`
	Weight    *float32  `json:"weight,omitempty" doc:"Weight of the policy gradient under a person's own correction."`
	Relevance *float32  `json:"relevance,omitempty" doc:"Divergence that the trust region bounds, at most 1e30."`
}

// Density is the density of two Gaussian policies at the drawn action.
type Density struct {
	Pi float64 `json:"pi" doc:"At most 1e30."`
	Mu float64 `json:"mu" doc:"At most 1e30."`
}

// UnrollOf returns an inspected trajectory as the API answers it.
func UnrollOf(run string, in *learner.Inspected) (Unroll, error) {
	spec, _, err := envs.Describe(in.Config.World)
	if err != nil {
		return Unroll{}, err
	}
	u := Unroll{
		Run: run, World: spec.Title, Update: in.Update, Age: in.Update - min(in.Update, in.Version), Trajectory: in.Column,
		Of: in.Of, Replayed: !in.Online, Actor: in.Actor, Settings: hyper.ByKey(in.Config.Settings()),
		Actions: []string{}, Bootstrap: in.Bootstrap,
	}
	actions := 0
	if in.Target != nil {
		u.Actions, actions = spec.Actions, len(in.Target)/len(in.Reward)
	}
	for t := range in.Reward {
		one := UnrollStep{
			Reward: in.Reward[t], End: ends[envs.End(in.End[t])], Final: in.Final[t], Value: in.Value[t],
			Ratio: min(in.Ratio[t], most), Inside: true,
		}
		if actions > 0 {
			one.Action = in.Action[t]
			for i := t * actions; i < (t+1)*actions; i++ {
				one.Pi = append(one.Pi, math.Exp(float64(in.Target[i])))
				one.Mu = append(one.Mu, math.Exp(float64(in.Behaviour[i])))
			}
		} else {
			reals := len(in.Real) / len(in.Reward)
			one.Real = in.Real[t*reals : (t+1)*reals]
			one.Density = &Density{
				Pi: min(most, correct.GaussianDensity(in.PiRows[t*2*reals:(t+1)*2*reals], one.Real)),
				Mu: min(most, correct.GaussianDensity(in.MuRows[t*2*reals:(t+1)*2*reals], one.Real)),
			}
		}
		if in.Weight != nil {
			one.Weight = &in.Weight[t]
		}
		if in.Mask != nil {
			divergence := min(in.KL[t], most)
			one.Inside, one.Relevance = in.Mask[t] != 0, &divergence
		}
		u.Steps = append(u.Steps, one)
	}
	return u, nil
}

// most stands for infinity, which JSON lacks. learner/correct caps at the same value.
const most = 1e30

var ends = map[envs.End]string{envs.Running: "no", envs.Terminated: "terminated", envs.Truncated: "truncated"}
