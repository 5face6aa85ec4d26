package lab

import (
	"context"
	"log/slog"
	"math"
	"slices"
	"strings"
	"testing"
	"time"

	"impalab/internal/kit"
	"impalab/learner/hyper"
	"impalab/server/store"
	"impalab/web/hub"
	"impalab/web/watch"
	"impalab/web/wire"
)

func newLab(t *testing.T, opts Options) *Lab {
	t.Helper()
	if opts.Log == nil {
		opts.Log = slog.New(slog.NewTextHandler(t.Output(), nil))
	}
	if opts.Store == nil {
		opts.Store = openStore(t, t.TempDir())
	}
	l, err := New(opts)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(l.Close)
	return l
}

func openStore(t *testing.T, dir string) *store.Store {
	t.Helper()
	s, err := store.Open(t.Context(), store.Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { s.Close() })
	return s
}

func link(text string) *wire.Hello {
	h := &wire.Hello{}
	for _, pair := range strings.Fields(text) {
		key, value, _ := strings.Cut(pair, "=")
		h.Settings = append(h.Settings, wire.Setting{Key: key, Value: value})
	}
	return h
}

// release lets a run train to its end as fast as it can. A run that must not be over before a test has done something
// to it starts slowly.
func release(t *testing.T, l *Lab, id string) {
	t.Helper()
	r, err := l.Find(t.Context(), id)
	if err == nil {
		_, err = r.Patch(t.Context(), []hyper.Setting{{Key: "speed", Value: "inf"}})
	}
	if err != nil {
		t.Fatal(err)
	}
}

// told is all that a run has told.
func told(t *testing.T, l *Lab, id string) History {
	t.Helper()
	all, err := l.history(t.Context(), id)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// visitor is a browser without a network: a run and a place in its topic.
type visitor struct {
	t    *testing.T
	run  hub.Run
	sub  *hub.Subscriber
	ctx  context.Context
	last uint32
	came []wire.Message // and not read yet
}

func visit(t *testing.T, l *Lab, hello *wire.Hello) (*visitor, *wire.Welcome) {
	t.Helper()
	run, err := l.Open(hello, "a")
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), kit.Patience)
	v := &visitor{t: t, run: run, sub: run.Subscribe(hello.After), ctx: ctx}
	t.Cleanup(func() { v.sub.Close(); cancel() })
	return v, await[*wire.Welcome](v, nil)
}

// next is the next message, in the order in which they came.
func (v *visitor) next() (wire.Message, error) {
	for len(v.came) == 0 {
		b, err := v.sub.Next()
		if err != nil {
			return nil, err
		}
		if b != nil {
			frame, err := b.Frame()
			if err != nil {
				return nil, err
			}
			if v.came, err = wire.DecodeAll(frame, wire.FromServer); err != nil {
				return nil, err
			}
			continue
		}
		select {
		case <-v.sub.Ready():
		case <-v.ctx.Done():
			return nil, v.ctx.Err()
		}
	}
	m := v.came[0]
	v.came = v.came[1:]
	return m, nil
}

// await reads until a message of one kind that suits.
func await[M wire.Message](v *visitor, suits func(M) bool) M {
	v.t.Helper()
	for {
		m, err := v.next()
		if err != nil {
			v.t.Fatalf("waiting for %T: %v", *new(M), err)
		}
		if want, ok := m.(M); ok && (suits == nil || suits(want)) {
			return want
		}
	}
}

func (v *visitor) set(key, value string) {
	v.t.Helper()
	v.last++
	if err := v.run.Set(v.sub.ID(), v.last, key, value); err != nil {
		v.t.Fatal(err)
	}
}

func (v *visitor) do(verb uint8) {
	v.t.Helper()
	v.last++
	if err := v.run.Do(v.sub.ID(), v.last, verb); err != nil {
		v.t.Fatal(err)
	}
}

func value(w *wire.Welcome, key string) string {
	for _, s := range w.Settings {
		if s.Key == key {
			return s.Value
		}
	}
	return ""
}

func TestARunTrainsAndShowsItselfWithoutBeingAsked(t *testing.T) {
	v, w := visit(t, newLab(t, Options{}), link("p=catch lag=2 wings=3"))
	if w.State != wire.StateRunning || value(w, "lag") != "2" || value(w, "preset") != "catch" ||
		!slices.Equal(w.Unknown, []string{"wings"}) {
		t.Errorf("welcome: %+v", w)
	}
	x := await(v, func(x *wire.XRay) bool { return x.Update > 5 })
	if x.Figures[slices.Index(w.Figures, "age-mean")] != 2 || len(x.Figures) != len(w.Figures) || len(x.Ratios) == 0 {
		t.Errorf("x-ray: %+v", x)
	}
	f := await[*wire.Frame](v, nil)
	if sum := f.Target[0] + f.Target[1] + f.Target[2]; math.Abs(float64(sum)-1) > 1e-5 || f.World != "catch" {
		t.Errorf("frame: %+v", f)
	}
	p := await(v, func(p *wire.Point) bool { return p.Ended > 0 })
	if math.IsNaN(float64(p.Return+p.Recent)) || len(p.Figures) != len(w.Figures) || !(p.Low <= p.High) ||
		p.Ended < watch.BandEvery || uint64(p.Ended) > p.Episodes {
		t.Errorf("point: %+v", p)
	}
	if j := await(v, func(j *wire.Judged) bool { return j.Step > 0 }); !(j.ValueError > 0) || j.States == 0 ||
		j.Update == 0 {
		t.Errorf("value error: %+v", j)
	}
}

// A density has no bar for each action: a row is a mean and a standard deviation.
func TestAWatchedGaussianHasTwoBellsAndARatio(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=vmpo-pendulum"))
	for range 3 {
		f := await(v, func(f *wire.Frame) bool { return f.Number > 1 })
		if len(f.Target) != 2 || len(f.Behaviour) != 2 || !(f.Ratio > 0) || f.World != "pendulum" {
			t.Errorf("frame: %+v", f)
		}
	}
}

func TestAHotSettingIsConfirmedToWhoAskedAndToldToTheRest(t *testing.T) {
	l := newLab(t, Options{})
	a, w := visit(t, l, link("p=cartpole"))
	b, _ := visit(t, l, &wire.Hello{Run: w.Run, Key: w.Key})
	a.set("rho", "4")
	mine := await[*wire.Changed](a, nil)
	if mine.Intent != 1 || mine.Key != "rho" || mine.From != "1" || mine.To != "4" {
		t.Errorf("to who asked: %+v", mine)
	}
	if theirs := await[*wire.Changed](b, nil); theirs.Intent != 0 || theirs.To != "4" {
		t.Errorf("to the other: %+v", theirs)
	}
}

func TestHowLongAChangedRhoTakesToBeInForce(t *testing.T) {
	for _, speed := range []string{"100", "4000", "inf"} {
		v, _ := visit(t, newLab(t, Options{}), link("p=cartpole speed="+speed))
		var waits []time.Duration
		for i := range 21 {
			asked := time.Now()
			v.set("rho", []string{"2", "3"}[i%2])
			await[*wire.Changed](v, nil)
			waits = append(waits, time.Since(asked))
		}
		slices.Sort(waits)
		t.Logf("speed %s: confirmed after %v (median)", speed, waits[10])
	}
}

func TestAColdSettingAsksForAnotherRun(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=catch seed=5"))
	err := v.run.Set(v.sub.ID(), 1, "unroll", "12")
	if err == nil || !strings.Contains(err.Error(), "start another with unroll=12") {
		t.Errorf("a cold setting: %v", err)
	}
}

func TestNonsenseIsRefusedAndChangesNothing(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=catch"))
	for _, c := range []struct{ key, value, want string }{
		{"mix", "2", "from 0 to 1"}, {"wings", "2", "unknown setting"}, {"preset", "moon", "unknown setting"},
		{"world", "mars", "unknown world"}, {"replay-size", "0", "from 1"}, {"mode", "dream", "reference, live"},
	} {
		if err := v.run.Set(v.sub.ID(), 1, c.key, c.value); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s=%s: %v", c.key, c.value, err)
		}
	}
	if err := v.run.Do(v.sub.ID(), 1, 99); err == nil {
		t.Error("verb 99 was taken")
	}
	if _, err := newLab(t, Options{}).Open(link("p=catch rho=-2"), "a"); err == nil ||
		!strings.Contains(err.Error(), "rho") {
		t.Errorf("a link with ρ̄ = −2: %v", err)
	}
}

func TestAPausedRunTakesExactlyOneUpdateForEachStep(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=catch"))
	v.do(wire.VerbPause)
	await(v, func(s *wire.Status) bool { return s.State == wire.StatePaused })
	v.set("rho", "2") // settings change while it stands still
	at := await[*wire.Changed](v, nil).Update
	for i := range uint64(3) {
		v.do(wire.VerbStep)
		if x := await(v, func(x *wire.XRay) bool { return x.Update > at+i }); x.Update != at+i+1 {
			t.Fatalf("step %d: update %d, want %d", i+1, x.Update, at+i+1)
		}
	}
	v.do(wire.VerbPlay)
	await(v, func(x *wire.XRay) bool { return x.Update > at+10 })
}

func TestAReturningOwnerSteersAndAVisitorWithoutTheKeyOnlyWatches(t *testing.T) {
	l := newLab(t, Options{})
	v, w := visit(t, l, link("p=catch"))
	v.set("rho", "3")
	after := await[*wire.Changed](v, nil).Event
	v.sub.Close()
	v.run.Leave()
	back, again := visit(t, l, &wire.Hello{Run: w.Run, Key: w.Key, After: after})
	if again.Run != w.Run || again.Fresh || value(again, "rho") != "3" {
		t.Errorf("back: %+v", again)
	}
	if p := await[*wire.Point](back, nil); p.Event <= after {
		t.Errorf("event %d came twice", p.Event)
	}
	guess, seen := visit(t, l, &wire.Hello{Run: w.Run, Key: "0000"})
	if seen.Run != w.Run || seen.Steers || seen.Key != "" {
		t.Errorf("without its key: %+v", seen)
	}
	if err := guess.run.Set(guess.sub.ID(), 1, "rho", "1"); err == nil ||
		!strings.Contains(err.Error(), "belongs to another visitor") {
		t.Errorf("without its key a run was steered: %v", err)
	}
	if _, other := visit(t, l, &wire.Hello{Run: strings.Repeat("0", 32), Key: w.Key}); other.Run == w.Run {
		t.Error("a run opened without its name")
	}
}

func TestAFullLabQueuesAndUnwatchedRunsGiveWay(t *testing.T) {
	l := newLab(t, Options{MaxRuns: 2})
	a, _ := visit(t, l, link("p=catch"))
	b, _ := visit(t, l, link("p=catch"))
	await[*wire.XRay](a, nil) // a run asks for its room by itself: both have theirs now
	await[*wire.XRay](b, nil)
	c, w := visit(t, l, link("p=catch"))
	if s := await[*wire.Status](c, nil); s.State != wire.StateQueued ||
		!strings.Contains(s.Reason, "place 1 in the queue") {
		t.Errorf("a third run: welcome %+v, status %+v", w, s)
	}
	c.set("rho", "3") // the settings of a queued run can change
	await(c, func(m *wire.Changed) bool { return m.To == "3" })
	c.do(wire.VerbPlay)
	if no := await[*wire.Refused](c, nil); !strings.Contains(no.Reason, "waits for room") {
		t.Errorf("refused: %+v", no)
	}
	a.run.Leave()
	await(c, func(s *wire.Status) bool { return s.State == wire.StateRunning })
	await(c, func(x *wire.XRay) bool { return x.Update > 5 })
	if held, watched := l.Count(); watched != 2 {
		t.Errorf("%d runs, %d watched", held, watched)
	}
}

func TestAnUnwatchedRunRests(t *testing.T) {
	l := newLab(t, Options{Rest: 10 * time.Millisecond})
	v, w := visit(t, l, link("p=catch speed=inf"))
	await(v, func(x *wire.XRay) bool { return x.Update > 5 })
	v.run.Leave()
	var before uint64
	kit.Until(t, "it rests", func() bool {
		was := before
		time.Sleep(50 * time.Millisecond)
		before = l.Steps()
		return before == was
	})
	back, _ := visit(t, l, &wire.Hello{Run: w.Run, Key: w.Key})
	await(back, func(x *wire.XRay) bool { return x.Step > before })
}

func TestADivergedRunSaysWhyAndItsLastMomentCanBeForked(t *testing.T) {
	l := newLab(t, Options{})
	v, w := visit(t, l, link(diverging))
	s := await(v, func(s *wire.Status) bool { return s.State == wire.StateDiverged })
	if !strings.Contains(s.Reason, "update ") {
		t.Errorf("reason: %s", s.Reason)
	}
	info, err := l.Info(t.Context(), w.Run)
	if err != nil || info.State != store.Diverged || info.Reason != s.Reason {
		t.Errorf("info: %+v, %v", info, err)
	}
	hello := link("lr=0.001")
	hello.From = wire.Origin{Run: w.Run, Update: info.Updates}
	_, fork := visit(t, l, hello)
	if fork.State == wire.StateDiverged || value(fork, "lr") != "0.001" || fork.From != hello.From {
		t.Errorf("the fork: %+v", fork)
	}
}

// diverging is a link of a run that soon does.
const diverging = "p=cartpole speed=inf lr=10 momentum=0.999 hidden=64-64-64-64 activation=relu clip=inf"

func TestTheGaugeShowsThreeExactValues(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=destination rho=1 c=1"))
	g := await[*wire.Gauge](v, nil)
	// The table of four rooms with γ .97, π soft optimal, μ uniform: V^μ .127, V of the implied policy .277, V^π .485.
	for _, c := range []struct{ got, want float32 }{{g.Behaviour, 0.127}, {g.Implied, 0.277}, {g.Target, 0.485}} {
		if math.Abs(float64(c.got-c.want)) > 0.002 {
			t.Errorf("gauge: %+v, want %v", g, c.want)
		}
	}
	v.set("rho", "4")
	await(v, func(g *wire.Gauge) bool { return math.Abs(float64(g.Implied-g.Target)) < 1e-4 })
}

func TestAFinishedRunShowsHowItEnded(t *testing.T) {
	v, _ := visit(t, newLab(t, Options{}), link("p=catch speed=inf steps=9000"))
	var point *wire.Point
	var x *wire.XRay
	for {
		m, err := v.next()
		if err != nil {
			t.Fatal(err)
		}
		if p, ok := m.(*wire.Point); ok {
			point = p
		}
		if m, ok := m.(*wire.XRay); ok {
			x = m
		}
		if s, ok := m.(*wire.Status); ok && s.State == wire.StateDone {
			break
		}
	}
	if point == nil || point.Step != 9000 || math.IsNaN(float64(point.Return)) {
		t.Errorf("the last point is %+v", point)
	}
	if x == nil || x.Step != 9000 { // else it came between the point and the status
		await(v, func(x *wire.XRay) bool { return x.Step == 9000 })
	}
}
