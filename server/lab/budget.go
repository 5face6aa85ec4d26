package lab

import (
	"cmp"
	"fmt"
	"slices"
	"sync"
	"time"
)

// budget divides the server's places and memory between the addresses that ask for them. While there is room everybody
// gets some, however much an address has: a school is one address. When there is none, the address with most gives
// way. What it gives up waits in a queue, and takes its turn again: nothing is lost. What people watch comes before
// what has to be done some time, of which only a few hold room at once.
//
// What somebody holds counts until it is given back: a learner that was told to go holds its memory until it is gone.
type budget struct {
	places int
	cores  int
	memory float64 // bytes, by estimate, of all that is held
	turn   time.Duration

	mu    sync.Mutex
	held  []*claim
	queue []*claim
	freed float64 // bytes given back since it was last asked, by learners and by what the store has of them
}

// claim is what one tenant asks for or holds. Its fields belong to the budget.
type claim struct {
	tenant  tenant
	address string
	purpose Purpose
	bytes   float64
	since   time.Time // that it holds, or waits
	holds   bool
	going   bool // it was told to give way, or to go
}

// tenant is who has a claim: a run, or a job that runs few at a time and is one claim for each. Its methods are called
// with the budget locked, and must not wait for it.
type tenant interface {
	// unwatchedSince is since when nobody would miss it; zero while somebody would.
	unwatchedSince() time.Time
	// admitted says that it has what it asked for.
	admitted()
	// queued says where it stands: its place from 1 on, and how long that may take.
	queued(place int, wait time.Duration)
	// giveWay asks it to release its claim and to ask again.
	giveWay()
	// drop asks it to end and to release its claim.
	drop()
}

// spare is the part of the places and of the memory that only addresses which hold nothing may use: a stranger begins
// at once, and waits for nobody to give way.
const spare = 1. / 8

// littleToLose is how long a tenant that nobody watches has held its claim, at most, to be dropped and not kept.
const littleToLose = 5 * time.Second

// ask queues a claim, and admits it at once where there is room.
func (b *budget) ask(c *claim) {
	b.mu.Lock()
	defer b.mu.Unlock()
	c.since, c.holds, c.going = time.Now(), false, false
	b.queue = append(b.queue, c)
	b.settle()
}

// release gives back what a claim holds, or takes it out of the queue.
func (b *budget) release(c *claim) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if c.holds {
		b.freed += c.bytes
	}
	b.held, b.queue = without(b.held, c), without(b.queue, c)
	c.holds = false
	b.settle()
}

// resize changes what a claim comes to, if there is room for that; in the queue it keeps its place.
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

// tick is called now and then: turns end, and who left the queue's page is gone.
func (b *budget) tick(patience time.Duration) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.queue {
		if since := c.tenant.unwatchedSince(); !since.IsZero() && time.Since(since) > patience && !c.going {
			c.going = true
			c.tenant.drop()
		}
	}
	b.settle()
}

// counts are how many claims are held and how many wait, and the bytes that are held.
func (b *budget) counts() (held, waiting int, bytes float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, c := range b.held {
		bytes += c.bytes
	}
	return len(b.held), len(b.queue), bytes
}

// letGo counts bytes that no claim is for: a snapshot is held until the store has it.
func (b *budget) letGo(bytes float64) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.freed += bytes
}

// takeFreed is the bytes given back since the last call.
func (b *budget) takeFreed() float64 {
	b.mu.Lock()
	defer b.mu.Unlock()
	freed := b.freed
	b.freed = 0
	return freed
}

// settle admits whom there is room for, and has somebody give way to the next where there is none.
func (b *budget) settle() {
	for next := b.next(); next != nil; next = b.next() {
		if !b.fits(next.address, 1, next.bytes, false) {
			if !b.fits(next.address, 1, next.bytes, true) { // else it has been asked for already
				b.ousts(next)
			}
			break
		}
		b.queue = without(b.queue, next)
		b.held = append(b.held, next)
		next.since, next.holds = time.Now(), true
		next.tenant.admitted()
	}
	b.shareTurns()
	for place, c := range b.inOrder() {
		c.tenant.queued(place+1, b.wait(place))
	}
}

// fits reports whether there is room for so much more of an address: now, or once those are gone who are going.
func (b *budget) fits(address string, places int, bytes float64, afterwards bool) bool {
	places, nothing := places, true
	for _, c := range b.held {
		if c.going && afterwards {
			continue
		}
		places++
		bytes += c.bytes
		nothing = nothing && c.address != address
	}
	if nothing {
		return places <= b.places && bytes <= b.memory
	}
	return places <= b.places-int(spare*float64(b.places)) && bytes <= b.memory*(1-spare)
}

// part is what an address holds of the whole: of the places or of the memory, whichever is more (Ghodsi et al.,
// Dominant resource fairness, 2011).
func (b *budget) part(address string) float64 {
	places, bytes := 0, 0.
	for _, c := range b.held {
		if c.address == address && !c.going {
			places++
			bytes += c.bytes
		}
	}
	return b.of(places, bytes)
}

func (b *budget) of(places int, bytes float64) float64 {
	return max(float64(places)/float64(b.places), bytes/b.memory)
}

// next is the claim to be admitted first, if there is one: of the first purpose that may hold more, and of the address
// that holds least, the one that has waited longest.
func (b *budget) next() *claim {
	for _, c := range b.inOrder() {
		if !b.taken(c.purpose) {
			return c
		}
	}
	return nil
}

// taken reports whether a purpose holds as many claims as it may.
func (b *budget) taken(p Purpose) bool {
	most := purposes[p].perCore * b.cores
	return most > 0 && b.holding(p) >= most
}

// shareTurns divides the turns of a purpose that holds all it may: the address with most of them gives one to an
// address that has fewer. Claims of one address do not interrupt each other: the older continue to their end.
func (b *budget) shareTurns() {
	asked := map[Purpose]bool{}
	for _, c := range b.inOrder() {
		if asked[c.purpose] || !b.taken(c.purpose) {
			continue
		}
		asked[c.purpose] = true
		leaving := func(held *claim) bool { return held.purpose == c.purpose && held.going }
		if slices.ContainsFunc(b.held, leaving) { // its turn is the next
			continue
		}
		from := b.yields(c, func(held *claim) bool { return held.purpose == c.purpose && held.address != c.address })
		if from != nil {
			from.going = true
			from.tenant.giveWay()
		}
	}
}

// holding is how many claims of a purpose are held.
func (b *budget) holding(p Purpose) (n int) {
	for _, c := range b.held {
		if c.purpose == p {
			n++
		}
	}
	return n
}

// inOrder is the queue in the order in which it is admitted, as things stand.
func (b *budget) inOrder() []*claim {
	parts := map[string]float64{}
	for _, c := range b.queue {
		parts[c.address] = b.part(c.address)
	}
	order := slices.Clone(b.queue)
	slices.SortStableFunc(order, func(x, y *claim) int {
		return cmp.Or(cmp.Compare(x.purpose, y.purpose), cmp.Compare(parts[x.address], parts[y.address]))
	})
	return order
}

// wait is how long the claim at a place of the queue, from 0 on, may take to be admitted: as many turns must end.
func (b *budget) wait(place int) time.Duration {
	var left []time.Duration
	for _, c := range b.held {
		left = append(left, max(0, b.turn-time.Since(c.since)))
	}
	if len(left) == 0 {
		return b.turn
	}
	slices.Sort(left)
	return left[place%len(left)] + time.Duration(place/len(left))*b.turn
}

// ousts has one claim give way to next, if one should: first what nobody watches; then the newest of a purpose that
// comes after; then the newest of the address that has most, as long as it is left with no less than next will have;
// then, among those that have no less than that, the one whose turn has been longest, once it is over.
func (b *budget) ousts(next *claim) {
	if c := b.unwatched(); c != nil {
		c.going = true
		if time.Since(c.since) < littleToLose {
			c.tenant.drop()
		} else {
			c.tenant.giveWay()
		}
		return
	}
	if c := b.lesser(next.purpose); c != nil {
		c.going = true
		c.tenant.giveWay()
		return
	}
	if c := b.yields(next, func(*claim) bool { return true }); c != nil {
		c.going = true
		c.tenant.giveWay()
	}
}

// yields returns the claim among some that gives way to next: the newest of the address that holds most, if that
// address then still holds no less than next's; else the claim whose turn has been longest and is over. nil: no claim.
func (b *budget) yields(next *claim, among func(*claim) bool) *claim {
	after := b.part(next.address) + b.of(1, next.bytes)
	var newest, longest *claim
	most := 0.
	for _, c := range b.held {
		part := b.part(c.address)
		if c.going || !among(c) {
			continue
		}
		if c.address != next.address && part-b.of(1, c.bytes) >= after &&
			(part > most || part == most && c.since.After(newest.since)) {
			newest, most = c, part
		}
		over := time.Since(c.since) >= b.turn && (c.address == next.address || part >= after)
		if over && (longest == nil || c.since.Before(longest.since)) {
			longest = c
		}
	}
	if newest == nil {
		return longest
	}
	return newest
}

// unwatched is the claim that nobody has watched for longest, of the address that holds most of such.
func (b *budget) unwatched() (found *claim) {
	var since time.Time
	most := 0.
	for _, c := range b.held {
		left := c.tenant.unwatchedSince()
		if left.IsZero() || c.going {
			continue
		}
		if part := b.part(c.address); found == nil || part > most || part == most && left.Before(since) {
			found, since, most = c, left, part
		}
	}
	return found
}

// lesser is the newest claim of the last purpose there is that comes after p.
func (b *budget) lesser(p Purpose) (found *claim) {
	for _, c := range b.held {
		switch {
		case c.going || c.purpose <= p:
		case found == nil, c.purpose > found.purpose, c.purpose == found.purpose && c.since.After(found.since):
			found = c
		}
	}
	return found
}

func without(list []*claim, c *claim) []*claim {
	if i := slices.Index(list, c); i >= 0 {
		return slices.Delete(list, i, i+1)
	}
	return list
}

// queuedWords is what a person reads who waits.
func queuedWords(place int, wait time.Duration) string {
	about := wait.Round(5 * time.Second)
	if about < 5*time.Second {
		about = 5 * time.Second
	}
	return fmt.Sprintf("the server is full: place %d in the queue, about %d s; it begins by itself", place,
		int(about.Seconds()))
}
