package lab

import (
	"slices"
	"testing"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

// network returns the number of parameters of the network that the page builds from a Welcome's settings.
func network(t *testing.T, w *wire.Welcome) int {
	t.Helper()
	var settings []hyper.Setting
	for _, s := range w.Settings {
		settings = append(settings, hyper.Setting(s))
	}
	cfg, _, _, err := hyper.FromSettings(settings)
	if err != nil {
		t.Fatal(err)
	}
	spec, err := cfg.Network()
	if err != nil {
		t.Fatal(err)
	}
	return spec.Params()
}

func TestAPageGetsTheParametersOfTheNetworkOfItsSettings(t *testing.T) {
	for _, text := range []string{"p=catch lag=4", "p=t-maze", "p=vmpo-pendulum", "p=stacx", "p=stacx head-hidden=16",
		"p=tiny"} {
		v, w := visit(t, newLab(t, Options{}), link(text))
		v.sub.Want(false, true)
		m := await(v, func(m *wire.Weights) bool { return m.Update > 4 })
		if want := network(t, w); len(m.Target) != want || len(m.Behaviour) != 0 && len(m.Behaviour) != want {
			t.Errorf("%s: %d and %d parameters lent, the settings make %d", text, len(m.Target), len(m.Behaviour), want)
		}
		if lags := text == "p=catch lag=4"; lags && slices.Equal(m.Target, m.Behaviour) || lags != (m.Behaviour != nil) &&
			text != "p=vmpo-pendulum" {
			t.Errorf("%s: what acts is given apart: %v", text, m.Behaviour != nil)
		}
	}
}

func TestARunThatIsOverLeavesItsParameters(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=catch steps=400 speed=inf"))
	await(v, func(s *wire.Status) bool { return s.State == wire.StateDone })
	v.sub.Want(false, true)
	if m := await[*wire.Weights](v, nil); m.Update == 0 {
		t.Errorf("lent after %d updates", m.Update)
	}
}

func TestAStepByHandSendsItsParametersAtOnce(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=catch"))
	v.sub.Want(false, true)
	v.do(wire.VerbPause)
	await(v, func(s *wire.Status) bool { return s.State == wire.StatePaused })
	for range 3 {
		v.do(wire.VerbStep)
		x := await[*wire.XRay](v, nil)
		await(v, func(m *wire.Weights) bool { return m.Update >= x.Update })
	}
}
