package class

// What a teacher does: the step of the plan, what students may do, who they are, and the end of it.

import (
	"context"
	"crypto/sha256"
	"errors"
	"maps"
	"slices"
	"time"

	"impalab/learner/hyper"
	"impalab/server/errcode"
	"impalab/server/exercise"
	"impalab/server/store"
)

func digest(secret string) []byte {
	sum := sha256.Sum256([]byte(secret))
	return sum[:]
}

// Change is what a teacher changes of a room; nil: as it is.
type Change struct {
	Title     *string   `json:"title,omitempty" doc:"What stands above the room."`
	Plan      *string   `json:"plan,omitempty" doc:"Of GET /plans; the room is then at its first step."`
	Step      *int      `json:"step,omitempty" doc:"Of the plan, from 0."`
	Follow    *bool     `json:"follow,omitempty" doc:"Everybody sees the teacher's step; else they may go back."`
	Frozen    *bool     `json:"frozen,omitempty" doc:"Nobody can send anything."`
	Locked    *[]string `json:"locked,omitempty" doc:"Settings that nobody may change."`
	Spotlight *int64    `json:"spotlight,omitempty" doc:"The number of a member whose run all see, without a name; 0: none."`
	Revealed  *bool     `json:"revealed,omitempty" doc:"The truth of the step at hand is shown, or its sentences are, to all. From then on guesses come too late."`
	Hide      *int64    `json:"hide,omitempty" doc:"The number of a sentence that is taken off the wall."`
	Timer     *int      `json:"timer,omitempty" doc:"Seconds from now on that students see run down; 0: none."`
	Closed    *bool     `json:"closed,omitempty" doc:"Nobody can join or send anything; all stays to be read."`

	Fleet *FleetChange `json:"fleet,omitempty" doc:"Students' browsers act for one run."`
}

// maxTimer is the longest timer, in seconds.
const maxTimer = 24 * 3600

// Change carries out what a teacher wants, all of it or nothing.
func (r *Room) Change(ctx context.Context, c Change) error {
	if c.Fleet != nil && len(c.Fleet.Set) > 0 {
		return r.steerFleet(ctx, c)
	}
	r.changing.Lock()
	defer r.changing.Unlock()
	next, closed := r.set, r.closed
	next.Revealed = maps.Clone(r.set.Revealed)
	if c.Title != nil {
		title, err := cleanTitle(*c.Title)
		if err != nil {
			return err
		}
		next.Title = title
	}
	if c.Plan != nil && *c.Plan != next.Plan {
		of := exercise.PlanNamed(*c.Plan)
		if of == nil {
			return unknownPlan(*c.Plan)
		}
		next.Plan, next.Step, next.Follow = of.Name, 0, of.Minutes > 0
	}
	plan := exercise.PlanNamed(next.Plan)
	if plan == nil {
		return errcode.Errorf(errcode.Conflict, "this room's plan is of another build; choose one of GET /plans")
	}
	if c.Step != nil {
		if *c.Step < 0 || *c.Step >= len(plan.Steps) {
			return errcode.Errorf(errcode.Refused, "step %d: the plan has the steps 0 to %d", *c.Step, len(plan.Steps)-1)
		}
		if next.Step != *c.Step {
			next.Step, next.Timer = *c.Step, 0
		}
	}
	if c.Revealed != nil {
		if plan.Steps[next.Step].Predict == nil && plan.Steps[next.Step].Sentence == "" {
			return errcode.Errorf(errcode.Refused, "this step asks for no guess and no sentence, so there is "+
				"nothing to show")
		}
		if next.Revealed == nil {
			next.Revealed = map[string]bool{}
		}
		if next.Revealed[plan.Steps[next.Step].Name] = *c.Revealed; !*c.Revealed {
			delete(next.Revealed, plan.Steps[next.Step].Name)
		}
	}
	if c.Hide != nil {
		if n := *c.Hide; n < 1 || n > int64(len(r.answers)) || r.answers[n-1].Kind != Sentence {
			return errcode.Errorf(errcode.Refused, "there is no sentence %d", n)
		}
		next.Hidden = append(slices.Clip(next.Hidden), *c.Hide)
	}
	if c.Locked != nil {
		for _, key := range *c.Locked {
			if _, err := hyper.Lookup(key); err != nil {
				return errcode.Errorf(errcode.Refused, "locked: %w", err)
			}
		}
		next.Locked = slices.Compact(slices.Sorted(slices.Values(*c.Locked)))
	}
	if c.Spotlight != nil {
		if *c.Spotlight != 0 && r.member(*c.Spotlight) == nil {
			return errcode.Errorf(errcode.Refused, "there is no member %d", *c.Spotlight)
		}
		next.Spotlight = *c.Spotlight
	}
	if c.Timer != nil {
		if *c.Timer < 0 || *c.Timer > maxTimer {
			return errcode.Errorf(errcode.Refused, "a timer runs for 1 to %d seconds, or 0 for none", maxTimer)
		}
		if next.Timer = 0; *c.Timer > 0 {
			next.Timer = r.now().Add(time.Duration(*c.Timer) * time.Second).UnixMilli()
		}
	}
	for _, flag := range []struct {
		want *bool
		is   *bool
	}{{c.Follow, &next.Follow}, {c.Frozen, &next.Frozen}, {c.Closed, &closed}} {
		if flag.want != nil {
			*flag.is = *flag.want
		}
	}
	if err := r.changeFleet(ctx, &next, closed, c.Fleet); err != nil {
		return err
	}
	if err := r.keepSettings(ctx, next, closed); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.act()
	return nil
}

// keepSettings puts settings into the store, then in force. The caller holds changing.
func (r *Room) keepSettings(ctx context.Context, next Settings, closed bool) error {
	if err := r.do(ctx, func(tx *store.Tx) error { return tx.SetRoom(r.code, text(next), closed) }); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.set, r.closed = next, closed
	r.tell()
	return nil
}

// Seat is what a teacher changes of a member; nil: as it is.
type Seat struct {
	Nickname *string `json:"nickname,omitempty"`
	Removed  bool    `json:"removed,omitempty" doc:"Out of the room; the answers stay, and the nickname is free."`
	Reopen   bool    `json:"reopen,omitempty" doc:"Whoever joins next by this nickname takes the seat: for somebody whose browser has forgotten them."`
	Helped   bool    `json:"helped,omitempty" doc:"The call for help is answered."`
}

// Seat changes a member.
func (r *Room) Seat(ctx context.Context, number int64, s Seat) error {
	r.changing.Lock()
	defer r.changing.Unlock()
	m := r.member(number)
	if m == nil {
		return errcode.Errorf(errcode.NotFound, "there is no member %d in this room", number)
	}
	kept, state := m.Member, m.memberState
	if s.Nickname != nil {
		clean, folded, err := cleanNickname(*s.Nickname)
		if err != nil {
			return err
		}
		for _, other := range r.members {
			if other != m && !other.removed() && other.Folded == folded {
				return errcode.Errorf(errcode.Conflict, "%s is in this room already: choose another nickname",
					other.Nickname)
			}
		}
		kept.Nickname, kept.Folded = clean, folded
	}
	if s.Helped {
		state.Help = false
	}
	if s.Reopen {
		state.Reopen = true
	}
	if s.Removed {
		kept.Folded = ""
	}
	if err := r.keepMember(ctx, m, kept, state); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s.Removed {
		r.fleet.dismiss(number, errNotHere)
	}
	if s.Removed && r.set.Spotlight == number {
		r.set.Spotlight = 0 // the store's is of nobody, which is shown as none
	}
	return nil
}

// Delete forgets the room with everybody and everything in it, at once.
func (r *Room) Delete(ctx context.Context) error {
	r.changing.Lock()
	defer r.changing.Unlock()
	r.mu.Lock() // its answers end with it, so whoever looks may wait
	err := r.do(ctx, func(tx *store.Tx) error { return errors.Join(r.cancel(tx), tx.DeleteRoom(r.code)) })
	if err == nil {
		r.deleted = true
		r.fleet.end(errNotHere)
		r.fleet = nil
		r.tell()
	}
	kept := r.set.Fleet
	r.mu.Unlock()
	if err == nil && kept != nil && r.rooms.opts.Runs != nil { // it may be gone already
		r.rooms.opts.Runs.Delete(ctx, kept.Run, r.fleetKey())
	}
	if err == nil {
		r.rooms.mu.Lock()
		if r.rooms.held[r.code] == r {
			delete(r.rooms.held, r.code)
			r.rooms.size.Add(-r.size.Load())
		}
		r.rooms.mu.Unlock()
	}
	return err
}
