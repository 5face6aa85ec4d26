package class

import (
	"context"
	"crypto/rand"

	"impalab/server/errcode"
	"impalab/server/nickname"
	"impalab/server/places"
	"impalab/server/store"
)

// Members come into a room.

// Role is a person's role in a room: its teacher, or a member.
type Role struct {
	Teacher bool
	Member  int64
}

// role returns the role of a key's or secret's owner.
func (r *Room) role(secret string) (Role, error) {
	if store.Opens(r.digest, secret) {
		return Role{Teacher: true}, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.present() {
		if store.Opens(m.SecretSHA256, secret) {
			return Role{Member: m.Number}, nil
		}
	}
	return Role{}, errForbidden
}

// Joined is a member who has just joined.
type Joined struct {
	Member   int64  `json:"number"`
	Nickname string `json:"nickname"`
	Secret   string `json:"secret" doc:"Key of the student. No other answer contains it."`
}

// Join adds a member with a nickname to the room of a code.
func (rs *Rooms) Join(ctx context.Context, address, code, name string) (Joined, error) {
	r, err := rs.Room(ctx, address, code)
	if err != nil {
		return Joined{}, err
	}
	j, err := r.Join(ctx, name)
	if err == nil {
		rs.inside.open(address, r.code)
	}
	return j, err
}

// Join adds a member with a nickname. The member's browser returns by the secret.
func (r *Room) Join(ctx context.Context, name string) (Joined, error) {
	if !r.joins.Allow(places.Visitor(ctx)) {
		return Joined{}, errcode.Errorf(errcode.TooFast, "too many are joining this room from your address at once: %s; "+
			"try again in a few seconds", r.joins)
	}
	clean, folded, err := nickname.Clean(name)
	if err != nil {
		return Joined{}, errcode.Refuse(err)
	}
	secret := rand.Text()
	r.changing.Lock()
	defer r.changing.Unlock()
	if m := r.named(folded); m != nil {
		return r.rejoin(ctx, m, clean, secret)
	}
	there := len(r.present())
	switch {
	case r.deleted:
		return Joined{}, errGone
	case r.closed:
		return Joined{}, errClosed
	case r.set.Complete:
		return Joined{}, errComplete
	case there >= r.rooms.opts.Most:
		return Joined{}, errcode.Errorf(errcode.Full, "this room is full: %d students are in it; ask the teacher to "+
			"remove a student who has left, or to make another room", there)
	case len(r.members) >= 20*r.rooms.opts.Most:
		return Joined{}, errcode.Errorf(errcode.Full, "too many students have come and gone in this room; the teacher can "+
			"make another")
	}
	m := &member{seen: r.now(), acted: r.now(), Member: store.Member{Number: int64(len(r.members) + 1), Nickname: clean,
		Folded: folded, SecretSHA256: store.Digest(secret), Step: r.set.Step}}
	if err := r.fits(eachBytes); err != nil {
		return Joined{}, err
	}
	err = r.commit(ctx, func(tx *store.Tx) error { return tx.AddMember(r.code, m.Member, secret) }, func() {
		r.members = append(r.members, m)
		r.grow(eachBytes)
	})
	return Joined{m.Number, clean, secret}, err
}

// rejoin lets a student return from another browser, if the teacher has allowed it. The caller holds changing.
func (r *Room) rejoin(ctx context.Context, m *member, name, secret string) (Joined, error) {
	if !m.Reopen {
		return Joined{}, errcode.Errorf(errcode.Forbidden, "%s is in this room already: choose another nickname, or, if "+
			"it is you, ask the teacher to let you in again", m.Nickname)
	}
	row := m.Member
	row.Reopen, row.Nickname, row.SecretSHA256 = false, name, store.Digest(secret)
	err := r.setMember(ctx, m, row, func() { r.fleet.dismiss(m.Number, errElsewhere) })
	return Joined{m.Number, name, secret}, err
}
