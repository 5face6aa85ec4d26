package class

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"
	"unicode"
	"unicode/utf8"

	"impalab/learner/remote"
	"impalab/learner/trial"
	"impalab/server/errcode"
	"impalab/server/firewall"
	"impalab/server/store"
	"impalab/web/exercise"
)

// Settings are the teacher's settings of a room, as the store has them.
type Settings struct {
	Title     string          `json:"title"`
	Plan      string          `json:"plan"`
	Step      int             `json:"step"`             // of the plan, from 0
	Follow    bool            `json:"follow"`           // everybody sees the teacher's step
	Frozen    bool            `json:"frozen"`           // students cannot send anything
	Complete  bool            `json:"complete"`         // no new member can join
	Locked    []string        `json:"locked"`           // settings that students may not change
	Spotlight int64           `json:"spotlight"`        // the member whose run all see, without a name; 0: none
	Revealed  map[string]bool `json:"revealed"`         // steps whose answer was shown
	Hidden    []int64         `json:"hidden,omitempty"` // answers whose sentences are off the wall
	Timer     int64           `json:"timer"`            // its end, in milliseconds since 1970; 0: none

	Due   map[string]int64 `json:"due,omitempty"` // exercises' last moment on time, in milliseconds since 1970
	Fleet storedFleet      `json:"fleet,omitzero"`
	Maker string           `json:"maker,omitempty"` // keyed hash of the address that made the room; never sent
}

// Room is one room. A change of stored data holds changing during its transaction, then takes mu to become visible. So
// either lock is enough to read, and a reader never waits for a transaction.
type Room struct {
	identity
	rooms  *Rooms
	maker  string // keyed hash of the address that made it
	digest []byte // of the teacher's key
	born   int64
	joins  *firewall.Rate // by address
	used   atomic.Int64   // milliseconds since 1970
	size   atomic.Int64   // estimated bytes in memory
	away   atomic.Bool    // it has left memory, and changes no more; set with changing locked

	changing sync.Mutex // locked before mu

	mu       sync.Mutex // guards the fields below
	set      Settings
	closed   bool
	deleted  bool
	members  []*member
	answers  []*answer
	news     chan struct{} // closed at the next change
	watchers int
	fleet    *fleet                  // nil while it is off
	tallies  map[int64]*remote.Tally // by member, of the fleet's run
}

// identity is the part of a room that never changes.
type identity struct {
	code   string
	secret []byte
}

// member is a student of the room.
type member struct {
	store.Member
	answers []*answer // oldest first
	streams int       // open pages
	seen    time.Time // when a page was last open
	acted   time.Time // when the student last sent something
}

func (m *member) removed() bool { return m.Folded == "" }

// answer is one answer of a member.
type answer struct {
	store.Answer
	said   exercise.Answer
	result Result
	place  int            // in the queue, from 1; 0: in training
	wait   time.Duration  // until the training begins
	curve  []trial.Number // of its first seed so far
}

// open reports whether the answer has no verdict yet.
func (a *answer) open() bool { return a.Verdict == "" }

// Result is the verdict on an answer, with its training.
type Result struct {
	exercise.Verdict
	Curve   []trial.Number `json:"curve,omitempty"`   // of its first seed
	Steps   uint64         `json:"steps,omitempty"`   // of each run
	World   string         `json:"world,omitempty"`   // of each run
	Poses   []int16        `json:"poses,omitempty"`   // of its newest policy; learner.Poses
	Receipt string         `json:"receipt,omitempty"` // of a hand-in
}

// Limits of joins to one room from one address, per second and at once: a flood slows down neither another room nor the
// joins of other addresses.
const (
	joinsEvery = 5
	joinsBurst = 60
)

func newRoom(rs *Rooms, row store.Room, members []store.Member, answers []store.Answer) (*Room, error) {
	r := &Room{identity: identity{row.Code, row.Secret}, rooms: rs, digest: row.KeySHA256, born: row.Created,
		closed: row.Closed, news: make(chan struct{}), joins: firewall.NewRate(joinsEvery, joinsBurst)}
	r.use()
	fail := func(err error) (*Room, error) { return nil, fmt.Errorf("room %s: %w", row.Code, err) }
	if err := json.Unmarshal([]byte(row.State), &r.set); err != nil {
		return fail(err)
	}
	r.maker = r.set.Maker
	for _, stored := range members {
		r.members = append(r.members, &member{Member: stored, seen: r.now(), acted: r.now()})
		r.size.Add(eachBytes)
	}
	for _, stored := range answers {
		a := &answer{Answer: stored}
		err := json.Unmarshal([]byte(stored.Answer), &a.said)
		if a.open() {
			r.describe(a)
		} else if err == nil {
			err = json.Unmarshal([]byte(stored.Verdict), &a.result)
		}
		if err != nil {
			return fail(err)
		}
		r.addAnswer(a)
		r.size.Add(bytesOf(&a.Answer))
	}
	r.switchFleet()
	return r, nil
}

// addAnswer adds an answer to the room and to its member. The caller holds mu, or no one else has the room yet.
func (r *Room) addAnswer(a *answer) {
	r.answers = append(r.answers, a)
	m := r.members[a.Member-1]
	m.answers = append(m.answers, a)
}

// Code returns the room's code.
func (r *Room) Code() string { return r.code }

func (r *Room) now() time.Time { return r.rooms.opts.Now() }

// use notes a use of the room. It takes no lock.
func (r *Room) use() { r.used.Store(r.now().UnixMilli()) }

func (r *Room) lastUse() time.Time { return time.UnixMilli(r.used.Load()) }

// unused reports whether the room was unused for so long and has no open answer.
func (r *Room) unused(since time.Duration) bool {
	if r.now().Sub(r.lastUse()) <= since {
		return false // without mu, which a user of the room may hold
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.watchers == 0 && r.fleet.empty() &&
		!slices.ContainsFunc(r.answers, (*answer).open)
}

// notify announces a change to the room's pages. The caller holds mu.
func (r *Room) notify() {
	r.use()
	close(r.news)
	r.news = make(chan struct{})
}

// Watch returns a channel that is closed at the next change.
func (r *Room) Watch() <-chan struct{} {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.news
}

// setMember stores a member's changes, then makes them visible. The caller holds changing.
func (r *Room) setMember(ctx context.Context, m *member, row store.Member, then func()) error {
	return r.commit(ctx, func(tx *store.Tx) error { return tx.SetMember(r.code, row) }, func() {
		m.Member, m.acted = row, r.now()
		then()
	})
}

// commit stores a change of the room, then makes it visible. show runs with mu locked. The caller holds changing.
func (r *Room) commit(ctx context.Context, change func(*store.Tx) error, show func()) error {
	if err := r.do(ctx, change); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	show()
	r.notify()
	return nil
}

// do runs a transaction of this room. The caller holds changing or mu.
func (r *Room) do(ctx context.Context, fn func(*store.Tx) error) error {
	if r.deleted {
		return errGone
	}
	if r.away.Load() {
		return errAway
	}
	return store.Coded(r.rooms.opts.Store.Do(ctx, fn), errGone)
}

// member returns a member by number; nil if there is none or they were removed.
func (r *Room) member(number int64) *member {
	if number < 1 || number > int64(len(r.members)) || r.members[number-1].removed() {
		return nil
	}
	return r.members[number-1]
}

// present returns the members who were not removed.
func (r *Room) present() []*member {
	return slices.DeleteFunc(slices.Clone(r.members), (*member).removed)
}

// named returns the member of a folded nickname; nil if there is none.
func (r *Room) named(folded string) *member {
	for _, m := range r.members {
		if m.Folded == folded {
			return m
		}
	}
	return nil
}

const maxTitle = 80

func cleanTitle(title string) (string, error) {
	if utf8.RuneCountInString(title) > maxTitle || !utf8.ValidString(title) {
		return "", errcode.Errorf(errcode.Refused, "the title is too long: at most %d letters", maxTitle)
	}
	for _, c := range title {
		if !unicode.IsPrint(c) {
			return "", errcode.Errorf(errcode.Refused, "a title needs visible letters or digits, on one line")
		}
	}
	return title, nil
}
