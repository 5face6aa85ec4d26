package actor

import (
	"reflect"
	"strings"
	"testing"

	"impalab/envs"
	"impalab/internal/kit"
	"impalab/learner/kernel"
	"impalab/learner/net"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// placed is a place of three copies, with the parameters of its run's network.
func placed(t *testing.T, behave string) (*Place, net.Spec, []float32) {
	t.Helper()
	cfg := kit.Config(t, "cartpole", "world=cliff:limit=8 hidden=8 lstm=4 behave="+behave)
	spec, err := cfg.Network()
	if err != nil {
		t.Fatal(err)
	}
	theta := make([]float32, spec.Params())
	spec.Init(theta, 1)
	a, err := New(cfg.World, spec, 3, cfg.Seed, 2)
	if err != nil {
		t.Fatal(err)
	}
	a.Play(theta, 0, unrolls(3, 5, spec), ignore)
	return &Place{Config: cfg, Copies: 3, Stream: 2, State: a.Save()}, spec, theta
}

// TestWhoTakesAnActorsPlayStandsWhereItStands: two actors stand in one place; one plays, the other is told, and both
// say the same from then on.
func TestWhoTakesAnActorsPlayStandsWhereItStands(t *testing.T) {
	place, spec, theta := placed(t, "policy")
	plays, err := place.Actor()
	if err != nil {
		t.Fatal(err)
	}
	told, err := place.Actor()
	if err != nil {
		t.Fatal(err)
	}
	for round := range uint64(4) {
		var want, got []telemetry.Episode
		us := unrolls(3, 13, spec)
		plays.Play(theta, round+5, us, func(e telemetry.Episode) { want = append(want, e) })
		sent := make([]*traj.Unroll, len(us))
		for i, u := range us {
			sent[i] = traj.NewUnroll(u.T, u.Shape)
			sent[i].CopyFrom(u)
			sent[i].Version, sent[i].Lane, sent[i].Serial, sent[i].First, sent[i].Task = 99, 99, 99, !u.First, 99
			clear(sent[i].State)
		}
		after := plays.Save()
		after.Returns, after.Lengths, after.Played = []float32{99}, nil, 99 // forged figures, which are ignored
		if err := told.Accept(round+5, sent, after, func(e telemetry.Episode) { got = append(got, e) }); err != nil {
			t.Fatal(err)
		}
		if len(want) == 0 || !reflect.DeepEqual(got, want) {
			t.Errorf("round %d: the episodes %v are told as %v", round, want, got)
		}
		if !reflect.DeepEqual(sent, us) {
			t.Errorf("round %d: the unrolls are not those that were played", round)
		}
		if !reflect.DeepEqual(told.Save(), plays.Save()) {
			t.Errorf("round %d: they stand in two places", round)
		}
	}
}

func TestAPlayThatEndsNowhereIsNotTaken(t *testing.T) {
	place, spec, theta := placed(t, "policy")
	plays, _ := place.Actor()
	told, _ := place.Actor()
	us := unrolls(3, 13, spec)
	plays.Play(theta, 0, us, ignore)
	for what, spoil := range map[string]func(*State){
		"worlds": func(s *State) { s.Worlds = s.Worlds[1:] },
		"core":   func(s *State) { s.Core = s.Core[1:] },
		"inputs": func(s *State) { s.Last = append(s.Last, 0) },
	} {
		after := plays.Save()
		spoil(&after)
		heard := 0
		if err := told.Accept(0, us, after, func(telemetry.Episode) { heard++ }); err == nil || heard > 0 {
			t.Errorf("%s that do not fit: %v, and %d episodes were told", what, err, heard)
		}
		if !reflect.DeepEqual(told.Save(), place.State) {
			t.Errorf("%s that do not fit: it stands somewhere else now", what)
		}
	}
	defer func() {
		if said := recover(); said != "actor: one unroll for each copy" {
			t.Errorf("of two unrolls it says %v", said)
		}
	}()
	told.Accept(0, us[:2], plays.Save(), ignore)
}

func TestAPlaceSaysHowItsActorPlays(t *testing.T) {
	place, _, _ := placed(t, "uniform")
	place.Arithmetic = "plain"
	a, err := place.Actor()
	if err != nil {
		t.Fatal(err)
	}
	if !a.Uniform || a.spec.Kernels.Arithmetic() != "plain" || a.lane != 2<<16 {
		t.Errorf("uniform %v, in %s arithmetic, lane %x", a.Uniform, a.spec.Kernels.Arithmetic(), a.lane)
	}
	place, _, _ = placed(t, "policy")
	if a, err = place.Actor(); err != nil || a.Uniform || a.spec.Kernels != kernel.Auto {
		t.Errorf("without a word it plays with %+v, uniform %v (%v)", a.spec.Kernels, a.Uniform, err)
	}
}

func TestAPlaceThatCannotBeIsRefused(t *testing.T) {
	for _, c := range []struct {
		want  string
		spoil func(*Place)
	}{
		{"a place of 0 copies; want 1 to", func(p *Place) { p.Copies = 0 }},
		{"a place of -1 copies; want 1 to", func(p *Place) { p.Copies = -1 }},
		{"a place of 65537 copies; want 1 to", func(p *Place) { p.Copies = envs.MaxVector + 1 }},
		{"for 65536 copies", func(p *Place) { p.Copies = envs.MaxVector }}, // its state is what does not fit
		{"hidden", func(p *Place) { p.Config.Hidden = "wide" }},
		{"the run wants roman arithmetic", func(p *Place) { p.Arithmetic = "roman" }},
		{"tasks", func(p *Place) { p.Config.World, p.Copies = "tiny", 1 }},
		{"returns", func(p *Place) { p.State.Returns = nil }},
	} {
		place, _, _ := placed(t, "policy")
		c.spoil(place)
		if a, err := place.Actor(); a != nil || err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q is refused with %v", c.want, err)
		}
	}
}
