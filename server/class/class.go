// Package class is the class rooms: a teacher makes one, students join by six letters, predict, try and hand in. The
// store keeps every change before it is answered, so a room survives a restart.
//
// Start with Rooms. room.go is one room, teach.go the teacher's changes, answer.go the students' answers, view.go and
// its neighbours what each of them sees. judge.go trains the answers that runs decide. fleet.go is the run that the
// students' browsers act for.
package class

import (
	"cmp"
	"context"
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"math/big"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/singleflight"

	"impalab/learner/schedule"
	"impalab/server/errcode"
	"impalab/server/firewall"
	"impalab/server/job"
	"impalab/server/lab"
	"impalab/server/store"
	"impalab/web/exercise"
)

// Options of the rooms. Store and Queue are required.
type Options struct {
	Store   *store.Store
	Runs    *lab.Lab         // of fleets; nil: rooms have no fleets
	Queue   *job.Queue       // of the answers that runs decide
	Cores   *schedule.Cores  // shared with other runs; nil: all cores
	Workers int              // answers that one process trains at once; 0 or less: one per core, minus one
	Keep    time.Duration    // a room's lifetime after its last use, for its page; 0: 60 days
	Most    int              // members of one room; 0: 60
	Memory  int64            // estimated bytes of all rooms in memory; 0: 256 MB
	Salt    []byte           // of the hashes of addresses; nil: a random one
	Now     func() time.Time // nil: time.Now
	Log     *slog.Logger
}

func (o *Options) defaults() {
	if o.Workers <= 0 {
		o.Workers = max(1, runtime.GOMAXPROCS(0)-1)
	}
	o.Keep = cmp.Or(o.Keep, 60*24*time.Hour)
	o.Most = cmp.Or(o.Most, 60)
	o.Memory = cmp.Or(o.Memory, 256e6)
	o.Log = cmp.Or(o.Log, slog.New(slog.DiscardHandler))
	if o.Salt == nil {
		o.Salt = []byte(store.NewKey())
	}
	if o.Now == nil {
		o.Now = time.Now
	}
}

// Rooms holds the rooms in use. The store has all rooms.
type Rooms struct {
	opts Options
	ctx  context.Context
	stop context.CancelFunc
	gone sync.WaitGroup

	wrong  *firewall.Rate // wrong codes and keys, by address
	made   *firewall.Rate // new rooms, by address
	inside *doors         // addresses for which wrong codes from the same address do not count

	loads singleflight.Group // of rooms, by code
	size  atomic.Int64       // estimated bytes of the rooms in memory

	mu   sync.Mutex
	held map[string]*Room
}

// Limits by address. A class shares one address and mistypes. At this rate a guesser of 64 million codes finds one of a
// thousand rooms in four days.
const (
	wrongEvery, wrongBurst = .2, 30
	madeEvery, madeBurst   = .1, 20
)

// New returns the rooms of a store. Workers of its Kinds judge the answers that runs decide. Close ends the rooms, but
// neither the store nor the queue.
func New(o Options) (*Rooms, error) {
	if o.Queue == nil {
		return nil, errors.New("rooms need a queue: without one, nothing in them would be judged")
	}
	o.defaults()
	rs := &Rooms{opts: o, held: map[string]*Room{}, wrong: firewall.NewRate(wrongEvery, wrongBurst),
		made: firewall.NewRate(madeEvery, madeBurst), inside: newDoors(o.Now)}
	rs.ctx, rs.stop = context.WithCancel(context.Background())
	open, err := store.Get(rs.ctx, o.Store, (*store.Tx).RoomsOpen)
	for _, code := range open {
		if err == nil {
			_, err = rs.load(code)
		}
		if errors.Is(err, errNoMemory) { // it is loaded for its first visitor
			err = nil
		}
	}
	if err != nil {
		rs.stop()
		return nil, fmt.Errorf("the stored rooms: %w", err)
	}
	rs.gone.Go(rs.tidyEveryMinute)
	rs.gone.Go(rs.followJobs)
	return rs, nil
}

var (
	errForbidden = errcode.Errorf(errcode.Forbidden, "this is not yours: the key does not fit this room; join it, or "+
		"open the teacher's link")
	errGone   = errcode.Errorf(errcode.NotFound, "this room has been deleted")
	errClosed = errcode.Errorf(errcode.Conflict, "this room is closed: what you have sent is kept, and nothing more can "+
		"be sent")
	errComplete = errcode.Errorf(errcode.Conflict, "this class is complete, and no other student can join; if it is "+
		"yours, ask the teacher to let you in")
	errNoRoom = errcode.Errorf(errcode.NotFound, "there is no room with this code; look at it again: it has six letters, "+
		"and no vowels")
	errNoTask = errcode.Errorf(errcode.Conflict, "your teacher has not reached this step yet, or the lesson has another "+
		"plan now")
	errOldPlan  = errcode.Errorf(errcode.Conflict, "this room's plan is of another build; choose one of GET /plans")
	errNoMemory = errcode.Errorf(errcode.Full, "the rooms that are in use take all the memory that this server has for "+
		"rooms, and no address has more of it than the one that made this room; try again in a few minutes, or ask the "+
		"server's host to raise --max-memory")
	errAway = errcode.Errorf(errcode.Full, "this room has made way for another for a moment; send it again")
)

// Close ends the rooms. The queue hands on the answers in training.
func (rs *Rooms) Close() {
	rs.stop()
	rs.gone.Wait()
}

// letters of a code: no two are easily confused, and without vowels no code spells a word.
const letters = "BCDFGHJKMNPQRSTVWXYZ"

// codeLength gives 64 million codes.
const codeLength = 6

func newCode() string {
	code := make([]byte, codeLength)
	for i := range code {
		n, _ := rand.Int(rand.Reader, big.NewInt(int64(len(letters)))) // the reader never fails
		code[i] = letters[n.Int64()]
	}
	return string(code)
}

// Make makes a room. Only this call returns its key.
func (rs *Rooms) Make(ctx context.Context, address, title, plan string) (code, key string, err error) {
	if title, err = cleanTitle(title); err != nil {
		return "", "", err
	}
	if plan == "" {
		plan = exercise.Plans()[0].Name
	}
	of, err := exercise.PlanNamed(plan)
	if err != nil {
		return "", "", errcode.Refuse(err)
	}
	if !rs.made.Allow(address) {
		return "", "", errcode.Errorf(errcode.TooFast, "rooms are made too fast from your address; wait ten seconds, "+
			"then try again")
	}
	state := store.JSON(Settings{Title: title, Plan: plan, Follow: of.Minutes > 0,
		Maker: store.HashAddress(address, rs.opts.Salt)})
	key = store.NewKey()
	secret := make([]byte, 32)
	rand.Read(secret)
	for range 8 { // the code may exist
		code = newCode()
		err = rs.opts.Store.Do(ctx, func(tx *store.Tx) error {
			return tx.AddRoom(store.Room{Code: code, Secret: secret, State: state}, key)
		})
		if !errors.Is(err, store.ErrConflict) {
			break
		}
	}
	if err != nil {
		return "", "", store.Coded(err, errGone)
	}
	rs.inside.open(address, code)
	return code, key, nil
}

// find returns a room, and loads it if it is not in memory. It does not wait for other rooms.
func (rs *Rooms) find(ctx context.Context, code string) (*Room, error) {
	if code = spelled(code); len(code) != codeLength {
		return nil, errNoRoom
	}
	if r := rs.inMemory(code); r != nil {
		return r, nil
	}
	select {
	case got := <-rs.loads.DoChan(code, func() (any, error) { return rs.load(code) }):
		if got.Err != nil {
			return nil, got.Err
		}
		return got.Val.(*Room), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

// inMemory returns a room that is in memory and marks it as used; otherwise nil.
func (rs *Rooms) inMemory(code string) *Room {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	r := rs.held[code]
	if r != nil {
		r.use()
	}
	return r
}

// all returns the rooms in memory.
func (rs *Rooms) all() []*Room {
	rs.mu.Lock()
	defer rs.mu.Unlock()
	return slices.Collect(maps.Values(rs.held))
}

// load reads a room from the store into memory. Calls for one room run one after the other.
func (rs *Rooms) load(code string) (*Room, error) {
	if r := rs.inMemory(code); r != nil {
		return r, nil
	}
	var row store.Room
	var size int64
	err := rs.opts.Store.View(rs.ctx, func(tx *store.Tx) (err error) {
		if row, err = tx.Room(code); err == nil {
			size, err = bytesStored(tx, code)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil, errNoRoom
	}
	if err != nil {
		return nil, err
	}
	var set Settings
	if err := json.Unmarshal([]byte(row.State), &set); err != nil {
		return nil, fmt.Errorf("room %s: %w", code, err)
	}
	rs.mu.Lock()
	if err = rs.fit(nil, set.Maker, size); err == nil {
		rs.size.Add(size)
	}
	rs.mu.Unlock()
	if err != nil {
		return nil, err
	}
	r, err := rs.read(code)
	if err != nil {
		rs.size.Add(-size)
		return nil, err
	}
	rs.mu.Lock()
	defer rs.mu.Unlock()
	rs.size.Add(r.size.Load() - size)
	rs.held[code] = r
	return r, nil
}

// read reads a room from the store.
func (rs *Rooms) read(code string) (*Room, error) {
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
	return newRoom(rs, row, members, answers)
}

// dropAfter is the time after which an unused room leaves memory.
const dropAfter = 10 * time.Minute

func (rs *Rooms) tidyEveryMinute() {
	tick := time.NewTicker(time.Minute)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			rs.tidy(dropAfter)
		case <-rs.ctx.Done():
			return
		}
	}
}

// draw returns 32 pseudo-random bytes that depend on a room's secret and the parts.
func draw(secret []byte, parts ...any) []byte {
	mac := hmac.New(sha256.New, secret)
	fmt.Fprintf(mac, "%q", parts)
	return mac.Sum(nil)
}
