package run

import (
	"encoding/xml"
	"strconv"
	"strings"
	"testing"

	"impalab/learner/correct"
	"impalab/learner/telemetry"
	"impalab/web/chart/charttest"
	"impalab/web/wire"
)

// A change of the correction changes the words of its lane, the knob on a small screen, and the fill of the belt.
func TestTheLaneOfTheCutFollowsTheCorrection(t *testing.T) {
	m := open("")
	greet(m)
	for i, c := range []struct{ correction, small, chip, short, value string }{
		{"clip", "by the clip, of all", "cut by the clip", "clip", "0.28"},
		{"band", "by the band, of all", "cut by the band", "band", "5"},
		{"taper", "by the taper, of all", "cut by the taper", "half", "the bad steps"},
		{"moment", "by τ, of the whole", "cut by τ", "τ", "0.04"},
		{"shift", "by δ, of the whole", "cut by δ", "δ", "0.2"},
		{"centred", "nothing is cut", "cut off", "ρ̄", "1"},
		{"none", "nothing is cut", "cut off", "ρ̄", "1"},
		{"one-step", "by ρ̄, of the whole", "cut by ρ̄", "ρ̄", "1"},
	} {
		m.Apply(&wire.Changed{Event: uint64(i + 1), Step: uint64(i), Key: "correction", From: m.Config().Get("correction"),
			To: c.correction})
		for name, want := range map[string]string{"small-cut-rho": c.small, "named-cut-rho": c.chip,
			"short-cut-rho": c.short, "chip-rho": c.value, "named-cut-c": "cut by c̄"} {
			if got := read(m, name); got != want {
				t.Errorf("%s: %s is %q, want %q", c.correction, name, got, want)
			}
		}
		whole := c.correction == "none" || c.correction == "centred"
		if m.CountsWhole() != whole {
			t.Errorf("%s: the belt counts every step whole: %v", c.correction, !whole)
		}
	}
}

// The bars of the ratios show the band and the clip. Red is outside of the band; of the clip the sign of A decides.
func TestTheBarsShowTheBandAndTheClip(t *testing.T) {
	counts := make([]uint32, telemetry.RatioBins)
	for i := range counts {
		counts[i] = 10
	}
	for link, want := range map[string]struct {
		names []string
		red   int
	}{
		"#correction=band&floor=0.5&ceiling=2":              {[]string{"floor", "ceiling"}, 32},
		"#correction=band&floor=0&ceiling=2":                {[]string{"ceiling"}, 16},
		"#correction=band&floor=0.5&ceiling=2&ratio=mean":   {nil, 0},
		"#correction=clip":                                  {[]string{"A < 0", "A > 0"}, 0},
		"#correction=one-step&ratio=response":               {nil, 0},
		"#correction=one-step":                              {[]string{"ρ̄"}, 20},
		"#correction=" + correct.MethodShift.String() + "&": {nil, 0},
	} {
		m := open(link)
		greet(m)
		m.Apply(&wire.XRay{Ratios: counts, Figures: row("cut-rho", 0.5)})
		drawn, red := draw(m, "ratios", 320, 120), 0
		charttest.Elements(t, link, drawn, func(e xml.StartElement) {
			if charttest.Attribute(e, "class") == "bar cut" {
				if high, _ := strconv.ParseFloat(charttest.Attribute(e, "height"), 64); high > 0 {
					red++
				}
			}
		})
		if red != want.red {
			t.Errorf("%s: %d bars are red, want %d", link, red, want.red)
		}
		for _, name := range []string{"floor", "ceiling", "A < 0", "A > 0", "ρ̄"} {
			named := strings.Contains(drawn, ">"+strings.NewReplacer("<", "&lt;", ">", "&gt;").Replace(name)+"<")
			if wanted := strings.Contains(strings.Join(want.names, ";"), name); named != wanted {
				t.Errorf("%s: the bars name %s: %v", link, name, named)
			}
		}
	}
}

// The sentence on top is the preset's only while the preset's settings are in force.
func TestTheSentenceOnTopIsOfTheSettingsInForce(t *testing.T) {
	for link, want := range map[string]string{
		"#":                                   "Balance a pole; 475 of 500 is solved.",
		"#seed=7&steps=90000":                 "Balance a pole; 475 of 500 is solved.",
		"#rho=2":                              "CartPole with ρ̄ 2.",
		"#rho=2&c=inf&mix=0.5":                "CartPole with c̄ ∞, replay mix 0.5, ρ̄ 2.",
		"#rho=2&c=2&mix=0.5&gamma=0.9&lr=0.1": "CartPole with c̄ 2, γ 0.9, learning rate 0.1 and 2 more.",
		"#p=lag-cliff&rho=0.1":                "Lag cliff with ρ̄ 0.1.",
		"#correction=clip":                    "PPO's clip: Leaves out steps that have gone far enough in A's direction.",
		"#lag=16":                             "16 updates behind. V-trace: Cuts every ratio at ρ̄ and c̄.",
		"#correction=is":                      "Full importance sampling, no cut.",
		"#lag=1&correction=none":              "1 update behind. No correction: Treats old data as its own.",
		"#algo=a2c&lag=0&overlap=0":           "CartPole with algorithm A2C.",
	} {
		m := open(link)
		greet(m)
		if got := read(m, "preset"); got != want {
			t.Errorf("%s: it says %q, want %q", link, got, want)
		}
	}
}
