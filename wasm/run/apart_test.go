package run

import (
	"errors"
	"testing"

	"impalab/learner/hyper"
	"impalab/web/wire"
)

func TestTheRunSaysWhatDiffersFromItsPresetAndItsPaper(t *testing.T) {
	for _, c := range []struct{ link, preset, paper string }{
		{"#p=lag-cliff", "", "8 values differ from the paper"},
		{"#p=lag-cliff&lag=16", "1 value differs from the preset", "8 values differ from the paper"},
		{"#p=lag-cliff&seed=7&speed=4000&steps=90000", "", "8 values differ from the paper"},
		{"#p=lag-cliff&lag=16&lr=0.0006", "2 values differ from the preset", "7 values differ from the paper"},
		{"#p=lag-cliff&algo=a2c&lag=0&overlap=0", "2 values differ from the preset", ""}, // its paper prints no settings
	} {
		m := open(c.link)
		greet(m)
		if preset, paper := read(m, "apart-preset"), read(m, "apart-paper"); preset != c.preset || paper != c.paper {
			t.Errorf("%s: %q and %q, want %q and %q", c.link, preset, paper, c.preset, c.paper)
		}
	}
}

func TestEachDifferenceNamesBothValues(t *testing.T) {
	m := open("#p=lag-cliff&lag=16")
	greet(m)
	from := m.Apart()
	if p := from.Preset; len(p) != 1 || p[0].Row.Key != "lag" || p[0].Here != "16" || p[0].There != "8" ||
		p[0].Take != "8" {
		t.Errorf("from the preset: %+v", p)
	}
	seen := map[string]Apart{}
	for _, one := range from.Paper {
		seen[one.Row.Key] = one
	}
	if lr := seen["lr"]; lr.Here != "0.003" || lr.There != "0.0006" || lr.Take != "0.0006" || lr.Where != "table G.1" {
		t.Errorf("learning rate: %+v", lr)
	}
	if said := from.Beside("lag"); said != "• 8 → 16" {
		t.Errorf("beside the lag: %q", said)
	}
	if said := from.Beside("lr"); said != "•" {
		t.Errorf("beside the learning rate, which only the paper has otherwise: %q", said)
	}
	if said := from.Beside("rho"); said != "" {
		t.Errorf("beside ρ̄, as in both: %q", said)
	}
}

// Of a range the page takes the nearer end, of several values the nearest.
func TestTheValueOfThePaperIsTheNearestThatItNames(t *testing.T) {
	m := open("#p=laser-catch&lr=0.9&unroll=70")
	greet(m)
	for _, one := range m.Apart().Paper {
		if want := map[string]string{"lr": "0.0012", "unroll": "79"}[one.Row.Key]; want != "" && one.Take != want {
			t.Errorf("%s: take %s, want %s", one.Row.Key, one.Take, want)
		}
	}
}

func TestARunAsInThePaperDiffersInNothing(t *testing.T) {
	for _, preset := range []string{"lag-cliff", "vmpo-pendulum", "stac-lag"} {
		m := open("#p=" + preset)
		greet(m)
		m.ID = "a"
		message, err := m.AsPrinted()
		hello, ok := message.(*wire.Hello)
		if err != nil || !ok {
			t.Errorf("%s: %v, %v", preset, message, err)
			continue
		}
		var settings []hyper.Setting
		for _, s := range hello.Settings {
			settings = append(settings, hyper.Setting(s))
		}
		config, _, _, err := hyper.FromSettings(settings)
		if left := config.Departures(); len(left) > 0 || err != nil {
			t.Errorf("%s: %+v differ still; %v", preset, left, err)
		}
	}
}

func TestAPaperThatDoesNotFitIsRefused(t *testing.T) {
	for link, want := range map[string]string{
		"#p=lag-cliff":         "too large",
		"#p=laser-catch":       `replay-size="10000000": must be a whole number from 1 to 5000000`,
		"#p=lag-cliff&lock=lr": "lr is locked by this link",
	} {
		m := open(link)
		greet(m)
		m.Fits = func(*hyper.Config) error { return errors.New("too large") }
		if message, err := m.AsPrinted(); message != nil || err == nil || err.Error() != want {
			t.Errorf("%s: %v, %v, want %q", link, message, err, want)
		}
	}
}
