package firstpage

import (
	"strings"
	"testing"
)

// Left alone, the second experiment makes the data old, the body falls, and V-trace comes too late.
func TestABodyThatFellDoesNotGetUpWithVTrace(t *testing.T) {
	p := begin(t, "#second")
	if settings := p.Runs()[1].Config(); settings.World != "cheetah" || settings.Steps < cheetah.dragAt+cheetah.longest {
		t.Fatalf("it trains %s for %d steps", settings.World, settings.Steps)
	}
	p.learn(99_000, 300, 310)
	p.want(Learning)
	p.learn(140_000, 300, 310)
	p.want(Learning, "A lag=64", "B lag=64")
	if score, unit := p.Shown(true); score != "310" || unit != "3.1 m/s" {
		t.Errorf("the stage says %q %q", score, unit)
	}
	p.learn(400_000, 120, 5)
	p.want(Held, "A pause", "B pause")
	if !p.Weak() {
		t.Error("it lies, and the stage does not show it")
	}
	p.wait(Patience)
	p.want(Mended, "B correction=vtrace", "A play", "B play")
	p.learn(500_000, 5, 3)
	p.want(Over, "A pause", "B pause")
	if got := p.Present(64); got != cheetah.lying {
		t.Errorf("at its end the story says %q", got)
	}
	if p.Again() != "#second&seed=9918" {
		t.Errorf("again: %s", p.Again())
	}
}

func TestEachLinkOpensItsExperiment(t *testing.T) {
	for link, want := range map[string]*experiment{"": &pole, "#": &pole, "#first&seed=3": &pole, "#second": &cheetah,
		"#second&seed=3&a=600000:lag=64": &cheetah, "#secondary": &pole} {
		if got := experimentOf(link); got != want {
			t.Errorf("%q opens %q", link, got.Name)
		}
	}
}

func TestTheSecondExperimentNamesItsOwnLag(t *testing.T) {
	p := begin(t, "#second")
	p.learn(50_000, 40, 40)
	p.Drag("8")
	p.learn(180_000, 40, 40)
	if got := p.Present(8); !strings.HasSuffix(got, "Drag on to 64.") || p.Act() != "Make them 64 updates old" {
		t.Errorf("at a lag of 8 the page says %q and the button %q", got, p.Act())
	}
	p.Press()
	p.learn(400_000, 40, 40)
	if got := p.Present(64); !strings.Contains(got, "not learned to run yet") || !strings.HasSuffix(got, "then to 64.") {
		t.Errorf("an agent that never ran: %q", got)
	}
}
