package class

// The door of a room: who may look for it by its code, and which addresses have been inside.

import (
	"context"
	"strings"
	"sync"
	"time"

	"impalab/server/errcode"
)

// Room returns the room of a code to an address that may be guessing. An address that has been inside the room is not
// guessing: a school has one address, and one student's wrong codes do not keep the class out.
func (rs *Rooms) Room(ctx context.Context, address, code string) (*Room, error) {
	if !rs.inside.opened(address, spelled(code)) && !rs.wrong.May(address) {
		return nil, errcode.Errorf(errcode.TooFast, "too many codes that lead nowhere came from your address; wait a "+
			"minute, then try again; or let your teacher open the room on this network, and everybody here gets in")
	}
	r, err := rs.find(ctx, code)
	if errcode.Of(err) == errcode.NotFound {
		rs.wrong.Allow(address)
	}
	return r, err
}

// Known returns the room of a code to the owner of a key or secret. Guessers at the same address do not lock the owner
// out, and from then on not the others at this address either.
func (rs *Rooms) Known(ctx context.Context, address, code, secret string) (*Room, Role, error) {
	if secret == "" {
		if _, err := rs.Room(ctx, address, code); err != nil {
			return nil, Role{}, err
		}
		return nil, Role{}, errForbidden
	}
	r, err := rs.find(ctx, code)
	if err == nil {
		var role Role
		if role, err = r.role(secret); err == nil {
			rs.inside.open(address, r.code)
			return r, role, nil
		}
	}
	if !rs.wrong.Allow(address) {
		return nil, Role{}, errcode.Errorf(errcode.TooFast, "too many keys that fit nothing came from your address; "+
			"wait a minute, then try again")
	}
	return nil, Role{}, err
}

// spelled returns a code in capitals, without spaces and hyphens.
func spelled(code string) string {
	return strings.ToUpper(strings.NewReplacer(" ", "", "-", "").Replace(code))
}

// doors remembers for at least a day that an address has been inside a room: somebody there made or joined it, or sent
// its teacher's key or a student's secret.
type doors struct {
	clock func() time.Time

	mu     sync.Mutex
	now    map[door]bool // since turned…
	before map[door]bool // …and in the day before
	turned time.Time
}

type door struct{ address, code string }

const (
	insideFor = 24 * time.Hour
	mostDoors = 50_000 // in a day, about 100 bytes each; more shorten the day
)

func newDoors(clock func() time.Time) *doors {
	return &doors{clock: clock, now: map[door]bool{}, turned: clock()}
}

// open notes that an address is inside a room.
func (d *doors) open(address, code string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire()
	d.now[door{address, code}] = true
}

// opened reports whether an address has been inside a room. The code is spelled.
func (d *doors) opened(address, code string) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.expire()
	at := door{address, code}
	return d.now[at] || d.before[at]
}

// expire deletes entries older than a day. The caller holds mu.
func (d *doors) expire() {
	switch now := d.clock(); {
	case now.Sub(d.turned) > 2*insideFor:
		d.before, d.now, d.turned = nil, map[door]bool{}, now
	case now.Sub(d.turned) > insideFor, len(d.now) >= mostDoors:
		d.before, d.now, d.turned = d.now, map[door]bool{}, now
	}
}
