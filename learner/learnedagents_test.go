package learner

import (
	"fmt"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/learner/hyper"
	"impalab/learner/learned"
)

// Each learned agent has a preset that starts from it and says for how long it has learned. It plays above chance.
func TestEveryLearnedAgentOpensAPresetAndPlaysAboveChance(t *testing.T) {
	opened := map[*learned.Agent]bool{}
	for i := range hyper.Presets {
		p := &hyper.Presets[i]
		cfg := p.Config()
		if cfg.Init != hyper.InitLearned {
			continue
		}
		l, err := New(cfg)
		if err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
		defer l.Close()
		agent := cfg.Learned()
		opened[agent] = true
		theta, err := agent.Parameters(len(l.machine.Theta))
		if err != nil {
			t.Fatal(err)
		}
		for k, x := range theta {
			if l.machine.Theta[k] != x {
				t.Fatalf("%s starts from another θ than its agent's", p.Name)
			}
		}
		if says := fmt.Sprintf("%.1f million steps", float64(agent.Steps)/1e6); !strings.Contains(p.Sentence, says) {
			t.Errorf("%s: %q, want %q in it", p.Name, p.Sentence, says)
		}
		if testing.Short() {
			continue
		}
		world, _, err := envs.Describe(cfg.World)
		if err != nil {
			t.Fatal(err)
		}
		e, err := l.Evaluate(t.Context(), 12, false)
		if err != nil {
			t.Fatal(err)
		}
		if r := e.Tasks[0].Return; r < float64(world.Random)+.1*float64(world.Solved-world.Random) {
			t.Errorf("%s: the agent gets %.2f in 12 episodes, chance %.2f", p.Name, r, world.Random)
		}
	}
	for i := range learned.Agents {
		if a := &learned.Agents[i]; !opened[a] {
			t.Errorf("no preset starts from the agent of %s", a.World)
		}
	}
}
