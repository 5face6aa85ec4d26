package firstpage

import (
	"encoding/xml"
	"strconv"
	"strings"
	"testing"

	"impalab/web/chart/charttest"
	"impalab/web/wire"
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
	if got := p.Present(64); got != "V-trace came too late: it still lies. "+cheetah.lying {
		t.Errorf("at its end the story says %q", got)
	}
	if !p.Lies() || p.Act() != "Again, with V-trace" {
		t.Errorf("at its end the body lies: %v, and the button says %q", p.Lies(), p.Act())
	}
	again := p.Again()
	if again != "#second&a=100000:lag=64&b=100000:lag=64,100000:correction=vtrace" || !p.Press() {
		t.Fatalf("again: %s", again)
	}
	p = begin(t, again)
	p.learn(100_000, 300, 310)
	for side := range 2 {
		p.hear(side, &wire.Changed{Step: 100_000, Key: "lag", From: "0", To: "64"})
	}
	p.hear(1, &wire.Changed{Step: 100_000, Key: "correction", From: "none", To: "vtrace"})
	p.learn(150_000, 300, 310)
	if p.Lies() || !strings.HasSuffix(p.Present(64), "late data do no harm.") {
		t.Errorf("with V-trace from the turn on: %q", p.Present(64))
	}
	p.learn(400_000, 300, 310)
	if p.Phase != Over || !strings.HasSuffix(p.Present(64), "With V-trace from then on it did not fall.") ||
		p.Again() != "#second&seed=9921" {
		t.Errorf("at its end: phase %v, %q, %s", p.Phase, p.Present(64), p.Again())
	}
}

// A body that V-trace lifts is up again, and a pole never lies once its run continues.
func TestABodyLiesUntilItsRunIsUpAgain(t *testing.T) {
	for fragment, lies := range map[string]bool{"#second": true, "#first": false} {
		p := begin(t, fragment)
		p.learn(110_000, 300, 310)
		p.learn(400_000, 120, 5)
		if !p.Lies() {
			t.Errorf("%s: it does not lie at its fall", fragment)
		}
		p.Press()
		p.learn(p.sides[1].step+10_000, 50, 5)
		if p.Lies() != lies {
			t.Errorf("%s: with V-trace it lies: %v", fragment, p.Lies())
		}
		p.learn(p.sides[1].step+90_000, 400, 400)
		if p.Lies() || p.Phase != Over || p.Act() != "Again, with other luck" {
			t.Errorf("%s: up again, it lies: %v, and the button says %q", fragment, p.Lies(), p.Act())
		}
	}
}

func TestEachLinkOpensItsExperiment(t *testing.T) {
	for link, want := range map[string]*experiment{"": &pole, "#": &pole, "#first&seed=3": &pole, "#second": &cheetah,
		"#second&seed=3&a=600000:lag=64": &cheetah, "#secondary": &pole, "#third": &writer, "#third&seed=2": &writer} {
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
	if got := p.Present(8); !strings.HasSuffix(got, "Drag on to 64.") || p.Act() != "Turn the lag to 64" {
		t.Errorf("at a lag of 8 the page says %q and the button %q", got, p.Act())
	}
	p.Press()
	p.learn(400_000, 40, 40)
	if got := p.Present(64); !strings.Contains(got, "not learned to run yet") || !strings.HasSuffix(got, "then to 64.") {
		t.Errorf("an agent that never ran: %q", got)
	}
}

// Left alone, the third experiment makes the data old, the right one forgets, and the left one's correction teaches it
// again. A poor mean of ten answers is no fall.
func TestAWriterForgetsAndLearnsAgain(t *testing.T) {
	p := begin(t, "#third")
	p.left = .95
	if settings := p.Runs()[1].Config(); settings.World != "reverse" ||
		settings.Steps < writer.dragAt+writer.hopeless+2*writer.longest {
		t.Fatalf("it trains %s for %d steps", settings.World, settings.Steps)
	}
	kind, title := p.Aside(0)
	if kind != "picture" || !strings.HasPrefix(title, "A column") {
		t.Errorf("below the button stands %q: %s", kind, title)
	}
	at := writer.dragAt
	p.learn(at-1000, .95, .9)
	p.want(Learning)
	lag := strconv.Itoa(writer.dragTo)
	p.learn(at+5000, .94, .2)
	p.want(Learning, "A lag="+lag, "B lag="+lag)
	p.learn(at+6000, .28, .5)
	p.want(Held, "A pause", "B pause")
	if got := p.Present(writer.dragTo); !strings.HasPrefix(got, "The right one forgot how to spell: 0.94 → 0.28 ") {
		t.Errorf("at its fall the story says %q", got)
	}
	if drawn := p.Chart(1200, 220); !strings.Contains(drawn, "0.94 → 0.28") || !strings.Contains(drawn, ">chance<") ||
		!strings.Contains(drawn, "what the taper") || strings.Contains(drawn, "NaN") {
		t.Errorf("the chart is %s", drawn)
	}
	var numerals []string // of the steps 1 to 3, though the fall follows the turn at once
	charttest.Elements(t, "story", p.Chart(1200, 220), func(e xml.StartElement) {
		if charttest.Attribute(e, "class") == "disc" {
			numerals = append(numerals, charttest.Attribute(e, "cx"))
		}
	})
	if len(numerals) != 3 {
		t.Errorf("the chart has numerals at %v", numerals)
	}
	if !p.Lies() || p.Act() != "Weigh its bad steps" {
		t.Errorf("it lies: %v, and the button says %q", p.Lies(), p.Act())
	}
	p.Press()
	p.want(Mended, "B correction=taper", "A play", "B play")
	if p.Lies() || p.Name(true) != "Taper, late" {
		t.Errorf("with its correction it lies: %v, as %q", p.Lies(), p.Name(true))
	}
	p.learn(at+200_000, .5, .5)
	p.want(Mended)
	p.learn(at+600_000, .9, .9)
	p.ends(writer.dragTo, "With the taper it learned again, on data as old as before.")
	if p.Act() != "Again, with other luck" || !strings.HasPrefix(p.Again(), "#third&seed=") {
		t.Errorf("at its end the button says %q, and leads to %s", p.Act(), p.Again())
	}
}

// No sentence of the third experiment is about a pole, a body or V-trace.
func TestTheThirdExperimentHasItsOwnWords(t *testing.T) {
	p := begin(t, "#third")
	p.left = .95
	said := func() {
		t.Helper()
		_, title := p.Aside(p.lag())
		all := append(p.texts(p.lag()), p.Act(), p.Hint(p.lag()), p.Describe(), p.Chart(1200, 220), title, p.Measure(),
			p.Name(true), p.Name(false), p.Manner(true), p.Manner(false))
		for _, right := range []bool{false, true} { // before the first frame too
			score, unit := p.Shown(right)
			all = append(all, score, unit)
		}
		for _, words := range all {
			for _, none := range []string{"V-trace", "pole", "body", "runner", "lies", "stand again", "stands", "got up"} {
				if strings.Contains(words, none) {
					t.Errorf("%v: %q is said in %q", p.Phase, none, words)
				}
			}
		}
	}
	said()
	p.learn(writer.dragAt+2000, .95, .9)
	said()
	p.learn(writer.dragAt+50_000, .28, .3)
	said()
	p.Press()
	said()
	p.learn(writer.dragAt+50_000+2*writer.longest, .28, .3)
	said()
}

// The visitor's slider rescues it too: with fresh data alone.
func TestAWriterOnFreshDataAloneIsToldSo(t *testing.T) {
	p := begin(t, "#third")
	p.left = .95
	p.learn(writer.dragAt+2000, .95, .9)
	p.learn(writer.dragAt+50_000, .28, .3)
	p.Drag("0")
	if got := p.Present(0); got != "Both continue. "+writer.fresh {
		t.Errorf("on fresh data the story says %q", got)
	}
	p.learn(writer.dragAt+100_000, .28, .3)
	p.sent = nil
	p.learn(writer.dragAt+400_000, .9, .9)
	p.ends(0, "It writes well again: fresh data alone taught it, in ")
}
