package learner

import (
	"context"
	"fmt"
	"runtime"
	"slices"
	"time"

	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/net"
	"impalab/learner/remote"
	"impalab/learner/schedule"
	"impalab/learner/telemetry"
	"impalab/learner/traj"
)

// fleet is the actors of a run.
type fleet interface {
	// publish offers newer parameters; the slice stays the learner's.
	publish(theta []float32, update uint64)
	// begin may play the n unrolls of the next collect during the update.
	begin(p *lagWindow, n int)
	// collect fills the unrolls. It waits for the actors (before the learner, block), those of a live run until ctx ends.
	// With actor.ErrNotFinite a policy cannot act.
	collect(ctx context.Context, p *lagWindow, unrolls []*traj.Unroll, done func(telemetry.Episode)) error
	close()
}

// referenceActors is the fleet of a reference run: a copy of the world for each fresh unroll. It plays with the
// parameters of exactly Lag updates ago. With collect=step one actor has all copies, and they share each forward pass.
// With collect=trajectory several actors have some copies each and play whole unrolls side by side, then all wait
// (IMPALA figure 2, a and b).
//
// Every actor has a stream of its own, so the order of the actors changes no result. Nor do the parts that a single
// actor plays its copies in, the remote actors, for which the fleet plays if they do not answer in time, or a round
// that is played ahead (ahead.go).
type referenceActors struct {
	cfg     *hyper.Config
	spec    net.Spec
	tasks   int // of a suite; else 1
	players []*player
	copies  int    // of all players together
	first   uint64 // stream of the first actor
	built   uint64 // actors built so far: each has a stream of its own

	theta   []float32 // of the round in progress
	version uint64
	pool    *schedule.Pool
	here    []*player   // players of this process in this round
	play    func(i int) // plays one of here; bound once, so that a round allocates nothing

	remotes *remote.Actors // nil: there are none
	within  time.Duration  // the time for a remote actor's answer

	ahead ahead
}

// answerWithin is how long a round waits for a remote actor. A block takes milliseconds, so a later actor is lost.
const answerWithin = 10 * time.Second

// player is one actor with its part of a round.
type player struct {
	actor    *actor.Actor
	seat     remote.Seat // actor is its twin
	unrolls  []*traj.Unroll
	episodes []telemetry.Episode
	heard    func(telemetry.Episode) // adds to episodes
	err      error
}

func newReferenceActors(cfg *hyper.Config, spec net.Spec, first uint64, cores *schedule.Share,
	remotes *remote.Actors) *referenceActors {
	f := &referenceActors{cfg: cfg, spec: spec, tasks: cfg.Tasks(), first: first, pool: schedule.NewPool(),
		remotes: remotes, within: answerWithin}
	f.pool.Cores = cores
	f.play = func(i int) { f.playHere(f.here[i]) }
	return f
}

func (f *referenceActors) playHere(one *player) {
	one.episodes = one.episodes[:0]
	one.err = one.actor.Play(f.theta, f.version, one.unrolls, one.heard)
}

func (f *referenceActors) publish([]float32, uint64) {}
func (f *referenceActors) close() {
	f.ahead.close()
	f.freeSeats()
	f.pool.Close()
}

func (f *referenceActors) freeSeats() {
	for _, one := range f.players {
		one.seat.Free()
	}
}

func (f *referenceActors) collect(ctx context.Context, p *lagWindow, unrolls []*traj.Unroll,
	done func(telemetry.Episode)) error {
	if f.playedAhead(p, len(unrolls)) {
		return f.deliverAhead(unrolls, done)
	}
	if err := f.ready(len(unrolls)); err != nil {
		return err
	}
	f.theta, f.version = p.at(f.cfg.Lag)
	away := f.orders()
	if len(f.players) == 1 && !away {
		return f.players[0].actor.Play(f.theta, f.version, unrolls, done)
	}
	f.deal(unrolls)
	if len(f.here) > 0 {
		f.pool.Each(len(f.here), f.play)
	}
	if away {
		_, newest := p.at(0)
		f.await(ctx, newest)
	}
	return f.report(done)
}

// deal gives each player its part of the unrolls.
func (f *referenceActors) deal(unrolls []*traj.Unroll) {
	for _, one := range f.players {
		n := one.actor.Len()
		one.unrolls, unrolls = unrolls[:n], unrolls[n:]
	}
}

// report passes on the episodes of a round, in the order of the players, up to a player that could not act.
func (f *referenceActors) report(done func(telemetry.Episode)) error {
	for _, one := range f.players {
		if one.err != nil {
			return one.err
		}
		for _, e := range one.episodes {
			done(e)
		}
	}
	return nil
}

// orders gives remote actors the round's orders. The other players play here.
func (f *referenceActors) orders() (away bool) {
	f.here = f.here[:0]
	var theta []float32 // a copy: a lost actor may read it after the round
	for _, one := range f.players {
		if one.seat.Offer(f.remotes) && theta == nil {
			theta = slices.Clone(f.theta)
		}
		if one.seat.Order(theta, f.version) {
			away = true
			continue
		}
		one.seat.Free()
		f.here = append(f.here, one)
	}
	return away
}

// await receives the answers of the remote actors, and plays here for the missing ones. It always finishes a
// round: the run's state is defined only between two rounds.
func (f *referenceActors) await(ctx context.Context, newest uint64) {
	late := time.NewTimer(f.within)
	defer late.Stop()
	f.pool.Cores.Release()
	answers := make([]*remote.Block, len(f.players))
	for i, one := range f.players {
		if !one.seat.Waits() {
			continue
		}
		select {
		case answers[i] = <-one.seat.Blocks(): // the answer came in time
			continue
		default:
		}
		select {
		case answers[i] = <-one.seat.Blocks():
		case <-one.seat.Done():
		case <-ctx.Done():
		case <-late.C:
			one.seat.Dismiss(fmt.Errorf("no block came within %v", f.within))
			late.Reset(0)
		}
	}
	f.pool.Cores.Acquire()
	for i, one := range f.players {
		if !one.seat.Waits() {
			continue
		}
		if answers[i] == nil || !f.accept(one, answers[i], newest) {
			one.seat.Free()
			f.playHere(one)
		}
	}
}

// accept copies a remote actor's block into the round of one player. It returns false if the block is of no use.
func (f *referenceActors) accept(one *player, b *remote.Block, newest uint64) bool {
	one.episodes = one.episodes[:0]
	unrolls, genuine, err := one.seat.Accept(b, one.heard)
	if err != nil {
		return false
	}
	for i, u := range unrolls { // an untrusted actor's blocks were played here
		one.unrolls[i].CopyFrom(u)
		if genuine {
			one.seat.LearnedFrom(u, newest)
		}
	}
	return true
}

// ready makes actors with n copies together. Another replay mix needs another number, and restarts the episodes.
func (f *referenceActors) ready(n int) error {
	if f.copies == n {
		return nil
	}
	hands := n / f.tasks // each plays all tasks of a suite once
	actors := 1
	if f.cfg.Collect == hyper.CollectTrajectory {
		actors = min(f.cfg.Actors, hands)
	}
	var players []*player
	for i := range actors {
		one, err := f.newPlayer(((i+1)*hands/actors-i*hands/actors)*f.tasks, f.first+f.built+uint64(i))
		if err != nil {
			return err
		}
		players = append(players, one)
	}
	if actors == 1 {
		if parts := f.parts(n); parts > 1 {
			players[0].actor.Split(parts, f.pool)
		}
	}
	f.freeSeats()
	f.players, f.copies, f.built = players, n, f.built+uint64(actors)
	return nil
}

// The least work of a part: passing work to another core takes as long as about 10 µs of the network's products, and
// products are slower for few rows.
const (
	partCopies = 2
	partFLOPs  = 1 << 20 // an unroll
)

// parts returns the number of parts for an actor of n copies.
func (f *referenceActors) parts(n int) int {
	flops := 0.0
	for _, layer := range f.spec.Layers() {
		flops += layer.FLOPs()
	}
	worth := flops * float64(n*f.cfg.UnrollLen) / partFLOPs
	return max(1, min(runtime.GOMAXPROCS(0), n/partCopies, int(worth)))
}

// newPlayer makes an actor of n copies with a stream of its own.
func (f *referenceActors) newPlayer(n int, stream uint64) (*player, error) {
	next, err := actor.New(f.cfg.World, f.spec, n, f.cfg.Seed, stream)
	if err != nil {
		return nil, err
	}
	next.Cores = f.pool.Cores
	next.Overlap(f.cfg.Overlap)
	next.Uniform, next.Forget = f.cfg.Behave == hyper.BehaveUniform, f.cfg.Forgets()
	one := &player{actor: next, seat: remote.NewSeat(f.cfg, f.spec, next, stream)}
	one.heard = func(e telemetry.Episode) { one.episodes = append(one.episodes, e) }
	return one, nil
}
