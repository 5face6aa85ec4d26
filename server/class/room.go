package class

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/time/rate"

	"impalab/learner/remote"
	"impalab/server/errcode"
	"impalab/server/exercise"
	"impalab/server/nickname"
	"impalab/server/store"
)

// Settings are what a teacher has set in a room, as the store has it.
type Settings struct {
	Title     string          `json:"title"`
	Plan      string          `json:"plan"`
	Step      int             `json:"step"`             // of the plan, from 0
	Follow    bool            `json:"follow"`           // everybody sees the teacher's step
	Frozen    bool            `json:"frozen"`           // nobody can send anything
	Locked    []string        `json:"locked"`           // settings that nobody may change
	Spotlight int64           `json:"spotlight"`        // a member whose run all see, without a name; 0: none
	Revealed  map[string]bool `json:"revealed"`         // steps whose truth has been shown
	Hidden    []int64         `json:"hidden,omitempty"` // sentences that are taken off the wall, by the number of the answer
	Timer     int64           `json:"timer"`            // when it ends, milliseconds since 1970; 0: none
	Fleet     *keptFleet      `json:"fleet,omitempty"`
}

// Room is one room. A change of what the store keeps holds changing for as long as the store takes, and then mu, to put
// the change in force. So it may be read under either lock, and readers wait for no transaction.
type Room struct {
	identity
	rooms  *Rooms
	digest []byte // of the teacher's key
	born   int64
	joins  *rate.Limiter
	used   atomic.Int64 // milliseconds since 1970
	size   atomic.Int64 // bytes of memory that it takes, by estimate

	changing sync.Mutex // taken before mu

	mu       sync.Mutex // guards what follows
	set      Settings
	closed   bool
	deleted  bool
	members  []*member
	answers  []*answer
	revision uint64
	news     chan struct{} // closed at the next
	watchers int
	fleet    *fleet                  // that acts now; nil: none does
	tallies  map[int64]*remote.Tally // of the members who have acted for its run
}

// member is somebody in the room.
type member struct {
	store.Member
	memberState
	answers []*answer     // of this member, oldest first
	streams int           // pages that are open
	seen    time.Time     // when a page was last open, or something came
	acted   time.Time     // when something came
	turn    chan struct{} // holds one while an answer of this member is being taken
}

func newMember(kept store.Member, state memberState, now time.Time) *member {
	return &member{Member: kept, memberState: state, seen: now, acted: now, turn: make(chan struct{}, 1)}
}

// memberState is what the store has as JSON.
type memberState struct {
	Step   int  `json:"step"`             // of the plan, that this one is at
	Help   bool `json:"help,omitempty"`   // asks for it
	Reopen bool `json:"reopen,omitempty"` // the next who joins by this nickname takes the seat
}

func (m *member) removed() bool { return m.Folded == "" }

// answer is one that was given.
type answer struct {
	store.Answer
	said   exercise.Answer
	result Result
	open   bool          // it has not been judged yet
	job    string        // that judges it
	here   bool          // this process trains it
	place  int           // in the queue, from 1; 0: it is being trained
	wait   time.Duration // until it begins
	curve  []float64     // of its first seed, while it is trained
}

// Result is what an answer came to.
type Result struct {
	exercise.Verdict
	Curve   []float64 `json:"curve,omitempty"`   // of its first seed
	Steps   uint64    `json:"steps,omitempty"`   // of each run
	Receipt string    `json:"receipt,omitempty"` // of what was handed in
}

// Joins of one room, each second and at once. Whoever floods one room waits at its own door.
const (
	joinsEvery = 5
	joinsBurst = 60
)

func newRoom(rs *Rooms, row store.Room, members []store.Member, answers []store.Answer) (*Room, error) {
	now := rs.opts.Now()
	r := &Room{identity: identity{row.Code, row.Secret}, rooms: rs, digest: row.KeySHA256, born: row.Created,
		closed: row.Closed, news: make(chan struct{}), joins: rate.NewLimiter(joinsEvery, joinsBurst)}
	r.use()
	if err := json.Unmarshal([]byte(row.State), &r.set); err != nil {
		return nil, fmt.Errorf("room %s: %w", row.Code, err)
	}
	for _, kept := range members {
		var state memberState
		if err := json.Unmarshal([]byte(kept.State), &state); err != nil {
			return nil, fmt.Errorf("room %s: %w", row.Code, err)
		}
		r.members = append(r.members, newMember(kept, state, now))
		r.size.Add(eachBytes)
	}
	for _, kept := range answers {
		a := &answer{Answer: kept, open: kept.Verdict == ""}
		err := json.Unmarshal([]byte(kept.Answer), &a.said)
		if err == nil && !a.open {
			err = json.Unmarshal([]byte(kept.Verdict), &a.result)
		}
		if err != nil {
			return nil, fmt.Errorf("room %s: %w", row.Code, err)
		}
		r.put(a)
		r.size.Add(a.size())
	}
	r.act()
	return r, nil
}

// put adds an answer to the room's and to its member's: a view of thirty would else look through all for each of them.
// The caller holds mu, or nobody else has the room yet.
func (r *Room) put(a *answer) {
	r.answers = append(r.answers, a)
	m := r.members[a.Member-1]
	m.answers = append(m.answers, a)
}

// Code names the room.
func (r *Room) Code() string { return r.code }

func (r *Room) now() time.Time { return r.rooms.opts.Now() }

// use notes that somebody is here. It waits for nobody.
func (r *Room) use() { r.used.Store(r.now().UnixMilli()) }

func (r *Room) lastUse() time.Time { return time.UnixMilli(r.used.Load()) }

// unused reports whether nobody has been here for so long, and nothing is being judged.
func (r *Room) unused(since time.Duration) bool {
	if r.now().Sub(r.lastUse()) <= since {
		return false // whoever uses the room may hold its lock
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.watchers == 0 && r.fleet.empty() &&
		!slices.ContainsFunc(r.answers, func(a *answer) bool { return a.open })
}

// tell says that there is something new. The caller holds mu.
func (r *Room) tell() {
	r.use()
	r.revision++
	close(r.news)
	r.news = make(chan struct{})
}

// Watch is closed when there is something new.
func (r *Room) Watch() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.news
}

// Role is who somebody is in a room: its teacher, or a member.
type Role struct {
	Teacher bool
	Member  int64
}

// role is whose a key or a secret is.
func (r *Room) role(secret string) (Role, error) {
	if same(r.digest, secret) {
		return Role{Teacher: true}, nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, m := range r.members {
		if !m.removed() && same(m.SecretSHA256, secret) {
			return Role{Member: m.Number}, nil
		}
	}
	return Role{}, errForbidden
}

// Joined is who somebody is after joining.
type Joined struct {
	Member   int64
	Nickname string
	Secret   string
}

// Join lets somebody in by a nickname, once: the secret that comes back is what their browser comes back by.
func (r *Room) Join(ctx context.Context, name string) (Joined, error) {
	if !r.joins.Allow() {
		return Joined{}, errcode.Errorf(errcode.TooFast, "too many are joining this room at once; try again in a "+
			"few seconds")

	}
	clean, folded, err := cleanNickname(name)
	if err != nil {
		return Joined{}, err
	}
	secret := rand.Text()
	r.changing.Lock()
	defer r.changing.Unlock()
	there := 0
	for _, m := range r.members {
		if m.removed() {
			continue
		}
		there++
		if m.Folded == folded {
			return r.takeSeat(ctx, m, clean, secret)
		}
	}
	switch {
	case r.deleted:
		return Joined{}, errGone
	case r.closed:
		return Joined{}, errClosed
	case there >= r.rooms.opts.Most:
		return Joined{}, errcode.Errorf(errcode.Full, "this room is full: %d are in it; ask the teacher to remove "+
			"somebody who has left",
			there)

	case len(r.members) >= 20*r.rooms.opts.Most:
		return Joined{}, errcode.Errorf(errcode.Full, "too many have come and gone in this room; the teacher can "+
			"make another")

	}
	m := newMember(store.Member{Number: int64(len(r.members) + 1), Nickname: clean, Folded: folded},
		memberState{Step: r.set.Step}, r.now())
	m.State = text(m.memberState)
	if err := r.fits(eachBytes); err != nil {
		return Joined{}, err
	}
	if err := r.do(ctx, func(tx *store.Tx) error { return tx.AddMember(r.code, m.Member, secret) }); err != nil {
		return Joined{}, err
	}
	m.SecretSHA256 = digest(secret)
	r.grow(eachBytes)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.members = append(r.members, m)
	r.tell()
	return Joined{m.Number, clean, secret}, nil
}

// takeSeat is for a nickname that is taken: it is not to be had, unless the teacher lets its bearer in again, who has
// another browser now. The caller holds changing.
func (r *Room) takeSeat(ctx context.Context, m *member, name, secret string) (Joined, error) {
	if !m.Reopen {
		return Joined{}, errcode.Errorf(errcode.Forbidden, "%s is in this room already: choose another nickname, "+
			"or, if it is you, ask the teacher to let you in again", m.Nickname)
	}
	kept, state := m.Member, m.memberState
	state.Reopen, kept.Nickname, kept.SecretSHA256 = false, name, digest(secret)
	if err := r.keepMember(ctx, m, kept, state); err != nil {
		return Joined{}, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.fleet.dismiss(m.Number, errElsewhere)
	return Joined{m.Number, name, secret}, nil
}

// keepMember puts a member's changes into the store, then in force. The caller holds changing.
func (r *Room) keepMember(ctx context.Context, m *member, kept store.Member, state memberState) error {
	kept.State = text(state)
	if err := r.do(ctx, func(tx *store.Tx) error { return tx.SetMember(r.code, kept) }); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	m.Member, m.memberState, m.acted = kept, state, r.now()
	r.tell()
	return nil
}

// do is a transaction of this room's. The caller holds changing, or mu.
func (r *Room) do(ctx context.Context, fn func(*store.Tx) error) error {
	if r.deleted {
		return errGone
	}
	return kept(r.rooms.opts.Store.Do(ctx, fn))
}

func (r *Room) member(number int64) *member {
	if number < 1 || number > int64(len(r.members)) || r.members[number-1].removed() {
		return nil
	}
	return r.members[number-1]
}

// text is what the store keeps of a struct of ours.
func text(v any) string {
	b, err := json.Marshal(v)
	if err != nil {
		panic(err) // texts and finite numbers
	}
	return string(b)
}

// cleanNickname is a nickname as it is kept, and as it is compared.
func cleanNickname(name string) (clean, folded string, err error) {
	if clean, folded, err = nickname.Clean(name); err != nil {
		return "", "", errcode.Errorf(errcode.Refused, "%w", err)
	}
	return clean, folded, nil
}

const maxTitle = 80

func cleanTitle(title string) (string, error) {
	if utf8.RuneCountInString(title) > maxTitle || !utf8.ValidString(title) {
		return "", errcode.Errorf(errcode.Refused, "the title is too long: at most %d letters", maxTitle)
	}
	for _, c := range title {
		if !unicode.IsPrint(c) {
			return "", errcode.Errorf(errcode.Refused, "the title has letters and digits that can be seen, on one line")
		}
	}
	return title, nil
}
