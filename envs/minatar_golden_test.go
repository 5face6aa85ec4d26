package envs

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"testing"

	"impalab/internal/goldens"
)

// The channels of each game, by the names that recordings give them.
var minAtarGames = map[string]struct {
	spec     *Spec
	channels []string
}{
	"breakout": {&breakoutSpec, []string{"paddle", "ball", "trail", "brick"}},
	"asterix":  {&asterixSpec, []string{"player", "enemy", "trail", "gold"}},
	"freeway":  {&freewaySpec, []string{"chicken", "car", "speed1", "speed2", "speed3", "speed4", "speed5"}},
	"seaquest": {&seaquestSpec, []string{"sub_front", "sub_back", "friendly_bullet", "trail", "enemy_bullet",
		"enemy_fish", "enemy_sub", "oxygen_guage", "diver_guage", "diver"}}, // spelt as recorded
	"space_invaders": {&invadersSpec, []string{"cannon", "alien", "alien_left", "alien_right", "friendly_bullet",
		"enemy_bullet"}},
}

type minAtarCase struct {
	Game, Name  string
	Sticky      float64 `json:"sticky_action_prob"`
	Ramp        bool    `json:"difficulty_ramping"`
	Planes      int     `json:"n_channels"`
	Channels    map[string]int
	ResetDraws  []goldenDraw `json:"reset_draws"`
	InitialOn   []int        `json:"initial_on"`
	Length      int
	TotalReward float64 `json:"total_reward"`
	Steps       []minAtarStep

	// For a reader who looks for a fault; the test does not use it.
	InitialInternals json.RawMessage `json:"initial_internals"`
	MinimalActions   []int           `json:"minimal_action_set"`
}

type minAtarStep struct {
	A      int
	Sticky float64 `json:"sticky_u"`
	Eff    int
	Draws  []goldenDraw
	R      float64
	Term   bool
	On     []int
	X      json.RawMessage
}

// All games in the folder are played; an unread field is a fault.
func TestGoldenMinAtar(t *testing.T) {
	for _, name := range goldens.Names(t, "minatar_*.json.gz") {
		var g struct {
			Title     string
			Source    []string
			Fields    map[string]string
			Tolerance any // exact, in words
			Cases     []minAtarCase
		}
		decoder := json.NewDecoder(bytes.NewReader(goldens.Read(t, name)))
		decoder.DisallowUnknownFields()
		if err := decoder.Decode(&g); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		ran := 0
		for _, c := range g.Cases {
			if t.Run(c.Game+"/"+c.Name, c.run) {
				ran++
			}
		}
		if len(g.Cases) == 0 {
			t.Errorf("%s: no case", name)
		}
		t.Logf("%s: %d of %d cases agree", name, ran, len(g.Cases))
	}
}

func (c minAtarCase) run(t *testing.T) {
	game, known := minAtarGames[c.Game]
	if !known {
		t.Fatalf("the game %q is not known", c.Game)
	}
	channels := map[string]int{}
	for i, name := range game.channels {
		channels[name] = i
	}
	if !maps.Equal(channels, c.Channels) || c.Planes != len(game.channels) || c.Planes != game.spec.Obs[2] {
		t.Fatalf("channels %v, here %v", c.Channels, channels)
	}
	if c.Length != len(c.Steps) {
		t.Fatalf("%d steps of %d are recorded", len(c.Steps), c.Length)
	}
	w, err := New(game.spec.Name)
	if err != nil {
		t.Fatal(err)
	}
	m := minAtarOf(w)
	m.sticky, m.ramp = c.Sticky, c.Ramp
	see := func(where string, r *Rand, on []int) {
		t.Helper()
		if r.Recorded.Read != len(r.Recorded.Draws) {
			t.Fatalf("%s: %d of %d draws were taken", where, r.Recorded.Read, len(r.Recorded.Draws))
		}
		got, want := make([]float32, game.spec.Size()), make([]float32, game.spec.Size())
		w.Observe(got)
		for _, i := range on {
			want[i] = 1
		}
		for i := range got {
			if got[i] != want[i] {
				t.Fatalf("%s: %s at row %d, column %d is %v, want %v", where, game.channels[i%c.Planes],
					i/c.Planes/boardSide, i/c.Planes%boardSide, got[i], want[i])
			}
		}
	}
	r := Rand{Recorded: newRecorded(c.ResetDraws)}
	w.Reset(&r)
	see("after reset", &r, c.InitialOn)
	total := 0.0
	for i, s := range c.Steps {
		where := fmt.Sprintf("step %d", i)
		r.Recorded = newRecorded(append([]goldenDraw{{"u", s.Sticky}}, s.Draws...))
		out := w.Step(&r, s.A)
		total += float64(out.Reward)
		if int(m.last) != s.Eff || float64(out.Reward) != s.R || (out.End == Terminated) != s.Term || out.End == Truncated {
			t.Fatalf("%s: action %d, %v, want action %d, reward %v, end %v", where, m.last, out, s.Eff, s.R, s.Term)
		}
		see(where, &r, s.On)
	}
	if total != c.TotalReward {
		t.Errorf("return %v, want %v", total, c.TotalReward)
	}
}

// minAtarOf returns the state of a game besides its board.
func minAtarOf(w World) *minAtar {
	switch w := w.(type) {
	case *breakout:
		return &w.minAtar
	case *asterix:
		return &w.minAtar
	case *freeway:
		return &w.minAtar
	case *seaquest:
		return &w.minAtar
	case *invaders:
		return &w.minAtar
	}
	panic("not a MinAtar game")
}
