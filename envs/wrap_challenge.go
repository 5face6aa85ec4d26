package envs

import "impalab/envs/world"

// The challenges of Dulac-Arnold et al. (2020, 2021), An empirical investigation of the challenges of real-world
// reinforcement learning, on which STAC is tested (its §5.2): delays, noise, failing sensors, actions that are held,
// bodies that differ and values that mean nothing, combined in three difficulties. The numbers are
// get_combined_challenge's in realworldrl_suite/environments/realworld_env.py. The level of perturbation is not among
// them: each world answers for itself.
var challenges = [3]map[string]float64{
	{
		"act-delay": 3, "obs-delay": 3, "reward-delay": 10, "act-noise": .1, "obs-noise": .1,
		"drop": .01, "drop-steps": 1, "stuck": .01, "stuck-steps": 1, "hold": 1, "extra": 10,
	},
	{
		"act-delay": 6, "obs-delay": 6, "reward-delay": 20, "act-noise": .3, "obs-noise": .3,
		"drop": .05, "drop-steps": 5, "stuck": .05, "stuck-steps": 5, "hold": 2, "extra": 20,
	},
	{
		"act-delay": 9, "obs-delay": 9, "reward-delay": 40, "act-noise": 1, "obs-noise": 1,
		"drop": .1, "drop-steps": 10, "stuck": .1, "stuck-steps": 10, "hold": 3, "extra": 50,
	},
}

// challenged are the values of options that a difficulty sets, the others as they were.
func (e *Entry) challenged(options []Option, values []float64, difficulty int) {
	if difficulty == 0 {
		return
	}
	level := 0
	if w, able := e.New().(world.Perturbable); able {
		level = w.ChallengeLevel(difficulty)
	}
	for i := range options {
		if v, set := challenges[difficulty-1][options[i].Key]; set {
			values[i] = v
		}
		if options[i].Key == "perturb" {
			values[i] = float64(level)
		}
	}
}
