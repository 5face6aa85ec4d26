package actorwire

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"slices"
	"strings"
	"testing"

	"impalab/internal/kit"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/kernel"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
	"impalab/web/wire"
)

// place is an actor of a run where it begins, and parameters to play with.
func place(t testing.TB, cfg hyper.Config, copies int) (p *actor.Place, theta []float32) {
	t.Helper()
	spec, err := cfg.Network()
	if err != nil {
		t.Fatal(err)
	}
	a, err := actor.New(cfg.World, spec, copies, cfg.Seed, 7)
	if err != nil {
		t.Fatal(err)
	}
	theta = make([]float32, spec.Params())
	spec.Init(theta, cfg.Seed)
	return &actor.Place{Config: cfg, Copies: copies, Stream: 7, State: a.Save()}, theta
}

// through is a message after its way over a wire.
func through(t testing.TB, m wire.Message, from wire.Direction) wire.Message {
	t.Helper()
	frame, err := wire.Append(nil, m)
	if err != nil {
		t.Fatal(err)
	}
	if m, err = wire.Decode(frame, from); err != nil {
		t.Fatal(err)
	}
	return m
}

func quiet(telemetry.Episode) {}

// An actor behind a wire plays the same steps as an actor in the run's own process, block after block: observations,
// actions, rewards, truncations and the state afterwards.
func TestAcrossTheWireAnActorPlaysTheSame(t *testing.T) {
	if testing.Short() {
		t.Skip("node takes seconds for it, and the bytes below say as much")
	}
	for _, c := range []struct {
		preset, changes string
		copies          int
	}{
		{"cartpole", "world=cartpole:limit=9 unroll=20", 3},
		{"t-maze", "lstm=6 feedback=on", 2},
		{"vmpo-pendulum", "world=pendulum:limit=11", 2},
		{"tiny", "hidden=8", 6},
		{"random-sharers", "behave=uniform", 1},
	} {
		cfg := kit.Config(t, c.preset, c.changes)
		p, theta := place(t, cfg, c.copies)
		here, err := p.Actor()
		if err != nil {
			t.Fatal(err)
		}
		var there Actor
		if _, err := there.Hear(through(t, PlaceMessage(p), wire.ToActor), quiet); err != nil {
			t.Fatal(err)
		}
		cuts := 0
		for number := range uint64(4) {
			order := &wire.Order{Number: number, Version: 10 + number}
			if number%2 == 0 { // else the parameters of the last order
				theta[0] += 0.1
				order.Theta = theta
			}
			block, err := there.Hear(through(t, order, wire.ToActor), quiet)
			if err != nil {
				t.Fatal(err)
			}
			got, after, err := Unpack(through(t, block, wire.FromActor).(*wire.Block), &cfg)
			if err != nil {
				t.Fatal(err)
			}
			want := make([]*traj.Unroll, c.copies)
			for i := range want {
				want[i] = traj.NewUnroll(cfg.UnrollLen, got[i].Shape)
			}
			if err := here.Play(theta, order.Version, want, quiet); err != nil {
				t.Fatal(err)
			}
			if block.Number != number || !slices.EqualFunc(got, want, (*traj.Unroll).SamePlay) {
				t.Errorf("%s: block %d is another than here", c.preset, number)
			}
			stands := here.Save()
			stands.Returns, stands.Lengths, stands.Played = nil, nil, 0 // are not sent: the run counts itself
			if fmt.Sprint(after) != fmt.Sprint(stands) {
				t.Errorf("%s: after block %d it stands\n%v, here\n%v", c.preset, number, after, stands)
			}
			for _, u := range want {
				cuts += len(u.Cuts)
			}
		}
		if strings.Contains(c.changes, "limit") && cuts == 0 {
			t.Errorf("%s: no episode was cut, so nothing was shown about that", c.preset)
		}
	}
}

func TestAnActorRefusesInvalidMessages(t *testing.T) {
	cfg := kit.Config(t, "cartpole", "")
	p, theta := place(t, cfg, 2)
	change := func(f func(*wire.Place)) *wire.Place {
		m := PlaceMessage(p)
		f(m)
		return m
	}
	for want, m := range map[string]wire.Message{
		"an order came before a place":          &wire.Order{Number: 1, Theta: theta},
		"neither a place nor an order":          &wire.Leave{},
		"unknown":                               change(func(m *wire.Place) { m.Settings[3].Key = "colour" }),
		"does not say what":                     change(func(m *wire.Place) { m.Settings = m.Settings[1:] }),
		"an actor of 0 copies":                  change(func(m *wire.Place) { m.Copies = 0 }),
		"an actor of 4096 copies are too large": change(func(m *wire.Place) { m.Copies = 4096; set(m, "unroll=400") }),
		"the state has 2 returns and 2 lengths": change(func(m *wire.Place) { m.Copies = 3 }),
		"where 0 and 8 belong":                  change(func(m *wire.Place) { m.Last = nil }),
		"fixed behaviour is exact only":         change(func(m *wire.Place) { set(m, "mode=live behave=uniform") }),
		"cannot continue unrolls that overlap":  change(func(m *wire.Place) { set(m, "overlap=3") }),
		"the run wants strange arithmetic":      change(func(m *wire.Place) { m.Arithmetic = "strange" }),
		"envs: ":                                change(func(m *wire.Place) { m.Worlds = m.Worlds[1:] }),
		"the network has":                       change(func(m *wire.Place) { set(m, "hidden=1024-1024-1024") }),
	} {
		var a Actor
		if _, err := a.Hear(m, quiet); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v\nwant an error with %q", err, want)
		}
	}
	var a Actor
	if _, err := a.Hear(PlaceMessage(p), quiet); err != nil {
		t.Fatal(err)
	}
	if _, err := a.Hear(&wire.Order{Number: 1, Theta: theta[1:]}, quiet); err == nil {
		t.Error("parameters of another network were played with")
	}
}

func set(m *wire.Place, changes string) {
	for _, pair := range strings.Fields(changes) {
		key, value, _ := strings.Cut(pair, "=")
		for i := range m.Settings {
			if m.Settings[i].Key == key {
				m.Settings[i].Value = value
			}
		}
	}
}

// FuzzBlock checks that every accepted block fits the run.
func FuzzBlock(f *testing.F) {
	cfg := kit.Config(f, "cartpole", "world=cartpole:limit=9")
	p, theta := place(f, cfg, 2)
	var a Actor
	if _, err := a.Hear(PlaceMessage(p), quiet); err != nil {
		f.Fatal(err)
	}
	block, err := a.Hear(&wire.Order{Number: 1, Theta: theta}, quiet)
	if err != nil {
		f.Fatal(err)
	}
	frame, err := wire.Append(nil, block)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(frame)
	spec, err := cfg.Network()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, frame []byte) {
		m, err := wire.Decode(frame, wire.FromActor)
		if err != nil {
			return
		}
		block, ok := m.(*wire.Block)
		if !ok {
			return
		}
		unrolls, after, err := Unpack(block, &cfg)
		if err != nil {
			return
		}
		sound := true
		for _, u := range unrolls {
			if u.T != cfg.UnrollLen || u.Shape != spec.Shape() {
				t.Fatalf("an unroll of %d steps of %+v", u.T, u.Shape)
			}
			sound = sound && u.Fits(cfg.UnrollLen, u.Shape)
		}
		if here, err := p.Actor(); err != nil {
			t.Fatal(err)
		} else if len(unrolls) == here.Len() && sound {
			_ = here.Accept(1, unrolls, after, quiet) // whatever it says, it must not panic, nor the next
			if err := here.Play(theta, 2, unrolls, quiet); err != nil {
				t.Fatal(err)
			}
		}
	})
}

// The hash of a few blocks in plain arithmetic is the same on any amd64 and in a browser, so a server can replay a
// browser's block.
var plain = []struct{ preset, changes, want string }{
	{"cartpole", "world=cartpole:limit=30", "824438a0ad872dbe"},
	{"t-maze", "lstm=6 feedback=on", "c537237c06aae32d"},
	{"catch", "torso=shallow hidden=16", "6f96636d206952aa"},
	{"vmpo-pendulum", "", "df67804b027e319e"},
}

func TestAPlainBlockHasTheSameBytesHereAndInABrowser(t *testing.T) {
	for _, c := range plain {
		cfg := kit.Config(t, c.preset, c.changes)
		p, theta := place(t, cfg, 3)
		p.Arithmetic = kernel.Plain
		var a Actor
		if _, err := a.Hear(through(t, PlaceMessage(p), wire.ToActor), quiet); err != nil {
			t.Skip(err) // a build with an arithmetic of its own
		}
		sum := sha256.New()
		for number := range uint64(3) {
			block, err := a.Hear(&wire.Order{Number: number, Theta: theta}, quiet)
			if err != nil {
				t.Fatal(err)
			}
			frame, err := wire.Append(nil, block)
			if err != nil {
				t.Fatal(err)
			}
			sum.Write(frame[1:]) // without the version of the messages
		}
		if got := hex.EncodeToString(sum.Sum(nil))[:16]; got != c.want {
			t.Errorf("%s %s: %s, want %s", c.preset, c.changes, got, c.want)
		}
	}
}
