// Package actorwire is an actor in another process: how it handles messages, and how both sides encode a block of
// unrolls. It knows no network. Start with Actor.Hear.
package actorwire

import (
	"errors"
	"fmt"

	"impalab/envs"
	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
	"impalab/web/wire"
)

// Actor plays the blocks that it is ordered to. Its zero value waits for a place.
type Actor struct {
	actor   *actor.Actor
	cfg     hyper.Config
	theta   []float32
	params  int
	unrolls []*traj.Unroll

	Steps, Version uint64 // steps played, and the updates of the newest parameters
}

// Hear handles a message and returns the answer to an order, or nil. An error means an invalid message, or is
// actor.ErrNotFinite.
func (a *Actor) Hear(m wire.Message, ended func(telemetry.Episode)) (*wire.Block, error) {
	switch m := m.(type) {
	case *wire.Place:
		return nil, a.sit(m)
	case *wire.Order:
		return a.play(m, ended)
	}
	return nil, errors.New("neither a place nor an order came")
}

// Config returns the settings of the run; zero before there is a place.
func (a *Actor) Config() *hyper.Config { return &a.cfg }

// Copies returns the number of copies of the world.
func (a *Actor) Copies() int { return len(a.unrolls) }

func (a *Actor) sit(m *wire.Place) error {
	place := actor.Place{Arithmetic: m.Arithmetic, Copies: int(m.Copies), Stream: m.Stream, State: actor.State{
		Worlds: m.Worlds, Chance: m.Chance, Returns: m.Returns, Lengths: m.Lengths, Core: m.Core, Last: m.Last,
		Played: m.Played,
	}}
	named := map[string]bool{}
	for _, s := range m.Settings {
		if err := place.Config.Set(s.Key, s.Value); err != nil {
			return err
		}
		named[s.Key] = true
	}
	for _, key := range hyper.Keys() { // zero is a valid place of another run
		if !named[key] {
			return fmt.Errorf("the place does not say what %s is: it comes from another build", key)
		}
	}
	if err := place.Config.Validate(); err != nil {
		return err
	}
	spec, err := place.Config.Network()
	if err == nil {
		err = Admit(&place.Config, place.Copies)
	}
	if err != nil {
		return err
	}
	if a.actor, err = place.Actor(); err != nil {
		return err
	}
	a.cfg, a.theta, a.params = place.Config, nil, spec.Params()
	a.unrolls = traj.NewUnrolls(place.Copies, a.cfg.UnrollLen, spec.Shape())
	return nil
}

func (a *Actor) play(m *wire.Order, ended func(telemetry.Episode)) (*wire.Block, error) {
	if len(m.Theta) > 0 {
		a.theta = m.Theta
	}
	switch {
	case a.actor == nil:
		return nil, errors.New("an order came before a place")
	case len(a.theta) != a.params:
		return nil, fmt.Errorf("%d parameters came for a network that has %d", len(a.theta), a.params)
	}
	if err := a.actor.Play(a.theta, m.Version, a.unrolls, ended); err != nil {
		return nil, err
	}
	a.Version = m.Version
	a.Steps += uint64(len(a.unrolls) * a.cfg.UnrollLen)
	return pack(m.Number, a.unrolls, a.actor.Save()), nil
}

// Admit refuses a run whose blocks or parameters do not fit a message.
func Admit(cfg *hyper.Config, copies int) error {
	spec, err := cfg.Network()
	if err != nil {
		return err
	}
	shape := spec.Shape()
	widest := copies * (cfg.UnrollLen + 1) * max(shape.Size, shape.Actions, shape.Reals)
	switch {
	case cfg.Overlap > 0:
		return fmt.Errorf("overlap=%d: an actor of another process cannot continue unrolls that overlap; set overlap=0",
			cfg.Overlap)
	case copies < 1 || copies > min(wire.MaxCopies, envs.MaxVector):
		return fmt.Errorf("an actor of %d copies; one of another process may have 1 to %d", copies, wire.MaxCopies)
	case widest > wire.MaxBlock/2: // observations, truncated ones and the rest of the frame
		return fmt.Errorf("world=%s unroll=%d: the unrolls of an actor of %d copies are too large to be sent; it may be %d "+
			"numbers, and these are %d", cfg.World, cfg.UnrollLen, copies, wire.MaxBlock/2, widest)
	case copies*shape.States > wire.MaxBlock/4: // a frame has room for them beside the unrolls
		return fmt.Errorf("trxl=%d lstm=%d core-memory=%d: the memories of %d copies have %d numbers; %d can be sent "+
			"to an actor of another process", cfg.TrXL, cfg.LSTM, cfg.CoreMemory, copies, copies*shape.States, wire.MaxBlock/4)
	case spec.Params() > wire.MaxParameters:
		return fmt.Errorf("hidden=%s: the network has %d parameters; %d can be sent to an actor of another process",
			cfg.Hidden, spec.Params(), wire.MaxParameters)
	}
	return nil
}

// Largest returns the most bytes that the frame of a block has. The settings must be admitted.
func Largest(cfg *hyper.Config, copies int) (int64, error) {
	spec, err := cfg.Network()
	if err != nil {
		return 0, err
	}
	worlds, err := envs.NewVector(cfg.World, copies, cfg.Seed)
	if err != nil {
		return 0, err
	}
	const (
		growth = 1 << 10 // of a world's state beyond twice its first one
		others = 1 << 10 // lengths of lists, the number, the chance
	)
	steps, shape := copies*cfg.UnrollLen, spec.Shape()
	numbers := (2*steps+2*copies)*shape.Size + steps*(shape.Actions+shape.Reals+1) + copies*shape.States // Cut, Obs, Last
	bytes := 4*numbers + 2*steps + 2*len(worlds.State(nil)) + copies*growth + others
	return min(int64(bytes), wire.MaxFromActor), nil
}

// PlaceMessage returns the message that starts an actor.
func PlaceMessage(p *actor.Place) *wire.Place {
	m := &wire.Place{
		Arithmetic: p.Arithmetic, Copies: uint32(p.Copies), Stream: p.Stream, Played: p.State.Played,
		Returns: p.State.Returns, Lengths: p.State.Lengths,
		Stand: stand(p.State),
	}
	for _, s := range p.Config.Settings() {
		m.Settings = append(m.Settings, wire.Setting(s))
	}
	return m
}

func stand(s actor.State) wire.Stand {
	return wire.Stand{Worlds: s.Worlds, Chance: s.Chance, Core: s.Core, Last: s.Last}
}

// pack returns a message with unrolls.
func pack(number uint64, unrolls []*traj.Unroll, after actor.State) *wire.Block {
	m := &wire.Block{Number: number, Stand: stand(after)}
	for _, u := range unrolls {
		m.Obs, m.Mu, m.Real = append(m.Obs, u.Obs...), append(m.Mu, u.Mu...), append(m.Real, u.Real...)
		m.Reward, m.End = append(m.Reward, u.Reward...), append(m.End, u.End...)
		for _, action := range u.Action {
			m.Action = append(m.Action, byte(action))
		}
		for i := range u.Cuts {
			m.Cut = append(m.Cut, u.Cuts[i].Obs...)
		}
	}
	return m
}

// Unpack reads the unrolls of a block, and the actor's state after them. It does not check their content.
func Unpack(m *wire.Block, cfg *hyper.Config) ([]*traj.Unroll, actor.State, error) {
	after := actor.State{Worlds: m.Worlds, Chance: m.Chance, Core: m.Core, Last: m.Last}
	spec, err := cfg.Network()
	if err != nil {
		return nil, after, err
	}
	shape, t := spec.Shape(), cfg.UnrollLen
	copies, truncated := len(m.Reward)/t, 0
	for _, end := range m.End {
		if end == uint8(envs.Truncated) {
			truncated++
		}
	}
	if len(m.Obs) != copies*(t+1)*shape.Size || len(m.Mu) != copies*t*shape.Actions ||
		len(m.Real) != copies*t*shape.Reals || len(m.Reward) != copies*t || len(m.Action) != copies*t ||
		len(m.End) != copies*t || len(m.Cut) != truncated*shape.Size {
		return nil, after, fmt.Errorf("the block is not of unrolls of %d steps in world=%s", t, cfg.World)
	}
	unrolls := traj.NewUnrolls(copies, t, shape)
	cuts := m.Cut
	for i, u := range unrolls {
		copy(u.Obs, m.Obs[i*len(u.Obs):])
		copy(u.Mu, m.Mu[i*len(u.Mu):])
		copy(u.Real, m.Real[i*len(u.Real):])
		copy(u.Reward, m.Reward[i*t:])
		copy(u.End, m.End[i*t:])
		for k := range t {
			u.Action[k] = int32(m.Action[i*t+k])
			if u.End[k] == uint8(envs.Truncated) {
				copy(u.Cut(k), cuts)
				cuts = cuts[shape.Size:]
			}
		}
	}
	return unrolls, after, nil
}
