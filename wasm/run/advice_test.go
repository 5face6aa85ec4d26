package run

import (
	"strings"
	"testing"

	"impalab/web/chart"
	"impalab/web/wire"
)

// undecided is the x-ray of a policy with that entropy.
func undecided(step uint64, entropy float32) *wire.XRay {
	return &wire.XRay{Step: step, Figures: row("entropy", entropy)}
}

func TestWarningsHoldAsLongAsTheirSettings(t *testing.T) {
	m := open("")
	greet(m)
	if got := read(m, "warnings"); got != "" {
		t.Errorf("V-trace's own settings warn %q", got)
	}
	m.Apply(&wire.Changed{Event: 1, Key: "rho", From: "1", To: "0.5"})
	if got := read(m, "warnings"); !strings.HasPrefix(got, "ρ̄ = 0.5 is below c̄ = 1") || !strings.HasSuffix(got, ".") {
		t.Errorf("ρ̄ below c̄ warns %q", got)
	}
	m.Apply(&wire.Changed{Event: 2, Key: "mix", From: "0", To: "1"})
	if got := strings.Split(read(m, "warnings"), "\n"); len(got) != 2 || !strings.HasPrefix(got[1], "Mix = 1") {
		t.Errorf("two of them warn %q", got)
	}
	m.Apply(&wire.Changed{Event: 3, Key: "mix", From: "1", To: "0"})
	m.Apply(&wire.Changed{Event: 4, Key: "c", From: "1", To: "0.5"})
	if got := read(m, "warnings"); got != "" {
		t.Errorf("mended, it still warns %q", got)
	}
}

// ended is a page that has seen a mean return rise from 20 to 200 and end at some return, with some entropy since step
// 60 000.
func ended(link string, last, entropy float32, steps uint64) *Run {
	m := open(link)
	greet(m)
	for i, r := range []float32{20, 200, last} {
		m.Apply(&wire.Point{Event: m.last + 1, Step: uint64(i) * 30_000, Episodes: 100, Return: r})
	}
	m.Apply(undecided(60_000, 0.4))
	m.Apply(undecided(60_100, entropy))
	m.Apply(undecided(60_100+steps, entropy))
	return m
}

func TestACollapseIsNamedWithItsRemedy(t *testing.T) {
	for name, c := range map[string]struct {
		link          string
		last, entropy float32
		steps         uint64
		hinted        bool
	}{
		"certain and far below the best": {"", 10, 0.001, 10_000, true},
		"certain and as good as ever":    {"", 190, 0.001, 10_000, false},
		"undecided and far below":        {"", 10, 0.1, 10_000, false},
		"certain and at chance":          {"", 15, 0.001, 10_000, true},
		"for a moment":                   {"", 10, 0.001, 100, false},
		"old data alone has no entropy":  {"#mix=1", 10, 0, 10_000, false},
		"a Gaussian's has no floor":      {"#p=impala-pendulum", 10, -3, 10_000, false},
	} {
		m := ended(c.link, c.last, c.entropy, c.steps)
		if hint := read(m, "hint"); (hint != "") != c.hinted {
			t.Errorf("%s: %q", name, hint)
		}
	}
	m := ended("", 10, 0.001, 10_000)
	for _, want := range []string{"next to no gradient", "will not help", "Same seed", "200"} {
		if !strings.Contains(read(m, "hint"), want) {
			t.Errorf("the hint %q does not say %q", read(m, "hint"), want)
		}
	}
	greet(m)
	m.Apply(&wire.Point{Event: 1, Step: 30_000, Episodes: 100, Return: 9.5})
	m.Apply(undecided(0, 0.001))
	m.Apply(undecided(30_000, 0.001))
	if hint := read(m, "hint"); !strings.Contains(hint, "no more than chance") {
		t.Errorf("a policy that never learned is told %q", hint)
	}
	greet(m)
	if hint := read(m, "hint"); hint != "" {
		t.Errorf("the new run is told %q", hint)
	}
}

func TestACertainPolicyThatWaversALittleHasNotCollapsed(t *testing.T) {
	m := ended("", 10, 0.001, 10_000)
	m.rated = chart.NewSpan()
	for _, r := range []float32{100, 105, 101} {
		m.Apply(&wire.Point{Event: m.last + 1, Step: 80_000, Episodes: 100, Return: r})
	}
	if hint := read(m, "hint"); hint != "" {
		t.Errorf("it is told %q", hint)
	}
}

func TestADivergedRunIsToldWhatToLower(t *testing.T) {
	for link, want := range map[string]string{
		"":                        "Next: lower the learning rate, 0.003 now; then “Same seed”.",
		"#lag=8&correction=is":    "Next: choose a correction that clips the ratios, then “Same seed”.",
		"#lag=8&rho=inf":          "Next: lower ρ̄, ∞ now: ratios that nothing clips have no bound; then “Same seed”.",
		"#clip=inf":               "Next: lower the gradient norm, ∞ now, so that no one batch decides; then “Same seed”.",
		"#p=stac&clip=640&lag=16": "Next: lower the learning rate, 0.004 now; then “Same seed”.",
	} {
		m := open(link)
		greet(m)
		m.Apply(&wire.Status{Event: 1, State: wire.StateDiverged, Reason: "the loss is not finite"})
		if len(m.Notices) != 1 || m.Notices[0] != "Diverged: the loss is not finite. "+want {
			t.Errorf("%s: %q, want …%q", link, m.Notices, want)
		}
	}
}
