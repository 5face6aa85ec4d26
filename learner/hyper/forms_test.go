package hyper

import (
	"strings"
	"testing"
)

// The sentences name the setting, what is wrong, and the next step.
func TestSettingsOfTheWeightsOfToday(t *testing.T) {
	for _, c := range []struct{ preset, changes, want string }{
		{"lag-cliff", "correction=clip", ""},
		{"lag-cliff", "correction=band ratio=response", ""},
		{"lag-cliff", "correction=vtrace lift=0.5", ""},
		{"laser", "correction=taper ratio=mean", ""},
		{"impala-pendulum", "correction=moment", ""},
		{"lag-cliff", "correction=band floor=3 ceiling=2",
			"floor=3 with ceiling=2: no ratio lies between them; set a floor of at most the ceiling"},
		{"lag-cliff", "correction=taper taper-low=0.25 taper-high=0.25", ""},
		{"lag-cliff", "correction=taper taper-low=0.5 taper-high=0.25", "taper-low=0.5 with taper-high=0.25: no weight " +
			"lies between them; set a taper-low of at most taper-high"},
		{"lag-cliff", "taper-low=-1", `taper-low="-1": must be a number from 0 to 10`},
		{"lag-cliff", "clip-low=0", `clip-low="0": must be a number above 0 to inf`},
		{"lag-cliff", "moment=-1", `moment="-1": must be a number from 0`},
		{"lag-cliff", "shift=0", `shift="0": must be a number above 0 to 1`},
		{"lag-cliff", "lift=inf", `lift="inf": must be a number from -10 to 10`},
		{"lag-cliff", "correction=moment ratio=mean", "ratio=mean with correction=moment: this correction has no ratio of " +
			"a whole response; set ratio=step, or correction=one-step, taper, clip or band"},
		{"lag-cliff", "correction=vtrace ratio=response", "ratio=response with correction=vtrace"},
		{"impala-pendulum", "correction=shift", "correction=shift with policy=gaussian: it compares probabilities, and a " +
			"Gaussian policy has densities; set correction=one-step, or policy=softmax"},
		{"lag-cliff", "correction=band ratio=response lag=0 mode=live", ""},
		{"lag-cliff", "correction=band ratio=response lag=0 mode=live inference=batched", "ratio=response with " +
			"inference=batched: such actors change their policy within an unroll, and a response is of one policy; set " +
			"ratio=step, or inference=own"},
		{"impala-pendulum", "correction=centred", "correction=centred with policy=gaussian"},
		{"lag-cliff", "correction=centred centre=bad", ""},
		{"lag-cliff", "correction=taper centre=bad", "centre=bad with correction=taper: this correction subtracts no mean " +
			"slope; set centre=all, or correction=centred"},
		{"lag-cliff", "centre=half", `centre="half": must be one of all, bad, good`},
		{"stac", "correction=clip", "algo=stac with correction=clip"},
		{"stac", "lift=0.5", "lift=0.5 with algo=stac: only the policy gradients of impala and laser have a lift; set " +
			"lift=0"},
		{"vmpo", "correction=taper", "algo=vmpo with correction=taper: V-MPO imitates by weights of its own; set " +
			"correction=vtrace, or algo=impala or laser"},
		{"a2c", "lift=0.5", "lift=0.5 with algo=a2c"},
	} {
		cfg, err := FromPreset(c.preset)
		for _, pair := range strings.Fields(c.changes) {
			key, value, _ := strings.Cut(pair, "=")
			if err == nil {
				err = cfg.Set(key, value)
			}
		}
		if err == nil {
			err = cfg.Validate()
		}
		if (err == nil) != (c.want == "") || err != nil && !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s: %v, want %q", c.preset, c.changes, err, c.want)
		}
	}
}

// Each name of a choice is the name of one choice, not of several.
func TestNamesOfChoicesAreOfOneChoice(t *testing.T) {
	for i := range Table {
		for _, choice := range Table[i].Choices {
			if name := Table[i].Name(choice); strings.Contains(name, "=") {
				t.Errorf("%s=%s is called %q", Table[i].Key, choice, name)
			}
		}
	}
}
