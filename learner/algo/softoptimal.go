package algo

import (
	"fmt"

	"impalab/envs"
	"impalab/envs/exact"
	"impalab/learner/hyper"
)

// Softness is the temperature of the soft optimal policy π = softmax(Q*/Softness): soft enough that μ and π share
// actions, or the correction's bias would hide.
const Softness = 0.05

// softOptimal makes the policy head of a table the soft optimal policy of a finite world; values start at 0.
func softOptimal(m *Machine, cfg *hyper.Config) error {
	world, err := envs.New(cfg.World)
	if err != nil {
		return err
	}
	finite, ok := world.(envs.Finite)
	if !ok {
		return fmt.Errorf("init=soft-optimal with world=%s: only a finite world's best policy is known; choose cliff, "+
			"four-rooms or garnet", cfg.World)
	}
	mdp := finite.MDP()
	if mdp.States != m.Spec.Obs {
		return fmt.Errorf("init=soft-optimal with world=%s: its observations do not tell all its states apart; choose "+
			"cliff, four-rooms or garnet", cfg.World)
	}
	p := exact.Of(mdp, cfg.Gamma)
	q := make([]float64, p.States*p.Actions)
	if err := p.Optimal(q); err != nil {
		return err
	}
	clear(m.Theta)
	layers := m.Spec.Layers()
	w := layers[0].Weights(m.Theta) // [states, actions + 1]: the one layer of a table holds both heads
	for s := range p.States {
		for a := range p.Actions {
			w[s*layers[0].Out+a] = float32(q[s*p.Actions+a] / Softness)
		}
	}
	return nil
}
