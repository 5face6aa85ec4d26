package learner

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"impalab/learner/actor"
	"impalab/learner/hyper"
	"impalab/learner/traj"
)

// Remotes connects the actors of a run in other processes with its learner. An actor receives a place (the state of one
// of the run's actors) and orders (play the next block with these parameters), so the run decides everything that a
// block depends on. Hence the run can play the same block itself, if the actor is lost or to check an untrusted one.
// Remotes outlives the run's learners.
//
// Orders are credit: an actor has at most MostOrders unanswered orders, and a block without an order ends it. A further
// order confirms that a block has been learned from.
type Remotes struct {
	mu     sync.Mutex
	here   []*Remote // in the order in which they came
	closed error
	came   chan struct{} // holds one value when an actor may be waiting for a place
}

// Remote is one actor in another process, as its run has it.
type Remote struct {
	of      *Remotes
	name    string // for people
	trusted bool   // its blocks are believed; others are played again
	tally   *Tally

	orders chan *Order // to it; as much room as orders can be open
	blocks chan *Block // from it; likewise
	gone   chan struct{}

	// Under the mutex of Remotes.
	why               error // that it is gone
	seated            bool
	ordered, answered uint64 // orders so far
	recalled          uint64 // orders up to this number are cancelled
}

// Order asks for one block.
type Order struct {
	Number  uint64       // from 1, one more each time
	Place   *actor.Place // where it begins; nil: where the block before it ended
	Version uint64       // updates behind Theta
	Theta   []float32    // not to be changed
}

// Block is the answer to an order: an unroll for each copy.
type Block struct {
	Number  uint64
	Unrolls []*traj.Unroll
	After   actor.State // where the actor stands now; counts and returns are worked out again
}

// RemoteInfo is a remote actor for people to see.
type RemoteInfo struct {
	Name             string
	Trusted, Playing bool
	Count
}

const (
	// MostOrders is how many of an actor may be open at a time: one is played while the answer to another travels.
	MostOrders  = 2
	mostRemotes = 60 // of one run: as many as a room has students
)

var (
	errManyRemotes = fmt.Errorf("%d remote actors play for this run, and that is the limit", mostRemotes)
	errLeft        = errors.New("the remote actor has left")

	// ErrForger is why an actor was sent away that had forged too many blocks in a row.
	ErrForger = fmt.Errorf("%d blocks in a row were something else than was ordered", mostForged)
)

// RemoteCopies is how many copies of the world a remote actor of a run of cfg plays.
func RemoteCopies(cfg *hyper.Config) int {
	if cfg.Mode == hyper.Live {
		return blockCopies(cfg)
	}
	tasks := tasksOf(cfg)
	hands := cfg.Fresh() / tasks
	if cfg.Collect == hyper.CollectStep {
		return hands * tasks
	}
	actors := min(cfg.Actors, hands)
	return (hands + actors - 1) / actors * tasks
}

// NewRemotes returns an empty set of remote actors.
func NewRemotes() *Remotes { return &Remotes{came: make(chan struct{}, 1)} }

// Join lets an actor in. Name is for people; a trusted one's blocks are believed as far as they make sense. What comes
// of it is added to tally.
func (o *Remotes) Join(name string, trusted bool, tally *Tally) (*Remote, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.closed != nil:
		return nil, o.closed
	case len(o.here) >= mostRemotes:
		return nil, errManyRemotes
	}
	r := &Remote{of: o, name: name, trusted: trusted, tally: tally, orders: make(chan *Order, MostOrders),
		blocks: make(chan *Block, MostOrders), gone: make(chan struct{})}
	o.here = append(o.here, r)
	o.tell()
	return r, nil
}

// tell wakes the learner, which gives out places. Callers hold the mutex.
func (o *Remotes) tell() {
	select {
	case o.came <- struct{}{}:
	default:
	}
}

// Close dismisses all actors and admits no more.
func (o *Remotes) Close(why error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = why
	for _, r := range slices.Clone(o.here) {
		r.leave(why)
	}
}

// Infos is who is here.
func (o *Remotes) Infos() []RemoteInfo {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []RemoteInfo
	for _, r := range o.here {
		all = append(all, RemoteInfo{Name: r.name, Trusted: r.trusted, Playing: r.seated, Count: r.tally.Count()})
	}
	return all
}

// next is an actor that waits for a place, and has it now; nil where there is none.
func (o *Remotes) next() *Remote {
	if o == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, r := range o.here {
		if !r.seated && r.ordered-r.answered < MostOrders { // else it has still to answer whom it played for before
			r.seated = true
			return r
		}
	}
	return nil
}

// Orders returns the actor's orders. Gone is closed after the last one, and Why then returns the reason.
func (r *Remote) Orders() <-chan *Order { return r.orders }

// Gone is closed when the actor has left or was sent away.
func (r *Remote) Gone() <-chan struct{} { return r.gone }

// Playing reports whether the actor has a place; else it waits for one.
func (r *Remote) Playing() bool {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	return r.seated
}

// Why is the reason why it is gone.
func (r *Remote) Why() error {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	return r.why
}

// Deliver takes the answer to the oldest open order. After an error, which names the fault, the caller should dismiss
// the actor.
func (r *Remote) Deliver(b *Block) error {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	switch {
	case r.why != nil:
		return r.why
	case b.Number != r.answered+1:
		return fmt.Errorf("a block for order %d came where one for order %d belongs", b.Number, r.answered+1)
	case b.Number > r.ordered:
		return fmt.Errorf("a block for order %d came, which was not given", b.Number)
	}
	r.answered++
	if b.Number <= r.recalled {
		r.of.tell() // it may have been too busy for a place
		return nil
	}
	r.blocks <- b // never waits: there is room for all open orders
	return nil
}

// Leave reports that the actor is gone.
func (r *Remote) Leave() { r.dismiss(errLeft) }

// dismiss sends the actor away.
func (r *Remote) dismiss(why error) {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	r.leave(why)
}

func (r *Remote) leave(why error) {
	if r.why != nil {
		return
	}
	r.why = why
	r.of.here = slices.DeleteFunc(r.of.here, func(other *Remote) bool { return other == r })
	close(r.gone)
}

// order gives an order, whose number is filled in; false: the actor is gone, or still owes as many as it may.
func (r *Remote) order(o *Order) bool {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	if r.why != nil || r.ordered-r.answered >= MostOrders {
		return false
	}
	r.ordered++
	o.Number = r.ordered
	r.orders <- o // never waits: there is room for all open orders
	return true
}

// recall takes the place back: open orders are wanted no more, and the actor waits for another place.
func (r *Remote) recall() {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	r.recalled, r.seated = r.ordered, false
	for len(r.blocks) > 0 {
		<-r.blocks
	}
	if r.why == nil {
		r.of.tell()
	}
}
