// Package class is rooms: a teacher, a class that joins by six letters, what it predicts, tries and hands in. All that
// is said or set is in the store before it is answered, so a room goes on where it stood after a restart.
//
// Look at Rooms first; room.go is one room, teach.go what a teacher does in it, answer.go what students do, view.go
// what each of them sees, and fleet.go is the run that students' browsers act for. What is to be judged by runs is a
// job (queue.go), which trainer.go does, here or in another process.
package class

import (
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/exercise"
	"impalab/server/firewall"
	"impalab/server/job"
	"impalab/server/lab"
	"impalab/server/store"
)

// Options of the rooms. The zero value of all but Store and Queue is good.
type Options struct {
	Store   *store.Store
	Runs    *lab.Lab         // that fleets play for; nil: rooms have no fleets
	Queue   *job.Queue       // of those who train what is judged by runs
	Cores   *schedule.Cores  // shared with other runs; nil: as many as there are
	Workers int              // answers that are judged at once; 0 or less: one for each core, but for one
	Keep    time.Duration    // after its last use a room is forgotten; told on its page. 0: 60 days
	Most    int              // members of one room; 0: 60
	Memory  int64            // bytes that the rooms held may take, by estimate; 0: 256 MB
	Now     func() time.Time // nil: time.Now
	Log     *slog.Logger
}

func (o *Options) defaults() {
	if o.Cores == nil {
		o.Cores = schedule.NewCores(runtime.GOMAXPROCS(0))
	}
	if o.Keep == 0 {
		o.Keep = 60 * 24 * time.Hour
	}
	if o.Most == 0 {
		o.Most = 60
	}
	if o.Memory == 0 {
		o.Memory = 256e6
	}
	if o.Now == nil {
		o.Now = time.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
}

// slots is how many answers one process judges at once.
func (o *Options) slots() int {
	if o.Workers > 0 {
		return o.Workers
	}
	return max(1, runtime.GOMAXPROCS(0)-1)
}

// Rooms holds the rooms that are in use. The store has all.
type Rooms struct {
	opts Options
	ctx  context.Context
	stop context.CancelFunc
	gone sync.WaitGroup

	wrong *firewall.Rate // codes that lead nowhere, by address
	made  *firewall.Rate // new rooms, by address

	loads singleflight.Group // of rooms, by code
	size  atomic.Int64       // bytes of memory that the rooms held take, by estimate

	mu   sync.Mutex
	held map[string]*Room
	step float64 // seconds that one of a run takes, by what was trained here last
}

// How often an address may guess a code and make a room. A class shares one address, and mistypes; who guesses at
// 64 million codes at this rate meets one of a thousand rooms in four days.
const (
	wrongEvery, wrongBurst = .2, 30
	madeEvery, madeBurst   = .1, 20
)

// New goes on with what an earlier process had to leave. Whoever takes jobs of its Kinds judges what is handed in.
// Close ends it; neither the store nor the queue is closed.
func New(o Options) (*Rooms, error) {
	if o.Queue == nil {
		return nil, errors.New("rooms need a queue: without one, nothing in them would be judged")
	}
	o.defaults()
	rs := &Rooms{opts: o, held: map[string]*Room{}, step: 4e-6, wrong: firewall.NewRate(wrongEvery, wrongBurst),
		made: firewall.NewRate(madeEvery, madeBurst)}
	rs.ctx, rs.stop = context.WithCancel(context.Background())
	var open []string
	err := o.Store.View(rs.ctx, func(tx *store.Tx) (err error) { open, err = tx.RoomsOpen(); return err })
	for _, code := range open {
		if err == nil {
			_, err = rs.load(code)
		}
	}
	if err != nil {
		rs.stop()
		return nil, fmt.Errorf("the rooms of the last time: %w", err)
	}
	rs.gone.Add(2)
	go rs.tend() // both end with Close
	go rs.listen()
	return rs, nil
}

// Close ends the rooms. What is being trained is the queue's to hand back.
func (rs *Rooms) Close() {
	rs.stop()
	rs.gone.Wait()
}

// letters of a code: none that looks like another, and no vowels, so that a code spells no word.
const letters = "BCDFGHJKMNPQRSTVWXYZ"

// codeLength makes 64 million codes.
const codeLength = 6

func newCode() string {
	code := make([]byte, 0, codeLength)
	var draw [1]byte
	for len(code) < codeLength {
		rand.Read(draw[:])
		if int(draw[0]) < 256/len(letters)*len(letters) { // all letters alike
			code = append(code, letters[int(draw[0])%len(letters)])
		}
	}
	return string(code)
}

// Make makes a room. Its key is told here and nowhere again.
func (rs *Rooms) Make(ctx context.Context, address, title, plan string) (code, key string, err error) {
	if title, err = cleanTitle(title); err != nil {
		return "", "", err
	}
	if plan == "" {
		plan = exercise.Plans()[0].Name
	}
	of := exercise.PlanNamed(plan)
	if of == nil {
		return "", "", unknownPlan(plan)
	}
	if !rs.made.Allow(address) {
		return "", "", errcode.Errorf(errcode.TooFast, "rooms are made too fast from your address; wait ten "+
			"seconds, then try again")

	}
	state, err := json.Marshal(Settings{Title: title, Plan: plan, Follow: of.Minutes > 0})
	if err != nil {
		return "", "", err
	}
	key = store.NewKey()
	secret := make([]byte, 32)
	rand.Read(secret)
	for range 8 { // a code may be taken
		code = newCode()
		err = rs.opts.Store.Do(ctx, func(tx *store.Tx) error {
			return tx.AddRoom(store.Room{Code: code, Secret: secret, State: string(state)}, key)
		})
		if !errors.Is(err, store.ErrConflict) {
			break
		}
	}
	if err != nil {
		return "", "", kept(err)
	}
	return code, key, nil
}

// Room is the room of a code, for somebody at an address who may be guessing.
func (rs *Rooms) Room(ctx context.Context, address, code string) (*Room, error) {
	if !rs.wrong.May(address) {
		return nil, errcode.Errorf(errcode.TooFast, "too many codes that lead nowhere came from your address; "+
			"wait a minute, then try again")

	}
	r, err := rs.find(ctx, code)
	if errcode.Of(err) == errcode.NotFound {
		rs.wrong.Allow(address)
	}
	return r, err
}

// Known is the room of a code for somebody who shows a key or a secret: others at the same address, who guess, do not
// shut them out.
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
			return r, role, nil
		}
	}
	if !rs.wrong.Allow(address) {
		return nil, Role{}, errcode.Errorf(errcode.TooFast, "too many keys that fit nothing came from your "+
			"address; wait a minute, then try again")

	}
	return nil, Role{}, err
}

var errNoRoom = errcode.Errorf(errcode.NotFound, "there is no room with this code; look at it again: it has six "+
	"letters, and no vowels")

// find is a room that is held, or that the store has, which is held from now on. It waits for no other room.
func (rs *Rooms) find(ctx context.Context, code string) (*Room, error) {
	code = readCode(code)
	if len(code) != codeLength {
		return nil, errNoRoom
	}
	if r := rs.holds(code); r != nil {
		return r, nil
	}
	select {
	case got := <-rs.loads.DoChan(code, func() (any, error) {
		if err := rs.fit(eachBytes); err != nil {
			return nil, err
		}
		return rs.load(code)
	}):
		if got.Err != nil {
			return nil, got.Err
		}
		return got.Val.(*Room), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// holds is a room that is held, which is in use from now on; or nil.
func (rs *Rooms) holds(code string) *Room {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.held[code]
	if r != nil {
		r.use()
	}
	return r
}

// load reads a room from the store, and holds it. Of one room it runs once at a time.
func (rs *Rooms) load(code string) (*Room, error) {
	if r := rs.holds(code); r != nil {
		return r, nil // loaded since it was looked for
	}
	var row store.Room
	var members []store.Member
	var answers []store.Answer
	err := rs.opts.Store.View(rs.ctx, func(tx *store.Tx) (err error) {
		if row, err = tx.Room(code); err != nil {
			return err
		}
		if members, err = tx.Members(code); err != nil {
			return err
		}
		answers, err = tx.Answers(code)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, errNoRoom
	}
	if err != nil {
		return nil, err
	}
	r, err := newRoom(rs, row, members, answers)
	if err == nil {
		err = r.adopt(rs.ctx)
	}
	if err != nil {
		return nil, err
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.held[code] = r
	rs.size.Add(r.size.Load())
	return r, nil
}

// readCode is a code as it may be typed: in small letters, with spaces or a dash.
func readCode(text string) string {
	var code []byte
	for _, b := range []byte(text) {
		switch {
		case b >= 'a' && b <= 'z':
			code = append(code, b-'a'+'A')
		case b == ' ' || b == '-':
		default:
			code = append(code, b)
		}
	}
	return string(code)
}

// tend drops rooms that nobody has used for long. The store has them, as long as it keeps them.
func (rs *Rooms) tend() {
	defer rs.gone.Done()
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
		case <-rs.ctx.Done():
			return
		}
		rs.tidy(dropAfter)
	}
}

const dropAfter = 10 * time.Minute

// same compares digests without telling how far they agree.
func same(digest []byte, secret string) bool {
	own := sha256.Sum256([]byte(secret))
	return subtle.ConstantTimeCompare(digest, own[:]) == 1
}

// draw is a number that follows from a room's secret and from what it is for.
func draw(secret []byte, parts ...any) []byte {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%q", parts)
	return mac.Sum(nil)
}
