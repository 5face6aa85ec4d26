// Package remote connects a run's learner with actors in other processes. An actor receives a place (the state of one
// of the run's actors) and orders (play the next block with these parameters). So a block depends on the run alone.
// The run can play it itself if the actor is lost, or to check an untrusted actor. Read Seat next: it is the learner's
// side.
package remote

import (
	"errors"
	"fmt"
	"slices"
	"sync"

	"impalab/learner/actor"
	"impalab/learner/traj"
)

// Actors are the remote actors of one run. They outlive the run's learners.
//
// Orders are credit: an actor has at most MostOrders unanswered orders, and a block without an order ends it. A further
// order confirms that a block has been learned from.
type Actors struct {
	mu     sync.Mutex
	here   []*Actor // in the order in which they came
	closed error
	came   chan struct{} // holds one value when an actor may be waiting for a place
}

// Actor is one actor in another process, as its run has it.
type Actor struct {
	of      *Actors
	name    string // for people
	trusted bool   // its blocks are believed; others are played again
	tally   *Tally

	orders chan *Order // to it; as much room as orders can be open
	blocks chan *Block // from it; as much room as orders can be open
	gone   chan struct{}

	// Under the mutex of Actors.
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
	After   actor.State // the actor's state after the block; the run recomputes counts and returns
}

// Info describes a remote actor for people.
type Info struct {
	Name             string
	Trusted, Playing bool
	Count
}

const (
	// MostOrders is how many of an actor may be open at a time: one is played while the answer to another travels.
	MostOrders = 2
	mostActors = 60 // of one run: the students of a room
)

var (
	errManyActors = fmt.Errorf("%d remote actors play for this run, and that is the limit", mostActors)
	errLeft       = errors.New("the remote actor has left")
)

// NewActors returns an empty set of remote actors.
func NewActors() *Actors { return &Actors{came: make(chan struct{}, 1)} }

// Join admits an actor. Name is for people; the run believes a trusted actor's blocks if they are sound. The actor's
// counts go to tally.
func (o *Actors) Join(name string, trusted bool, tally *Tally) (*Actor, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	switch {
	case o.closed != nil:
		return nil, o.closed
	case len(o.here) >= mostActors:
		return nil, errManyActors
	}
	r := &Actor{of: o, name: name, trusted: trusted, tally: tally, orders: make(chan *Order, MostOrders),
		blocks: make(chan *Block, MostOrders), gone: make(chan struct{})}
	o.here = append(o.here, r)
	o.signal()
	return r, nil
}

// signal wakes the learner, which hands out places. The caller holds the mutex.
func (o *Actors) signal() {
	select {
	case o.came <- struct{}{}:
	default:
	}
}

// Arrivals has a value when an actor may be waiting for a place.
func (o *Actors) Arrivals() <-chan struct{} { return o.came }

// Close dismisses all actors and admits no more.
func (o *Actors) Close(why error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	o.closed = why
	for _, r := range slices.Clone(o.here) {
		r.dismiss(why)
	}
}

// Infos describes the actors that are here.
func (o *Actors) Infos() []Info {
	o.mu.Lock()
	defer o.mu.Unlock()
	var all []Info
	for _, r := range o.here {
		all = append(all, Info{Name: r.name, Trusted: r.trusted, Playing: r.seated, Count: r.tally.Count()})
	}
	return all
}

// Next returns an actor that waits for a place, and counts it as seated; nil: no actor waits.
func (o *Actors) Next() *Actor {
	if o == nil {
		return nil
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	for _, r := range o.here {
		if !r.seated && r.ordered-r.answered < MostOrders { // else it still owes answers to its last place
			r.seated = true
			return r
		}
	}
	return nil
}

// Orders returns the actor's orders. Gone is closed after the last one, and Why then returns the reason.
func (r *Actor) Orders() <-chan *Order { return r.orders }

// Done is closed when the actor has left or was dismissed.
func (r *Actor) Done() <-chan struct{} { return r.gone }

// Playing reports whether the actor has a place; else it waits for one.
func (r *Actor) Playing() bool {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	return r.seated
}

// Why returns the reason why the actor is gone; nil: it is here.
func (r *Actor) Why() error {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	return r.why
}

// Deliver takes the answer to the oldest open order. After an error, which names the fault, the caller should dismiss
// the actor.
func (r *Actor) Deliver(b *Block) error {
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
		r.of.signal() // it may have been too busy for a place
		return nil
	}
	r.blocks <- b // never waits: there is room for all open orders
	return nil
}

// Leave reports that the actor is gone.
func (r *Actor) Leave() { r.Dismiss(errLeft) }

// Dismiss sends the actor away.
func (r *Actor) Dismiss(why error) {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	r.dismiss(why)
}

func (r *Actor) dismiss(why error) {
	if r.why != nil {
		return
	}
	r.why = why
	r.of.here = slices.DeleteFunc(r.of.here, func(other *Actor) bool { return other == r })
	close(r.gone)
}

// order numbers an order and gives it. It returns false if the actor is gone or has MostOrders open orders.
func (r *Actor) order(o *Order) bool {
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

// recall takes the place back: it cancels the open orders, and the actor waits for another place.
func (r *Actor) recall() {
	r.of.mu.Lock()
	defer r.of.mu.Unlock()
	r.recalled, r.seated = r.ordered, false
	for len(r.blocks) > 0 {
		<-r.blocks
	}
	if r.why == nil {
		r.of.signal()
	}
}
