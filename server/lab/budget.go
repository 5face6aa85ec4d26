package lab

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"
)

// budget divides the server's slots and memory between the addresses that ask for them. While there are enough,
// every claim is admitted: a school is one address. When there are not, a run of the address with the largest part
// waits in a queue and continues later. Runs that people watch come before runs that must be done some
// time, of which only a few hold memory at once.
//
// A claim holds its memory until it is released, also while its learner is leaving.
type budget struct {
	slots  int
	cores  int
	memory float64 // bytes, by estimate, of all claims
	turn   time.Duration

	mu    sync.Mutex
	held  []*claim
	queue []*claim
	freed float64 // bytes released since drainFreed
	other float64 // bytes that no claim is for, such as snapshots that wait for the store
}

// claim is what one tenant asks for or holds. Its fields belong to the budget.
type claim struct {
	tenant  tenant
	address string
	purpose Purpose
	bytes   float64
	since   time.Time // that it holds, or waits
	holds   bool
	leaving bool          // the tenant was told to release it
	place   int           // in the queue, from 1…
	wait    time.Duration // …and about how long
}

// tenant has a claim. Its methods are called with the budget locked.
type tenant interface {
	unwatchedSince() time.Time // since when it is unwatched; zero while a viewer or a result needs it
	changed()                  // the claim holds now, or has other words
	giveWay()                  // it must release the claim, and may ask again
	drop()                     // it must end
}

const (
	// spare is the part of the slots and of the memory that only addresses without a claim may use: a stranger starts at
	// once.
	spare = 1. / 8
	// littleToLose is how long an unwatched tenant has held its claim, at most, to be dropped rather than stored.
	littleToLose = 5 * time.Second
)

// ask queues a claim, and admits it at once where it fits.
func (b *budget) ask(c *claim) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c.since = time.Now()
	b.queue = append(b.queue, c)
	b.settle()
}

// status reports whether a claim holds, else where it stands in the queue.
func (b *budget) status(c *claim) (holds bool, words string) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return c.holds, c.words()
}

// release returns the memory of a claim, or takes it out of the queue.
func (b *budget) release(c *claim) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c.holds {
		b.freed += c.bytes
	}
	is := func(other *claim) bool { return other == c }
	b.held, b.queue = slices.DeleteFunc(b.held, is), slices.DeleteFunc(b.queue, is)
	c.holds, c.leaving, c.place = false, false, 0
	b.settle()
}

// resize changes the memory of a claim, if it fits; in the queue the claim keeps its place.
func (b *budget) resize(c *claim, bytes float64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c.holds && bytes > c.bytes && !b.fits(c.address, 0, bytes-c.bytes, false) {
		return false
	}
	if c.holds && bytes < c.bytes {
		b.freed += c.bytes - bytes
	}
	c.bytes = bytes
	b.settle()
	return true
}

// tick is called now and then: turns end, and runs whose page has left the queue are dropped.
func (b *budget) tick(patience time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.queue {
		if since := c.tenant.unwatchedSince(); !since.IsZero() && time.Since(since) > patience && !c.leaving {
			c.leaving = true
			c.tenant.drop()
		}
	}
	b.settle()
}

// counts returns how many claims hold and how many wait, and the bytes that are held.
func (b *budget) counts() (held, waiting int, bytes float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.held {
		bytes += c.bytes
	}
	return len(b.held), len(b.queue), bytes
}

// carry counts bytes that no claim is for, such as a snapshot that waits for the store; below 0 it counts them out.
func (b *budget) carry(bytes float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.other += bytes
	if bytes < 0 {
		b.freed -= bytes
		b.settle()
	}
}

// mayCarry reports whether there is room for more such bytes.
func (b *budget) mayCarry(bytes float64) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.other+bytes <= waitingPart*b.memory
}

// borrow counts bytes until done is called.
func (b *budget) borrow(bytes float64) (done func()) {
	b.carry(bytes)
	return func() { b.carry(-bytes) }
}

// drainFreed returns the bytes released since the last call.
func (b *budget) drainFreed() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	freed := b.freed
	b.freed = 0
	return freed
}

// settle admits the claims that fit. Where the next claim does not fit, it ousts another.
func (b *budget) settle() {
	for next := b.next(); next != nil; next = b.next() {
		if !b.fits(next.address, 1, next.bytes, false) {
			if !b.fits(next.address, 1, next.bytes, true) { // else the leaving claims are enough
				b.oust(cmp.Or(b.unwatched(), b.lesser(next.purpose), b.yields(next, b.held)))
			}
			break
		}
		b.queue = slices.DeleteFunc(b.queue, func(c *claim) bool { return c == next })
		b.held = append(b.held, next)
		next.since, next.holds = time.Now(), true
		next.tenant.changed()
	}
	b.shareTurns()
	for place, c := range b.inOrder() {
		before := c.words()
		if c.place, c.wait = place+1, b.wait(place); c.words() != before {
			c.tenant.changed()
		}
	}
}

// next returns the claim to be admitted first, or nil.
func (b *budget) next() *claim {
	for _, c := range b.inOrder() {
		if !b.full(c.purpose) {
			return c
		}
	}
	return nil
}

// inOrder returns the queue in the order in which it is admitted: by purpose, then by the address that holds least,
// then by age.
func (b *budget) inOrder() []*claim {
	order := slices.Clone(b.queue)
	slices.SortStableFunc(order, func(x, y *claim) int {
		return cmp.Or(cmp.Compare(x.purpose, y.purpose), cmp.Compare(b.part(x.address), b.part(y.address)))
	})
	return order
}

// fits reports whether an address may hold so much more: now, or once the claims that leave have left.
func (b *budget) fits(address string, slots int, bytes float64, afterwards bool) bool {
	first := true
	bytes += b.other
	for _, c := range b.held {
		if c.leaving && afterwards {
			continue
		}
		slots++
		bytes += c.bytes
		first = first && c.address != address
	}
	if first {
		return slots <= b.slots && bytes <= b.memory
	}
	return slots <= b.slots-int(spare*float64(b.slots)) && bytes <= b.memory*(1-spare)
}

// part returns the part of the whole that an address holds: the larger one of its slots and its memory (Ghodsi et al.,
// Dominant resource fairness, 2011).
func (b *budget) part(address string) float64 {
	slots, bytes := 0, 0.
	for _, c := range b.held {
		if c.address == address && !c.leaving {
			slots++
			bytes += c.bytes
		}
	}
	return b.partOf(slots, bytes)
}

func (b *budget) partOf(slots int, bytes float64) float64 {
	return max(float64(slots)/float64(b.slots), bytes/b.memory)
}

// holders returns the claims of a purpose that hold.
func (b *budget) holders(p Purpose) (all []*claim) {
	for _, c := range b.held {
		if c.purpose == p {
			all = append(all, c)
		}
	}
	return all
}

// full reports whether a purpose holds all the claims that it may.
func (b *budget) full(p Purpose) bool {
	most := purposes[p].perCore * b.cores
	return most > 0 && len(b.holders(p)) >= most
}

// shareTurns lets the next claim of a full purpose have a turn of another address that holds more. Claims of one
// address do not interrupt each other: the older continue to their end.
func (b *budget) shareTurns() {
	for p := range Purpose(len(purposes)) {
		next := pick(b.inOrder(), func(c *claim) bool { return c.purpose == p }, func(_, _ *claim) int { return 0 })
		holders := b.holders(p)
		if next == nil || !b.full(p) || slices.ContainsFunc(holders, func(c *claim) bool { return c.leaving }) {
			continue
		}
		b.oust(b.yields(next, slices.DeleteFunc(holders, func(c *claim) bool { return c.address == next.address })))
	}
}

// oust tells a tenant to release its claim.
func (b *budget) oust(c *claim) {
	if c == nil {
		return
	}
	c.leaving = true
	if !c.tenant.unwatchedSince().IsZero() && time.Since(c.since) < littleToLose {
		c.tenant.drop()
	} else {
		c.tenant.giveWay()
	}
}

// pick returns the first of some claims by an order, or nil.
func pick(all []*claim, may func(*claim) bool, order func(x, y *claim) int) (first *claim) {
	for _, c := range all {
		if may(c) && (first == nil || order(c, first) < 0) {
			first = c
		}
	}
	return first
}

// unwatched returns the claim that has been unwatched for longest, of the address that holds most.
func (b *budget) unwatched() *claim {
	return pick(b.held, func(c *claim) bool { return !c.leaving && !c.tenant.unwatchedSince().IsZero() },
		func(x, y *claim) int {
			return cmp.Or(cmp.Compare(b.part(y.address), b.part(x.address)),
				x.tenant.unwatchedSince().Compare(y.tenant.unwatchedSince()))
		})
}

// lesser returns the newest claim of a purpose that comes after p.
func (b *budget) lesser(p Purpose) *claim {
	return pick(b.held, func(c *claim) bool { return !c.leaving && c.purpose > p },
		func(x, y *claim) int { return y.since.Compare(x.since) })
}

// yields returns the claim among some that next ousts: the newest of the address that holds most, if that
// address then still holds no less than next's; else the claim that has held for longest, if its turn is over.
func (b *budget) yields(next *claim, among []*claim) *claim {
	after := b.part(next.address) + b.partOf(1, next.bytes)
	newest := pick(among, func(c *claim) bool {
		return !c.leaving && c.address != next.address && b.part(c.address)-b.partOf(1, c.bytes) >= after
	}, func(x, y *claim) int {
		return cmp.Or(cmp.Compare(b.part(y.address), b.part(x.address)), y.since.Compare(x.since))
	})
	longest := pick(among, func(c *claim) bool {
		return !c.leaving && time.Since(c.since) >= b.turn && (c.address == next.address || b.part(c.address) >= after)
	}, func(x, y *claim) int { return x.since.Compare(y.since) })
	return cmp.Or(newest, longest)
}

// wait returns how long the claim at a place of the queue, from 0, may wait: as many turns must end.
func (b *budget) wait(place int) time.Duration {
	left := []time.Duration{}
	for _, c := range b.held {
		left = append(left, max(0, b.turn-time.Since(c.since)))
	}
	if len(left) == 0 {
		return b.turn
	}
	slices.Sort(left)
	return left[place%len(left)] + time.Duration(place/len(left))*b.turn
}

// words tell people where they stand in the queue.
func (c *claim) words() string {
	about := max(5*time.Second, c.wait.Round(5*time.Second))
	return fmt.Sprintf("the server is full: place %d in the queue, about %d s; it begins by itself", c.place,
		int(about.Seconds()))
}
