package firstpage

import (
	"encoding/xml"
	"slices"
	"strings"
	"testing"
	"time"

	"impalab/wasm/model"
	"impalab/wasm/run"
	"impalab/web/chart/charttest"
	"impalab/web/link"
	"impalab/web/wire"
)

// page is a story on a server that answers at once, and whose clock is turned by hand.
type page struct {
	*testing.T
	Story
	model  *model.Model
	sent   []string // to the left and to the right run
	timers []func()
	heard  [2][]wire.Event
	left   float32 // return of the left run
}

// begin is a story whose runs are new.
func begin(t *testing.T, fragment string) *page {
	p := open(t, fragment)
	for side, r := range p.model.Runs {
		p.welcome(side, r, wire.Welcome{State: wire.StateRunning, Fresh: true})
	}
	return p
}

// open is a story that has heard nothing yet.
func open(t *testing.T, fragment string) *page {
	p := &page{T: t, left: 400, model: model.New(link.InLab(fragment), "key")}
	p.Runs = func() (runs [2]*run.Run) {
		copy(runs[:], p.model.Runs)
		return runs
	}
	p.Say, p.After = func(string) {}, func(_ time.Duration, f func()) { p.timers = append(p.timers, f) }
	p.Send = func(r *run.Run, m wire.Message, err error) {
		if err != nil {
			t.Fatal(err)
		}
		side := slices.Index(p.model.Runs, r)
		switch m := m.(type) {
		case *wire.Set:
			p.sent = append(p.sent, "AB"[side:side+1]+" "+m.Key+"="+m.Value)
			from := r.Config().Get(m.Key)
			p.hear(side, &wire.Changed{Intent: m.Seq, Step: p.sides[side].step, Key: m.Key, From: from, To: m.Value})
		case *wire.Do:
			verb := map[uint8]string{wire.VerbPlay: "play", wire.VerbPause: "pause"}[m.Verb]
			p.sent = append(p.sent, "AB"[side:side+1]+" "+verb)
			state := map[uint8]uint8{wire.VerbPlay: wire.StateRunning, wire.VerbPause: wire.StatePaused}[m.Verb]
			p.hear(side, &wire.Status{State: state})
		}
	}
	p.Begin(fragment)
	return p
}

// welcome opens a side with the settings of a run.
func (p *page) welcome(side int, of *run.Run, w wire.Welcome) {
	w.Run, w.Steers = "AB"[side:side+1], true
	w.Settings = []wire.Setting{{Key: "preset", Value: link.Parse(p.of.Plain).Settings[0].Value}}
	for _, s := range of.Config().Settings() {
		w.Settings = append(w.Settings, wire.Setting(s))
	}
	p.model.Runs[side].Hello()
	p.apply(side, &w)
}

// reload opens the page again: the server tells it all that has happened.
func (p *page) reload() *page {
	again := open(p.T, "")
	for side, r := range p.model.Runs {
		again.welcome(side, r, wire.Welcome{State: r.State, Event: uint64(len(p.heard[side]))})
	}
	for side := range p.heard {
		for _, m := range p.heard[side] {
			again.apply(side, m)
		}
	}
	return again
}

func (p *page) apply(side int, m wire.Message) {
	r := p.model.Runs[side]
	p.model.Apply(r, m)
	p.Heard(r, m)
}

func (p *page) hear(side int, m wire.Event) {
	p.heard[side] = append(p.heard[side], m)
	*m.EventNumber() = uint64(len(p.heard[side]))
	p.apply(side, m)
}

// learn takes both to a step, a point every 1000 steps, with a mean of the last hundred and of the last ten of the
// right one.
func (p *page) learn(to uint64, hundred, ten float32) {
	for p.sides[1].step < to && !p.Still() {
		step := p.sides[1].step + 1000
		p.hear(0, &wire.Point{Step: step, Update: step / 40, Episodes: step / 100, Return: p.left, Recent: p.left})
		p.hear(1, &wire.Point{Step: step, Update: step / 40, Episodes: step / 100, Return: hundred, Recent: ten})
	}
}

func (p *page) wait(seconds int) {
	for range seconds {
		for _, f := range p.take() {
			f()
		}
	}
}

func (p *page) take() (timers []func()) { timers, p.timers = p.timers, nil; return }

func (p *page) want(phase Phase, sent ...string) {
	p.Helper()
	if p.Phase != phase || !slices.Equal(p.sent, sent) {
		p.Errorf("phase %d after %q, want %d after %q", p.Phase, p.sent, phase, sent)
	}
	p.sent = nil
}

// ends tests that the story is over and both runs wait, and that its last sentence at a lag has these words.
func (p *page) ends(lag int, words string) {
	p.Helper()
	p.want(Over, "A pause", "B pause")
	if got := p.Present(lag); !strings.Contains(got, words) {
		p.Error(got)
	}
}

func TestLeftAloneThePageTellsTheStoryByItself(t *testing.T) {
	p := begin(t, "")
	p.learn(79_000, 380, 400)
	p.want(Learning)
	p.learn(90_000, 380, 400)
	p.want(Learning, "A lag=64", "B lag=64")
	p.learn(200_000, 300, 29)
	p.want(Held, "A pause", "B pause")
	if p.fellAt != 91_000 || p.Act() != "Give it V-trace" || !strings.Contains(p.Hint(64), "In 6 s") {
		t.Errorf("held at %d: %q %q", p.fellAt, p.Act(), p.Hint(64))
	}
	p.wait(Patience - 1)
	p.want(Held)
	p.wait(1)
	p.want(Mended, "B correction=vtrace", "A play", "B play")
	p.learn(110_000, 10, 400)
	p.learn(400_000, 320, 480)
	p.want(Over, "A pause", "B pause")
	if step := p.sides[1].step; step < 116_000 || step > 130_000 || p.Act() == "" {
		t.Errorf("it ends at %d with %q", step, p.Act())
	}
	p.wait(100)
	p.want(Over)
}

func TestNoReaderIsTooLate(t *testing.T) {
	p := begin(t, "")
	p.learn(60_000, 350, 350)
	p.Drag("64")
	p.learn(100_000, 300, 20)
	p.want(Held, "A lag=64", "B lag=64", "A pause", "B pause")
	p.wait(1000)
	p.Toggle()
	p.want(Held)
	if p.Press() {
		t.Error("the button gives V-trace, and begins nothing anew")
	}
	p.want(Mended, "B correction=vtrace", "A play", "B play")
}

func TestAnInterruptedCountdownLeavesItToTheVisitor(t *testing.T) {
	p := begin(t, "")
	p.learn(82_000, 380, 400)
	p.learn(200_000, 300, 20)
	p.sent = nil
	p.wait(2)
	p.Drag("32")
	p.want(Unaided, "A lag=32", "B lag=32", "A play", "B play")
	p.wait(100)
	p.want(Unaided)
}

// fallen is a story whose right one is down at 101 000 steps, after a turn at 80 000.
func fallen(t *testing.T) *page {
	p := begin(t, "")
	p.learn(80_000, 380, 400)
	p.Drag("64")
	p.learn(100_000, 380, 400)
	p.learn(200_000, 280, 20)
	p.want(Held, "A lag=64", "B lag=64", "A pause", "B pause")
	return p
}

func TestFreshDataAfterTheFallLetBothContinueAndTheyMayMendIt(t *testing.T) {
	p := fallen(t)
	p.Drag("0")
	p.want(Unaided, "A lag=0", "B lag=0", "A play", "B play")
	if p.Act() != "Give it V-trace" || p.Present(0) != "Both continue. "+FreshAlone {
		t.Errorf("%q, %q", p.Act(), p.Present(0))
	}
	p.learn(140_000, 10, 10)
	p.want(Unaided)
	p.learn(400_000, 400, 400)
	p.want(Over, "A pause", "B pause")
	if got := p.Present(0); got != "It stands again: fresh data alone got it up, in 40 k steps." {
		t.Error(got)
	}
}

func TestAStoryThatFreshDataDoNotMendEnds(t *testing.T) {
	p := fallen(t)
	p.Drag("0")
	p.sent = nil
	p.learn(900_000, 10, 10)
	p.ends(0, "did not get up")
}

// everyEnding tells the story to each of its ends: with either help, and a mean return of 10 or of 400.
func everyEnding(t *testing.T, visit func(p *page, mean float32)) {
	for _, help := range []func(*page){func(p *page) { p.Drag("0") }, func(p *page) { p.Press() }} {
		for _, mean := range []float32{10, 400} {
			p := fallen(t)
			help(p)
			p.learn(900_000, mean, mean)
			visit(p, mean)
		}
	}
}

func TestAReloadFindsTheEndOfTheStory(t *testing.T) {
	everyEnding(t, func(p *page, _ float32) {
		lag := p.lag()
		told := p.Present(lag)
		again := p.reload()
		if again.want(Over); again.Present(lag) != told {
			t.Errorf("the story ended with %q, and after a reload with %q", told, again.Present(lag))
		}
	})
}

func TestAReloadDoesNotPauseWhoContinuedAfterTheEnd(t *testing.T) {
	everyEnding(t, func(p *page, mean float32) {
		p.Toggle()
		p.learn(p.step()+50_000, mean, mean)
		again := p.reload()
		if again.want(p.Phase); again.Act() != p.Act() || again.Present(p.lag()) != p.Present(p.lag()) {
			t.Errorf("%q and %q, and after a reload %q and %q", p.Act(), p.Present(p.lag()), again.Act(),
				again.Present(p.lag()))
		}
	})
}

func TestAStoryGoesOnWhileTheRightOneIsOnItsWayUp(t *testing.T) {
	p := fallen(t)
	p.Drag("0")
	p.sent = nil
	p.learn(300_000, 90, 160)
	p.want(Unaided)
	p.learn(350_000, 400, 400)
	p.learn(400_000, 400, 400)
	p.ends(0, "stands again")
	p = fallen(t)
	p.Drag("0")
	p.sent = nil
	p.learn(500_000, 90, 160)
	p.ends(0, "did not get up")
}

func TestAStoryTellsThatTheRightOneGotUpAndFellAgain(t *testing.T) {
	p := fallen(t)
	p.Press()
	p.sent = nil
	p.learn(200_000, 180, 490)
	p.learn(280_000, 60, 12)
	p.ends(64, "got up, and fell again")
	p = fallen(t)
	p.Press()
	p.sent = nil
	p.learn(500_000, 180, 490)
	p.ends(64, "got up late")
}

func TestVTraceCanStillBeGivenAfterTheSlider(t *testing.T) {
	p := fallen(t)
	p.Drag("16")
	p.learn(120_000, 10, 10)
	p.sent = nil
	if p.Press() {
		t.Error("the button gives V-trace, and begins nothing anew")
	}
	p.want(Mended, "B correction=vtrace", "A play", "B play")
}

func TestItCanFallASecondTime(t *testing.T) {
	p := fallen(t)
	p.Drag("0")
	p.learn(140_000, 10, 10)
	p.learn(400_000, 400, 400)
	p.sent = nil
	p.Drag("64")
	p.want(Learning, "A lag=64", "B lag=64", "A play", "B play")
	again := p.sides[1].step
	p.learn(again+20_000, 280, 400)
	p.want(Learning)
	p.learn(again+40_000, 280, 20)
	p.want(Held, "A pause", "B pause")
	if p.fellAt != again+21_000 {
		t.Errorf("it fell at %d, want %d", p.fellAt, again+21_000)
	}
}

func TestALinkWhoseLagIsTurnedAfterTheFallContinuesByItself(t *testing.T) {
	p := fallen(t)
	p.Drag("0")
	p.learn(110_000, 10, 10)
	again := begin(t, p.Link())
	again.learn(80_000, 380, 400)
	again.hear(1, &wire.Changed{Step: 80_000, Key: "lag", From: "0", To: "64"})
	again.learn(100_000, 380, 400)
	again.learn(101_000, 280, 20)
	again.sent = nil
	again.hear(1, &wire.Changed{Step: 101_000, Key: "lag", From: "64", To: "0"})
	again.want(Unaided, "A play", "B play")
}

func TestTheNoteOfTheFallIsTheDrawnLinesLastCrestAndItsTime(t *testing.T) {
	p := begin(t, "")
	p.learn(60_000, 250, 250)
	p.Drag("64")
	p.learn(64_000, 250, 200)
	p.learn(90_000, 350, 480)
	p.learn(100_000, 350, 450)
	p.learn(110_000, 350, 500)
	p.learn(130_000, 300, 300)
	p.learn(140_000, 300, 20)
	drawn := p.Chart(1200, 220)
	if !strings.Contains(drawn, "500 → 20") {
		t.Errorf("the chart lacks the fall: %s", drawn)
	}
	if got := p.Present(64); !strings.HasPrefix(got, "The right one fell: 500 → 20 in two seconds.") {
		t.Errorf("the story says %q", got)
	}
	if told := p.Describe(); !strings.Contains(told, "fell from 500 to 20") {
		t.Error(told)
	}
}

func TestTheHoldWaitsForTheSlowerRunToComeToTheFall(t *testing.T) {
	p := begin(t, "")
	p.learn(80_000, 380, 400)
	p.Drag("64")
	p.sent = nil
	p.hear(1, &wire.Point{Step: 82_000, Episodes: 820, Return: 380, Recent: 20})
	if p.want(Learning); strings.Contains(p.Chart(1200, 220), "cross") {
		t.Error("the chart shows a fall that it does not draw yet")
	}
	p.hear(0, &wire.Point{Step: 82_000, Episodes: 820, Return: 400, Recent: 400})
	if p.want(Held, "A pause", "B pause"); !strings.Contains(p.Chart(1200, 220), "cross") {
		t.Error("the chart lacks the fall")
	}
}

// Two runs that learn the same have equal curves, even if one of them is ahead.
func TestBothCurvesEndAtTheSmallerStepOfTheTwo(t *testing.T) {
	p := begin(t, "")
	for step := uint64(1000); step <= 60_000; step += 1000 {
		score := float32(step) / 200
		p.hear(0, &wire.Point{Step: step, Return: score, Recent: score})
		if step <= 40_000 {
			p.hear(1, &wire.Point{Step: step, Return: score, Recent: score})
		}
	}
	ends := map[string]bool{}
	charttest.Elements(t, "story", p.Chart(1200, 220), func(e xml.StartElement) {
		if path := charttest.Attribute(e, "d"); path != "" && strings.HasPrefix(charttest.Attribute(e, "class"), "line ") {
			ends[path[strings.LastIndex(path, "L"):]] = true
		}
	})
	if len(ends) != 1 || p.Score(false) != p.Score(true) {
		t.Errorf("the curves end at %v with %v and %v", ends, p.Score(false), p.Score(true))
	}
}

func TestADragThatBreaksNothingAsksFor64(t *testing.T) {
	p := begin(t, "")
	p.learn(60_000, 350, 350)
	p.Drag("8")
	p.learn(84_000, 360, 360)
	if got := p.Present(8); got != "You let their data wait 8 updates. Watch the right one." {
		t.Errorf("at once: %q", got)
	}
	if p.Act() != "" {
		t.Errorf("at once the button says %q", p.Act())
	}
	p.learn(87_000, 360, 360)
	if got := p.Present(8); !strings.Contains(got, "not late enough yet. Drag on to 64") {
		t.Errorf("after 27 000 steps: %q", got)
	}
	if p.Act() != "Turn the lag to 64" || p.Press() {
		t.Errorf("after 27 000 steps the button says %q", p.Act())
	}
	p.want(Learning, "A lag=8", "B lag=8", "A lag=64", "B lag=64")
}

func TestALowMeanBeforeAnyLagIsNotAFall(t *testing.T) {
	p := begin(t, "")
	p.learn(30_000, 100, 20)
	p.want(Learning)
}

func TestTheTwoWaitForEachOther(t *testing.T) {
	p := begin(t, "")
	point := func(side int, step uint64) { p.hear(side, &wire.Point{Step: step, Return: 100, Recent: 100}) }
	point(0, 1000)
	point(1, 1000)
	point(0, 7000)
	p.want(Learning, "A pause")
	point(1, 5000)
	p.want(Learning)
	point(1, 6500)
	p.want(Learning, "A play")
}

func TestALinkTellsTheSameStory(t *testing.T) {
	p := begin(t, "#first&seed=7&speed=100000")
	p.learn(60_000, 350, 350)
	p.Drag("64")
	p.learn(100_000, 300, 20)
	p.Press()
	link := p.Link()
	if want := "#first&seed=7&speed=100000&a=60000:lag=64&b=60000:lag=64,61000:correction=vtrace"; link != want {
		t.Errorf("the link is %s, want %s", link, want)
	}
	again := begin(t, link)
	if again.Link() != link {
		t.Errorf("opened again it is %s", again.Link())
	}
	again.learn(59_000, 350, 350)
	if !again.planned("lag") || !again.planned("correction") {
		t.Error("what the link turns is not planned")
	}
	again.learn(70_000, 350, 350)
	if again.want(Learning); again.planned("lag") {
		t.Error("what is past is still planned")
	}
}

// Present is the sentence of the present step.
func (s *Story) Present(lag int) string {
	for _, step := range s.Steps(lag) {
		if step.State == "now" {
			return step.Text()
		}
	}
	return ""
}
