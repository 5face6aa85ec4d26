package trainer

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner"
	"impalab/learner/algo"
	"impalab/learner/graph"
	"impalab/web/wire"
)

// page is the other side of a connection.
type page struct {
	t    *testing.T
	in   chan []byte
	out  chan []byte
	over chan struct{}
	held []wire.Message // of the last frame
	last uint32
	id   string
	end  *wire.Status // the status with which the run ended, or the Welcome's; nil: it continues
}

func newTrainer(t *testing.T) *Trainer {
	tr := New(Options{Build: "test", Name: "here0-", Lower: graph.Lower})
	t.Cleanup(tr.Close)
	return tr
}

// visit says Hello and waits for the Welcome.
func visit(t *testing.T, tr *Trainer, hello *wire.Hello) (*page, *wire.Welcome) {
	t.Helper()
	p := &page{t: t, in: make(chan []byte, 16), out: make(chan []byte, 4096), over: make(chan struct{})}
	go func() {
		tr.Serve(p.in, func(frame []byte) { p.out <- frame })
		close(p.over)
	}()
	p.say(hello)
	w := await[*wire.Welcome](p, nil)
	p.id = w.Run
	return p, w
}

func (p *page) say(m wire.Message) {
	frame, err := wire.Append(nil, m)
	if err != nil {
		p.t.Fatal(err)
	}
	p.in <- frame
}

func (p *page) set(key, value string) {
	p.last++
	p.say(&wire.Set{Seq: p.last, Key: key, Value: value})
}

func (p *page) do(verb uint8) {
	p.last++
	p.say(&wire.Do{Seq: p.last, Verb: verb})
}

// leave hangs up.
func (p *page) leave() {
	close(p.in)
	<-p.over
}

// await waits for a message of a kind that fits.
func await[M wire.Message](p *page, fits func(M) bool) M {
	p.t.Helper()
	late := time.After(kit.Patience)
	for {
		for len(p.held) > 0 {
			m, ok := p.held[0].(M)
			p.note(p.held[0])
			p.held = p.held[1:]
			if ok && (fits == nil || fits(m)) {
				return m
			}
		}
		select {
		case frame := <-p.out:
			var err error
			if p.held, err = wire.DecodeAll(frame, wire.FromServer); err != nil {
				p.t.Fatal(err)
			}
		case <-late:
			var m M
			p.t.Fatalf("no %T came", m)
		}
	}
}

// note remembers the end of the run, which may come before the message that a test waits for.
func (p *page) note(m wire.Message) {
	switch m := m.(type) {
	case *wire.Welcome:
		if wire.Over(m.State) {
			p.end = &wire.Status{State: m.State}
		}
	case *wire.Status:
		if wire.Over(m.State) {
			p.end = m
		}
	}
}

func link(text string) *wire.Hello {
	h := &wire.Hello{}
	for _, pair := range strings.Fields(text) {
		key, value, _ := strings.Cut(pair, "=")
		h.Settings = append(h.Settings, wire.Setting{Key: key, Value: value})
	}
	return h
}

func (p *page) done() {
	p.t.Helper()
	for p.end == nil {
		await[*wire.Status](p, nil)
	}
	if p.end.State != wire.StateDone {
		p.t.Fatalf("ended in state %d: %s", p.end.State, p.end.Reason)
	}
}

func TestARunOfThePageIsTheRunOfTheCommandLine(t *testing.T) {
	cfg := kit.Config(t, "catch", "")
	cfg.Steps, cfg.Lag = 4000, 2
	made, err := algo.Programs(graph.Lower, &cfg)
	if err != nil {
		t.Fatal(err)
	}
	l, err := learner.Engine{Lower: graph.Lower}.New(cfg)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	want, err := l.Run(t.Context(), learner.Hooks{})
	if err != nil {
		t.Fatal(err)
	}
	tr := New(Options{Build: "test", Lower: algo.Stored(made)})
	defer tr.Close()
	p, w := visit(t, tr, link("p=catch lag=2 steps=4000 speed=inf wings=3"))
	if !w.Steers || !w.Fresh || w.Key == "" ||
		!slices.Equal(w.Unknown, []string{"wings"}) {
		t.Errorf("welcome: %+v", w)
	}
	if x := await[*wire.XRay](p, nil); len(x.Figures) != len(w.Figures) || len(x.Ratios) == 0 {
		t.Errorf("x-ray: %+v", x)
	}
	p.done()
	if got := tr.ParamsSHA256(p.id); got != want.ParamsSHA256 {
		t.Errorf("parameters %s, on the command line %s", got, want.ParamsSHA256)
	}
}

func TestAPageSteersItsRun(t *testing.T) {
	tr := newTrainer(t)
	p, _ := visit(t, tr, link("p=catch speed=2000"))
	p.set("lag", "4")
	if c := await[*wire.Changed](p, nil); c.Key != "lag" || c.From != "0" || c.To != "4" || c.Intent != 1 {
		t.Errorf("changed: %+v", c)
	}
	p.set("hidden", "8")
	if r := await[*wire.Refused](p, nil); r.Intent != 2 || !strings.Contains(r.Reason, "start another with hidden=8") {
		t.Errorf("refused: %+v", r)
	}
	p.do(wire.VerbPause)
	await(p, func(s *wire.Status) bool { return s.State == wire.StatePaused })
	at := tr.find(p.id).record.Position().Updates
	p.say(&wire.Want{Weights: true})
	p.do(wire.VerbStep)
	if x := await(p, func(x *wire.XRay) bool { return x.Update > at }); x.Update != at+1 {
		t.Errorf("one step from update %d leads to %d", at, x.Update)
	}
	if m := await[*wire.Weights](p, nil); m.Update < at {
		t.Errorf("parameters of update %d at %d", m.Update, at)
	}
	p.do(wire.VerbPlay)
	await(p, func(s *wire.Status) bool { return s.State == wire.StateRunning })
}

func TestPlannedTurnsAreMadeAtTheirSteps(t *testing.T) {
	p, _ := visit(t, newTrainer(t), link("p=catch steps=3000 speed=inf t=720:lag=8,1440:lag=0"))
	for _, want := range []struct {
		step uint64
		to   string
	}{{720, "8"}, {1440, "0"}} {
		if c := await[*wire.Changed](p, nil); c.Step != want.step || c.Key != "lag" || c.To != want.to || c.Intent != 0 {
			t.Errorf("changed: %+v, want %+v", c, want)
		}
	}
	p.done()
}

// TestAForkContinuesFromItsMoment forks a run at an earlier update: the past is told again, and the future has the same
// bytes as a run that was changed there.
func TestAForkContinuesFromItsMoment(t *testing.T) {
	tr := newTrainer(t)
	straight, _ := visit(t, tr, link("p=catch steps=6000 speed=inf t=1440:lag=4"))
	straight.done()
	parent, _ := visit(t, tr, link("p=catch steps=6000 speed=inf"))
	parent.done()
	update := uint64(1440 / (9 * 4))
	h := link("lag=4")
	h.From = wire.Origin{Run: parent.id, Update: update}
	child, w := visit(t, tr, h)
	if w.From != h.From || w.Run == parent.id {
		t.Errorf("welcome: %+v", w)
	}
	if first := await[*wire.Point](child, nil); first.Update > update {
		t.Errorf("what came before is not told: the first point is of update %d", first.Update)
	}
	child.done()
	if got, want := tr.ParamsSHA256(child.id), tr.ParamsSHA256(straight.id); got != want || want == "" {
		t.Errorf("the fork comes to %s, the run that was changed there to %s", got, want)
	}
	h.From.Update = 1 << 40
	if _, err := tr.Open(h); err == nil || !strings.Contains(err.Error(), "the run has reached update") {
		t.Errorf("a fork of what has not been: %v", err)
	}
	h.From.Run = "r"
	if _, err := tr.Open(h); err == nil || !strings.Contains(err.Error(), "begin another") {
		t.Errorf("a fork of a run of elsewhere: %v", err)
	}
}

// A turn planned for the moment of the fork has not been made there: the fork's own setting counts.
func TestAForkAtAPlannedTurnLeavesItOut(t *testing.T) {
	tr := newTrainer(t)
	parent, _ := visit(t, tr, link("p=catch steps=6000 speed=inf t=720:lag=8,1440:correction=none,2880:c=0.5"))
	parent.done()
	for _, settings := range []string{"", "correction=one-step"} {
		h := link(settings)
		h.From = wire.Origin{Run: parent.id, Update: 1440 / (9 * 4)}
		child, _ := visit(t, tr, h)
		child.done()
		want := "vtrace"
		if settings != "" {
			want = "one-step"
		}
		if cfg := tr.find(child.id).Config(); cfg.Correction.String() != want || cfg.Lag != 8 || cfg.CBar != 0.5 {
			t.Errorf("with %q it ended with correction=%s, lag=%d, c=%g", settings, cfg.Correction, cfg.Lag, cfg.CBar)
		}
	}
}

func TestAnUnwatchedRunRestsAndIsFoundAgain(t *testing.T) {
	tr := newTrainer(t)
	p, _ := visit(t, tr, link("p=catch speed=inf"))
	await(p, func(x *wire.XRay) bool { return x.Update > 3 })
	p.leave()
	r := tr.find(p.id)
	for before := uint64(0); before != r.record.Position().Updates; time.Sleep(50 * time.Millisecond) {
		before = r.record.Position().Updates
	}
	stood := r.record.Position().Updates
	again, w := visit(t, tr, &wire.Hello{Run: p.id, Key: "k"})
	if w.Run != p.id || w.Key != "" {
		t.Errorf("welcome: %+v", w)
	}
	await(again, func(x *wire.XRay) bool { return x.Update > stood })
}

func TestTheOldestUnwatchedRunMakesRoom(t *testing.T) {
	tr := newTrainer(t)
	watched, _ := visit(t, tr, link("p=bandit speed=100"))
	for range maxRuns {
		p, _ := visit(t, tr, link("p=bandit speed=100"))
		p.leave()
	}
	if n := len(tr.runs); n != maxRuns {
		t.Errorf("%d runs are held, at most %d are", n, maxRuns)
	}
	if tr.find(watched.id) == nil {
		t.Error("a run that is watched made room")
	}
}

func TestRunsThatABrowserCannotTrainAreRefusedInASentence(t *testing.T) {
	tr := New(Options{Lower: algo.Stored(nil)})
	defer tr.Close()
	for text, want := range map[string]string{
		"p=catch mode=live":                  "mode=live",
		"p=catch hidden=1024-1024 batch=512": "in a browser",
		"p=catch lag=-1":                     "lag",
		"p=catch t=80:unroll=3":              "unroll",
	} {
		if _, err := tr.Open(link(text)); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", text, err)
		}
	}
	p := &page{t: t, in: make(chan []byte, 1), out: make(chan []byte, 64)}
	p.say(link("p=catch mode=live"))
	tr.Serve(p.in, func(frame []byte) { p.out <- frame })
	if bye := await[*wire.Bye](p, nil); !strings.Contains(bye.Reason, "need a server") {
		t.Errorf("bye: %q", bye.Reason)
	}
	stopped, _ := visit(t, tr, link("p=catch")) // its program is not among those stored
	if s := await(stopped, func(s *wire.Status) bool { return wire.Over(s.State) }); s.State != wire.StateStopped ||
		!strings.Contains(s.Reason, "programs") {
		t.Errorf("without a program: %+v", s)
	}
}

// TestARunThatMovesEndsLikeOneThatStayed moves a run to a second trainer and to a third. Each move uses a link with
// the first settings, the changes, and the present step.
func TestARunThatMovesEndsLikeOneThatStayed(t *testing.T) {
	stayed, moved := newTrainer(t), newTrainer(t)
	p, _ := visit(t, stayed, link("p=catch arithmetic=plain steps=7200 speed=inf t=1440:lag=4,3600:correction=none"))
	p.done()
	first, _ := visit(t, newTrainer(t), link("p=catch arithmetic=plain steps=7200 speed=720"))
	x := await(first, func(x *wire.XRay) bool { return x.Step > 0 })
	second, _ := visit(t, newTrainer(t), link(fmt.Sprintf(
		"p=catch arithmetic=plain steps=7200 speed=1 t=1440:lag=4 upto=%d", max(x.Step, 2160))))
	await(second, func(s *wire.Status) bool { return s.State == wire.StateReturning })
	if s := await[*wire.Status](second, func(s *wire.Status) bool { return s.State != wire.StateReturning }); s.State !=
		wire.StateRunning {
		t.Errorf("it goes on in state %d", s.State)
	}
	third, _ := visit(t, moved, link("p=catch arithmetic=plain steps=7200 speed=inf t=1440:lag=4,3600:correction=none "+
		"upto=3600"))
	third.done()
	if got, want := moved.ParamsSHA256(third.id), stayed.ParamsSHA256(p.id); got != want || len(got) != 64 {
		t.Errorf("it ends with %s, the one that stayed with %s", got, want)
	}
}

// Requests to a run that returns wait until it has arrived. It rests there if it rests elsewhere.
func TestARunOnItsWayIsSteeredWhereItStood(t *testing.T) {
	tr := newTrainer(t)
	p, _ := visit(t, tr, link("p=catch speed=36 upto=3600"))
	p.set("lag", "4")
	if c := await[*wire.Changed](p, nil); c.Step < 3600 || c.To != "4" { // it may have played an update since
		t.Errorf("changed: %+v", c)
	}
	if _, err := tr.Open(link("p=catch upto=x")); err == nil || !strings.Contains(err.Error(), "is not a step number") {
		t.Errorf("a step that is none: %v", err)
	}
}

// A run that was paused when its page was left returns paused at the same update, for the same reason.
func TestARunComesBackPausedWhereItWasPaused(t *testing.T) {
	for link1, want := range map[string]string{"paused=fell": wire.ReasonFell, "paused=hand": ""} {
		tr := newTrainer(t)
		for _, upTo := range []string{"upto=3600", "upto=0"} {
			p, _ := visit(t, tr, link("p=catch speed=inf "+upTo+" "+link1))
			s := await(p, func(s *wire.Status) bool { return s.State == wire.StatePaused })
			if s.Reason != want {
				t.Errorf("%s: it is paused for %q, want %q", link1, s.Reason, want)
			}
			p.set("lag", "4")
			if c := await[*wire.Changed](p, nil); fmt.Sprintf("upto=%d", c.Step) != upTo {
				t.Errorf("%s: it is paused at step %d, want %s", link1, c.Step, upTo)
			}
			p.do(wire.VerbPlay)
			await(p, func(s *wire.Status) bool { return s.State == wire.StateRunning && s.Reason == "" })
		}
	}
	if _, err := newTrainer(t).Open(link("p=catch paused=twice")); err == nil ||
		err.Error() != `paused="twice" is not a reason for a pause; must be hand or fell` {
		t.Errorf("a reason that is none: %v", err)
	}
}

func TestATrainersRunKeepsWhyItWasPaused(t *testing.T) {
	p, _ := visit(t, newTrainer(t), link("p=catch speed=4000"))
	p.do(wire.VerbPauseFell)
	await(p, func(s *wire.Status) bool { return s.State == wire.StatePaused && s.Reason == wire.ReasonFell })
	p.do(wire.VerbPlay)
	await(p, func(s *wire.Status) bool { return s.State == wire.StateRunning && s.Reason == "" })
}
